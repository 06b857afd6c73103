// Nothing answers with what became known after its as_of: rows of all routes of the sample, as of random moments, seen from outside.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawAsOf, isLater, knowledgeTimesOf, ROUTES } from './look-ahead/as-of-draws.ts';
import { type RunningService, startSampleService } from '../service.ts';

/** `npm run test:lookahead` draws 100,000. */
const ROWS = Number(process.env['AS_OF_ROWS'] ?? 20_000);

describe('a knowledge time', () => {
  it('is found under each of its names at any depth', () => {
    const row = {
      observedAt: '2020-01-02T00:00:00.000Z',
      values: { cpi: { observedAt: '2020-01-03T00:00:00.000Z' } },
      vintages: [{ observedAt: 'x' }],
    };
    expect(knowledgeTimesOf({ ...row, scoreAsOf: null, periodEnd: '2030-01-31' }).map(({ at, time }) => `${at} ${time}`)).toEqual([
      'observedAt 2020-01-02T00:00:00.000Z',
      'values.cpi.observedAt 2020-01-03T00:00:00.000Z',
      'vintages.0.observedAt x',
    ]);
  });

  it('is later from the next millisecond on, a day from the next day on', () => {
    const asOf = '2020-01-02T12:00:00.000Z';
    const of = (...times: readonly string[]) => times.map((time) => isLater(time, asOf));
    expect(of(asOf, '2020-01-02T12:00:00.001Z', '2020-01-02', '2020-01-03')).toEqual([false, true, false, true]);
  });
});

describe('the routes of the sample', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startSampleService();
  });
  afterAll(() => service.stop());
  const bounds = { from: '2018-01-01T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', companies: ['ZZSMA', 'ZZSMB'] };

  it(`show in ${ROWS} rows as of random moments nothing that became known later`, async () => {
    const { rows, late } = await drawAsOf(service, { ...bounds, rows: ROWS, seed: Number(process.env['LOOK_AHEAD_SEED'] ?? 20_261_121) });
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    expect(late.slice(0, 5)).toEqual([]);
    expect(Object.keys(rows).toSorted()).toEqual([...ROUTES].toSorted());
  });

  it('would each fail this test if they showed more', async () => {
    const judgedAt = '2019-01-01T00:00:00.000Z';
    const newest = { ...bounds, from: '2026-11-20T00:00:00.000Z' };
    const { late } = await drawAsOf(service, { ...newest, rows: 3000, seed: 5, judgedAt });
    const found = new Set(
      late.map(({ path }) => (path.split('?')[0] ?? '').replace(/companies\/[^/]+/, 'companies/…').replace(/(?:obs|evt|cal)_.*/, '…')),
    );
    expect([...found].toSorted()).toEqual([...ROUTES].toSorted());
  });
});
