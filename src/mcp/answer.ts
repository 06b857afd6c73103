// An answer within a budget of bytes: what was asked as of when, facts, then as many rows as fit, and what to ask for the others.
import { type Row, type Table, toTable } from './table.ts';

/** The budget unless another is given, and the least that holds any answer's own words. */
export const BUDGET = 24_000;
export const LEAST_BUDGET = 2000;

export interface Answer {
  /** The knowledge cutoff of everything below, as the service applied it; null where none was given: what is known now. */
  readonly asOf: string | null;
  /** Lines above the rows. */
  readonly facts: readonly string[];
  /** The most wanted first: those that do not fit are left out from the end. */
  readonly rows: readonly Row[];
  /** Rows that there are; more than `rows` where not all were kept. */
  readonly rowCount: number;
  /** A narrower call that answers what is left out, from the rows that are held. */
  readonly narrower: (held: readonly Row[]) => string;
}

export interface Result {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
  readonly [other: string]: unknown;
}

/** More rows than fit in any way need not be kept: a row has two bytes at the least. */
export const mostRows = (budget: number) => Math.ceil(budget / 2);

/** What is sent, envelope and escapes included, is never more than `budget` bytes. */
export function toResult(answer: Answer, budget: number): Result {
  // What rows share is found among all of them, so that the text grows with their number.
  const table = toTable(answer.rows);
  const count = most(answer.rows.length, (rows) => bytesOf(textWith(answer, table, rows)) <= budget);
  return resultOf(textWith(answer, table, count), budget);
}

/** A failure, told with the cutoff under which it was asked. */
export function toFailure(asOf: string | null, text: string, budget: number): Result {
  return { ...resultOf(`${asOfLine(asOf)}\n${text}`, budget), isError: true };
}

function resultOf(text: string, budget: number): Result {
  return { content: [{ type: 'text', text: cut(text, budget) }] };
}

function textWith({ asOf, facts, rows, rowCount, narrower }: Answer, { shared, header, lines }: Table, count: number): string {
  const rest =
    count === rowCount
      ? [`rows: ${rowCount}`]
      : [`rows: ${rowCount}, of which the first ${count} are here. For the others: ${narrower(rows.slice(0, count))}`];
  return [
    asOfLine(asOf),
    ...facts,
    ...(shared.length > 0 ? [`all rows: ${shared.join(' ')}`] : []),
    ...rest,
    ...(count > 0 ? [header, ...lines.slice(0, count)] : []),
  ].join('\n');
}

const asOfLine = (asOf: string | null) => `as_of: ${asOf ?? 'now (none was given)'}`;

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify({ content: [{ type: 'text', text }], isError: true }));

const CUT = '\n(cut: the answer is longer than the budget)';

/** Facts alone can be too long only where somebody else's words are in them. */
function cut(text: string, budget: number): string {
  if (bytesOf(text) <= budget) return text;
  const length = most(text.length, (end) => bytesOf(text.slice(0, end) + CUT) <= budget);
  return text.slice(0, length) + CUT;
}

/** The greatest number up to `limit` for which it holds, of a condition that holds for 0 and never again once it has ended. */
function most(limit: number, holds: (count: number) => boolean): number {
  let [least, above] = [0, limit + 1];
  while (above - least > 1) {
    const middle = (least + above) >> 1;
    if (holds(middle)) least = middle;
    else above = middle;
  }
  return least;
}
