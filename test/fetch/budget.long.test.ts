// A run that may ask for a time alone goes on where it stood; one that nobody answers is over soon, and has touched nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { fetchTable } from '../../jobs/reporting/report.ts';
import { NobodyAnsweredError } from '../../jobs/fetch.ts';
import { sources } from '../../src/sources/index.ts';
import { usTreasury } from '../../src/sources/us-treasury/source.ts';
import { openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { fetcherOf } from '../replay/fetcher.ts';
import { openReplay, type Replay } from '../replay/server.ts';

const TREASURY = 'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';
const unseen = () => undefined;

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

/** A year by its Fridays. */
function yearOf(year: number, last = `${year}-12-31`): string {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 2); new Date(at).toISOString().slice(0, 10) <= last; at += 7 * 86_400_000) {
    const [, month, day] = new Date(at).toISOString().slice(0, 10).split('-');
    days.unshift(`${month}/${day}/${year},4.1,4.2,4.3`);
  }
  return `Date,"3 Mo","1 Yr","10 Yr"\n${days.join('\n')}\n`;
}

describe('a run within a budget', () => {
  it('ends within it, and the next one continues with the missing files, newest first', async () => {
    for (let year = 1990; year <= 1996; year += 1)
      replay.serve(`${TREASURY}/${year}/all`, yearOf(year, year === 1996 ? '1996-03-01' : `${year}-12-31`));
    let clock = Date.parse('1996-03-02T12:00:00.000Z');
    // Each request takes a minute.
    const now = () => clock;
    const fetcher = await fetcherOf(replay, { now, folder: join(pipeline.workspace.dataDir, 'raw/partial') });
    const told: (readonly [string | undefined, string | null | undefined])[] = [];
    for (let night = 0; night < 3; night += 1) {
      const hurried = {
        ...fetcher,
        fetch: async (...asked: Parameters<typeof fetcher.fetch>) => {
          const outcome = await fetcher.fetch(...asked);
          clock += 60_000;
          return outcome;
        },
      };
      const { fetch } = await nightly([usTreasury], pipeline.workspace, { now, log: SILENT }, null, unseen, hurried, {
        budget: 180_000,
        isOnlyIfChanged: true,
      });
      told.push([fetch?.sources[0]?.status, fetch?.sources[0]?.reason]);
    }
    await fetcher.close();
    const spent = 'the time of this run is over; the next run continues';
    expect(told).toEqual([
      ['unfinished', spent],
      ['unfinished', spent],
      ['done', null],
    ]);
    expect(replay.asked.map(({ url }) => url.pathname.split('/').at(-2))).toEqual(['1996', '1995', '1994', '1993', '1992', '1991', '1990']);
  });

  it('publishes only if there are new data', async () => {
    const at = '1996-03-02T13:00:00.000Z';
    const now = () => Date.parse(at);
    const fetcher = await fetcherOf(replay, { now, folder: join(pipeline.workspace.dataDir, 'raw/partial') });
    const quiet = await nightly([usTreasury], pipeline.workspace, { now, log: SILENT }, null, unseen, fetcher, { isOnlyIfChanged: true });
    await fetcher.close();
    expect([quiet.fetch?.sources[0]?.status, quiet.publish]).toEqual(['not due', null]);
  });
});

describe('a run without any answer', () => {
  it.each([
    ['each connection is refused', false],
    ['each request is left in silence', true],
  ])('reports it in a line for every source and keeps the snapshot, if %s', async (_what, isSilent) => {
    const lost = await openReplay();
    if (isSilent) lost.serveAll(() => ({ isSilent: true }));
    else await lost.close();
    const current = readFileSync(join(pipeline.workspace.dataDir, 'current.json'), 'utf8');
    // Twenty seconds pass between two looks at the clock.
    let clock = Date.parse('2026-01-06T03:30:00.000Z');
    const now = () => (clock += 20_000);
    const fetcher = await fetcherOf(lost, {
      now,
      limits: { firstByte: 100 },
      contact: 'Somebody somebody@example.org',
      secrets: { FRED_API_KEY: 'k'.repeat(32) },
      folder: join(pipeline.workspace.dataDir, 'raw/partial'),
    });
    const failure = await nightly(sources, pipeline.workspace, { now, log: SILENT }, null, unseen, fetcher).catch(
      (error: unknown) => error,
    );
    void fetcher.close();
    if (isSilent) await lost.close();
    expect(failure).toBeInstanceOf(NobodyAnsweredError);
    const lines = fetchTable((failure as NobodyAnsweredError).report).split('\n');
    for (const { id } of sources) expect(lines.filter((line) => line.startsWith(`${id} `)).length).toBe(1);
    expect(readFileSync(join(pipeline.workspace.dataDir, 'current.json'), 'utf8')).toBe(current);
  });
});
