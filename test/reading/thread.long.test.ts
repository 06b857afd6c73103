// The thread in which commands read payloads: it says what the readers say, and a time budget and a signal can stop it anywhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openReadingThread, type PayloadReader, readHere, readingBudget } from '../../jobs/reading/payload-reader.ts';
import type { Batch } from '../../src/model/record.ts';
import { sources } from '../../src/sources/index.ts';
import type { Payload, Source } from '../../src/sources/source.ts';
import { backtracks, counts, loops, refuses } from './slow-sources.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const SLOW = new URL('slow-sources.ts', import.meta.url).href;

function fixture(id: string, name: string, extension: string): [Source, () => Payload] {
  const source = sources.find((one) => one.id === id);
  if (source === undefined) throw new Error(`no source ${id}`);
  const { key, retrievedAt } = JSON.parse(readFileSync(join(FIXTURES, id, `${name}.rows.json`), 'utf8')) as Payload;
  // Its own memory, and the shared memory of a small buffer, as the archive may give it.
  return [source, () => ({ key, retrievedAt, body: readFileSync(join(FIXTURES, id, `${name}.raw.${extension}`)) })];
}

const payload = (bytes: number): Payload => ({
  key: 'folder/file.txt',
  body: new Uint8Array(bytes),
  retrievedAt: '2026-01-05T00:00:00.000Z',
});

async function allOf(batches: AsyncIterable<Batch>): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

const outcome = (batches: AsyncIterable<Batch>): Promise<unknown> =>
  allOf(batches).then(
    (found) => found.length,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

describe('a payload read in the thread', () => {
  const thread = openReadingThread();
  it.each([
    ['boe', 'cube', 'xml'],
    ['oenb', 'loans', 'xml'],
    ['ecb_fx', 'day', 'csv'],
    ['us_treasury', 'feed', 'xml'],
  ] as const)('has the batches and the knowledge time of this thread: %s %s', async (id, name, extension) => {
    const [source, body] = fixture(id, name, extension);
    const read = async (reader: PayloadReader) => [await reader.knownAt(source, body()), await allOf(reader.batches(source, body()))];
    expect(await read(thread)).toEqual(await read(readHere));
  });

  it.each([
    ['bytes', new TextEncoder().encode('not a table\n')],
    ['a buffer with memory of its own, as the archive gives it', Buffer.from(new TextEncoder().encode('not a table\n').buffer)],
    ['a small buffer in shared memory', Buffer.from('not a table\n')],
  ])('leaves %s of a bulk payload to the engine, and refuses it as here', async (_, body) => {
    const source = sources.find((one) => one.bulk !== undefined);
    if (source === undefined) throw new Error('no bulk source');
    const given = { ...payload(0), body };
    const said = (reader: PayloadReader) => reader.check(source, given).catch((error: unknown) => (error as Error).message);
    expect(await said(thread)).toBe(await said(readHere));
    expect(new TextDecoder().decode(given.body)).toBe('not a table\n');
  });
});

describe('a payload that takes too long', () => {
  const thread = openReadingThread({ registry: SLOW, budget: () => 5000 });

  it('fails with its name and budget, and the next ones are read', async () => {
    const late = /^(?:loops|backtracks): reading folder\/file\.txt took longer than 5 seconds, the limit for its size\. Check the file/;
    expect(await outcome(thread.batches(loops, payload(1)))).toMatch(late);
    expect(await outcome(thread.batches(counts, payload(1000)))).toBe(1000);
    expect(await outcome(thread.batches(backtracks, payload(1)))).toMatch(late);
    expect(await outcome(thread.batches(refuses, payload(1)))).toBe('refuses: expected a table');
    expect(await outcome(thread.batches(counts, payload(10)))).toBe(10);
  });

  it('uses no budget while its batches wait', async () => {
    const found: Batch[] = [];
    for await (const batch of thread.batches(counts, payload(8))) {
      await delay(1000);
      found.push(batch);
    }
    expect(found).toHaveLength(8);
  });

  it('is abandoned if the caller needs no more', async () => {
    for await (const batch of thread.batches(counts, payload(100_000))) {
      expect(batch.rows).toHaveLength(1);
      break;
    }
    expect(await outcome(thread.batches(counts, payload(3)))).toBe(3);
  });

  it('has a minute, and ten seconds for each megabyte', () => {
    expect([readingBudget(0), readingBudget(1024 ** 2), readingBudget(60 * 1024 ** 2)]).toEqual([60_000, 70_000, 660_000]);
  });
});

describe('a command that reads payloads', () => {
  const command = (id: string) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'read-slowly.ts'), id], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    return { child, ended: once(child, 'close'), said: () => said };
  };

  it.each(['loops', 'backtracks'])('answers SIGTERM in the middle of a reader that %s', async (id) => {
    const { child, ended, said } = command(id);
    await once(child.stdout, 'data');
    await delay(3000);
    child.kill('SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), delay(10_000).then(() => false)]);
    if (!isEnded) child.kill('SIGKILL');
    expect([isEnded, child.exitCode]).toEqual([true, 143]);
    expect(said()).toMatch(/^Interrupted\. Nothing was kept\. /);
  });

  it('exits by itself once it has read', async () => {
    const { child, ended, said } = command('counts');
    await ended;
    expect([child.exitCode, said()]).toEqual([0, '']);
  });
});
