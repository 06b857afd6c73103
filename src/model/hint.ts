// Why a list is empty.
import { z } from 'zod';

export const Hint = z
  .strictObject({
    parameter: z.string().describe('The parameter that leaves nothing.'),
    message: z.string().describe('Why, in a sentence.'),
    nearest: z.string().optional().describe('The nearest value that would leave something; absent where none is near.'),
  })
  .meta({ id: 'Hint' });
export type Hint = z.infer<typeof Hint>;
