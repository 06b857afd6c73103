// Which tests run: all of them, or those that take little time, or a part of either.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';

/** `npm run test:long`, and every longer suite of its own. */
export const isLong = process.env['SUITE'] === 'all';

/** The larger draws in full, which `.ci/run` takes a part of unless it is told CI_WHOLE=1. */
export const isWhole = process.env['CI_WHOLE'] === '1';

/**
 * The name of a file that is left to `npm run test:long`: tests that read the publishers' own payloads, start and kill processes, draw requests at
 * random, or run whole nights over lakes. test/boundaries, test/snapshot and test/contract hold the rules of such lakes row by row.
 */
export const LONG = '*.long.test.ts';

/** Whether a test file is left to the long suite. */
export function isLeftToLong(file: string): boolean {
  return file.endsWith(LONG.slice(1));
}

/** The test files of the other parts, where k/n (SUITE_PART) asks for the k-th (from 0) of n; a file's part goes by the hash of its name. */
export function otherParts(asked: string | undefined): readonly string[] {
  if (asked === undefined) return [];
  const [part = NaN, parts = NaN] = asked.split('/').map(Number);
  if (!(part >= 0 && part < parts)) throw new RangeError(`SUITE_PART is k/n with k from 0 to n - 1, such as 0/2; it was ${asked}`);
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files.map((file) => `test/${file}`).filter((file) => partOf(file, parts) !== part);
}

function partOf(file: string, parts: number): number {
  return createHash('sha256').update(file).digest().readUInt32BE(0) % parts;
}
