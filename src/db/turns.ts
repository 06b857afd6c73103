// Work over many rows, cut so that other requests get their turn between the parts.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A few milliseconds of work. */
const ROWS = 500;

export async function mapInTurns<In, Out>(rows: readonly In[], map: (part: readonly In[]) => readonly Out[]): Promise<Out[]> {
  const mapped: Out[] = [];
  for await (const part of inTurns(rows)) mapped.push(...map(part));
  return mapped;
}

/** The rows in parts; the process does other things before each but the first. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS) {
    if (from > 0) await nextTurn();
    yield from === 0 && rows.length <= ROWS ? rows : rows.slice(from, from + ROWS);
  }
}
