// Cuts work over many rows into parts, so that other requests run between the parts.

/** `opening`: parts of the snapshot that is being opened. However many answers are made, each round has one of them. */
export type Work = 'answer' | 'opening';

/** A few milliseconds of work. A round has only one part of an opening. */
const ROWS: Readonly<Record<Work, number>> = { answer: 60, opening: 240 };

/** Milliseconds of parts in one round of the event loop. A request that comes meanwhile waits so long, and for one part more. */
const ROUND_MS = 5;

/** Those who wait for a turn, in the order of arrival. */
const waiting: Readonly<Record<Work, (() => void)[]>> = { answer: [], opening: [] };
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
export function nextTurn(work: Work = 'answer'): Promise<void> {
  return new Promise((resolve) => {
    waiting[work].push(resolve);
    if (isRunning) return;
    isRunning = true;
    setImmediate(beginRound);
  });
}

function beginRound(): void {
  began = clock?.() ?? 0;
  letIn(waiting.opening.length > 0 ? 'opening' : 'answer');
}

function letIn(work: Work): void {
  waiting[work].shift()?.();
  // The part runs as microtasks. A tick that one of them adds comes after all of them.
  queueMicrotask(() => process.nextTick(goOn));
}

function goOn(): void {
  const isLeft = waiting.answer.length > 0;
  if (isLeft && clock !== null && clock() - began < ROUND_MS) letIn('answer');
  else if (isLeft || waiting.opening.length > 0) setImmediate(beginRound);
  else isRunning = false;
}

/** @param map gets a part of the rows, and the place of its first row */
export async function mapInTurns<In, Out>(
  rows: readonly In[],
  map: (part: readonly In[], from: number) => readonly Out[],
  most = ROWS.answer,
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
export async function* inTurns<Row>(rows: readonly Row[], most?: number, work: Work = 'answer'): AsyncGenerator<readonly Row[]> {
  const size = most ?? ROWS[work];
  if (rows.length <= size) {
    yield rows;
    return;
  }
  for (let from = 0; from < rows.length; from += size) {
    await nextTurn(work);
    yield rows.slice(from, from + size);
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
