// An address of FRED: its parameters are checked, then it is answered.
import type { z } from 'zod';
import { asked } from '../asked.ts';
import type { Standing } from '../standing.ts';
import type { Body } from './forms.ts';

type Answer = (standing: Standing, query: URLSearchParams) => Promise<Body>;
export type Answers = Readonly<Record<string, Answer>>;

export const answering =
  <Question extends z.ZodObject>(
    question: Question,
    answer: (standing: Standing, asked: z.infer<Question>) => Promise<Body> | Body,
  ): Answer =>
  async (standing, query) =>
    answer(standing, asked(question, query));
