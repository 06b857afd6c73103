// What the contract says of fields together, read off every row that the sample answers by the test's own hand.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { MULTIPLES } from '../valuations/valued.ts';
import { findVintage, provenanceOf } from '../../src/queries/provenance.ts';
import { openPipeline } from '../pipeline.ts';
import { sampleLake, startSampleService } from '../service.ts';
import { feeds, item, lines, pages, type Row } from './rows.ts';

const service = await startSampleService();
afterAll(() => service.stop());

const series = await pages(service, '/indicators');
const keyOf = (row: Row): string => [row['sourceId'], row['indicatorId'], row['frequency']].join('|');
const seriesOf = new Map(series.map((one) => [keyOf(one), one]));
const entityOf = (row: Row): string => String(seriesOf.get(keyOf(row))?.['entityId']);
const entities = new Map((await pages(service, '/entities')).map((one) => [one['entityId'], one]));
const canonical = new Map((await pages(service, '/canonical-indicators')).map((one) => [one['canonicalIndicatorId'], one]));

/** Periods of two years, one of them before all but a few vintages, the other with every kind of revision, and what is known by the year. */
const vintages = (
  await Promise.all(
    ['end_date=2020-03-31', 'start_date=2026-06-01', 'source_id=world_bank&start_date=2024-01-01'].map((filter) =>
      lines(service, `/observations?vintage=all&sort=observed_at&${filter}`),
    ),
  )
).flat();
const latest = await lines(service, '/observations/latest');
const text = (row: Row, field: string): string => String(row[field]);
const groupedBy = (rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row)) ?? [];
    group.push(row);
    groups.set(key(row), group);
  }
  return groups;
};
const byPeriod = groupedBy(vintages, (row) => `${keyOf(row)}|${text(row, 'period')}`);
/** The rows for which it does not hold; a few are enough to see why. */
const against = (rows: readonly Row[], holds: (row: Row) => boolean): readonly Row[] => rows.filter((row) => !holds(row)).slice(0, 3);

it('has rows enough to say so', () => {
  expect([vintages.length > 5000, latest.length > 500, byPeriod.size > 1000]).toEqual([true, true, true]);
});

describe.each([
  ['/observations', vintages],
  ['/observations/latest', latest],
] as const)('%s', (_path, rows) => {
  // 130 bits of the digest, read as a number of base 32.
  const idOf = (row: Row): string => {
    const parts = [row['sourceId'], row['indicatorId'], entityOf(row), row['frequency'], row['period'], row['vintage']];
    const digest = createHash('sha256').update(parts.join('|')).digest('hex');
    return `obs_${(BigInt(`0x${digest}`) >> 126n).toString(32).padStart(26, '0')}`;
  };

  it('names an observation by its key', () => {
    expect(against(rows, (row) => row['observationId'] === idOf(row))).toEqual([]);
    expect(new Set(rows.map((row) => row['observationId'])).size).toBe(rows.length);
  });

  it('names an indicator by its entity and quantity', () => {
    const named = (row: Row) => `${entityOf(row)}_${text(seriesOf.get(keyOf(row)) ?? {}, 'canonicalIndicatorId')}`;
    expect(against(rows, (row) => row['indicatorId'] === named(row))).toEqual([]);
    const countryOf = (row: Row) => entities.get(entityOf(row))?.['country'];
    expect(against(rows, (row) => row['country'] === countryOf(row))).toEqual([]);
  });

  it('describes a quantity as the list of canonical indicators does', () => {
    const SHARED = ['category', 'subCategory', 'factorHint', 'importance'];
    const measured = (row: Row) => canonical.get(seriesOf.get(keyOf(row))?.['canonicalIndicatorId']) ?? {};
    expect(against(rows, (row) => SHARED.every((field) => row[field] === measured(row)[field]))).toEqual([]);
    const inItsUnit = rows.filter((row) => row['unit'] === measured(row)['unit']);
    expect(against(inItsUnit, (row) => row['comparisonBasis'] === measured(row)['comparisonBasis'])).toEqual([]);
    const isOfCountry = (row: Row) => ['country', 'currency_area'].includes(text(entities.get(entityOf(row)) ?? {}, 'entityType'));
    const national = rows.filter(isOfCountry);
    expect(national.length).toBeGreaterThan(300);
    expect(against(national, (row) => row['factorKey'] === measured(row)['factorKey'])).toEqual([]);
    expect(against(rows, (row) => isOfCountry(row) || row['factorKey'] === null)).toEqual([]);
  });

  it('sets fallback and comparable by tier and frequency only', () => {
    const isFallback = (row: Row) => row['sourceTier'] === 'multilateral_fallback' && row['frequency'] === 'annual';
    const isComparable = (row: Row) => ['daily', 'weekly', 'monthly', 'quarterly'].includes(text(row, 'frequency'));
    expect(against(rows, (row) => row['fallbackOnly'] === isFallback(row) && row['cadenceComparable'] === isComparable(row))).toEqual([]);
    expect(rows.some(isFallback)).toBe(true);
  });

  it('ends a period on its last day', () => {
    // A weekly report is dated by its day within the week.
    const early = (row: Row) => (Date.parse(endOf(text(row, 'period'))) - Date.parse(text(row, 'periodEnd'))) / 86_400_000;
    expect(against(rows, (row) => early(row) === 0 || (row['frequency'] === 'weekly' && early(row) > 0 && early(row) < 7))).toEqual([]);
  });

  it('labels a vintage by the day on which it became known', () => {
    const label = /^(?:pseudo:)?(\d{4}-\d{2}-\d{2})(?:\.\d+)?$/;
    expect(against(rows, (row) => label.exec(text(row, 'vintage'))?.[1] === text(row, 'observedAt').slice(0, 10))).toEqual([]);
    expect(against(rows, (row) => text(row, 'observedAt') <= text(row, 'retrievedAt'))).toEqual([]);
  });

  it('was retrieved with the payload that its provenance names', async () => {
    const ofSources = new Map(rows.filter((row) => row['sourceTier'] !== 'service_derived').map((row) => [row['sourceId'], row]));
    expect(ofSources.size).toBeGreaterThan(5);
    for (const row of ofSources.values()) {
      const { rawPayload } = (await item(service, `/provenance/observations/${text(row, 'observationId')}`)) as { rawPayload: Row };
      expect([row['sourceId'], row['retrievedAt']]).toEqual([row['sourceId'], rawPayload['retrievedAt']]);
    }
    expect([...ofSources.values()].some((row) => row['retrievedAt'] !== row['observedAt'])).toBe(true);
  });

  it('takes a surprise from a consensus, never from a forecast, and forecasts nothing here', () => {
    expect(against(rows, (row) => row['forecast'] === null)).toEqual([]);
    const surveyed = rows.filter((row) => row['consensus'] !== null && row['actual'] !== null);
    expect(surveyed.length).toBeGreaterThan(1);
    const isSurprise = (row: Row) => {
      const [actual, consensus] = [Number(row['actual']), Number(row['consensus'])];
      const isNear = (field: string, expected: number) => Math.abs(Number(row[field]) - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
      return isNear('surprise', actual - consensus) && isNear('surprisePercent', (100 * (actual - consensus)) / Math.abs(consensus));
    };
    expect(against(surveyed, isSurprise)).toEqual([]);
    const isUnsurprised = (row: Row) => row['surprise'] === null && row['surprisePercent'] === null;
    expect(against(rows, (row) => surveyed.includes(row) || isUnsurprised(row))).toEqual([]);
  });

  it('shows the end of a ceased collection, and of no other', () => {
    const isCeased = (row: Row) => row['collectionStatus'] === 'ceased';
    expect(rows.some((row) => isCeased(row) && row['successorIndicatorId'] !== null)).toBe(true);
    expect(against(rows, (row) => isCeased(row) === (row['ceasedFinalPeriod'] !== null))).toEqual([]);
    expect(against(rows, (row) => isCeased(row) || row['successorIndicatorId'] === null)).toEqual([]);
    const stale = rows.filter(isCeased);
    expect(against(stale, (row) => row['freshnessStatus'] === 'unknown' && row['scoringEligible'] === false)).toEqual([]);
    expect(against(stale, (row) => text(row, 'period') <= text(row, 'ceasedFinalPeriod'))).toEqual([]);
  });

  it('judges no event fresh or stale, and everything live with a period one of them', () => {
    const canJudge = (row: Row) => !['event', 'static'].includes(text(row, 'frequency')) && row['collectionStatus'] === null;
    expect(against(rows, (row) => canJudge(row) === (row['freshnessStatus'] !== 'unknown'))).toEqual([]);
  });

  it('never makes a row eligible that the rules exclude', () => {
    const eligible = rows.filter((row) => row['scoringEligible'] === true);
    expect(eligible.length).toBeGreaterThan(100);
    const OPEN = ['central_bank', 'official_national', 'official_supranational', 'market_data', 'service_derived'];
    const passes = (row: Row) =>
      OPEN.includes(text(row, 'sourceTier')) &&
      row['fallbackOnly'] === false &&
      row['freshnessStatus'] !== 'stale' &&
      row['actual'] !== null;
    expect(against(eligible, passes)).toEqual([]);
  });

  it('prefers one row per country, factor and period, and always one if any is eligible', () => {
    const slots = groupedBy(
      rows.filter((row) => row['country'] !== null && row['factorKey'] !== null && row['period'] !== null),
      (row) => [row['country'], row['factorKey'], row['period']].join('|'),
    );
    const wrong = [...slots.values()].filter((slot) => {
      const preferred = slot.filter((row) => row['preferredForFactor'] === true);
      return preferred.length !== (slot.some((row) => row['scoringEligible'] === true) ? 1 : 0) && _path === '/observations/latest';
    });
    expect(wrong.slice(0, 2)).toEqual([]);
    expect(against(rows, (row) => row['preferredForFactor'] === false || row['scoringEligible'] === true)).toEqual([]);
  });
});

/** The last day of `2026`, `2026-Q3`, `2026-09`, `2026-W37` (a Sunday) or `2026-09-12`. */
function endOf(period: string): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const year = Number(period.slice(0, 4));
  const week = /-W(\d{2})$/.exec(period)?.[1];
  if (week !== undefined) {
    const fourth = new Date(Date.UTC(year, 0, 4));
    return day(new Date(fourth.getTime() + 86_400_000 * (7 * (Number(week) - 1) + ((7 - fourth.getUTCDay()) % 7))));
  }
  const quarter = /-Q(\d)$/.exec(period)?.[1];
  if (quarter !== undefined) return day(new Date(Date.UTC(year, 3 * Number(quarter), 0)));
  if (period.length === 4) return `${period}-12-31`;
  return period.length === 7 ? day(new Date(Date.UTC(year, Number(period.slice(5)), 0))) : period;
}

describe('vintages of a period', () => {
  it('are revised only if they differ from the first', () => {
    for (const group of byPeriod.values()) {
      const [first] = group;
      expect(group.filter((row) => row['revised'] !== (row['actual'] !== first?.['actual'])).slice(0, 2)).toEqual([]);
    }
    expect(vintages.filter((row) => row['revised'] === true).length).toBeGreaterThan(50);
  });

  it('never repeat a value in a row', () => {
    for (const group of byPeriod.values()) {
      const observed = group.filter((row) => row['sourceTier'] !== 'service_derived');
      expect(observed.filter((row, index) => index > 0 && row['actual'] === observed[index - 1]?.['actual'])).toEqual([]);
    }
  });

  it('never repeat the value and text of a multiple, nor the figures of a position or a text', async () => {
    const derived = await lines(service, '/derived-observations?vintage=all&sort=observed_at&start_date=2026-01-01');
    expect(derived.length).toBeGreaterThan(1000);
    for (const group of groupedBy(
      derived,
      (row) => `${text(row, 'indicatorId')}|${text(row, 'entityId')}|${text(row, 'sourceId')}|${text(row, 'periodEnd')}`,
    ).values()) {
      const said = group.map((row) => [row['valueNumeric'], row['valueText'], row['sourceId'] === 'quotes' ? '' : row['metadata']]);
      expect(said.filter((one, index) => JSON.stringify(one) === JSON.stringify(said[index - 1]))).toEqual([]);
    }
  });

  it('enter as insert, revise or retract, each with the one before it', async () => {
    const changes = await lines(
      service,
      '/observations/changes?indicator_id=us_nonfarm_payrolls,us_ip_consumer_goods,us_gdp_nominal,us_initial_jobless_claims',
    );
    expect(changes.map((row) => Number(row['changeSequence']))).toEqual(
      changes.map((row) => Number(row['changeSequence'])).toSorted((a, b) => a - b),
    );
    const groups = groupedBy(changes, (row) => `${keyOf(row)}|${text(row, 'period')}`);
    const seen = new Set<string>();
    for (const group of groups.values()) {
      const ordered = group.toSorted((a, b) => (text(a, 'observedAt') < text(b, 'observedAt') ? -1 : 1));
      for (const [index, row] of ordered.entries()) {
        const before = ordered[index - 1];
        const type = before === undefined ? 'insert' : row['actual'] === null ? 'retract' : 'revise';
        seen.add(type);
        expect([row['observationId'], row['changeType'], row['priorActual'], row['priorObservationId']]).toEqual([
          row['observationId'],
          type,
          before?.['actual'] ?? null,
          before?.['observationId'] ?? null,
        ]);
      }
    }
    expect([...seen].toSorted()).toEqual(['insert', 'retract', 'revise']);
  });

  it('give the previous value of the newest period just before and after it', async () => {
    const told = new Set<string>();
    for (const indicator of ['us_nonfarm_payrolls', 'us_industrial_production', 'us_cpi', 'us_gdp_nominal']) {
      const [row] = (await lines(service, `/observations/latest?indicator_id=${indicator}`)).filter(
        (one) => one['sourceId'] !== 'us_census',
      );
      const all = (await lines(service, `/observations?vintage=all&indicator_id=${indicator}&sort=observed_at`)).filter(
        (one) => keyOf(one) === keyOf(row ?? {}),
      );
      const release = all.find((one) => one['period'] === row?.['period']);
      const earlier = all.filter((one) => text(one, 'periodEnd') < text(row ?? {}, 'periodEnd'));
      const prior = earlier
        .map((one) => text(one, 'period'))
        .toSorted()
        .at(-1);
      const held = earlier.filter((one) => one['period'] === prior);
      const before = held.filter((one) => text(one, 'observedAt') < text(release ?? {}, 'observedAt')).at(-1)?.['actual'];
      const after = held.filter((one) => text(one, 'observedAt') <= text(release ?? {}, 'observedAt')).at(-1)?.['actual'];
      const revised = after === before ? null : after;
      told.add(revised === null ? 'same' : 'revised');
      expect([indicator, row?.['previous'], row?.['revisedPrevious'], row?.['previousType']]).toEqual([
        indicator,
        before,
        revised,
        'prior_period',
      ]);
    }
    expect([...told].toSorted()).toContain('revised');
  });
});

describe('provenance', () => {
  const asked = async () => {
    const ids = (
      await Promise.all(
        ['us_nonfarm_payrolls', 'us_cpi_inflation_yoy', 'us_gdp_nominal', 'de_population'].map((one) =>
          lines(service, `/observations?vintage=all&indicator_id=${one}&start_date=2025-12-01&end_date=2026-02-28`),
        ),
      )
    ).flat();
    return Promise.all(
      ids.map(async (row) => ({ row, chain: await item(service, `/provenance/observations/${text(row, 'observationId')}`) })),
    );
  };

  it('has another hash for another chain, and the same hash for the same chain', async () => {
    const chains = await asked();
    expect(chains.length).toBeGreaterThan(10);
    expect(new Set(chains.map(({ chain }) => chain['chainHash'])).size).toBe(chains.length);
    expect(chains.every(({ chain }) => /^sha256:[0-9a-f]{64}$/.test(text(chain, 'chainHash')))).toBe(true);
    const again = await asked();
    expect(again.map(({ chain }) => chain['chainHash'])).toEqual(chains.map(({ chain }) => chain['chainHash']));
  });

  it('hashes another value, knowledge time or vintage of the same row to another hash', async () => {
    const reader = await (await openPipeline({ dataDir: join(service.dataDir, 'sample') })).open();
    try {
      const [asKnown] = await lines(service, '/observations?indicator_id=us_nonfarm_payrolls&start_date=2026-08-01');
      const row = await findVintage(reader, text(asKnown ?? {}, 'observationId'));
      if (row === null) throw new Error('the row is not there');
      const hashOf = async (change: Partial<typeof row>) =>
        (await provenanceOf(reader, { ...row, ...change }, { asOf: null, at: service.clock.now, showsLocator: true })).chainHash;
      const changes = [{}, { value: 1 }, { value: null }, { observedAt: '2026-01-01T00:00:00.000Z' }, { vintage: '2026-01-01' }];
      expect(new Set(await Promise.all(changes.map(hashOf))).size).toBe(changes.length);
    } finally {
      reader.close();
    }
  });

  it('names every step from the file to the row in order', async () => {
    const reader = await (await openPipeline({ dataDir: join(service.dataDir, 'sample') })).open();
    try {
      const stepsOf = async (path: string, vintage?: string) => {
        const row = await findVintage(reader, text((await lines(service, path))[0] ?? {}, 'observationId'));
        if (row === null) throw new Error('the row is not there');
        const labelled = { ...row, vintage: vintage ?? row.vintage };
        return (await provenanceOf(reader, labelled, { asOf: null, at: service.clock.now, showsLocator: true })).transformations.map(
          ({ step, name }) => `${step} ${name}`,
        );
      };
      const payrolls = '/observations?indicator_id=us_nonfarm_payrolls&start_date=2026-08-01';
      const normalised = ['1 normalise', '2 collapse_unchanged_vintages'];
      expect(await stepsOf(payrolls)).toEqual(normalised);
      expect(await stepsOf(payrolls, 'pseudo:2026-09-04')).toEqual([...normalised, '3 assume_knowledge_time']);
      const closes = '/observations?indicator_id=price_close';
      expect(await stepsOf(closes)).toEqual([...normalised, '3 undo_split_adjustment']);
      expect(await stepsOf(closes, 'pseudo:2026-09-04')).toEqual([...normalised, '3 undo_split_adjustment', '4 assume_knowledge_time']);
    } finally {
      reader.close();
    }
  });

  it('agrees with the row, and lists every vintage of its period, oldest first', async () => {
    const SHARED = ['observationId', 'indicatorId', 'period', 'actual', 'unit', 'vintage', 'observedAt'];
    const chains = await asked();
    for (const { row, chain } of chains) {
      expect(SHARED.map((field) => chain[field])).toEqual(SHARED.map((field) => row[field]));
      expect((chain['scoring'] as Row)['eligible']).toBe(row['scoringEligible']);
      const siblings = chains.filter((one) => keyOf(one.row) === keyOf(row) && one.row['period'] === row['period']).map((one) => one.row);
      const ordered = siblings.toSorted((a, b) => (text(a, 'observedAt') < text(b, 'observedAt') ? -1 : 1));
      expect((chain['vintages'] as Row[]).map((one) => [one['observationId'], one['actual'], one['vintage'], one['observedAt']])).toEqual(
        ordered.map((one) => [one['observationId'], one['actual'], one['vintage'], one['observedAt']]),
      );
    }
  });

  it('leads to the received bytes', async () => {
    const root = await sampleLake();
    const raw = (await asked()).map(({ chain }) => chain['rawPayload'] as Row | null).filter((one) => one !== null);
    expect(raw.length).toBeGreaterThan(3);
    for (const payload of raw) {
      const bytes = gunzipSync(readFileSync(join(root, text(payload, 'locator'))));
      expect([payload['sha256'], payload['bytes']]).toEqual([createHash('sha256').update(bytes).digest('hex'), bytes.length]);
    }
  });
});

describe('counts', () => {
  const sum = (rows: readonly Row[], field: string) => rows.reduce((total, row) => total + Number(row[field]), 0);
  const newest = (rows: readonly Row[]) =>
    rows
      .map((row) => text(row, 'latestPeriodEnd'))
      .toSorted()
      .at(-1) ?? null;
  const distinct = (rows: readonly Row[], field: string) => new Set(rows.map((row) => row[field])).size;
  const tally = (rows: readonly Row[], field: string) =>
    Object.fromEntries([...groupedBy(rows, (row) => text(row, field))].map(([value, group]) => [value, group.length]));

  it('of an entity and a country are those of its series', async () => {
    const countries = new Map((await pages(service, '/countries')).map((one) => [one['entityId'], one]));
    for (const id of ['us', 'de', 'jp', 'ea', 'cur_usd', 'index_vix', 'cftc_001602', 'ad']) {
      const own = series.filter((one) => one['entityId'] === id);
      const expected = [distinct(own, 'indicatorId'), sum(own, 'observationCount'), newest(own)];
      for (const row of [entities.get(id), countries.get(id)].filter((one) => one !== undefined)) {
        expect([id, row['indicatorCount'], row['observationCount'], row['latestPeriodEnd']]).toEqual([id, ...expected]);
      }
    }
  });

  it('of a canonical indicator are those of its series', () => {
    for (const id of ['consumer_confidence', 'population', 'gdp_nominal', 'nonfarm_payrolls', 'ecb_reference_rate']) {
      const own = series.filter((one) => one['canonicalIndicatorId'] === id);
      const row = canonical.get(id);
      const countries = new Set(own.map((one) => one['country']).filter((one) => one !== null)).size;
      expect([id, row?.['countryCount'], row?.['observationCount'], row?.['latestPeriodEnd']]).toEqual([
        id,
        countries,
        sum(own, 'observationCount'),
        newest(own),
      ]);
    }
  });

  it('of a series are those of its rows', async () => {
    for (const [indicator, source] of [
      ['us_nonfarm_payrolls', 'fred_md'],
      ['us_ip_consumer_goods', 'fred_md'],
      ['us_gdp_nominal', 'fred'],
    ] as const) {
      const own = series.find((one) => one['indicatorId'] === indicator && one['sourceId'] === source);
      const all = await lines(service, `/observations?vintage=all&indicator_id=${indicator}&source_id=${source}`);
      expect([own?.['vintageCount'], own?.['observationCount']]).toEqual([all.length, distinct(all, 'period')]);
      const ends = all.map((row) => text(row, 'periodEnd')).toSorted();
      expect([own?.['firstPeriodEnd'], own?.['latestPeriodEnd']]).toEqual([ends[0], ends.at(-1)]);
    }
  });

  it('of a source are those of its series and findings', async () => {
    const quarantine = await pages(service, '/quarantine');
    const observed = series.filter((one) => one['sourceTier'] !== 'service_derived');
    for (const source of await pages(service, '/source-health')) {
      const own = observed.filter((one) => one['sourceId'] === source['sourceId']);
      const ceased = own.filter((one) => one['collectionStatus'] === 'ceased').length;
      const verdicts = tally(own, 'freshnessStatus');
      const expected = [own.length, verdicts['fresh'] ?? 0, verdicts['stale'] ?? 0, ceased, (verdicts['unknown'] ?? 0) - ceased];
      const told = ['seriesTotal', 'seriesFresh', 'seriesStale', 'seriesCeased', 'seriesUnknown'].map((field) => source[field]);
      expect([source['sourceId'], ...told]).toEqual([source['sourceId'], ...expected]);
      const open = quarantine.filter((one) => one['sourceId'] === source['sourceId'] && one['status'] === 'open').length;
      expect([source['sourceId'], source['quarantinedOpen']]).toEqual([source['sourceId'], open]);
      const [fresh = 0, stale = 0] = [verdicts['fresh'], verdicts['stale']];
      const bySeries = fresh + stale === 0 ? 'unknown' : stale > fresh ? 'stale' : 'fresh';
      // Documents, filings and schedules have an age of their own (test/boundaries/health.test.ts); what was never read has none, nor has a derivation.
      const hasContent = own.length === 0 && source['lastSuccessAt'] !== null && source['sourceId'] !== 'asof';
      const possible = hasContent ? ['fresh', 'stale'] : [bySeries];
      expect([source['sourceId'], source['freshnessStatus'], possible.includes(text(source, 'freshnessStatus'))]).toEqual([
        source['sourceId'],
        source['freshnessStatus'],
        true,
      ]);
    }
  });

  it('of the liveness report are those of its series', async () => {
    const report = await item(service, '/ops/liveness');
    const all = await feeds(service);
    const verdicts = tally(all, 'verdict');
    expect(report['summary']).toEqual({ live: 0, late: 0, frozen: 0, ceased: 0, unknown: 0, ...verdicts });
    for (const one of all) {
      const [age, budget] = [Number(one['ageDays']), one['budgetDays']];
      expect(Number(one['overdueDays'])).toBeCloseTo(
        budget === null || one['verdict'] === 'ceased' ? 0 : Math.max(0, age - Number(budget)),
        1,
      );
    }
  });

  it('of the coverage are those of the public series', async () => {
    const coverage = await item(service, '/public/coverage');
    expect(await item(service, '/coverage')).toEqual(coverage);
    const open = series.filter((one) => (one['rights'] as Row)['redistributable'] === true);
    const totals = coverage['totals'] as Row;
    expect([totals['series'], totals['observations'], totals['vintages'], totals['entities'], totals['sources']]).toEqual([
      open.length,
      sum(open, 'observationCount'),
      sum(open, 'vintageCount'),
      distinct(open, 'entityId'),
      distinct(open, 'sourceId'),
    ]);
    expect([totals['indicators'], totals['countries']]).toEqual([
      distinct(open, 'canonicalIndicatorId'),
      (coverage['countries'] as Row[]).length,
    ]);
    const categories = groupedBy(open, (row) => text(row, 'category'));
    for (const category of coverage['categories'] as Row[]) {
      const own = categories.get(text(category, 'category')) ?? [];
      expect([category['category'], category['indicatorCount'], category['observationCount']]).toEqual([
        category['category'],
        distinct(own, 'canonicalIndicatorId'),
        sum(own, 'observationCount'),
      ]);
    }
    expect((coverage['categories'] as Row[]).length).toBe(categories.size);
  });
});

describe('the manifest', () => {
  it('has the bytes, hash and rows of each file, and their sums for the snapshot', async () => {
    const manifest = await item(service, '/manifest');
    const snapshot = await item(service, '/snapshot');
    const resources = manifest['resources'] as Row[];
    const root = join(service.dataDir, 'sample/snapshots');
    for (const resource of resources) {
      const bytes = readFileSync(join(root, text(resource, 'path')));
      const rows = Number(parquetMetadata(new Uint8Array(bytes).buffer).num_rows);
      expect([resource['path'], resource['bytes'], resource['rowCount'], resource['hash']]).toEqual([
        resource['path'],
        bytes.length,
        rows,
        `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
      ]);
    }
    const tables = groupedBy(resources, (row) => text(row, 'table'));
    for (const table of snapshot['tables'] as Row[]) {
      const own = tables.get(text(table, 'name')) ?? [];
      const expected = [
        own.length,
        own.reduce((total, row) => total + Number(row['bytes']), 0),
        own.reduce((total, row) => total + Number(row['rowCount']), 0),
      ];
      expect([table['name'], table['partitions'], table['bytes'], table['rowCount']]).toEqual([table['name'], ...expected]);
    }
    expect((snapshot['tables'] as Row[]).length).toBe(tables.size);
    const counts = snapshot['counts'] as Row;
    expect([counts['entities'], counts['countries'], counts['companies'], counts['events']]).toEqual([
      entities.size,
      (await pages(service, '/countries')).length,
      (await pages(service, '/public/companies')).length,
      (await pages(service, '/events')).length,
    ]);
    expect([snapshot['snapshotId'], snapshot['contentHash']]).toEqual([manifest['id'], manifest['contentHash']]);
    expect(text(snapshot, 'snapshotId')).toBe(`snap_${text(snapshot, 'contentHash').slice(7, 27)}`);
  });
});

describe('companies', () => {
  it('are named by ten digits', async () => {
    const companies = await pages(service, '/public/companies');
    for (const company of companies) {
      expect(text(company, 'cik')).toMatch(/^\d{10}$/);
      expect([company['companyId'], company['entityId']]).toEqual([`company_${text(company, 'cik')}`, `company_${text(company, 'cik')}`]);
      expect(company['ticker']).toBe((company['tickers'] as string[])[0] ?? null);
      expect(company['status']).toBe((company['tickers'] as string[]).length > 0 ? 'active' : 'unknown');
      // The invented prices are granted: nothing is withheld.
      expect(company['rightsNote']).toBeNull();
      expect(company['price'] !== null || Object.values(company['multiples'] as Row).every((one) => one === null)).toBe(true);
    }
    const shown = (name: string) =>
      new Set(
        companies.flatMap((company) =>
          Object.entries(company[name] as Row).flatMap(([key, value]) => (typeof value === 'number' ? [key] : [])),
        ),
      ).size;
    expect([shown('multiples'), shown('scores')]).toEqual([MULTIPLES.length, 5]);
  });

  it('label statements by the year of the end of the period, and mark computed figures', async () => {
    const statements = await lines(service, '/companies/ZZSMB/financials');
    expect(statements.length).toBeGreaterThan(100);
    for (const statement of statements) {
      // A calendar year is the fiscal year.
      expect(statement['fiscalYear']).toBe(Number(text(statement, 'periodEnd').slice(0, 4)));
      expect(statement['derived']).toBe(statement['derivation'] !== 'none');
      expect(statement['revisionStatus']).toBe(statement['restated'] === true ? 'revised' : 'initial');
      const items = statement['items'] as Row;
      for (const line of statement['lines'] as Row[]) expect(items[text(line, 'key')]).toBe(line['value']);
      const stated = Object.values(items).filter((value) => value !== null).length;
      expect((statement['lines'] as Row[]).length).toBe(stated);
      expect(statement['periodStart'] === null).toBe(statement['statementType'] === 'balance_sheet');
    }
  });
});

describe('the calendar', () => {
  it('has the time and the number of past releases only', async () => {
    const entries = await pages(service, '/economic-calendar');
    expect(against(entries, (row) => (row['releasedAt'] !== null) === (row['status'] === 'released'))).toEqual([]);
    expect(against(entries, (row) => row['actual'] === null || (row['status'] === 'released' && row['observationId'] !== null))).toEqual(
      [],
    );
    expect(against(entries, (row) => row['revisedPrevious'] === null || row['revisedPrevious'] !== row['previous'])).toEqual([]);
    const within = (row: Row) =>
      row['forecast'] === null ||
      (Number(row['forecastLower']) <= Number(row['forecast']) && Number(row['forecast']) <= Number(row['forecastUpper']));
    expect(against(entries, within)).toEqual([]);
    const moved = entries.filter((row) => row['status'] === 'postponed');
    expect(moved.length).toBeGreaterThan(0);
    expect(against(moved, (row) => Number(row['scheduleVersion']) > 1)).toEqual([]);
    const carried = entries.filter((row) => row['observationId'] !== null).slice(-5);
    for (const entry of carried) {
      const chain = await item(service, `/provenance/observations/${text(entry, 'observationId')}`);
      expect([chain['actual'], chain['period'], chain['indicatorId']]).toEqual([entry['actual'], entry['period'], entry['indicatorId']]);
    }
  });
});
