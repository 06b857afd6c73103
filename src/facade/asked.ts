// Checks the parameters of a request. An unknown parameter is refused by name.
import { z } from 'zod';
import { FacadeError } from './failure.ts';

/** Python writes True and False. */
export const Truth = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['true', 'false'], { error: 'is true or false' }));

/** Refuses a repeated parameter. An empty one counts as not given, as at FRED. Throws a FacadeError that names the first bad parameter. */
export function asked<Question extends z.ZodObject>(question: Question, query: URLSearchParams): z.infer<Question> {
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    if (given.has(name)) throw new FacadeError(400, `Bad Request. The variable ${name} was sent more than once. Send it once.`);
    if (value !== '') given.set(name, value);
  }
  const parsed = question.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys')
    throw new FacadeError(400, `Bad Request. Unknown variable ${issue.keys.join(', ').slice(0, 100)}. Remove it.`);
  if (!given.has(name)) throw new FacadeError(400, `Bad Request. The variable ${name} is not set.`);
  throw new FacadeError(400, `Bad Request. Value of ${name} ${issue?.message ?? 'cannot be used'}.`);
}
