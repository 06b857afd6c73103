// An answer within a budget of bytes: the cutoff, the facts, as many rows as fit, and the call for the others.
import { type Row, type Table, toTable } from './table.ts';

/** The default budget, and the smallest one that holds an answer without rows. */
export const BUDGET = 24_000;
export const LEAST_BUDGET = 2000;

export interface Answer {
  /** The knowledge cutoff of everything below, as the service applied it; null without one: the current knowledge. */
  readonly asOf: string | null;
  /** Lines above the rows. */
  readonly facts: readonly string[];
  /** The most important ones first: rows that do not fit are dropped from the end. */
  readonly rows: readonly Row[];
  /** The number of all rows; larger than `rows` if not all were cached. */
  readonly rowCount: number;
  /** A narrower call that returns the missing rows, computed from the cached ones. */
  readonly narrower: (held: readonly Row[]) => string;
}

export interface Result {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
  readonly [other: string]: unknown;
}

/** At most this many rows can fit, because a row has at least two bytes. */
export const mostRows = (budget: number) => Math.ceil(budget / 2);

/** The sent answer, with envelope and escapes, never exceeds `budget` bytes. */
export function toResult(answer: Answer, budget: number): Result {
  // Common values are found among all rows, so that the text grows with their number.
  const table = toTable(answer.rows);
  const count = most(answer.rows.length, (rows) => bytesOf(textWith(answer, table, rows)) <= budget);
  return resultOf(textWith(answer, table, count), budget);
}

/** An error, with the cutoff of the request. */
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

/** Facts alone can be too long only if they quote other texts. */
function cut(text: string, budget: number): string {
  if (bytesOf(text) <= budget) return text;
  const length = most(text.length, (end) => bytesOf(text.slice(0, end) + CUT) <= budget);
  return text.slice(0, length) + CUT;
}

/** The greatest number up to `limit` that meets a condition that is true at 0 and false from some number on. */
function most(limit: number, holds: (count: number) => boolean): number {
  let [least, above] = [0, limit + 1];
  while (above - least > 1) {
    const middle = (least + above) >> 1;
    if (holds(middle)) least = middle;
    else above = middle;
  }
  return least;
}
