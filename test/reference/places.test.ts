import { iso31661 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { addDays, isDay } from '../../src/model/period.ts';
import {
  aliases,
  cell,
  column,
  countries,
  countryIds,
  entities,
  entityIds,
  filled,
  list,
  outside,
  repeated,
  table,
} from './read-tables.ts';

describe('countries', () => {
  it('are those of ISO 3166-1, with its codes and short names', () => {
    const expected = iso31661.map((entry) => [entry.alpha2, entry.alpha3, entry.numeric, entry.name].join('|')).sort();
    const actual = countries.map((row) => ['iso2', 'iso3', 'iso_numeric', 'official_name'].map((name) => cell(row, name)).join('|')).sort();
    expect(actual).toEqual(expected);
  });

  it('use time zones and regions that exist', () => {
    for (const zone of filled(column(countries, 'timezone'))) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    expect(countries.filter((row) => cell(row, 'timezone') === '').map((row) => cell(row, 'iso2'))).toEqual(['BV', 'HM']);
    expect(countries.filter((row) => cell(row, 'region') === '').map((row) => cell(row, 'iso2'))).toEqual(['AQ']);
    expect(filled(column(countries, 'valid_from')).every(isDay)).toBe(true);
    expect(new Set(filled(column(countries, 'm49_region_code')))).toEqual(new Set(['002', '009', '019', '142', '150']));
    expect(new Set(filled(column(countries, 'm49_subregion_code'))).size).toBe(22);
    expect(new Set(filled(column(countries, 'income_group')))).toEqual(
      new Set(['Low income', 'Lower middle income', 'Upper middle income', 'High income']),
    );
  });
});

const memberships = table('country_memberships');
const monies = table('country_currencies');
const groupOn = (group: string, day: string) =>
  memberships
    .filter((row) => cell(row, 'group') === group && cell(row, 'from') <= day && (cell(row, 'to') === '' || cell(row, 'to') >= day))
    .map((row) => cell(row, 'iso2'));
const moneyOn = (iso2: string, day: string) =>
  monies
    .filter((row) => cell(row, 'iso2') === iso2 && cell(row, 'from') <= day && (cell(row, 'to') === '' || cell(row, 'to') >= day))
    .map((row) => [cell(row, 'currency'), cell(row, 'central_bank_entity_id')]);

describe('memberships of countries', () => {
  // The number of members after each enlargement, from the publishers' own lists.
  it.each([
    ['eu', { '1957-12-31': 0, '1972-12-31': 6, '1973-01-01': 9, '1981-01-01': 10, '1986-01-01': 12, '1995-01-01': 15, '2004-04-30': 15 }],
    ['eu', { '2004-05-01': 25, '2007-01-01': 27, '2013-07-01': 28, '2020-01-31': 28, '2020-02-01': 27, '2026-06-01': 27 }],
    ['ea', { '1998-12-31': 0, '1999-01-01': 11, '2001-01-01': 12, '2007-01-01': 13, '2008-01-01': 15, '2009-01-01': 16, '2011-01-01': 17 }],
    ['ea', { '2014-01-01': 18, '2015-01-01': 19, '2022-12-31': 19, '2023-01-01': 20, '2025-12-31': 20, '2026-01-01': 21 }],
    [
      'oecd',
      { '1961-12-31': 19, '1962-03-29': 20, '1973-05-29': 24, '2000-12-14': 30, '2010-12-09': 34, '2016-07-01': 35, '2021-05-25': 38 },
    ],
    ['g7', { '1975-11-15': 6, '1976-06-27': 7, '2026-06-01': 7 }],
    ['g20', { '1999-12-14': 0, '1999-12-15': 19, '2026-06-01': 19 }],
  ])('of %s are as many as it has had', (group, sizes) => {
    expect(Object.fromEntries(Object.keys(sizes).map((day) => [day, groupOn(group, day).length]))).toEqual(sizes);
  });

  it('name countries, days and a source, and end after they began', () => {
    expect(outside(column(memberships, 'iso2'), new Set(column(countries, 'iso2')))).toEqual([]);
    expect(outside(column(memberships, 'group'), new Set(['eu', 'ea', 'oecd', 'g7', 'g20']))).toEqual([]);
    for (const row of memberships) {
      expect([isDay(cell(row, 'from')), cell(row, 'source') !== '']).toEqual([true, true]);
      expect(cell(row, 'to') === '' || (isDay(cell(row, 'to')) && cell(row, 'to') > cell(row, 'from'))).toBe(true);
    }
  });

  it('make a member of the euro area a member of the Union that pays in euro, from its first day on', () => {
    for (const row of memberships.filter((one) => cell(one, 'group') === 'ea')) {
      const [iso2, day] = [cell(row, 'iso2'), cell(row, 'from')];
      expect([groupOn('eu', day).includes(iso2), moneyOn(iso2, day)]).toEqual([true, [['EUR', 'cb_ecb']]]);
      const before = moneyOn(iso2, addDays(day, -1));
      expect([before.length, before.flat().includes('EUR'), before.flat().includes('cb_ecb')]).toEqual([1, false, false]);
    }
  });
});

describe('currencies of countries', () => {
  it('follow each other without a gap or an overlap, up to one that lasts', () => {
    for (const iso2 of new Set(column(monies, 'iso2'))) {
      const own = monies.filter((row) => cell(row, 'iso2') === iso2);
      for (const [index, row] of own.entries()) {
        const next = own[index + 1];
        expect([iso2, cell(row, 'to')]).toEqual([iso2, next === undefined ? '' : addDays(cell(next, 'from'), -1)]);
      }
    }
    // Antarctica has none.
    expect(outside(column(countries, 'iso2'), new Set(column(monies, 'iso2')))).toEqual(['AQ']);
    expect(outside(column(monies, 'iso2'), new Set(column(countries, 'iso2')))).toEqual([]);
  });

  it('are codes of ISO 4217 and name central banks that exist; one that lasts is an entity', () => {
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
    expect([...new Set(column(monies, 'currency'))].filter((code) => names.of(code) === undefined)).toEqual([]);
    const banks = entities.filter((row) => cell(row, 'entity_type') === 'central_bank');
    expect(outside(filled(column(monies, 'central_bank_entity_id')), new Set(column(banks, 'entity_id')))).toEqual([]);
    const lasting = monies.filter((row) => cell(row, 'to') === '');
    const known = entities.filter((row) => cell(row, 'entity_type') === 'currency').map((row) => cell(row, 'currency'));
    expect(outside(column(lasting, 'currency'), new Set(known))).toEqual([]);
    // What a central bank is said to issue is what its country pays in.
    for (const row of banks.filter((one) => cell(one, 'country') !== '')) {
      const own = lasting.find((one) => cell(one, 'iso2') === cell(row, 'country'));
      expect([cell(row, 'entity_id'), cell(row, 'currency')]).toEqual([cell(row, 'entity_id'), own && cell(own, 'currency')]);
    }
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
    expect(outside(filled(column(entities, 'currency')), currencies)).toEqual([]);
  });

  it('use closed vocabularies, calendar days and known identifiers', () => {
    const prefixes: Readonly<Record<string, RegExp>> = {
      currency_area: /^ea$/,
      region: /^(region_[a-z]{3}|us_[a-z]+|eu|g7|g20|oecd|oecd_europe)$/,
      central_bank: /^cb_/,
      currency: /^cur_[a-z]{3}$/,
      index: /^index_/,
      commodity: /^commodity_/,
      instrument: /^future_/,
    };
    for (const row of entities) expect(cell(row, 'entity_id')).toMatch(prefixes[cell(row, 'entity_type')] ?? /^$/);
    expect(outside(column(entities, 'status'), new Set(['active', 'inactive', 'merged']))).toEqual([]);
    const names = ['iso2', 'iso3', 'isoNumeric', 'cik', 'lei', 'figi', 'isin', 'ticker', 'mic', 'cftcContractCode', 'wb_code'];
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
