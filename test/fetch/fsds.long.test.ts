// Nights of the SEC's quarterly data sets: large files, with one more each quarter and an old one rebuilt at times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { secFsds } from '../../src/sources/sec/fsds.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { declared, page200 } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

const CONTACT = { contact: 'Somebody somebody@example.org' };
const PLACE = 'www.sec.gov/files/dera/data/financial-statement-data-sets';
const FIXTURES = join(import.meta.dirname, '../fixtures/sec_fsds');
const fixture = (name: string) => readFileSync(join(FIXTURES, `${name}.raw.zip`));

const SUB = 'adsh\tcik\tname\tform\tfiled\taccepted\n0000099994-30-000001\t99994\tEXAMPLE NORTH\t10-Q\t20301105\t2030-11-05 09:00:00.0\n';
const quarterOf = (value: string) =>
  zipOf(
    { name: 'sub.txt', body: SUB },
    {
      name: 'num.txt',
      body: `adsh\ttag\tversion\tddate\tqtrs\tuom\tcoreg\tvalue\tsegments\n0000099994-30-000001\tAssets\tus-gaap/2030\t20300930\t0\tUSD\t\t${value}\t\n`,
    },
  );

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
  pipeline = await openPipeline();
});
beforeEach(() => replay.forget());
afterAll(async () => {
  await replay.close();
  await pipeline.remove();
});

const serve = (quarter: string, body: Uint8Array) =>
  replay.serve(
    `${PLACE}/${quarter}.zip`,
    declared(() => ({ headers: { 'content-type': 'application/zip' }, body: Buffer.from(body) })),
  );
const night = async (now: string) => {
  const { told, fetch } = await fetchNight(pipeline, replay, [secFsds], now, CONTACT);
  return {
    told,
    fetch,
    asked: replay.asked.map(({ url, headers }) => `${url.pathname.split('/').at(-1)}${'if-none-match' in headers ? ' again' : ''}`),
  };
};
const NUMBERS = `
  select concept || ' ' || month_end || ' ' || quarters || ' ' || value::bigint as number, strftime(retrieved_at at time zone 'UTC', '%m-%d') as since
  from statement_numbers order by all`;
const numbers = async () => (await pipeline.lake(NUMBERS)).map(({ number, since }) => `${String(number)}, ${String(since)}`);

it('is asked for the last four quarters, though the newest may not be out; each request names the contact', async () => {
  for (const name of ['2030q2', '2030q3']) serve(name, fixture('headings'));
  serve('2030q4', quarterOf('7.0000'));
  const { told, asked } = await night('2031-04-02T12:00:00.000Z');
  expect(told).toEqual(['sec_fsds: done, 3/0/3/0']);
  expect(asked).toEqual(['2031q1.zip', 'financial-statement-data-sets', '2031q1.zip', '2030q4.zip', '2030q3.zip', '2030q2.zip']);
  expect(replay.asked.every(({ headers }) => headers['user-agent']?.includes('somebody@example.org'))).toBe(true);
  expect(await numbers()).toEqual(['Assets 2030-09-30 0 7, 04-02']);
});

it('confirms unchanged quarters by their validators, and nothing is written', async () => {
  const before = await pipeline.lake('select count(*) as n from ingestions');
  const { told, asked } = await night('2031-04-03T12:00:00.000Z');
  expect(told).toEqual(['sec_fsds: done, 0/3/3/0']);
  expect(asked).toEqual([
    '2031q1.zip',
    'financial-statement-data-sets',
    '2031q1.zip',
    '2030q4.zip again',
    '2030q3.zip again',
    '2030q2.zip again',
  ]);
  expect(await pipeline.lake('select count(*) as n from ingestions')).toEqual(before);
});

it('adds only the differences of a rebuilt quarter', async () => {
  serve('2030q4', quarterOf('8.0000'));
  await night('2031-04-10T12:00:00.000Z');
  expect(await numbers()).toEqual(['Assets 2030-09-30 0 7, 04-02', 'Assets 2030-09-30 0 8, 04-10']);
});

it('adds the quarter that has come out since', async () => {
  serve('2031q1', fixture('quarter'));
  const { told } = await night('2031-04-20T12:00:00.000Z');
  expect(told).toEqual(['sec_fsds: done, 1/3/0/0']);
  expect(await numbers()).toHaveLength(6);
});

it('accepts no page in place of a quarter', async () => {
  const held = (await pipeline.workspace.archive.list('sec_fsds')).length;
  for (const place of [PLACE, PLACE.replace('/data/', '/')])
    replay.serve(`${place}/2031q1.zip`, () => page200('Undeclared Automated Tool'));
  const { fetch } = await night('2031-05-28T12:00:00.000Z');
  expect(fetch.sources[0]).toMatchObject({ status: 'failed', added: 0, reason: expect.stringContaining('Undeclared Automated Tool') });
  expect((await pipeline.workspace.archive.list('sec_fsds')).length).toBe(held);
});
