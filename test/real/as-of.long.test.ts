// The same over publishers' own bytes, where they are: filings, prices, documents, calendars and macro series of a few of them, so that the lake is built within
// minutes. `npm run test:lookahead` draws 100,000 rows.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';
import { type RunningService, startService } from '../service.ts';
import { drawAsOf, ROUTES } from '../story/look-ahead/as-of-draws.ts';

const ROWS = Number(process.env['AS_OF_ROWS'] ?? 20_000);
const READ = new RegExp(
  `^(?:${[
    'sec/.*CIK(?:0000320193|0001045810)\\.json',
    'sec/.*tickers.*\\.json',
    'prices/.*(?:AAPL|NVDA).*',
    'central-bank-text/(?:fed/(?:minutes|statements)/\\d+\\.json|communications_.*|meeting_calendar.*)',
    'calendars/.*',
    'fred-api/.*',
    'fred-md/20(?:15-12|20-0[1-6]|24-01)\\.csv',
    'alfred-realtime/.*',
    'us-census/.*',
    'cftc/tff_futonly/.*2023.*',
  ].join('|')})$`,
);

describe.skipIf(!existsSync(REAL_DATA))('the routes of a lake of real payloads', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = readdirSync(REAL_DATA, { recursive: true, encoding: 'utf8' }).filter((path) => READ.test(path) && /\.[a-z]+$/.test(path));
    const files = Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(join(REAL_DATA, path)))]));
    await pipeline.run(files, '2026-11-20T10:00:00.000Z');
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
  }, 1_200_000);
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  it(`show in ${ROWS} rows as of random moments nothing that became known later`, { timeout: 1_200_000 }, async () => {
    const bounds = { from: '2012-01-01T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z', companies: ['0000320193', '0001045810'] };
    const { rows, late } = await drawAsOf(service, { ...bounds, rows: ROWS, seed: Number(process.env['LOOK_AHEAD_SEED'] ?? 20_261_121) });
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    expect(late.slice(0, 5)).toEqual([]);
    expect(Object.keys(rows).toSorted()).toEqual([...ROUTES].toSorted());
  });
});
