// A file that a job writes again under the same name, and reads.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWriter, quote } from '../../src/db/connect.ts';

it('is read with its new content, even within a second and with the same size', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'asof-rewritten-'));
  const { connection, close } = await openWriter({ threads: 2, memory: '100MB', tempDirectory: join(folder, 'tmp'), tempSize: '10MB' });
  const file = join(folder, 'one.parquet');
  const read: number[] = [];
  const numbers = Array.from({ length: 30 }, (_, index) => 1000 + index);
  for (const number of numbers) {
    await rm(file, { force: true });
    await connection.run(`copy (select ${number} as number from range(100)) to ${quote(file)} (format parquet)`);
    const found = await connection.runAndReadAll(`select max(number) from ${quote(file)}`);
    read.push(Number(found.getRows()[0]?.[0]));
  }
  expect(read).toEqual(numbers);
  close();
});
