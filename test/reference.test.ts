import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { iso31661 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Frequency, isDay } from '../src/model/period.ts';
import { ComparisonBasis, Importance, SourceTier } from '../src/model/trust.ts';

type Row = Readonly<Record<string, string>>;
const Rows = z.array(z.record(z.string(), z.string()));

function fileText(name: string): string {
  return readFileSync(join('data/reference', `${name}.csv`), 'utf8');
}

function table(name: string): Row[] {
  return Rows.parse(parse(fileText(name), { columns: true }));
}

function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new RangeError(`no column ${column}`);
  return value;
}

const list = (row: Row, column: string): string[] => (cell(row, column) === '' ? [] : cell(row, column).split(';'));
const column = (rows: readonly Row[], name: string): string[] => rows.map((row) => cell(row, name));
const outside = (values: readonly string[], allowed: ReadonlySet<string>): string[] =>
  [...new Set(values)].filter((value) => !allowed.has(value));
const filled = (values: readonly string[]): string[] => values.filter((value) => value !== '');

function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.has(key) || !seen.add(key));
}

const sources = table('sources');
const budgets = table('cadence_budgets');
const indicators = table('canonical_indicators');
const series = table('series');
const countries = table('countries');
const entities = table('entities');
const aliases = table('aliases');

const sourceIds = new Set(column(sources, 'source_id'));
const canonicalIds = new Set(column(indicators, 'canonical_id'));
const countryIds = column(countries, 'iso2').map((iso2) => iso2.toLowerCase());
const entityIds = new Set([...countryIds, ...column(entities, 'entity_id')]);

const KEYS: Readonly<Record<string, readonly string[]>> = {
  sources: ['source_no'],
  cadence_budgets: ['cadence'],
  canonical_indicators: ['canonical_id'],
  series: ['source_id', 'series_code'],
  countries: ['iso2'],
  entities: ['entity_id'],
  aliases: ['entity_id', 'alias_type', 'alias', 'scheme'],
};

/** Compares by code point, as the files are sorted; numbers by value. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? '';
    if (left === right) continue;
    if (/^\d+$/.test(left) && /^\d+$/.test(right) && a.length === 1) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return 0;
}

describe.each(Object.entries(KEYS))('data/reference/%s.csv', (name, keyColumns) => {
  const rows = table(name);
  const keys = rows.map((row) => keyColumns.map((key) => cell(row, key)));

  it('has one row per key, sorted by key', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(repeated(keys.map((key) => key.join('|')))).toEqual([]);
    expect([...keys].sort(compareKeys)).toEqual(keys);
  });

  it('has no stray blanks, carriage returns or byte order mark, and ends with a line feed', () => {
    const text = fileText(name);
    expect(/\r|\t|\uFEFF|\u00A0/u.test(text)).toBe(false);
    expect(text.endsWith('\n') && !text.endsWith('\n\n')).toBe(true);
    const parts = rows
      .flatMap((row) => Object.values(row))
      .flatMap((value) => (value === '' ? [] : value.split(';').map((part, index) => (index === 0 ? part : part.replace(/^ /, '')))));
    expect(parts.filter((part) => part === '' || part !== part.trim() || part.includes('  '))).toEqual([]);
  });
});

describe('sources', () => {
  it('are the ten data sets and the service itself, with stable numbers', () => {
    expect(sources.map((row) => `${cell(row, 'source_no')} ${cell(row, 'source_id')}`)).toEqual([
      '1 fred_md',
      '2 fred',
      '3 us_census',
      '4 world_bank',
      '5 ecb_fx',
      '6 cftc_legacy',
      '7 cftc_tff',
      '8 sec',
      '9 quotes',
      '10 fed_statements',
      '11 asof',
    ]);
  });

  it('carry a known tier, a rights flag, whole numbers and one sentence on knowledge time', () => {
    expect(outside(column(sources, 'source_tier'), new Set(SourceTier.options))).toEqual([]);
    expect(outside(column(sources, 'is_redistributable'), new Set(['true', 'false']))).toEqual([]);
    for (const row of sources) {
      expect(cell(row, 'expected_interval_seconds')).toMatch(/^[1-9]\d*$/);
      expect(cell(row, 'usual_lag_days')).toMatch(/^\d+$/);
      expect(cell(row, 'knowledge_rule')).toMatch(/^[^.]+\.$/);
    }
  });

  it('may not be redistributed when they are vendor quotes', () => {
    expect(sources.filter((row) => cell(row, 'is_redistributable') === 'false').map((row) => cell(row, 'source_id'))).toEqual(['quotes']);
  });
});

describe('cadence budgets', () => {
  it('cover every frequency and equal the sum of their parts', () => {
    expect(column(budgets, 'cadence').sort()).toEqual([...Frequency.options].sort());
    for (const row of budgets) {
      const parts = cell(row, 'made_of');
      const sum = parts === '' ? '' : String(parts.split(' + ').reduce((total, part) => total + Number(part), 0));
      expect(cell(row, 'budget_days')).toBe(sum);
    }
  });
});

const UNITS = new Set([
  'balance',
  'cad_per_usd',
  'chf_per_usd',
  'cny_per_usd',
  'contracts',
  'hours',
  'index',
  'jpy_per_usd',
  'national_currency_per_eur',
  'national_currency_per_usd',
  'percent',
  'percentage_points',
  'percentile',
  'persons',
  'ratio',
  'score',
  'shares',
  'thousands',
  'usd',
  'usd_billions',
  'usd_billions_chained',
  'usd_billions_constant',
  'usd_millions',
  'usd_millions_chained',
  'usd_per_barrel',
  'usd_per_gbp',
  'usd_per_hour',
  'weeks',
]);

describe('canonical indicators', () => {
  it('use closed vocabularies', () => {
    const check = (name: string, allowed: readonly string[]) =>
      expect(outside(column(indicators, name), new Set(allowed)), name).toEqual([]);
    check('unit', [...UNITS]);
    check('comparison_basis', ComparisonBasis.options);
    check('seasonal_adjustment', ['sa', 'nsa', 'swda', 'trend', 'na']);
    check('frequency', Frequency.options);
    check('polarity', ['-1', '0', '1']);
    check('importance', Importance.options);
    check('status', ['active', 'ceased']);
    for (const flag of ['is_monetary', 'is_derived', 'is_screenable']) check(flag, ['true', 'false']);
    const types = [
      'country',
      'currency_area',
      'region',
      'central_bank',
      'company',
      'futures_contract',
      'instrument',
      'index',
      'commodity',
      'currency',
    ];
    expect(
      outside(
        indicators.flatMap((row) => list(row, 'entity_types')),
        new Set(types),
      ),
    ).toEqual([]);
  });

  it('are named in snake case and slugged in kebab case, each slug once', () => {
    for (const id of canonicalIds) expect(id).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    for (const slug of column(indicators, 'slug')) expect(slug).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(repeated(column(indicators, 'slug'))).toEqual([]);
  });

  it('refer only to indicators and sources that exist', () => {
    expect(outside(filled(column(indicators, 'successor_canonical_id')), canonicalIds)).toEqual([]);
    expect(outside(filled(column(indicators, 'factor_key')), canonicalIds)).toEqual([]);
    expect(
      outside(
        indicators.flatMap((row) => list(row, 'derived_from')),
        canonicalIds,
      ),
    ).toEqual([]);
    expect(
      outside(
        indicators.flatMap((row) => list(row, 'preferred_source_ids')),
        sourceIds,
      ),
    ).toEqual([]);
  });

  it('are computed by the service exactly when they are derived', () => {
    for (const row of indicators)
      expect(cell(row, 'preferred_source_ids') === 'asof', cell(row, 'canonical_id')).toBe(cell(row, 'is_derived') === 'true');
  });

  it('share no alias', () => {
    expect(repeated(indicators.flatMap((row) => list(row, 'aliases')).map((alias) => alias.toLowerCase()))).toEqual([]);
  });

  it('include every indicator that the interface names', () => {
    const named = [
      'cot_positioning_percentile',
      'cot_tff_percentile',
      'cb_statement_sentiment',
      'housing_starts',
      'building_permits',
      'business_confidence',
      'consumer_confidence',
      'cpi_inflation_yoy',
      'price_to_earnings',
      'price_to_book',
      'price_to_sales',
      'price_to_free_cash_flow',
      'price_to_operating_cash_flow',
      'ev_to_ebitda',
      'ev_to_ebit',
      'ev_to_sales',
      'ev_to_free_cash_flow',
      'earnings_yield',
      'free_cash_flow_yield',
      'dividend_yield',
      'peg',
      'gdp_growth',
      'gdp_growth_yoy',
      'core_pce_inflation_yoy',
      'policy_rate',
    ];
    expect(outside(named, canonicalIds)).toEqual([]);
  });
});

const SAME_SERIES = /^Same series as ([^;]+);/;

describe('series', () => {
  it('refer only to sources, indicators and entities that exist', () => {
    expect(outside(column(series, 'source_id'), sourceIds)).toEqual([]);
    expect(outside(column(series, 'canonical_id'), canonicalIds)).toEqual([]);
    expect(outside(column(series, 'entity_id'), entityIds)).toEqual([]);
    expect(outside(filled(column(series, 'successor_canonical_id')), canonicalIds)).toEqual([]);
  });

  it('use closed vocabularies', () => {
    expect(outside(column(series, 'frequency'), new Set(Frequency.options))).toEqual([]);
    expect(outside(column(series, 'unit'), UNITS)).toEqual([]);
    expect(outside(column(series, 'source_tier'), new Set(SourceTier.options))).toEqual([]);
    expect(outside(column(series, 'is_redistributable'), new Set(['true', 'false']))).toEqual([]);
    expect(outside(filled(column(series, 'provider')).concat('x'), new Set([...column(series, 'provider'), 'x']))).toEqual([]);
    expect(series.filter((row) => cell(row, 'provider') === '' || cell(row, 'license') === '')).toEqual([]);
  });

  it('state the final period of a ceased series, and none of an active one', () => {
    expect(outside(column(series, 'status'), new Set(['active', 'ceased']))).toEqual([]);
    for (const row of series)
      expect(cell(row, 'ceased_final_period') !== '', cell(row, 'series_code')).toBe(cell(row, 'status') === 'ceased');
  });

  it('make one storage series per source, entity, indicator and frequency, but for other names of the same series', () => {
    const own = series.filter((row) => !SAME_SERIES.test(cell(row, 'note')));
    expect(
      repeated(own.map((row) => ['source_id', 'entity_id', 'canonical_id', 'frequency'].map((name) => cell(row, name)).join('|'))),
    ).toEqual([]);
  });

  it('agree in all but code and note with the series that they are another name of', () => {
    const identity = (row: Row) =>
      ['canonical_id', 'entity_id', 'frequency', 'unit', 'provider', 'is_redistributable', 'status'].map((name) => cell(row, name));
    const others = series.filter((row) => SAME_SERIES.test(cell(row, 'note')));
    expect(others.length).toBeGreaterThan(0);
    for (const row of others) {
      const code = SAME_SERIES.exec(cell(row, 'note'))?.[1];
      const original = series.find((other) => cell(other, 'source_id') === cell(row, 'source_id') && cell(other, 'series_code') === code);
      expect(original && identity(original), cell(row, 'series_code')).toEqual(identity(row));
    }
  });

  it('give every preferred source of an active indicator an eligible path where its series are listed', () => {
    const listed = new Set(column(series, 'source_id'));
    const blocked: string[] = [];
    for (const row of indicators) {
      for (const sourceId of list(row, 'preferred_source_ids')) {
        const candidates = series.filter((s) => cell(s, 'source_id') === sourceId && cell(s, 'canonical_id') === cell(row, 'canonical_id'));
        const isUnlisted = candidates.length === 0 && (!listed.has(sourceId) || sourceId === 'quotes');
        const isMatched = candidates.some(
          (s) => cell(s, 'unit') === cell(row, 'unit') && (cell(s, 'status') === 'active' || cell(row, 'status') === 'ceased'),
        );
        if (!isUnlisted && !isMatched) blocked.push(`${sourceId} ${cell(row, 'canonical_id')}`);
      }
    }
    expect(blocked).toEqual([]);
  });

  it('name their source among the preferred sources of their indicator', () => {
    const preferred = new Map(indicators.map((row) => [cell(row, 'canonical_id'), list(row, 'preferred_source_ids')]));
    const missing = series.filter((row) => !preferred.get(cell(row, 'canonical_id'))?.includes(cell(row, 'source_id')));
    expect(missing.map((row) => `${cell(row, 'source_id')} ${cell(row, 'series_code')}`)).toEqual([]);
  });

  it('keep third-party columns from redistribution, with a licence and a note', () => {
    const thirdParty = /^(NAPM|S&P|VXO|VIX|UMCSENT|AAA|BAA|MORTGAGE30US)/;
    for (const row of series.filter((s) => thirdParty.test(cell(s, 'series_code')) && cell(s, 'source_id').startsWith('fred'))) {
      expect([cell(row, 'is_redistributable'), cell(row, 'rights_note') === ''], cell(row, 'series_code')).toEqual(['false', false]);
    }
  });
});

describe('countries', () => {
  it('are those of ISO 3166-1, with its codes and short names', () => {
    const expected = iso31661.map((entry) => [entry.alpha2, entry.alpha3, entry.numeric, entry.name].join('|')).sort();
    const actual = countries.map((row) => ['iso2', 'iso3', 'iso_numeric', 'official_name'].map((name) => cell(row, name)).join('|')).sort();
    expect(actual).toEqual(expected);
  });

  it('use currencies, time zones and regions that exist', () => {
    expect(outside(filled(column(countries, 'currency')), new Set(Intl.supportedValuesOf('currency')))).toEqual([]);
    for (const zone of filled(column(countries, 'timezone')))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow();
    expect(countries.filter((row) => cell(row, 'timezone') === '').map((row) => cell(row, 'iso2'))).toEqual(['BV', 'HM']);
    expect(countries.filter((row) => cell(row, 'currency') === '' || cell(row, 'region') === '').map((row) => cell(row, 'iso2'))).toEqual([
      'AQ',
    ]);
    expect(new Set(filled(column(countries, 'm49_region_code')))).toEqual(new Set(['002', '009', '019', '142', '150']));
    expect(new Set(filled(column(countries, 'm49_subregion_code'))).size).toBe(22);
    expect(new Set(filled(column(countries, 'income_group')))).toEqual(
      new Set(['Low income', 'Lower middle income', 'Upper middle income', 'High income']),
    );
  });

  it('belong to the groups as of 2026', () => {
    const sizes = ['eu', 'ea', 'oecd', 'g7', 'g20'].map(
      (group) => countries.filter((row) => list(row, 'member_of').includes(group)).length,
    );
    expect(sizes).toEqual([27, 21, 38, 7, 19]);
    for (const row of countries.filter((r) => list(r, 'member_of').includes('ea'))) {
      expect([cell(row, 'currency'), cell(row, 'central_bank_entity_id'), list(row, 'member_of').includes('eu')]).toEqual([
        'EUR',
        'cb_ecb',
        true,
      ]);
    }
  });

  it('name a central bank that exists', () => {
    const banks = new Set(entities.filter((row) => cell(row, 'entity_type') === 'central_bank').map((row) => cell(row, 'entity_id')));
    expect(outside(filled(column(countries, 'central_bank_entity_id')), banks)).toEqual([]);
  });
});

describe('entities', () => {
  it('do not repeat a country, and share no slug with another entity', () => {
    expect(column(entities, 'entity_id').filter((id) => countryIds.includes(id))).toEqual([]);
    expect(repeated([...column(entities, 'slug'), ...column(countries, 'slug')])).toEqual([]);
  });

  it('refer only to entities, countries and currencies that exist', () => {
    expect(outside(filled(column(entities, 'parent_entity_id')), entityIds)).toEqual([]);
    expect(outside(filled(column(entities, 'successor_entity_id')), entityIds)).toEqual([]);
    expect(outside(filled(column(entities, 'country')), new Set(column(countries, 'iso2')))).toEqual([]);
    const currencies = new Set(entities.filter((row) => cell(row, 'entity_type') === 'currency').map((row) => cell(row, 'currency')));
    expect(outside(filled([...column(entities, 'currency'), ...column(countries, 'currency')]), currencies)).toEqual([]);
  });

  it('use closed vocabularies, calendar days and identifiers of the contract', () => {
    const prefixes: Readonly<Record<string, RegExp>> = {
      currency_area: /^ea$/,
      region: /^(region_[a-z]{3}|us_[a-z]+|eu|g7|g20|oecd)$/,
      central_bank: /^cb_/,
      currency: /^cur_[a-z]{3}$/,
      index: /^index_/,
      commodity: /^commodity_/,
      instrument: /^future_/,
    };
    for (const row of entities) expect(cell(row, 'entity_id')).toMatch(prefixes[cell(row, 'entity_type')] ?? /^$/);
    expect(outside(column(entities, 'status'), new Set(['active', 'inactive', 'merged']))).toEqual([]);
    const names = ['iso2', 'iso3', 'isoNumeric', 'cik', 'lei', 'figi', 'isin', 'ticker', 'mic', 'cftcContractCode'];
    expect(
      outside(
        entities.flatMap((row) => list(row, 'identifiers')).map((pair) => pair.split('=')[0] ?? ''),
        new Set(names),
      ),
    ).toEqual([]);
    for (const row of [...entities, ...aliases]) expect(filled([cell(row, 'valid_from'), cell(row, 'valid_to')]).every(isDay)).toBe(true);
  });

  it('end the validity of a currency that a later one replaced', () => {
    const ended = entities.filter((row) => cell(row, 'entity_type') === 'currency' && cell(row, 'status') === 'inactive');
    expect(ended.length).toBeGreaterThan(0);
    for (const row of ended) expect([cell(row, 'valid_to'), cell(row, 'successor_entity_id')]).not.toContain('');
  });
});

describe('aliases', () => {
  it('belong to entities that exist and use the closed list of types', () => {
    expect(outside(column(aliases, 'entity_id'), entityIds)).toEqual([]);
    const types = ['name', 'short_name', 'ticker', 'wb_code', 'imf_code', 'oecd_code', 'eurostat_code', 'fred_code'];
    expect(outside(column(aliases, 'alias_type'), new Set(types))).toEqual([]);
    expect(outside(column(aliases, 'is_primary'), new Set(['true', 'false']))).toEqual([]);
  });

  it('never give one alias of one type to two entities', () => {
    const owners = new Map<string, Set<string>>();
    for (const row of aliases) {
      const key = `${cell(row, 'alias_type')}|${cell(row, 'alias').toLowerCase()}`;
      owners.set(key, (owners.get(key) ?? new Set()).add(cell(row, 'entity_id')));
    }
    expect([...owners].filter(([, ids]) => ids.size > 1)).toEqual([]);
  });

  it('never turn the name of one entity into a name of another', () => {
    const owners = new Map<string, string>([
      ...countries.flatMap((row) =>
        ['name', 'official_name'].map((name) => [cell(row, name).toLowerCase(), cell(row, 'iso2').toLowerCase()] as const),
      ),
      ...entities.map((row) => [cell(row, 'name').toLowerCase(), cell(row, 'entity_id')] as const),
    ]);
    const stolen = aliases.filter(
      (row) => (owners.get(cell(row, 'alias').toLowerCase()) ?? cell(row, 'entity_id')) !== cell(row, 'entity_id'),
    );
    expect(stolen.map((row) => cell(row, 'alias'))).toEqual([]);
  });
});

const REAL = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const hasReal = existsSync(REAL);
const codesOf = (sourceId: string): Set<string> =>
  new Set(series.filter((row) => cell(row, 'source_id') === sourceId).map((row) => cell(row, 'series_code')));
const headerOf = (path: string): string[] =>
  (readFileSync(join(REAL, path), 'utf8').split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());

describe.skipIf(!hasReal)("the publishers' own files", () => {
  it('name no FRED-MD column without a series, and no series is without a column', () => {
    const columns = new Set(readdirSync(join(REAL, 'fred-md')).flatMap((name) => headerOf(join('fred-md', name)).slice(1)));
    expect([...columns].sort()).toEqual([...codesOf('fred_md')].sort());
  });

  it('name no FRED series without a row', () => {
    const downloads = readdirSync(join(REAL, 'fred-date-value-csv')).map((name) => name.replace('.csv', ''));
    const graphs = readdirSync(join(REAL, 'fredgraph-csv')).map((name) => headerOf(join('fredgraph-csv', name))[1] ?? '');
    const realtime = readdirSync(join(REAL, 'alfred-realtime')).map((name) => headerOf(join('alfred-realtime', name))[3] ?? '');
    expect(outside([...downloads, ...graphs, ...realtime], codesOf('fred'))).toEqual([]);
  });

  it('name exactly the residential construction series that are mapped', () => {
    const lines = readFileSync(join(REAL, 'us-census/RESCONST-mf.csv'), 'utf8').split(/\r?\n/);
    const section = (title: string) => {
      const start = lines.indexOf(title) + 2;
      return new Map(
        lines
          .slice(start, lines.indexOf('', start))
          .map((line) => line.split(',', 2))
          .map(([index, code]) => [index ?? '', code ?? '']),
      );
    };
    const [categories, dataTypes, errorTypes, areas] = [
      section('CATEGORIES'),
      section('DATA TYPES'),
      section('ERROR TYPES'),
      section('GEO LEVELS'),
    ];
    const codes = new Set<string>();
    for (const line of lines.slice(lines.indexOf('DATA') + 2)) {
      const [, category, dataType, errorType, area, isAdjusted] = line.split(',');
      if (area === undefined) continue;
      const measure = errorType === '0' ? dataTypes.get(dataType ?? '') : errorTypes.get(errorType ?? '');
      codes.add([categories.get(category ?? ''), measure, areas.get(area), isAdjusted === '1' ? 'A' : 'N'].join('.'));
    }
    expect([...codes].sort()).toEqual([...codesOf('us_census')].sort());
  });

  it('name no reference currency without a series', () => {
    expect(outside(filled(headerOf('ecb-eurofxref/eurofxref-hist.csv').slice(1)), codesOf('ecb_fx'))).toEqual([]);
  });

  it('name no World Bank country or aggregate without an entity', () => {
    const Payload = z.tuple([z.unknown(), z.array(z.looseObject({ id: z.string(), iso2Code: z.string() }))]);
    const [, areas] = Payload.parse(JSON.parse(readFileSync(join(REAL, 'world-bank/api-json/countries.json'), 'utf8')));
    const known = new Set([
      ...column(countries, 'iso3'),
      ...aliases.filter((row) => cell(row, 'alias_type') === 'wb_code').map((row) => cell(row, 'alias')),
    ]);
    expect(
      outside(
        areas.map((area) => area.id),
        known,
      ),
    ).toEqual([]);
  });
});
