import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sources as readers } from '../../src/sources/index.ts';
import { REFERENCE_KEYS } from '../../src/lake/reference.ts';
import { camelCase } from '../../src/db/rows.ts';
import { wordsOf } from '../../src/queries/search/words.ts';
import { Company, STATEMENT_KEYS } from '../../src/model/company.ts';
import { Frequency } from '../../src/model/period.ts';
import { ComparisonBasis, Importance, SourceTier } from '../../src/model/trust.ts';
import {
  budgets,
  canonicalIds,
  cell,
  cessations,
  column,
  entityIds,
  filled,
  fileText,
  indicators,
  list,
  outside,
  type Row,
  repeated,
  series,
  sourceIds,
  sources,
  table,
} from './read-tables.ts';

const keyOf = (row: Row) => `${cell(row, 'source_id')} ${cell(row, 'series_code')}`;

const KEYS: Readonly<Record<string, readonly string[]>> = { ...REFERENCE_KEYS, sources: ['source_no'] };
/** Those whose order says something, or groups their lines. */
const UNSORTED: ReadonlySet<string> = new Set(['derived_indicators', 'files/mirror_leftovers', 'stock_splits', 'xbrl_concepts']);

it('every file of the folder has a key', () => {
  const names = readdirSync('data/reference', { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /^(?:files\/)?\w+\.csv$/u.test(name));
  expect(new Set(files)).toEqual(new Set(Object.keys(REFERENCE_KEYS).map((name) => `${name}.csv`)));
});

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

  it('has one row per key', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(repeated(keys.map((key) => key.join('|')))).toEqual([]);
  });

  it.skipIf(UNSORTED.has(name))('is sorted by key', () => {
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
  it('are the data sets and the service itself, with stable numbers', () => {
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
      '12 ecb_documents',
      '13 boe_documents',
      '14 rba_documents',
      '15 riksbank_documents',
      '16 boc_documents',
      '17 dg_ecfin',
      '18 oecd',
      '19 dividends',
      '20 fred_releases',
      '21 bls_calendar',
      '22 cb_meetings',
      '23 us_treasury',
      '24 bls',
      '25 destatis',
      '26 bis',
      '27 eurostat',
      '28 oecd_editions',
      '29 imf',
      '31 bundesbank',
      '32 norges_bank',
      '33 bank_of_israel',
      '34 oenb',
      '35 ecb_data',
      '36 insee',
      '37 ilo',
      '41 boe',
      '42 riksbank',
      '43 boj',
      '44 bcb',
      '45 bcb_focus',
      '46 boc',
      '47 snb',
      '48 sec_fsds',
      '49 cftc_disaggregated',
      '50 cftc_disaggregated_combined',
      '51 cftc_legacy_combined',
      '52 cftc_tff_combined',
      '60 philadelphia_spf',
      '61 ecb_spf',
      '71 abs',
      '72 ons',
      '73 rba',
      '74 statcan',
      '80 imf_weo',
      '81 ec_forecasts',
      '82 ny_fed_nowcast',
      '83 fed_staff',
      '84 philadelphia_rtdsm',
      '85 seco',
    ]);
  });

  it('are those with a reader, and the service itself', () => {
    expect([...readers.map(({ id }) => id), 'asof'].toSorted()).toEqual(column(sources, 'source_id').toSorted());
  });

  it('have a known tier, a rights flag, whole numbers and one sentence on knowledge time', () => {
    expect(outside(column(sources, 'source_tier'), new Set(SourceTier.options))).toEqual([]);
    expect(outside(column(sources, 'is_redistributable'), new Set(['true', 'false']))).toEqual([]);
    for (const row of sources) {
      expect(cell(row, 'expected_interval_seconds')).toMatch(/^[1-9]\d*$/);
      expect(cell(row, 'usual_lag_days')).toMatch(/^\d+$/);
      expect(cell(row, 'knowledge_rule')).toMatch(/^[^.]+\.$/);
    }
  });

  it('are not redistributable if they are vendor quotes', () => {
    expect(sources.filter((row) => cell(row, 'is_redistributable') === 'false').map((row) => cell(row, 'source_id'))).toEqual([
      'quotes',
      'dividends',
    ]);
  });
});

describe('the evidence for sources', () => {
  const evidence = table('files/source_evidence');

  it('states for every source but the service itself if it is proven, and by which caller', () => {
    expect(column(evidence, 'source_id')).toEqual(sourceIdsOfOthers());
    expect(outside(column(evidence, 'verdict'), new Set(['proven', 'unproven']))).toEqual([]);
    expect(evidence.filter((row) => cell(row, 'evidence').length < 20)).toEqual([]);
  });

  it('ends with the caller who requested the address, for sources with one', () => {
    const asking = new Set(readers.filter(({ feed }) => feed !== undefined).map(({ id }) => id));
    const isSaid = (row: (typeof evidence)[number]) =>
      asking.has(cell(row, 'source_id'))
        ? /; (?:[^;]* )?address[^:;]*: ./.test(cell(row, 'evidence'))
        : cell(row, 'evidence').endsWith('; no address is asked');
    expect(evidence.filter((row) => !isSaid(row))).toEqual([]);
  });

  it('equals the page about sources, word for word', () => {
    const page = readFileSync('docs/reference/sources.md', 'utf8').split('\n');
    const lines = evidence.map((row) => `| \`${cell(row, 'source_id')}\` | ${cell(row, 'verdict')} | ${cell(row, 'evidence')} |`);
    expect(lines.filter((line) => !page.includes(line))).toEqual([]);
    expect(page.filter((line) => /^\| `[a-z_]+` \| (?:un)?proven \|/.test(line))).toEqual(lines);
  });
});

const sourceIdsOfOthers = (): string[] =>
  column(sources, 'source_id')
    .filter((id) => id !== 'asof')
    .toSorted();

describe('cadence budgets', () => {
  it('cover every frequency and equal the sum of their parts', () => {
    expect(column(budgets, 'cadence').sort()).toEqual([...Frequency.options].sort());
    for (const row of budgets) {
      const parts = filled(['period_days', 'lag_days', 'grace_days'].map((name) => cell(row, name)));
      const sum = String(parts.reduce((total, part) => total + Number(part), 0));
      // Of events period and lag are learned.
      const isWhole = !['event', 'static'].includes(cell(row, 'cadence'));
      expect(parts.length).toBe(isWhole ? 3 : cell(row, 'cadence') === 'event' ? 1 : 0);
      expect(cell(row, 'budget_days')).toBe(isWhole ? sum : '');
    }
  });
});

const UNITS = new Set([
  'balance',
  'cad_per_usd',
  'chf_per_usd',
  'cny_per_usd',
  'contracts',
  'eur_millions',
  'eur_millions_chained',
  'gbp_millions',
  'hours',
  'index',
  'jpy_per_usd',
  'national_currency',
  'national_currency_billions_chained',
  'national_currency_millions_chained',
  'national_currency_per_eur',
  'national_currency_per_gbp',
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
    const vocabularies: Readonly<Record<string, readonly string[]>> = {
      unit: [...UNITS],
      comparison_basis: ComparisonBasis.options,
      seasonal_adjustment: ['sa', 'nsa', 'swda', 'trend', 'na'],
      frequency: Frequency.options,
      polarity: ['-1', '0', '1'],
      importance: Importance.options,
      status: ['active', 'ceased'],
      is_monetary: ['true', 'false'],
      is_derived: ['true', 'false'],
      is_screenable: ['true', 'false'],
    };
    for (const [name, allowed] of Object.entries(vocabularies)) expect(outside(column(indicators, name), new Set(allowed))).toEqual([]);
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

  it('are computed by the service exactly if they are derived', () => {
    const wrong = indicators.filter((row) => (cell(row, 'preferred_source_ids') === 'asof') !== (cell(row, 'is_derived') === 'true'));
    expect(column(wrong, 'canonical_id')).toEqual([]);
  });

  it('share no alias', () => {
    expect(repeated(indicators.flatMap((row) => list(row, 'aliases')).map((alias) => alias.toLowerCase()))).toEqual([]);
  });

  it('include every indicator that the interface names', () => {
    const named = [
      'cot_positioning_percentile',
      'cot_tff_percentile',
      'cot_disaggregated_percentile',
      'cot_disaggregated_percentile_combined',
      'cot_positioning_percentile_combined',
      'cot_tff_percentile_combined',
      'cb_minutes_sentiment',
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

describe('derived indicators', () => {
  const derived = table('derived_indicators');
  const described = new Map(indicators.map((row) => [cell(row, 'canonical_id'), row]));
  const of = (slug: string, name: string): string => cell(described.get(slug) ?? {}, name);

  it('are unique, with a number of their own beyond those of the sources', () => {
    const numbers = column(derived, 'dataset_no');
    expect([repeated(column(derived, 'slug')), repeated(numbers)]).toEqual([[], []]);
    expect(numbers.filter((number) => !/^\d+$/.test(number) || Number(number) < 1024)).toEqual([]);
  });

  it('have the unit, frequency and, for transforms, the level of their canonical indicator', () => {
    const told = (row: Row) => [cell(row, 'slug'), cell(row, 'unit'), cell(row, 'frequency')];
    expect(derived.map(told)).toEqual(column(derived, 'slug').map((slug) => [slug, of(slug, 'unit'), of(slug, 'frequency')]));
    const transforms = derived.filter((row) => cell(row, 'family') === 'macro_transform');
    expect(transforms.map((row) => [cell(row, 'slug'), cell(row, 'input')])).toEqual(
      column(transforms, 'slug').map((slug) => [slug, of(slug, 'derived_from')]),
    );
  });

  it('are fields of the multiples of a company if they are multiples, and no others are', () => {
    const multiples = derived.filter((row) => cell(row, 'family') === 'valuation');
    expect(column(multiples, 'slug').map(camelCase).toSorted()).toEqual(Object.keys(Company.shape.multiples.shape).toSorted());
  });
});

const FINAL_PERIOD = /^\d{4}-\d{2}(-\d{2})?$/;
const SAME_SERIES = /^Same series as ([^;]+);/;

function identityOf(row: Row): string[] {
  return ['canonical_id', 'entity_id', 'frequency', 'unit', 'provider', 'is_redistributable', 'status'].map((name) => cell(row, name));
}

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
    expect(series.filter((row) => cell(row, 'provider') === '' || cell(row, 'license') === '')).toEqual([]);
  });

  it('have a final period if they ceased, and none if they are active', () => {
    expect(outside(column(series, 'status'), new Set(['active', 'ceased']))).toEqual([]);
    const wrong = series.filter((row) => (cell(row, 'ceased_final_period') !== '') !== (cell(row, 'status') === 'ceased'));
    expect(column(wrong, 'series_code')).toEqual([]);
    const unread = series.filter((row) => cell(row, 'status') === 'ceased' && !FINAL_PERIOD.test(cell(row, 'ceased_final_period')));
    expect(column(unread, 'series_code')).toEqual([]);
  });

  it('have the time from which their end is known exactly if they ceased: after the final period', () => {
    const ceased = new Map(series.filter((row) => cell(row, 'status') === 'ceased').map((row) => [keyOf(row), row]));
    expect(repeated(cessations.map(keyOf))).toEqual([]);
    expect(cessations.map(keyOf).sort()).toEqual([...ceased.keys()].sort());
    for (const row of cessations) {
      const final = cell(ceased.get(keyOf(row)) ?? {}, 'ceased_final_period');
      expect(cell(row, 'known_on') > (final.length === 7 ? `${final}-31` : final)).toBe(true);
      expect(cell(row, 'evidence')).toMatch(/^[^.]+\.$/);
    }
  });

  it('are one storage series per source, entity, indicator and frequency, except under other names of the same series', () => {
    const own = series.filter((row) => !SAME_SERIES.test(cell(row, 'note')));
    expect(
      repeated(own.map((row) => ['source_id', 'entity_id', 'canonical_id', 'frequency'].map((name) => cell(row, name)).join('|'))),
    ).toEqual([]);
  });

  it('agree with the series that they are another name of in all but code and note', () => {
    const others = series.filter((row) => SAME_SERIES.test(cell(row, 'note')));
    expect(others.length).toBeGreaterThan(0);
    for (const row of others) {
      const code = SAME_SERIES.exec(cell(row, 'note'))?.[1];
      const original = series.find((other) => cell(other, 'source_id') === cell(row, 'source_id') && cell(other, 'series_code') === code);
      expect(original && identityOf(original)).toEqual(identityOf(row));
    }
  });

  it('have an eligible path for every preferred source of an active indicator', () => {
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

  it('name their source among the preferred sources of their indicator, unless in a unit that is never scored', () => {
    const preferred = new Map(indicators.map((row) => [cell(row, 'canonical_id'), list(row, 'preferred_source_ids')]));
    const units = new Map(indicators.map((row) => [cell(row, 'canonical_id'), cell(row, 'unit')]));
    const missing = series
      .filter((row) => cell(row, 'unit') === units.get(cell(row, 'canonical_id')))
      .filter((row) => !preferred.get(cell(row, 'canonical_id'))?.includes(cell(row, 'source_id')));
    expect(missing.map((row) => `${cell(row, 'source_id')} ${cell(row, 'series_code')}`)).toEqual([]);
  });

  it('exclude third-party columns from redistribution, with a licence and a note', () => {
    const thirdParty = /^(NAPM|S&P|VXO|VIX|UMCSENT|AAA|BAA|MORTGAGE30US)/;
    const columns = series.filter((row) => thirdParty.test(cell(row, 'series_code')) && cell(row, 'source_id').startsWith('fred'));
    const open = columns.filter((row) => cell(row, 'is_redistributable') !== 'false' || cell(row, 'rights_note') === '');
    expect(columns.length).toBeGreaterThan(15);
    expect(column(open, 'series_code')).toEqual([]);
  });

  it.each([
    ['fred_md', 'PAYEMS', 'thousands'],
    ['fred_md', 'HOUST', 'thousands'],
    ['fred_md', 'CLAIMSx', 'persons'],
    ['fred_md', 'TOTRESNS', 'usd_billions'],
    ['fred_md', 'NONBORRES', 'usd_millions'],
    ['fred_md', 'BOGMBASE', 'usd_millions'],
    ['fred_md', 'RPI', 'usd_billions_chained'],
    ['fred_md', 'CMRMTSPLx', 'usd_millions_chained'],
    ['fred_md', 'EXUSUKx', 'usd_per_gbp'],
    ['fred', 'GDP', 'usd_billions'],
    ['fred', 'ICSA', 'persons'],
    ['fred', 'POP', 'thousands'],
    ['us_census', 'ASTARTS.TOTAL.US.A', 'thousands'],
    ['us_census', 'ASTARTS.E_TOTAL.US.A', 'percent'],
  ])("keep the publisher's unit: %s %s in %s", (sourceId, code, unit) => {
    const found = series.filter((row) => cell(row, 'source_id') === sourceId && cell(row, 'series_code') === code);
    expect(column(found, 'unit')).toEqual([unit]);
  });
});

describe('pairs of sources with the same data', () => {
  /** Of facts there are no series: they are compared filing by filing. */
  const [filed, pairs] = [true, false].map((isFiled) =>
    table('reconciliations').filter((row) => (cell(row, 'comparison') === 'per_filing') === isFiled),
  ) as [Row[], Row[]];
  const of = (row: Row, side: 'left' | 'right') => [cell(row, `${side}_source_id`), cell(row, `${side}_indicator`)] as const;

  it('name known sources and indicators, two sources each', () => {
    for (const side of ['left', 'right'] as const) {
      expect(outside(column(pairs, `${side}_source_id`), sourceIds)).toEqual([]);
      expect(outside(column(pairs, `${side}_indicator`), canonicalIds)).toEqual([]);
    }
    expect(pairs.filter((row) => of(row, 'left')[0] === of(row, 'right')[0])).toEqual([]);
    expect(outside(filled(column(pairs, 'entity_id')), entityIds)).toEqual([]);
  });

  it('are of facts of companies if they are compared filing by filing, of one source and its check', () => {
    expect(filed.map((row) => [...of(row, 'left'), ...of(row, 'right')])).toEqual([['sec', 'facts', 'sec_fsds', 'facts']]);
    for (const row of filed) expect([Number(cell(row, 'tolerance')), cell(row, 'reason')]).toEqual([0.00005, expect.stringMatching(/\.$/)]);
  });

  it('are of indicators that their sources request', () => {
    const asked = new Map(indicators.map((row) => [cell(row, 'canonical_id'), list(row, 'preferred_source_ids')]));
    const listed = new Set(series.map((row) => `${cell(row, 'source_id')} ${cell(row, 'canonical_id')}`));
    const missing = pairs.flatMap((row) =>
      (['left', 'right'] as const)
        .map((side) => of(row, side))
        .filter(([source, indicator]) => !listed.has(`${source} ${indicator}`) && asked.get(indicator)?.includes(source) !== true)
        .map((names) => names.join(' ')),
    );
    expect(missing).toEqual([]);
  });

  it('have their comparison, a reason, and how far back the newest values are still revised', () => {
    expect(outside(column(pairs, 'frequency'), new Set(Frequency.options))).toEqual([]);
    expect(outside(column(pairs, 'comparison'), new Set(['per_vintage', 'newest']))).toEqual([]);
    expect(outside(filled(column(pairs, 'transform')), new Set(['monthly_mean', 'month_end', 'yoy']))).toEqual([]);
    for (const row of pairs) {
      const isNewest = cell(row, 'comparison') === 'newest';
      expect([cell(row, 'pair'), cell(row, 'revised_months') !== '', cell(row, 'transform') === '' || isNewest]).toEqual([
        cell(row, 'pair'),
        isNewest,
        true,
      ]);
      expect(Number(cell(row, 'tolerance'))).toBeGreaterThanOrEqual(0);
      expect(cell(row, 'reason')).toMatch(/\.$/);
    }
  });
});

describe('releases', () => {
  it('name known entities, sources, indicators and time zones, and no code twice', () => {
    const releases = table('releases');
    expect(outside(column(releases, 'entity_id'), entityIds)).toEqual([]);
    expect(outside(column(releases, 'importance'), new Set(Importance.options))).toEqual([]);
    expect(outside(column(releases, 'timezone'), new Set(Intl.supportedValuesOf('timeZone')))).toEqual([]);
    const codes = releases.flatMap((row) => list(row, 'codes'));
    expect(repeated(codes)).toEqual([]);
    expect(
      outside(
        codes.map((code) => code.split('=')[0] ?? ''),
        sourceIds,
      ),
    ).toEqual([]);
    expect(codes.every((code) => /^[a-z_]+=.+$/.test(code))).toBe(true);
    for (const row of releases) {
      expect(outside(list(row, 'canonical_ids'), canonicalIds)).toEqual([]);
      expect(cell(row, 'name') !== '' && cell(row, 'category') !== '').toBe(true);
    }
  });
});

describe('the words for a search', () => {
  const rows = table('search_words');
  const of = (kind: string) => rows.filter((row) => cell(row, 'kind') === kind);

  it('are of indicators, entities, series and sources that exist', () => {
    const storage = (id: string) => indicators.some((row) => id.endsWith(`_${cell(row, 'canonical_id')}`));
    expect(outside(column(rows, 'kind'), new Set(['entity', 'indicator', 'series', 'source']))).toEqual([]);
    expect(outside(column(of('indicator'), 'id'), canonicalIds)).toEqual([]);
    expect(outside(column(of('source'), 'id'), sourceIds)).toEqual([]);
    // Contracts and companies come from payloads.
    expect(outside(column(of('entity'), 'id'), entityIds).filter((id) => !/^(?:cftc_\w+|company_\d{10})$/.test(id))).toEqual([]);
    expect(column(of('series'), 'id').filter((id) => !storage(id))).toEqual([]);
  });

  it('are phrases of words, each once, or a place', () => {
    for (const row of rows) {
      const phrases = list(row, 'words');
      expect([row, repeated(phrases), phrases.filter((text) => wordsOf(text).join(' ') !== text)]).toEqual([row, [], []]);
      expect([row, phrases.length > 0 || cell(row, 'place') !== '']).toEqual([row, true]);
      expect(cell(row, 'place')).toMatch(/^(?:[1-9]\d*)?$/);
    }
  });
});

describe('the concepts of filings', () => {
  const concepts = table('xbrl_concepts');

  it('have each line of a statement and each amount of the multiples once, and only lines of the interface', () => {
    const lines = concepts.filter((row) => cell(row, 'statement_type') !== '');
    expect(repeated(filled(column(concepts, 'metric')))).toEqual([]);
    const keys = Object.entries(STATEMENT_KEYS).map(
      ([type]) =>
        [
          type,
          lines
            .filter((row) => cell(row, 'statement_type') === type)
            .toSorted((a, b) => Number(cell(a, 'position')) - Number(cell(b, 'position'))),
        ] as const,
    );
    expect(Object.fromEntries(keys.map(([type, rows]) => [type, column(rows, 'key')]))).toEqual(STATEMENT_KEYS);
    expect(concepts.filter((row) => cell(row, 'metric') === '' && cell(row, 'statement_type') === '')).toEqual([]);
    expect(repeated(column(concepts, 'concepts'))).toEqual([]);
  });

  it('are of a known kind: an instant for a balance sheet, a duration for other statements', () => {
    expect(outside(column(concepts, 'kind'), new Set(['money', 'shares', 'per_share']))).toEqual([]);
    const periods = new Set(concepts.map((row) => `${cell(row, 'statement_type')} ${cell(row, 'period_type')}`));
    expect([...periods].sort()).toEqual([' duration', ' instant', 'balance_sheet instant', 'cash_flow duration', 'income duration']);
  });
});

describe('figures of companies', () => {
  const figures = table('company_figures');

  it('have names that no indicator has, in snake case, with a known kind, unit and tier', () => {
    const names = column(figures, 'field');
    expect(names.filter((name) => canonicalIds.has(name))).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
    expect(outside(column(figures, 'kind'), new Set(['flow', 'balance', 'share_count', 'score']))).toEqual([]);
    expect(outside(column(figures, 'unit'), UNITS)).toEqual([]);
    expect(outside(column(figures, 'source_tier'), new Set(SourceTier.options))).toEqual([]);
    expect(new Set(filled(column(figures, 'label'))).size).toBe(names.length);
  });
});
