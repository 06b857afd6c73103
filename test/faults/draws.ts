// Draws that a seed repeats.
import { createHash } from 'node:crypto';

/** Whole numbers from 0 to below a bound, the same ones for the same seed. */
export type Draw = (below: number) => number;

export function drawing(seed: number): Draw {
  let count = 0;
  return (below) => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32LE(0) % below;
  };
}

/** Of `count` points as many as asked for, one of each equal part, so that they lie over all of them; all where as many are asked for. */
export function drawnPoints(count: number, wanted: number, seed: number): readonly number[] {
  const all = [...Array(count).keys()];
  if (wanted >= count) return all;
  const draw = drawing(seed);
  return [...Array(wanted).keys()].map((part) => {
    const [from, to] = [Math.floor((part * count) / wanted), Math.floor(((part + 1) * count) / wanted)];
    return from + draw(to - from);
  });
}

/** The first and last of what is to be told again: `7`, or `0-82`, by which several processes share a whole; all where nothing is named. */
export function namedRange(text: string | undefined): readonly [number, number] {
  if (text === undefined) return [0, Number.POSITIVE_INFINITY];
  const [first = 0, last = first] = text.split('-').map(Number);
  return [first, last];
}

/** A long suite says where it is. */
export function tellProgress(suite: string, done: number, of: number, every: number): void {
  if (done % every === 0) process.stdout.write(`${suite}: ${done} of ${of}\n`);
}

/** Runs a trial of a suite, and names in what it throws how to run it again. */
export async function repeatable<Result>(again: string, trial: () => Promise<Result>): Promise<Result> {
  return trial().catch((error: unknown) => {
    throw new Error(`${again}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
}
