import { iso31661 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { isDay } from '../../src/model/period.ts';
import { aliases, cell, column, countries, countryIds, entities, entityIds, filled, list, outside, repeated } from './read-tables.ts';

describe('countries', () => {
  it('are those of ISO 3166-1, with its codes and short names', () => {
    const expected = iso31661.map((entry) => [entry.alpha2, entry.alpha3, entry.numeric, entry.name].join('|')).sort();
    const actual = countries.map((row) => ['iso2', 'iso3', 'iso_numeric', 'official_name'].map((name) => cell(row, name)).join('|')).sort();
    expect(actual).toEqual(expected);
  });

  it('use currencies, time zones and regions that exist', () => {
    expect(outside(filled(column(countries, 'currency')), new Set(Intl.supportedValuesOf('currency')))).toEqual([]);
    for (const zone of filled(column(countries, 'timezone'))) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
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
