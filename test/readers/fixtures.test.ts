// The payloads beside the tests, each read by the source and by a second reader in Python: every row of both, with period, value and knowledge time.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sources } from '../../src/sources/index.ts';
import { type Asked, differenceOf, hasPython, readOnce, readTwice } from './second-reader.ts';

const FOLDER = join(import.meta.dirname, '../fixtures');
const Told = z.looseObject({ key: z.string(), retrievedAt: z.string() });

const asked: Asked[] = sources.flatMap(({ id: source }) => {
  const folder = join(FOLDER, source);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => existsSync(join(folder, file.replace(/\.raw\.[^.]+$/, '.rows.json'))) && file.includes('.raw.'))
    .map((file) => {
      const path = join(folder, file);
      const { key, retrievedAt } = Told.parse(JSON.parse(readFileSync(path.replace(/\.raw\.[^.]+$/, '.rows.json'), 'utf8')));
      return { source, key, retrievedAt, path };
    });
});

describe.skipIf(!hasPython)('every payload in the tests', () => {
  const theirs = hasPython ? readTwice(asked) : [];

  it('is read by both readers, for every source that is not read in bulk', () => {
    expect([...new Set(asked.map(({ source }) => source))].sort()).toEqual(
      sources
        .filter(({ bulk }) => bulk === undefined)
        .map(({ id }) => id)
        .sort(),
    );
    expect(theirs.length).toBe(asked.length);
  });

  it.each(asked.map((payload, index) => ({ ...payload, index, name: payload.path.slice(FOLDER.length + 1) })))(
    'has the same rows in both: $name',
    async ({ index, ...payload }) => {
      const { onlyOurs, onlyTheirs } = differenceOf(await readOnce(payload), theirs[index] ?? {});
      expect({ onlyOurs, onlyTheirs }).toEqual({ onlyOurs: [], onlyTheirs: [] });
    },
  );
});
