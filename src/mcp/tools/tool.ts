// What a tool is: a question with its input, answered from the service.
import { z } from 'zod';
import type { Page, Rows, ServiceClient } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import { type Cell, type Row, textOf } from '../table.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** `keep` is the number of rows after which no more need to be cached. */
  readonly answer: (input: z.infer<Input>, service: ServiceClient, keep: number) => Promise<Answer>;
}

export const text = (description: string) => z.string().min(1).max(2000).describe(description);
export const day = (description: string) => z.iso.date().describe(description);

/** The cutoff that every tool takes. */
export const asOf = text('Return the data as known at this moment: a day (its end, UTC) or an RFC 3339 instant. Default: now.').optional();

export const indicator = text(
  'Storage id (us_nonfarm_payrolls) or canonical id (cpi_inflation_yoy, all countries). Look it up with the tool find.',
);

/** Counts all rows and keeps the first `keep` of them. */
export async function collect(
  { rows }: Rows,
  keep: number,
  toRow: (row: Readonly<Record<string, unknown>>) => Row,
): Promise<{ readonly rows: readonly Row[]; readonly count: number }> {
  const kept: Row[] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (kept.length < keep) kept.push(toRow(row));
  }
  return { rows: kept, count };
}

/** The reason for an empty list, in the service's words. */
export function hintsOf(meta: Page['meta']): string[] {
  const hints = (meta['hints'] ?? []) as readonly { readonly message: string; readonly nearest?: string }[];
  return hints.map(
    ({ message, nearest }) => `hint: ${message}${nearest === undefined || message.includes(nearest) ? '' : ` Nearest: ${nearest}`}`,
  );
}

export const asOfOf = (meta: Page['meta'], given: string | undefined): string | null =>
  (meta['as_of'] as string | null | undefined) ?? given ?? null;

/** A field as a cell; empty unless it is text, a number or a boolean. */
export function cell(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** A field in a sentence; empty unless it is text, a number or a boolean. */
export const say = (value: unknown): string => textOf(cell(value));

/** A call as a user would write it: the tool's name and its input. */
export function call(name: string, input: Readonly<Record<string, unknown>>): string {
  return `${name} ${JSON.stringify(input)}`;
}
