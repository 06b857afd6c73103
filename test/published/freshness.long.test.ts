// Freshness and the end of a collection as they stood at a moment: learned budgets and ceased series, never before they could be known.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toObservations } from '../../src/queries/observation-rows.ts';
import { listVintages } from '../reads.ts';
import { provenanceOf, findVintage } from '../../src/queries/provenance.ts';
import { addMonths, lastDayOfMonth } from '../../src/model/period.ts';
import { isCeasedAt, rowReasons } from '../../src/model/trust.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, REAL_DATA, UNFILTERED } from '../pipeline.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';
import { isLong } from '../suite.ts';

const month = (index: number) => addMonths('2019-01-01', index).slice(0, 7);
// Two months in the first vintage, one more in each of the next twelve: PAYEMS learns at the twelfth, of 2020-03; INDPRO comes from the second on.
function monthlyVintages(): Files {
  const vintages = Array.from({ length: 13 }, (_, index) => {
    const months = Array.from({ length: index + 2 }, (__, at) => [month(at), 100 + at] as const);
    return fredMdFile(month(index + 2), {
      PAYEMS: Object.fromEntries(months),
      ...(index === 0 ? {} : { INDPRO: Object.fromEntries(months.slice(1)) }),
    });
  });
  return Object.assign({}, ...vintages) as Files;
}

interface Row {
  readonly indicatorId: string;
  readonly period: string;
  readonly freshnessStatus: string;
  readonly scoringEligible: boolean;
  readonly collectionStatus: string | null;
  readonly ceasedFinalPeriod: string | null;
  readonly successorIndicatorId: string | null;
}

const BOTH = 'indicator_id=us_industrial_production,us_nonfarm_payrolls';

describe('a series that learns its budget', () => {
  let service: FixtureService;
  beforeAll(async () => {
    service = await startFixtureService([{ files: monthlyVintages(), at: '2020-04-10T08:00:00.000Z' }], '2020-05-13T00:00:00.000Z');
  });
  afterAll(() => service.stop());
  const verdict = async (indicator: string, asOf: string, period: string) => {
    const { data } = await service.list(`/observations?indicator_id=${indicator}&as_of=${asOf}&period=${period}`);
    const [row] = data as readonly Partial<Row>[];
    return [row?.freshnessStatus, row?.scoringEligible];
  };

  it('uses the default before its twelfth release, and the learned budget from then on', async () => {
    // The end of a month is known at the end of the next: a lag of 31 days, so a budget of 72 in place of 86.
    expect(await verdict('us_nonfarm_payrolls', '2020-03-31T23:59:59.998Z', '2019-12')).toEqual(['stale', false]);
    expect(await verdict('us_nonfarm_payrolls', '2020-03-26T00:00:00.000Z', '2019-12')).toEqual(['fresh', true]);
    expect(await verdict('us_nonfarm_payrolls', '2020-03-31T23:59:59.999Z', '2020-02')).toEqual(['fresh', true]);
    expect(await verdict('us_nonfarm_payrolls', '2020-04-13T00:00:00.000Z', '2020-01')).toEqual(['fresh', true]);
    expect(await verdict('us_nonfarm_payrolls', '2020-04-13T00:00:00.001Z', '2020-01')).toEqual(['stale', false]);
    // INDPRO has eleven.
    expect(await verdict('us_industrial_production', '2020-04-13T00:00:00.001Z', '2020-01')).toEqual(['fresh', true]);
    expect(await verdict('us_industrial_production', '2020-04-27T00:00:00.001Z', '2020-01')).toEqual(['stale', false]);
  });

  it('gets the same verdict as row, series, provenance, catalogue, screen, health of its source and liveness', async () => {
    service.clock.now = Date.parse('2020-05-12T00:00:00.001Z');
    const asked = async (path: string) => ((await (await service.get(path)).json()) as { data: Record<string, unknown> }).data;
    const rows = (await service.list(`/observations/latest?${BOTH}&sort=indicator_id`)).data as readonly (Partial<Row> & {
      observationId: string;
    })[];
    expect(rows.map((row) => [row.indicatorId, row.freshnessStatus])).toEqual([
      ['us_industrial_production', 'fresh'],
      ['us_nonfarm_payrolls', 'stale'],
    ]);
    expect((await service.list(`/observations/latest?${BOTH}&freshness=stale`)).data).toHaveLength(1);
    const payrolls = rows.find((row) => row.freshnessStatus === 'stale');
    const provenance = await asked(`/provenance/observations/${payrolls?.observationId}`);
    expect(provenance['scoring']).toEqual({ eligible: false, reasons: ['stale'] });
    const indicators = (await service.list(`/indicators?${BOTH}&sort=indicator_id`)).data as readonly Partial<Row>[];
    expect(indicators.map((row) => row.freshnessStatus)).toEqual(['fresh', 'stale']);
    expect((await service.list('/source-health?source_id=fred_md')).data[0]).toMatchObject({ seriesFresh: 1, seriesStale: 1 });
    const liveness = await asked('/ops/liveness?source_id=fred_md');
    const feeds = liveness['series'] as { indicatorId: string; budgetDays: number }[];
    expect(
      ['us_industrial_production', 'us_nonfarm_payrolls'].map((id) => feeds.find((one) => one.indicatorId === id)?.budgetDays),
    ).toEqual([86, 72]);
    const screened = await asked(
      '/public/screener?filter=nonfarm_payrolls:is:notnull;country:eq:US&columns=nonfarm_payrolls&eligible_only=false',
    );
    expect(screened).toMatchObject([{ values: { nonfarm_payrolls: { freshnessStatus: 'stale', scoringEligible: false } } }]);
    service.clock.now = Date.parse('2020-05-13T00:00:00.000Z');
  });
});

// ISM's columns left with the vintage of 2016-06; the VXO gave way to the VIX in that of 2021-12.
const ENDINGS: Files = {
  ...fredMdFile('2016-05', { NAPM: { '2016-03': 50, '2016-04': 51 }, PAYEMS: { '2016-04': 100 } }),
  ...fredMdFile('2016-06', { PAYEMS: { '2016-04': 100, '2016-05': 101 } }),
  ...fredMdFile('2021-11', { VXOCLSx: { '2021-07': 17, '2021-08': 18, '2021-09': null, '2021-10': null }, PAYEMS: { '2021-10': 102 } }),
  ...fredMdFile('2021-12', { VIXCLSx: { '2021-10': 17, '2021-11': 19 }, PAYEMS: { '2021-10': 102, '2021-11': 103 } }),
};
const BOTH_ENDS = [
  ['us_ism_manufacturing_pmi', '2016-06-30T23:59:59.998Z', [null, null, null, 'fresh']],
  ['us_ism_manufacturing_pmi', '2016-06-30T23:59:59.999Z', ['ceased', '2016-04', null, 'unknown']],
  ['us_vxo', '2021-12-31T23:59:59.998Z', [null, null, null, 'stale']],
  ['us_vxo', '2021-12-31T23:59:59.999Z', ['ceased', '2021-08', 'us_vix', 'unknown']],
  ['us_vix', '2021-12-31T23:59:59.999Z', [null, null, null, 'fresh']],
] as const;

async function endAt(snapshot: SnapshotReader, indicatorId: string, asOf: string) {
  const series = snapshot.catalogue.byIndicatorId.get(indicatorId) ?? [];
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 500 } as const;
  const { rows } = await listVintages(snapshot, series, { ...UNFILTERED, asOf, numericOnly: true }, page);
  const [row] = await toObservations(rows, { catalogue: snapshot.catalogue, at: Date.parse(asOf) });
  return [row?.collectionStatus, row?.ceasedFinalPeriod, row?.successorIndicatorId, row?.freshnessStatus];
}

describe('a ceased series', () => {
  let pipeline: Pipeline;
  let snapshot: SnapshotReader;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(ENDINGS, '2022-01-10T08:00:00.000Z');
    snapshot = await pipeline.open();
  });
  afterAll(() => pipeline.remove());

  it.each(BOTH_ENDS)('%s as of %s', async (indicatorId, asOf, expected) => {
    expect(await endAt(snapshot, indicatorId, asOf)).toEqual(expected);
  });

  it('is excluded from scoring for that reason, however old, and never for being stale', async () => {
    const [series] = snapshot.catalogue.byIndicatorId.get('us_vxo') ?? [];
    if (series === undefined) throw new Error('no VXO');
    const row = { periodEnd: '2021-08-31', value: 18, vintage: '2021-09-01' };
    expect(rowReasons(series, row, Date.parse('2021-11-01T00:00:00Z'))).toEqual([]);
    expect(rowReasons(series, row, Date.parse('2030-01-01T00:00:00Z'))).toEqual(['ceased']);
    const page = { sort: 'period_end', order: 'desc', after: null, limit: 1 } as const;
    const { rows } = await listVintages(snapshot, [series], { ...UNFILTERED, numericOnly: true }, page);
    const [observation] = await toObservations(rows, { catalogue: snapshot.catalogue, at: Date.parse('2030-01-01T00:00:00Z') });
    const vintage = await findVintage(snapshot, observation?.observationId ?? '');
    if (vintage === null) throw new Error('no vintage');
    const { scoring } = await provenanceOf(snapshot, vintage, { asOf: null, at: Date.parse('2030-01-01T00:00:00Z'), showsLocator: false });
    expect(scoring).toEqual({ eligible: false, reasons: ['ceased'] });
  });
});

describe('every verdict as of a cutoff', () => {
  it.runIf(isLong)('equals the verdict in a lake without later knowledge', async () => {
    const pipeline = await openPipeline();
    try {
      await pipeline.run({ ...monthlyVintages(), ...ENDINGS }, '2022-01-10T08:00:00.000Z');
      const ids = ['nonfarm_payrolls', 'industrial_production', 'ism_manufacturing_pmi', 'vxo', 'vix'];
      let compared = 0;
      const cutoffs = ['2016-06-30T23:59:59.999Z', '2020-03-31T23:59:59.998Z', '2020-03-31T23:59:59.999Z', '2021-12-31T23:59:59.999Z'];
      for (const cutoff of cutoffs) {
        const verdicts = async (reader: SnapshotReader) => {
          const series = reader.catalogue.series.filter((one) => ids.includes(one.canonicalId));
          const page = { sort: 'period_end', order: 'asc', after: null, limit: 500 } as const;
          const { rows } = await listVintages(reader, series, { ...UNFILTERED, asOf: cutoff }, page);
          return (await toObservations(rows, { catalogue: reader.catalogue, at: Date.parse(cutoff) })).map((row) =>
            // The file that a row was read from is named by a run, which the lake of then has too.
            JSON.stringify(row),
          );
        };
        const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, ids, [cutoff], verdicts);
        expect(differences).toEqual([]);
        compared += rowsCompared;
      }
      expect(compared).toBeGreaterThan(60);
    } finally {
      await pipeline.remove();
    }
  });
});

describe.skipIf(!existsSync(join(REAL_DATA, 'fred-md')))('the real FRED-MD', () => {
  it.runIf(isLong)(
    'shows NAPM and VXO as ceased from the first vintage without them, on every listed day',
    async () => {
      const pipeline = await openPipeline();
      try {
        const names = ['2016-04', '2016-05', '2016-06', '2021-07', '2021-08', '2021-11', '2021-12'];
        const files = names.map((name) => [`fred-md/${name}.csv`, readFileSync(join(REAL_DATA, `fred-md/${name}.csv`))] as const);
        await pipeline.run(Object.fromEntries(files), '2026-11-20T10:00:00.000Z');
        const snapshot = await pipeline.open();
        for (const [indicatorId, asOf, expected] of BOTH_ENDS)
          expect([indicatorId, asOf, await endAt(snapshot, indicatorId, asOf)]).toEqual([indicatorId, asOf, expected]);
        const vintages = files.map(([key, body]) => ({
          end: lastDayOfMonth(key.slice(8, 15)),
          header: body.toString('utf8').split('\n', 1)[0] ?? '',
        }));
        const ceased = snapshot.catalogue.series.filter((one) => one.ceasedAt !== null);
        expect(ceased.length).toBeGreaterThan(8);
        for (const { ceasedAt, seriesCode } of ceased) {
          for (const { end, header } of vintages) {
            const isThere = header.split(',').includes(seriesCode ?? '');
            expect([seriesCode, end, isThere && isCeasedAt({ ceasedAt }, Date.parse(`${end}T23:59:59.999Z`))]).toEqual([
              seriesCode,
              end,
              false,
            ]);
          }
        }
      } finally {
        await pipeline.remove();
      }
    },
    300_000,
  );
});
