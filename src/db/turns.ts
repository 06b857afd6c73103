// Work over many rows, cut so that other requests get their turn between the parts.

/** A few milliseconds of work. */
const ROWS = 500;

/** Those who wait for their turn, in the order in which they came. */
const waiting: (() => void)[] = [];

/**
 * Resolves once whatever else there is has had its turn. However many bulk answers are made at once, one part of one of them is made each time the
 * event loop comes round: a request waits for a part, not for a part of each.
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
  // Leaves its place afterwards, so that who comes meanwhile does not start the loop a second time.
  waiting.shift();
  if (waiting.length > 0) setImmediate(letIn);
}

export async function mapInTurns<In, Out>(rows: readonly In[], map: (part: readonly In[]) => readonly Out[]): Promise<Out[]> {
  const mapped: Out[] = [];
  for await (const part of inTurns(rows)) for (const row of map(part)) mapped.push(row);
  return mapped;
}

/** The rows in parts of so many at most; where there are several, the process does other things before each. */
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
