// Cuts work over many rows into parts, so that other requests run between the parts.

/** A few milliseconds of work. */
const ROWS = 60;

/** Those who wait for a turn, in the order of arrival. */
const waiting: (() => void)[] = [];

/**
 * Resolves after all other pending work has had a turn. However many bulk answers run at once, each round of the event loop
 * processes one part of one answer. So a request waits for one part, not for one part of each answer.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letIn);
  });
}

function letIn(): void {
  const next = waiting[0];
  next?.();
  // Remove the entry only after its turn: if the list were empty, a newcomer would start a second loop.
  waiting.shift();
  if (waiting.length > 0) setImmediate(letIn);
}

/** @param map gets a part of the rows, and the place of its first row */
export async function mapInTurns<In, Out>(
  rows: readonly In[],
  map: (part: readonly In[], from: number) => readonly Out[],
  most = ROWS,
): Promise<Out[]> {
  const mapped: Out[] = [];
  let from = 0;
  for await (const part of inTurns(rows, most)) {
    for (const row of map(part, from)) mapped.push(row);
    from += part.length;
  }
  return mapped;
}

/** The rows in parts of at most `most`. If there are several parts, other work runs before each part. */
export async function* inTurns<Row>(rows: readonly Row[], most = ROWS): AsyncGenerator<readonly Row[]> {
  if (rows.length <= most) {
    yield rows;
    return;
  }
  for (let from = 0; from < rows.length; from += most) {
    await nextTurn();
    yield rows.slice(from, from + most);
  }
}

/** The same rows in order, in parts of exactly `most`; the last part may be smaller. */
export async function* joined<Row>(parts: AsyncIterable<readonly Row[]>, most: number): AsyncGenerator<readonly Row[]> {
  const rows: Row[] = [];
  for await (const part of parts) {
    rows.push(...part);
    while (rows.length >= most) yield rows.splice(0, most);
  }
  if (rows.length > 0) yield rows;
}
