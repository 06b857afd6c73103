// Engines that spill at the same time. DuckDB numbers its temporary files by engine, so two engines in one folder would overwrite each other's.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReader, openWriter } from '../../src/db/connect.ts';

/** Each engine's rows take several times its memory. */
const LIMITS = { threads: 1, memory: '40MB', tempSize: '1GB' };
const ROWS = 4_000_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-spill-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('engines that spill into one folder at the same time keep their own rows, and leave no file', async () => {
  const limits = { ...LIMITS, tempDirectory: join(folder, 'not', 'there') };
  const writers = await Promise.all([openWriter(limits), openWriter(limits)]);
  const reader = await openReader(limits, [limits.tempDirectory]);
  const connections = [...writers.map(({ connection }) => connection), await reader.connect()];
  const sums = await Promise.all(
    connections.map(async (connection, index) => {
      await connection.run(`create table spilled as select range + ${index} as value, hash(range) as other from range(${ROWS})`);
      const found = await connection.runAndReadAll(
        'select sum(value)::double as total, count(distinct other)::integer as others from spilled',
      );
      return found.getRows()[0];
    }),
  );
  expect((await readdir(limits.tempDirectory)).length).toBe(connections.length);
  const total = (ROWS * (ROWS - 1)) / 2;
  expect(sums).toEqual(connections.map((_, index) => [total + index * ROWS, ROWS]));
  for (const connection of connections) connection.closeSync();
  for (const { close } of writers) close();
  reader.closeSync();
  expect(await readdir(limits.tempDirectory)).toEqual([]);
});
