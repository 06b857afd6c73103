// The questions by name of catalog.sql beside the routes that answer the same.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camelCase, toText, toValue, type Value } from '../../src/db/rows.ts';
import { panelDates } from '../../src/model/panel.ts';
import { toDay } from '../../src/model/period.ts';
import { catalogText } from '../../src/snapshot/build/named-files.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { rowsOf } from '../panels/choice.ts';
import { type RunningService, startSampleService } from '../service.ts';
import { isLong } from '../suite.ts';

type Row = Readonly<Record<string, Value>>;

let service: RunningService;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  service = await startSampleService();
  const paths = snapshotPaths(`${service.dataDir}/sample`);
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('the sample has no snapshot');
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  await connection.run(catalogText(paths, manifest));
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await service.stop();
});

async function asked(sql: string): Promise<Row[]> {
  const result = await connection.runAndReadAll(sql);
  const names = result.columnNames().map(camelCase);
  return result.getRows().map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', toValue(cell)])));
}

/** The members of a row that both answers have. */
const only = (rows: readonly Row[], members: readonly string[]) =>
  rows.map((row) => Object.fromEntries(members.map((name) => [name, row[name] ?? null])));

const byId = (rows: readonly Row[]) => rows.toSorted((a, b) => (toText(a['observationId']) < toText(b['observationId']) ? -1 : 1));

const bulk = async (path: string): Promise<Row[]> => {
  const response = await service.get(`${path}&format=ndjson&limit=1000000`);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const text = (await response.text()).trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row);
};

const list = (texts: readonly string[]) => `[${texts.map((one) => `'${one}'`).join(', ')}]`;

const FACTORS = [
  'business_confidence',
  'consumer_confidence',
  'unemployment_rate',
  'nonfarm_payrolls',
  'policy_rate',
  'cpi_inflation_yoy',
  'payrolls_mom_change',
];
const days = (from: string) => {
  const begin = Date.parse(from);
  return fc.noBias(fc.nat(Math.floor((Date.parse('2026-11-15') - begin) / 86_400_000))).map((number) => toDay(begin / 86_400_000 + number));
};

describe('each question by name', () => {
  it('is a macro with its meaning as its comment', async () => {
    const found = await asked(
      `select function_name as name, parameters, comment is not null as is_described from duckdb_functions()
       where not internal and function_name in ('as_of', 'panel', 'first_prints', 'month_ends', 'price_and_fundamentals') order by 1`,
    );
    expect(found.map(({ name, isDescribed }) => [name, isDescribed])).toEqual(
      ['as_of', 'first_prints', 'month_ends', 'panel', 'price_and_fundamentals'].map((name) => [name, true]),
    );
  });
});

describe('panel', () => {
  const MEMBERS = [
    'date',
    'asOf',
    'entityId',
    'country',
    'factor',
    'factorKey',
    'indicatorId',
    'observationId',
    'vintage',
    'value',
    'unit',
    'period',
    'periodEnd',
    'observedAt',
    'releaseNumber',
    'isRevised',
    'isBackfill',
    'sourceId',
    'sourceTier',
    'freshnessStatus',
    'scoringEligible',
    'eopLag',
    'mopLag',
    'grade',
  ];

  it('has the rows of /panels for drawn questions', async () => {
    const draw = fc.record({
      factors: fc.uniqueArray(fc.constantFrom(...FACTORS), { minLength: 1, maxLength: 3 }),
      from: days('2019-06-01'),
      length: fc.noBias(fc.nat(1500)),
      every: fc.constantFrom('day', 'business_day', 'week', 'month_end', 'quarter_end'),
      grade: fc.constantFrom(1, 2, 2, 3, 3),
      isFirst: fc.constantFrom(false, false, true),
      isEligibleOnly: fc.constantFrom(false, false, true),
      axis: fc.constantFrom('', 'countries', 'entities'),
    });
    let rows = 0;
    for (const one of fc.sample(draw, { seed: 4, numRuns: isLong ? 25 : 8 })) {
      const span = one.every.includes('day') ? one.length % 60 : one.length;
      const end = toDay(Math.min(Date.parse(one.from) / 86_400_000 + span, Date.parse('2026-11-20') / 86_400_000));
      const axis = {
        '': ['', ''],
        countries: ['&country=US,DE,EA', `, countries := ${list(['US', 'de', 'EA'])}`],
        entities: ['&entity=us,fr,ea', `, entities := ${list(['us', 'fr', 'ea'])}`],
      }[one.axis] as [string, string];
      const query =
        `/panels?factor=${one.factors.join(',')}&from=${one.from}&to=${end}&every=${one.every}&grade=${one.grade}` +
        `&vintage=${one.isFirst ? 'first' : 'known'}&eligible_only=${one.isEligibleOnly}${axis[0]}`;
      const macro =
        `from panel(${list(one.factors)}, '${one.from}', '${end}', '${one.every}', grade := ${one.grade}, ` +
        `first_print := ${one.isFirst}, eligible_only := ${one.isEligibleOnly}${axis[1]})`;
      const [is, ought] = [await asked(macro), await bulk(query)];
      expect(only(is, MEMBERS), `in ${macro}`).toEqual(only(ought, MEMBERS));
      rows += ought.length;
    }
    expect(rows).toBeGreaterThan(isLong ? 1000 : 300);
  });

  it('takes one data set', async () => {
    const [factor, source] = ['consumer_confidence', 'dg_ecfin'];
    const is = await asked(`from panel(['${factor}'], '2025-01-01', '2025-12-31', source := '${source}')`);
    const ought = await bulk(`/panels?factor=${factor}&from=2025-01-01&to=2025-12-31&source_id=${source}`);
    expect(only(is, MEMBERS)).toEqual(only(ought, MEMBERS));
    expect(is.length).toBeGreaterThan(0);
  });

  it('has no row after today, and none for entities that have no such series', async () => {
    expect(await asked(`from panel(['policy_rate'], '2999-01-01', '2999-12-31')`)).toEqual([]);
    expect(await asked(`from panel(['nonfarm_payrolls'], '2020-01-01', '2020-12-31', countries := ['DE'])`)).toEqual([]);
  });

  it('refuses an unknown factor or other dates', async () => {
    await expect(asked(`from panel(['nonfarm_payrols'], '2020-01-01', '2020-12-31')`)).rejects.toThrow('Unknown factor: nonfarm_payrols');
    await expect(asked(`from panel(['policy_rate'], '2020-01-01', '2020-12-31', 'change')`)).rejects.toThrow('Unknown dates: change');
  });
});

describe('as_of', () => {
  const MEMBERS = [
    'observationId',
    'indicatorId',
    'country',
    'sourceId',
    'sourceTier',
    'frequency',
    'unit',
    'period',
    'periodEnd',
    'vintage',
    'observedAt',
    'freshnessStatus',
    'scoringEligible',
    'preferredForFactor',
  ];

  it('has the rows of /observations as of drawn moments, with the preferred ones', async () => {
    const draw = fc.record({ indicator: fc.constantFrom(...FACTORS, 'price_close', 'cot_net_noncommercial'), day: days('2020-01-01') });
    let rows = 0;
    for (const { indicator, day } of fc.sample(draw, { seed: 2, numRuns: isLong ? 15 : 5 })) {
      const is = await asked(`from as_of('${day}') where canonical_id = '${indicator}'`);
      const ought = await bulk(`/observations?indicator_id=${indicator}&as_of=${day}`);
      const values = (some: readonly Row[], name: string) => byId(some).map((row) => row[name]);
      expect(only(byId(is), MEMBERS), `${indicator} ${day}`).toEqual(only(byId(ought), MEMBERS));
      expect(values(is, 'value')).toEqual(values(ought, 'actual'));
      expect(values(is, 'isRevised')).toEqual(values(ought, 'revised'));
      rows += ought.length;
    }
    expect(rows).toBeGreaterThan(isLong ? 1000 : 300);
  });

  it('takes an instant, and a day as its end', async () => {
    const at = async (moment: string) => asked(`from as_of(${moment}) where indicator_id = 'us_nonfarm_payrolls' order by period_end`);
    expect(await at(`date '2020-06-30'`)).toEqual(await at(`timestamptz '2020-06-30 23:59:59.999Z'`));
    expect(await at(`'2020-06-30'`)).toEqual(await at(`'2020-06-30T23:59:59.999Z'`));
    expect(await at(`'2020-06-30'`)).not.toEqual(await at(`'2020-06-30T00:00:00Z'`));
  });
});

describe('first_prints', () => {
  it('has the rows of /observations?vintage=first, by any name of the indicator', async () => {
    for (const indicator of ['us_nonfarm_payrolls', 'consumer_confidence', 'policy_rate']) {
      const is = await asked(`from first_prints('${indicator}')`);
      const ought = await bulk(`/observations?indicator_id=${indicator}&vintage=first`);
      const members = ['observationId', 'indicatorId', 'sourceId', 'unit', 'period', 'periodEnd', 'vintage', 'observedAt'];
      expect(only(byId(is), members)).toEqual(only(byId(ought), members));
      expect(byId(is).map(({ value }) => value)).toEqual(byId(ought).map(({ actual }) => actual));
      expect(is.length).toBeGreaterThan(0);
    }
    expect(await asked(`from first_prints('US-Nonfarm-Payrolls')`)).toEqual(await asked(`from first_prints('us_nonfarm_payrolls')`));
  });
});

describe('month_ends', () => {
  it('are the last days of whole months', async () => {
    for (const [from = '', to = ''] of fc.sample(fc.tuple(days('1990-01-01'), days('1990-01-01')), { seed: 3, numRuns: 20 }))
      expect((await asked(`from month_ends('${from}', '${to}')`)).map(({ date }) => date)).toEqual(
        from > to ? [] : panelDates('month_end', from, to).map(toDay),
      );
  });
});

describe('price_and_fundamentals', () => {
  it('has the newest close and the figures known at the end of a day, as the service has', async () => {
    const companies = await rowsOf<{ entityId: string; identifiers: { ticker: string | null } }>(service, '/entities?entity_type=company');
    let [prices, figures] = [0, 0];
    for (const { entityId: companyId, identifiers } of companies) {
      const { ticker } = identifiers;
      if (ticker === null) continue;
      for (const day of ['2025-12-31', '2026-08-15']) {
        const rows = await asked(`from price_and_fundamentals('${ticker}', '${day}')`);
        const closes = await rowsOf<{ periodEnd: string; actual: number }>(
          service,
          `/observations/latest?entity=${companyId}&indicator_id=price_close&as_of=${day}`,
        );
        expect(new Set(rows.map(({ companyId: id }) => id))).toEqual(new Set([companyId]));
        const [close] = closes;
        expect(rows.every(({ price, priceDate }) => price === (close?.actual ?? null) && priceDate === (close?.periodEnd ?? null))).toBe(
          true,
        );
        prices += close === undefined ? 0 : 1;
        const fields = rows.flatMap(({ field }) => (field === null ? [] : [toText(field)]));
        if (fields.length === 0) continue;
        const screened = await rowsOf<{
          entityId: string;
          values: Readonly<Record<string, { readonly value: number; readonly periodEnd: string } | null>>;
        }>(service, `/public/screener?universe=companies&as_of=${day}&eligible_only=false&columns=${fields.join(',')}`);
        const own = screened.find(({ entityId }) => entityId === companyId);
        for (const { field, value, periodEnd } of rows) {
          const cell = own?.values[toText(field)];
          expect([value, periodEnd], `${ticker} ${day} ${toText(field)}`).toEqual([cell?.value, cell?.periodEnd]);
          figures += 1;
        }
      }
    }
    expect(prices).toBeGreaterThan(0);
    expect(figures).toBeGreaterThan(20);
  });

  it('has no row for a text that never was a ticker', async () => {
    expect(await asked(`from price_and_fundamentals('NOTICKER', '2026-08-15')`)).toEqual([]);
  });
});
