// Cuts work over many rows into parts, so that other requests run between the parts.

/** A few milliseconds of work. */
const ROWS = 60;

/** Milliseconds of parts in one round of the event loop. A request that comes meanwhile waits so long, and for one part more. */
const ROUND_MS = 5;

/** Those who wait for a turn, in the order of arrival. */
const waiting: (() => void)[] = [];
let isRunning = false;
let began = 0;
let clock: (() => number) | null = null;

/** Without a clock (null), a round has one part. @param elapsed milliseconds since any fixed moment */
export function timeTurns(elapsed: (() => number) | null): void {
  clock = elapsed;
}

/**
 * Resolves after all other pending work has had a turn. However many answers are made at once, a round of the event loop processes parts of
 * them for a few milliseconds. So a request waits for these, not for a part of each answer.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isRunning) return;
    isRunning = true;
    setImmediate(beginRound);
  });
}

function beginRound(): void {
  began = clock?.() ?? 0;
  letIn();
}

function letIn(): void {
  waiting.shift()?.();
  // The part runs as microtasks. A tick that one of them adds comes after all of them.
  queueMicrotask(() => process.nextTick(goOn));
}

function goOn(): void {
  if (waiting.length === 0) isRunning = false;
  else if (clock !== null && clock() - began < ROUND_MS) letIn();
  else setImmediate(beginRound);
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
