// By which names and codes an entity is found, and which of several it is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/db/query.ts';
import { normaliseAlias, tickerForm } from '../../src/model/alias.ts';
import { NO_GRANTS } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { companyByLookupQuery } from '../../src/queries/companies.ts';
import { countriesAvailableQuery } from '../../src/queries/availability.ts';
import {
  aliasesOfEntityQuery,
  entitiesListQuery,
  entityByNameQuery,
  findEntity,
  listEntities,
  entityIdsOf,
  matchAliases,
} from '../../src/queries/entities.ts';
import { BEST_FIRST } from '../../src/queries/paging.ts';
import { runByIdQuery, sourceByIdQuery } from '../../src/queries/provenance.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { compare, type Given, openRelations, type Relations } from './by-hand/tables.ts';
import { catalogueOf } from './by-hand/series.ts';

const ALIASES = `alias_id varchar, entity_id varchar, alias varchar, alias_normalized varchar, alias_type varchar, scheme varchar, is_primary boolean,
  valid_from date, valid_to date, known_from timestamptz, end_known_from timestamptz, held_from timestamptz, held_to timestamptz, confidence double, created_at timestamptz`;
const ENTITY = `entity_id varchar, slug varchar, entity_type varchar, name varchar, short_name varchar, country varchar, currency varchar, parent_entity_id varchar,
  iso2 varchar, iso3 varchar, iso_numeric varchar, cik varchar, lei varchar, figi varchar, isin varchar, ticker varchar, mic varchar, cftc_contract_code varchar,
  status varchar, successor_entity_id varchar, valid_from date, valid_to date, names struct(name varchar, known_from timestamptz)[],
  currencies struct(currency varchar, valid_from date, valid_to date)[], known_from timestamptz, ticker_known_from timestamptz,
  successor_known_from timestamptz, indicator_count integer, observation_count integer, latest_period_end date,
  created_at timestamptz, updated_at timestamptz`;

const COMPANY = `company_id varchar, entity_id varchar, cik varchar, name varchar,
  descriptions struct(country varchar, lei varchar, exchange varchar, known_from timestamptz)[],
  states struct(status varchar, had_ticker boolean, known_from timestamptz)[],
  listings struct(ticker varchar, place integer, known_from timestamptz, known_to timestamptz)[]`;
const TICKER_HOLDER = 'ticker varchar, company_id varchar, held_from timestamptz, held_to timestamptz';

const TODAY = '2024-05-10';
const NOW = { asOf: null, at: Date.parse(TODAY) };
const BOUND = { asOf: null, onDate: TODAY };

let relations: Relations;
let snapshot: Snapshot;
beforeAll(async () => {
  relations = await openRelations();
  await relations.table('published.entities', ENTITY, []);
  await relations.table('published.companies', COMPANY, []);
  await relations.table('published.ticker_holders', TICKER_HOLDER, []);
  await relations.macros('entities/entity_status', 'entities/entities_as_of', 'companies/ticker_holder');
  snapshot = {
    ...relations.reader,
    snapshotId: 's',
    knowledgeCutoff: `${TODAY}T00:00:00.000Z`,
    catalogue: catalogueOf([]),
    manifest: {} as Manifest,
    grants: NO_GRANTS,
    packs: null,
    newest: null,
  };
});
afterAll(() => relations.close());

describe('a text', () => {
  const alias = (entityId: string, text: string, more: Given = {}): Given => ({
    aliasId: `${entityId} ${text}`,
    entityId,
    alias: text,
    aliasNormalized: normaliseAlias(text),
    aliasType: 'name',
    isPrimary: true,
    confidence: 1,
    ...more,
  });
  const matched = async (aliases: readonly Given[], text: string, aliasType: string | null = null, onDate = TODAY) => {
    await relations.table('published.aliases', ALIASES, aliases);
    const [matches = []] = await matchAliases(snapshot, [text], aliasType, `${onDate}T12:00:00Z`);
    return matches.map((one) => [one.alias.entityId, one.matchType]);
  };

  it('is answered in its own place among several, by its own rank and countries', async () => {
    await relations.table('published.entities', ENTITY, [{ entityId: 'us', entityType: 'country' }]);
    await relations.table('published.aliases', ALIASES, [
      alias('us', 'USA', { aliasType: 'iso3' }),
      alias('fund', 'USA', { aliasType: 'ticker' }),
      alias('gold-fund', 'GOLD', { aliasType: 'ticker' }),
      alias('exact', 'Acme Inc'),
      alias('like', 'ACME, Inc.'),
    ]);
    const texts = ['GOLD', 'nobody', 'ACME, Inc.', 'USA', 'GOLD'];
    const meant = (await matchAliases(snapshot, texts, null, `${TODAY}T12:00:00Z`)).map((matches) =>
      matches.map((one) => one.alias.entityId),
    );
    expect(meant).toEqual([['gold-fund'], [], ['like'], ['us'], ['gold-fund']]);
    expect(await entityIdsOf(snapshot, texts, `${TODAY}T12:00:00Z`)).toEqual(['gold-fund', '', 'like', 'us', 'gold-fund']);
    expect(await matchAliases(snapshot, [], null, `${TODAY}T12:00:00Z`)).toEqual([]);
  });

  it('matches equal names before similar ones, first names before others, valid names before expired ones', async () => {
    const exact = alias('exact', 'Acme Inc');
    const like = alias('like', 'ACME, Inc.');
    const second = alias('second', 'Acme Inc', { isPrimary: false });
    const over = alias('over', 'Acme Inc', { validTo: '2024-05-09' });
    expect(await matched([like, second, over, exact], 'Acme Inc')).toEqual([['exact', 'exact']]);
    expect(await matched([like, second, over], 'Acme Inc')).toEqual([['over', 'exact']]);
    expect(await matched([like, second], 'Acme Inc')).toEqual([['second', 'exact']]);
    expect(await matched([like], 'Acme Inc')).toEqual([['like', 'normalized']]);
    expect(await matched([like], 'Acme')).toEqual([]);
  });

  it('is ambiguous among entities of the same rank, and matches one entity once', async () => {
    expect(await matched([alias('b', 'X'), alias('a', 'X'), alias('a', 'X', { aliasType: 'slug' })], 'X')).toEqual([
      ['a', 'exact'],
      ['b', 'exact'],
    ]);
    expect(await matched([alias('b', 'X'), alias('a', 'X', { isPrimary: false })], 'x')).toEqual([['b', 'normalized']]);
  });

  it('matches whoever had the name on that day, both ends included', async () => {
    const [first, second] = [alias('first', 'FB', { validTo: '2022-06-08' }), alias('second', 'FB', { validFrom: '2022-06-09' })];
    expect([await matched([first, second], 'FB', null, '2022-06-08'), await matched([first, second], 'FB', null, '2022-06-09')]).toEqual([
      [['first', 'exact']],
      [['second', 'exact']],
    ]);
  });

  it('that is a code or name of a country or currency area matches that, even if a ticker equals it', async () => {
    const entities = [
      { entityId: 'us', entityType: 'country' },
      { entityId: 'ea', entityType: 'currency_area' },
      { entityId: 'fund', entityType: 'company' },
      { entityId: 'gold', entityType: 'commodity' },
    ];
    await relations.table('published.entities', ENTITY, entities);
    const ticker = (text: string) => alias('fund', text, { aliasType: 'ticker' });
    for (const own of [alias('us', 'USA', { aliasType: 'iso3' }), alias('us', 'USA', { aliasType: 'iso3', isPrimary: false })]) {
      expect(await matched([ticker('USA'), own], 'USA')).toEqual([['us', 'exact']]);
      expect(await matched([ticker('USA'), own], 'usa')).toEqual([['us', 'normalized']]);
    }
    expect(await matched([ticker('CHAD'), alias('us', 'Chad')], 'CHAD')).toEqual([['us', 'normalized']]);
    expect(await matched([ticker('EA'), alias('ea', 'EA', { aliasType: 'eurostat_code' })], 'EA')).toEqual([['ea', 'exact']]);
    // Asked for as a ticker, and beside what is no country, it is one.
    expect(await matched([ticker('USA'), alias('us', 'USA', { aliasType: 'iso3' })], 'USA', 'ticker')).toEqual([['fund', 'exact']]);
    expect(await matched([ticker('GOLD'), alias('gold', 'GOLD')], 'GOLD')).toEqual([
      ['fund', 'exact'],
      ['gold', 'exact'],
    ]);
  });

  it('is searched among names of one kind if the request gives the kind', async () => {
    expect(await matched([alias('a', 'X'), alias('b', 'X', { aliasType: 'ticker' })], 'X', 'ticker')).toEqual([['b', 'exact']]);
    await relations.table('published.entities', ENTITY, [{ entityId: 'b', entityType: 'company' }]);
    expect((await run(relations.reader, aliasesOfEntityQuery, { entityId: 'b', ...BOUND })).map((row) => row.aliasType)).toEqual([
      'ticker',
    ]);
  });

  it('is compared without compatibility forms, case, dots, commas, apostrophes and double blanks', () => {
    expect([' Ａcme,  INC. ', "L’Oréal's", 'Straße', 'a\tb\nc'].map(normaliseAlias)).toEqual(['acme inc', 'loréals', 'strasse', 'a b c']);
  });
});

describe('an entity', () => {
  const entity = (entityId: string, more: Given = {}): Given => ({
    entityId,
    slug: entityId.replace('_', '-'),
    entityType: 'country',
    name: entityId,
    status: 'active',
    ...more,
  });

  it('is found by identifier before slug, in any case', async () => {
    await relations.table('published.entities', ENTITY, [entity('a', { slug: 'b' }), entity('b', { slug: 'c', iso2: 'BB', figi: 'F' })]);
    const found = async (name: string) =>
      (await run(relations.reader, entityByNameQuery, { name, ...BOUND, seenIds: null })).map((row) => row.entityId);
    expect([await found('B'), await found('b'), await found('C'), await found('x')]).toEqual([['b'], ['b'], ['b'], []]);
    expect(await findEntity(snapshot, 'b', NOW)).toMatchObject({ entityId: 'b', identifiers: { iso2: 'BB', figi: 'F', isin: null } });
    expect(await findEntity(snapshot, 'x', NOW)).toBeNull();
  });

  it('is listed by kind, country, state and a text in its names and codes', async () => {
    await relations.table('published.entities', ENTITY, [
      entity('one', { name: 'Gold Miners' }),
      entity('two', { entityType: 'company', country: 'US' }),
      entity('three', { status: 'merged', slug: 'golden-gate' }),
      entity('four'),
    ]);
    await relations.table('published.aliases', ALIASES, [{ entityId: 'four', alias: 'XAU Gold', aliasNormalized: 'xau gold' }]);
    const ids = async (filters: Given) =>
      (
        await run(relations.reader, entitiesListQuery, {
          entityType: null,
          country: null,
          status: null,
          q: null,
          qTicker: null,
          foundIds: null,
          foundPlaces: null,
          ...BOUND,
          seenIds: null,
          knownIds: null,
          knownAts: null,
          ...filters,
        })
      ).map((row) => row.entityId);
    expect([await ids({}), await ids({ entityType: 'company' }), await ids({ country: 'US' }), await ids({ status: 'merged' })]).toEqual([
      ['one', 'two', 'three', 'four'],
      ['two'],
      ['two'],
      ['three'],
    ]);
    const listed = async (q: string, order: 'asc' | 'desc' = 'asc') =>
      (
        await listEntities(snapshot, { entityType: null, country: null, status: null, q, foundIds: null }, NOW, null, {
          sort: 'name',
          order,
          after: null,
          limit: 9,
        })
      ).rows.map((row) => row.entityId);
    // What goes by the very text comes first, then by name.
    expect(await listed('xau gold')).toEqual(['four']);
    await relations.table('published.aliases', ALIASES, [{ entityId: 'four', alias: 'Gold', aliasNormalized: 'gold' }]);
    expect([await listed('gold'), await listed('Gold', 'desc')]).toEqual([
      ['four', 'one', 'three'],
      ['four', 'three', 'one'],
    ]);
    await relations.table('published.aliases', ALIASES, [{ entityId: 'four', alias: 'XAU Gold', aliasNormalized: 'xau gold' }]);
    expect([await ids({ q: 'GOLD' }), await ids({ q: 'en-gate' }), await ids({ q: 'xau g' }), await ids({ q: 'x-y' })]).toEqual([
      ['one', 'three', 'four'],
      ['three'],
      ['four'],
      [],
    ]);
  });

  it('is listed by a text in a name only from the time on at which the name is known, and by a code at any time', async () => {
    await relations.table('published.entities', ENTITY, [
      entity('one', { entityType: 'company', name: 'Old Name', knownFrom: '2001-01-01T00:00:00Z' }),
    ]);
    await relations.table('published.aliases', ALIASES, [
      { entityId: 'one', alias: 'New Name', aliasNormalized: 'new name', aliasType: 'name', knownFrom: '2010-06-01T00:00:00Z' },
      { entityId: 'one', alias: 'NEWTICK', aliasNormalized: 'newtick', aliasType: 'ticker', knownFrom: '2020-01-01T00:00:00Z' },
    ]);
    const listed = async (q: string, asOf: string) => {
      const filters = { entityType: null, country: null, status: null, q, foundIds: null };
      const page = { sort: 'name', order: 'asc', after: null, limit: 9 } as const;
      return (await listEntities(snapshot, filters, { asOf, at: Date.parse(asOf) }, null, page)).rows.length;
    };
    const days = ['2005-01-01T00:00:00Z', '2010-06-01T00:00:00Z'];
    expect(await Promise.all(days.map((day) => listed('new name', day)))).toEqual([0, 1]);
    expect(await Promise.all(days.map((day) => listed('old name', day)))).toEqual([1, 1]);
    expect(await Promise.all(days.map((day) => listed('newtick', day)))).toEqual([1, 1]);
  });

  it('is listed best first if a search found it, then by the text alone', async () => {
    await relations.table('published.entities', ENTITY, [
      entity('a', { name: 'Gold' }),
      entity('b'),
      entity('c'),
      entity('d', { slug: 'goldfish' }),
    ]);
    await relations.table('published.aliases', ALIASES, []);
    const walk = async (order: 'asc' | 'desc') => {
      const filters = { entityType: null, country: null, status: null, q: 'gold', foundIds: ['c', 'a', 'b'] };
      const first = await listEntities(snapshot, filters, NOW, null, { sort: BEST_FIRST, order, after: null, limit: 2 });
      const next = await listEntities(snapshot, filters, NOW, null, { sort: BEST_FIRST, order, after: first.nextKey, limit: 2 });
      return [...first.rows, ...next.rows].map(({ entityId }) => entityId);
    };
    expect([await walk('asc'), await walk('desc')]).toEqual([
      ['c', 'a', 'b', 'd'],
      ['b', 'a', 'c', 'd'],
    ]);
  });
});

describe('a ticker', () => {
  const listed = (entityId: string, ticker: string): Given => ({
    aliasId: `${entityId} ${ticker}`,
    entityId,
    alias: ticker,
    aliasNormalized: normaliseAlias(ticker),
    aliasType: 'ticker',
    isPrimary: true,
    confidence: 1,
  });

  it('matches its company however its class is written, before another ticker without a class', async () => {
    await relations.table('published.entities', ENTITY, []);
    await relations.table('published.aliases', ALIASES, [
      listed('company_1', 'BRK-B'),
      listed('company_2', 'BRKB'),
      listed('company_3', 'BP.'),
    ]);
    const ids = ['BRK.B', 'brk/b', 'Brk b', 'BRK-B', 'BRKB', 'BP', 'BRK.C'];
    expect(await entityIdsOf(snapshot, ids, `${TODAY}T12:00:00Z`)).toEqual([
      'company_1',
      'company_1',
      'company_1',
      'company_1',
      'company_2',
      'company_3',
      '',
    ]);
  });

  it('with a class is among the texts that find an entity', async () => {
    await relations.table('published.aliases', ALIASES, [listed('company_1', 'BRK-B')]);
    await relations.table('published.entities', ENTITY, [
      {
        entityId: 'company_1',
        slug: 'one',
        entityType: 'company',
        name: 'One',
        status: 'active',
        indicatorCount: 0,
        observationCount: 0,
        createdAt: `${TODAY}T00:00:00.000Z`,
        updatedAt: `${TODAY}T00:00:00.000Z`,
      },
    ]);
    const page = { sort: 'name', order: 'asc', after: null, limit: 9 } as const;
    const found = await listEntities(
      snapshot,
      { entityType: null, country: null, status: null, q: 'BRK.B', foundIds: null },
      NOW,
      null,
      page,
    );
    expect(found.rows.map((row) => row.entityId)).toEqual(['company_1']);
  });
});

describe('a company', () => {
  it('is found by its identifier, its number with or without leading zeros, and a ticker that it held at that moment', async () => {
    const company = (cik: string) => ({ companyId: `company_${cik}`, entityId: `company_${cik}`, cik, name: cik });
    const ciks = ['0000000006', '0000000007', '0000000008', '0000000009', '0000000010', '0000000077'];
    await relations.table('published.companies', COMPANY, ciks.map(company));
    const held = (ticker: string, cik: string, heldFrom: string | null, heldTo: string | null) => ({
      ticker,
      companyId: `company_${cik}`,
      heldFrom,
      heldTo,
    });
    await relations.table('published.ticker_holders', TICKER_HOLDER, [
      held('BRK-B', '0000000007', null, null),
      held('BRK-A', '0000000007', null, null),
      held('Z', '0000000009', null, '2020-05-01T00:00:00Z'),
      held('Z', '0000000010', '2021-05-01T00:00:00Z', null),
      held('Y', '0000000006', '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'),
      held('Y', '0000000009', '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'),
      held('7', '0000000077', null, null),
    ]);
    const found = async (lookup: string, at = `${TODAY}T00:00:00Z`) =>
      (await run(relations.reader, companyByLookupQuery, { lookup, ticker: tickerForm(lookup), at })).map((row) => row.cik)[0];
    // Who held it then, else who did last before, else who did first.
    expect([
      await found('z', '2020-04-30T23:59:59Z'),
      await found('z', '2020-05-01T00:00:00Z'),
      await found('z', '2021-05-01T00:00:00Z'),
    ]).toEqual(['0000000009', '0000000009', '0000000010']);
    expect([await found('y', '2018-01-01T00:00:00Z'), await found('y', '2020-06-01T00:00:00Z')]).toEqual(['0000000006', '0000000009']);
    expect([await found('company_0000000008'), await found('Company-0000000008'), await found('8'), await found('0000000008')]).toEqual([
      '0000000008',
      '0000000008',
      '0000000008',
      '0000000008',
    ]);
    expect([
      await found('brk.b'),
      await found('BRK/B'),
      await found('Brk b'),
      await found('BRK-A'),
      await found('z'),
      await found('y'),
      await found('nobody'),
      await found('00000000008'),
    ]).toEqual(['0000000007', '0000000007', '0000000007', '0000000007', '0000000010', '0000000009', undefined, undefined]);
  });
});

describe('a country', () => {
  it('is listed once it has data', async () => {
    await relations.table(
      'published.countries',
      `country_id varchar, entity_id varchar, name varchar, official_name varchar, iso2 varchar, currency varchar, central_bank_entity_id varchar,
        member_of varchar[], valid_from date, names struct(name varchar, known_from timestamptz)[],
        currencies struct(currency varchar, central_bank_entity_id varchar, valid_from date, valid_to date)[],
        memberships struct(group_id varchar, valid_from date, valid_to date)[], indicator_count integer`,
      [
        { countryId: 'US', entityId: 'us', name: 'Us', iso2: 'US', indicatorCount: 1 },
        { countryId: 'FR', entityId: 'fr', name: 'Fr', iso2: 'FR', indicatorCount: 0 },
        { countryId: 'DE', entityId: 'de', name: 'De', iso2: 'DE', indicatorCount: 9 },
      ],
    );
    await relations.macros('entities/countries_as_of');
    const ids = async (iso2: string | null, entityIds: readonly string[] | null = null) =>
      (await run(relations.reader, countriesAvailableQuery, { iso2, entityIds, ...BOUND })).map((row) => row.countryId);
    expect([await ids(null), await ids('DE'), await ids('FR')]).toEqual([['US', 'DE'], ['DE'], []]);
    expect([await ids(null, ['de', 'fr']), await ids('US', ['de']), await ids(null, [])]).toEqual([['DE'], [], []]);
  });
});

describe('the run and the source of an observation', () => {
  it('are its own', async () => {
    await relations.lake({
      ingestions: ['a', 'b'].map((runId) => ({
        sourceId: 's',
        runId,
        payloadId: `p${runId}`,
        status: 'ok',
        startedAt: '2024-01-01T00:00:00Z',
      })),
    });
    await relations.create('series/runs', 'published/runs');
    expect((await run(relations.reader, runByIdQuery, { runId: 'b' })).map((row) => row.payloadId)).toEqual(['pb']);
    await relations.table(
      'published.sources',
      'source_id varchar, name varchar, provider varchar, source_tier varchar, homepage_url varchar, license varchar',
      [
        { sourceId: 's', name: 'S' },
        { sourceId: 't', name: 'T' },
      ],
    );
    expect((await run(relations.reader, sourceByIdQuery, { sourceId: 't' })).map((row) => row.name)).toEqual(['T']);
  });
});

describe('the names of entities', () => {
  it('come from every source that has one, each with its kind and its dates', async () => {
    const codes =
      'codes struct(iso2 varchar, iso3 varchar, iso_numeric varchar, cik varchar, lei varchar, isin varchar, figi varchar, cftc_contract_code varchar, ticker varchar)';
    const none = {
      iso2: null,
      iso3: null,
      isoNumeric: null,
      cik: null,
      lei: null,
      isin: null,
      figi: null,
      cftcContractCode: null,
      ticker: null,
    };
    await relations.table(
      'series.entities',
      `entity_id varchar, entity_type varchar, name varchar, short_name varchar, slug varchar, currency varchar, parent_entity_id varchar, ${codes}`,
      [
        {
          entityId: 'us',
          entityType: 'country',
          name: 'United States',
          shortName: '',
          slug: 'united-states',
          currency: 'USD',
          codes: { ...none, iso2: 'US', iso3: 'USA', isoNumeric: '840' },
        },
        { entityId: 'cur_usd', entityType: 'currency', name: 'Dollar', slug: 'cur-usd', currency: 'USD', codes: none },
        {
          entityId: 'cftc_1',
          entityType: 'futures_contract',
          name: 'Wheat B',
          slug: 'cftc-1',
          codes: { ...none, cftcContractCode: '001' },
        },
        {
          entityId: 'company_0000000001',
          entityType: 'company',
          name: 'Acme',
          slug: 'company-1',
          codes: { ...none, cik: '0000000001', lei: 'L', isin: 'I', figi: 'F' },
        },
      ],
    );
    await relations.table(
      'series.contract_names',
      'entity_id varchar, span_no integer, name varchar, valid_from date, valid_to date, known_from timestamptz, known_to timestamptz',
      [
        { entityId: 'cftc_1', spanNo: 1, name: 'Wheat A', validTo: '2020-12-31' },
        { entityId: 'cftc_1', spanNo: 2, name: 'Wheat B', validFrom: '2021-01-01' },
      ],
    );
    await relations.lake({
      entities: [
        { entityId: 'us', entityType: 'country', name: 'America', seenOn: '2021-05-01' },
        { entityId: 'us', entityType: 'country', name: 'America', seenOn: '2020-05-01' },
        { entityId: 'us', entityType: 'country', name: 'United States', seenOn: '2020-05-01' },
        { entityId: 'cftc_1', entityType: 'futures_contract', name: 'Wheat A', seenOn: '2020-01-01' },
        { entityId: 'nowhere', entityType: 'country', name: 'Nowhere', seenOn: '2020-01-01' },
      ],
      companies: [
        { cik: '0000000001', observedAt: '2023-01-01T00:00:00Z', tickers: ['OLD'], formerNames: '[]', recordHash: 'a' },
        {
          cik: '0000000001',
          observedAt: '2024-01-01T00:00:00Z',
          tickers: ['ACM', 'ACM-B'],
          formerNames: '[{"name":"Apex","from":"2001-02-03T00:00:00Z","to":"2010-01-01T00:00:00Z"}]',
          recordHash: 'b',
        },
        { cik: '0000000001', observedAt: '2024-02-01T00:00:00Z', tickers: [], formerNames: '[]', recordHash: 'c' },
      ],
    });
    await relations.table(
      'reference.aliases',
      'entity_id varchar, alias varchar, alias_type varchar, scheme varchar, is_primary boolean, valid_from date, valid_to date',
      [{ entityId: 'us', alias: '111', aliasType: 'imf_code', scheme: 'imf', isPrimary: true }],
    );
    await relations.table('reference.countries', 'iso2 varchar, wb_code varchar', [{ iso2: 'US', wbCode: 'USX' }]);
    await relations.table('series.entity_names', 'entity_id varchar, name varchar, known_from timestamptz', []);
    await relations.connection.run(`create or replace table series.ticker_holders as
      select ticker, entity_id, held_from, coalesce(held_from, timestamptz '2000-01-01') as claimed_from, held_to, [{ place: place, known_from: held_from }] as places
      from (values
        ('ACM', 'company_0000000001', timestamptz '2020-01-05 10:00:00+00', null::timestamptz, 1),
        ('ACM-B', 'company_0000000001', null, timestamptz '2022-02-02 00:00:00+00', 2)
      ) as held (ticker, entity_id, held_from, held_to, place)`);
    await relations.create('series/alias_texts');
    const rows = await relations.rows('from series.alias_texts');
    const shown = rows.map((row) => [row['entityId'], row['aliasType'], row['alias'], row['isPrimary'], row['validFrom'], row['validTo']]);
    const expected = [
      ['cftc_1', 'cftc_code', '001', true, null, null],
      ['cftc_1', 'name', 'Wheat A', false, null, '2020-12-31'],
      ['cftc_1', 'name', 'Wheat B', true, '2021-01-01', null],
      ['cftc_1', 'slug', 'cftc-1', true, null, null],
      ['company_0000000001', 'cik', '0000000001', true, null, null],
      ['company_0000000001', 'figi', 'F', true, null, null],
      ['company_0000000001', 'isin', 'I', true, null, null],
      ['company_0000000001', 'lei', 'L', true, null, null],
      ['company_0000000001', 'name', 'Acme', true, null, null],
      ['company_0000000001', 'name', 'Apex', false, '2001-02-03', '2010-01-01'],
      ['company_0000000001', 'slug', 'company-1', true, null, null],
      ['company_0000000001', 'ticker', 'ACM', true, '2020-01-05', null],
      ['company_0000000001', 'ticker', 'ACM-B', false, null, '2022-02-01'],
      ['cur_usd', 'currency', 'USD', true, null, null],
      ['cur_usd', 'name', 'Dollar', true, null, null],
      ['cur_usd', 'slug', 'cur-usd', true, null, null],
      ['us', 'imf_code', '111', true, null, null],
      ['us', 'iso2', 'US', true, null, null],
      ['us', 'iso3', 'USA', true, null, null],
      ['us', 'iso_numeric', '840', true, null, null],
      ['us', 'name', 'America', false, '2020-05-01', null],
      ['us', 'name', 'United States', true, null, null],
      ['us', 'slug', 'united-states', true, null, null],
      ['us', 'wb_code', 'USX', true, null, null],
    ];
    const inOrder = (list: readonly (readonly unknown[])[]) => list.map((row) => JSON.stringify(row)).toSorted(compare);
    expect(inOrder(shown)).toEqual(inOrder(expected));
  });
});
