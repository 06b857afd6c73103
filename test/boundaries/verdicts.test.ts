// What is said of rows at a moment: verdicts of then, which of the routes that answer dated things take as_of, and the order of prints.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/http/errors.ts';
import type { AnyItemRoute, AnyListRoute, Context, CursorKey, ItemPage } from '../../src/http/route.ts';
import { NO_GRANTS } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { idHash } from '../../src/model/observation.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { idOf } from '../../src/model/catalogue.ts';
import { countries as countriesList, country, countriesAvailableIndicators } from '../../src/routes/countries.ts';
import { derivedIndicator, derivedIndicators, derivedObservations } from '../../src/routes/derived.ts';
import { entities as entitiesList, entityRoute } from '../../src/routes/entities.ts';
import { economicCalendar, economicCalendarEntry, event, events } from '../../src/routes/events.ts';
import {
  canonicalIndicators,
  coverage,
  indicators,
  indicatorsEntities,
  indicatorsSeries,
  publicCoverage,
} from '../../src/routes/indicators.ts';
import { observationsChanges, observationsLatest, observationsRoute, platformMacroData } from '../../src/routes/observations.ts';
import { provenanceObservation } from '../../src/routes/provenance.ts';
import { objectsOf } from '../reads.ts';
import { catalogueOf, seriesWith } from './by-hand/series.ts';
import { moved, openRelations, type Print, type Relations, toVintages, VINTAGE_COLUMNS } from './by-hand/tables.ts';

const NOW = '2024-05-10T12:00:00.000Z';

// Monthly, a budget of 86 days: of January 2020 known in February 2020, of March 2024 known in April 2024 and withdrawn on May 1 where it says so.
const prints: readonly Print[] = [
  { seriesNo: 1, period: '2020-01', periodEnd: '2020-01-31', value: 1, observedAt: '2020-02-14T13:30:00.000Z' },
  { seriesNo: 1, period: '2024-03', periodEnd: '2024-03-31', value: 2, observedAt: '2024-04-10T12:00:00.000Z' },
  { seriesNo: 2, period: '2020-01', periodEnd: '2020-01-31', value: 1, observedAt: '2020-02-14T13:30:00.000Z' },
  { seriesNo: 2, period: '2024-03', periodEnd: '2024-03-31', value: 2, observedAt: '2024-04-10T12:00:00.000Z' },
  { seriesNo: 2, period: '2024-03', periodEnd: '2024-03-31', value: null, observedAt: '2024-05-01T12:00:00.000Z' },
  { seriesNo: 3, period: '2024-02', periodEnd: '2024-02-29', value: 3, observedAt: '2024-03-10T12:00:00.000Z' },
];
const series = [
  seriesWith({ seriesNo: 1, latestPeriodEnd: '2024-03-31' }),
  seriesWith({ seriesNo: 2, sourceId: 't', latestPeriodEnd: '2020-01-31' }),
  seriesWith({ seriesNo: 3, entityId: 'fr', indicatorId: 'fr_cpi', country: 'FR', latestPeriodEnd: '2024-02-29' }),
];

const COUNTED = 'indicator_count integer, observation_count bigint, latest_period_end date';
const texts = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} varchar`)
    .join(', ');
const ENTITY_COLUMNS = `${texts('entity_id slug entity_type name short_name country currency parent_entity_id iso2 iso3 iso_numeric cik lei figi isin ticker mic cftc_contract_code status successor_entity_id')},
  valid_from date, valid_to date, names struct(name varchar, known_from timestamptz)[],
  currencies struct(currency varchar, valid_from date, valid_to date)[], known_from timestamptz, ticker_known_from timestamptz, successor_known_from timestamptz,
  ${COUNTED}, created_at timestamptz, updated_at timestamptz`;
const ALIAS_COLUMNS = `${texts('alias_id entity_id alias alias_normalized alias_type scheme')}, is_primary boolean, valid_from date, valid_to date,
  known_from timestamptz, end_known_from timestamptz, held_from timestamptz, held_to timestamptz, confidence double, created_at timestamptz`;
const COUNTRY_COLUMNS = `${texts('country_id entity_id slug name official_name iso2 iso3 iso_numeric region subregion income_group currency central_bank_entity_id timezone')},
  is_currency_area boolean, member_of varchar[], valid_from date, names struct(name varchar, known_from timestamptz)[],
  currencies struct(currency varchar, central_bank_entity_id varchar, valid_from date, valid_to date)[],
  memberships struct(group_id varchar, valid_from date, valid_to date)[], ${COUNTED}`;
const COMPANY_COLUMNS = `${texts('company_id entity_id cik name')}, descriptions struct(country varchar, lei varchar, exchange varchar, known_from timestamptz)[],
  states struct(status varchar, had_ticker boolean, known_from timestamptz)[],
  listings struct(ticker varchar, place integer, known_from timestamptz, known_to timestamptz)[]`;
const TICKER_HOLDER_COLUMNS = 'ticker varchar, company_id varchar, held_from timestamptz, held_to timestamptz';
const UNDATED = { names: [], currencies: [] };

let relations: Relations;
let snapshot: Snapshot;
beforeAll(async () => {
  relations = await openRelations();
  await relations.table('published.vintages', VINTAGE_COLUMNS, toVintages(prints));
  await relations.table('published.series_codes', 'series_no integer, run_id varchar, series_code varchar');
  await relations.table(
    'published.series',
    'series_no integer, indicator_id varchar, indicator_name varchar, entity_id varchar, entity_name varchar, entity_type varchar, country varchar, source_id varchar, frequency varchar, first_period_end date, latest_period_end date, observation_count bigint, default_budget_days integer',
    series.map((one) => ({
      seriesNo: one.seriesNo,
      indicatorId: one.indicatorId,
      indicatorName: one.indicatorName,
      entityId: one.entityId,
      entityName: one.entityName,
      entityType: one.entityType,
      country: one.country,
      sourceId: one.sourceId,
      frequency: one.frequency,
      firstPeriodEnd: one.firstPeriodEnd,
      latestPeriodEnd: one.latestPeriodEnd,
      observationCount: one.observationCount,
      defaultBudgetDays: one.defaultBudgetDays,
    })),
  );
  await relations.table(
    'published.series_revisions',
    'series_no integer, mean_abs_revision double, revised_share double, median_release_lag_days double',
    [],
  );
  await relations.table('published.countries', COUNTRY_COLUMNS, [
    { ...UNDATED, memberships: [], countryId: 'US', entityId: 'us', iso2: 'US', name: 'United States', indicatorCount: 1 },
    { ...UNDATED, memberships: [], countryId: 'FR', entityId: 'fr', iso2: 'FR', name: 'France', indicatorCount: 1 },
  ]);
  await relations.table('published.entities', ENTITY_COLUMNS, []);
  await relations.table('published.companies', COMPANY_COLUMNS, []);
  await relations.table('published.ticker_holders', TICKER_HOLDER_COLUMNS, []);
  await relations.macros('entities/entity_status', 'entities/entities_as_of', 'entities/countries_as_of', 'companies/ticker_holder');
  snapshot = {
    ...relations.reader,
    snapshotId: 's',
    knowledgeCutoff: NOW,
    catalogue: catalogueOf(series),
    manifest: {} as Manifest,
    grants: NO_GRANTS,
    packs: null,
    newest: null,
  };
});
afterAll(() => relations.close());

type Row = Readonly<Record<string, unknown>>;

function context(of = snapshot): Context<Snapshot> {
  return {
    snapshot: of,
    now: Date.parse(NOW),
    client: { keyId: 'k', tier: 'full', scopes: ['data:read'] },
    hasScope: () => true,
    historyFrom: null,
    decided: { preferred: null },
    resumeCursor: () => '',
  };
}

interface Asked {
  readonly order?: 'asc' | 'desc';
  readonly snapshot?: Snapshot;
}

/** The rows of a list, as the server asks for them. */
async function rowsOf(route: AnyListRoute<Snapshot>, query: Row, { order = 'asc', snapshot: of }: Asked = {}): Promise<readonly Row[]> {
  const bounds = { limit: 500, after: null };
  const { rows } = await route.list(query, { ...bounds, sort: route.sortable[0], order, answer: bounds, isBulk: false }, context(of), {});
  return (await objectsOf(rows)) as readonly Row[];
}

/** The same rows, each on a page of its own. */
async function walked(route: AnyListRoute<Snapshot>, query: Row, { order = 'asc', snapshot: of }: Asked): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: CursorKey | null = null; rows.length < 100; ) {
    const bounds = { limit: 1, after };
    const page = await route.list(query, { ...bounds, sort: route.sortable[0], order, answer: bounds, isBulk: false }, context(of), {});
    rows.push(...((await objectsOf(page.rows)) as readonly Row[]));
    if (page.nextKey === null) return rows;
    // As it comes out of a cursor.
    after = JSON.parse(JSON.stringify(page.nextKey)) as CursorKey;
  }
  throw new Error('a walk without an end');
}

describe('freshness as a filter', () => {
  const kept = async (route: AnyListRoute<Snapshot>, freshness: string, asOf?: string) =>
    (await rowsOf(route, { freshness, as_of: asOf }))
      .map((row) => [row['sourceId'], row['country'], row['freshnessStatus']].join(' '))
      .sort();

  it('keeps the series that had it at the cutoff', async () => {
    // On March 1 2020 January is 30 days old; on April 26 it is 86 days old, a day later 87. Of France nothing is known yet.
    for (const asOf of ['2020-03-01T00:00:00.000Z', '2020-04-27T00:00:00.000Z']) {
      expect(await kept(observationsLatest, 'fresh', asOf)).toEqual(['s US fresh', 't US fresh']);
      expect(await kept(observationsLatest, 'stale', asOf)).toEqual([]);
    }
    expect(await kept(observationsLatest, 'fresh', '2020-04-27T00:00:00.001Z')).toEqual([]);
    expect(await kept(observationsLatest, 'stale', '2020-04-27T00:00:00.001Z')).toEqual(['s US stale', 't US stale']);
  });

  it('uses the newest value in force then: a value withdrawn later still counts', async () => {
    expect(await kept(observationsLatest, 'fresh', '2024-04-30T00:00:00.000Z')).toEqual(['s FR fresh', 's US fresh', 't US fresh']);
    expect(
      (await rowsOf(observationsRoute, { freshness: 'fresh', as_of: '2024-05-02T00:00:00.000Z' })).map((row) => row['sourceId']),
    ).toEqual(['s', 's', 's']);
  });

  it('without a cutoff uses the newest value now', async () => {
    expect((await rowsOf(observationsRoute, { freshness: 'fresh' })).map((row) => row['indicatorId'])).toEqual([
      'us_cpi',
      'fr_cpi',
      'us_cpi',
    ]);
  });
});

describe('the prints of a period', () => {
  const PRINTED = ['2024-04-10T12:00:00.000Z', '2024-04-11T12:00:00.000Z', '2024-04-12T12:00:00.000Z', '2024-04-13T12:00:00.000Z'];
  const march = { period: '2024-03', periodEnd: '2024-03-31', value: 1 };
  // Two series print in turn, the last two of them at once.
  const printed = [...PRINTED, PRINTED[3] ?? ''].map((observedAt, index) => ({ ...march, seriesNo: 1 + (index % 2), observedAt }));
  afterAll(() => relations.table('published.vintages', VINTAGE_COLUMNS, toVintages(prints)));
  const instants = (rows: readonly Row[]) => rows.map((row) => row['observedAt']);

  it.each([observationsRoute, derivedObservations])('are in the order in which they became known: $path', async (route) => {
    const vintages = toVintages(printed.toReversed().map((print) => ({ ...print, isDerived: route === derivedObservations })));
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    const derived = [1, 2].map((seriesNo) => seriesWith({ seriesNo, sourceId: `s${seriesNo}`, isDerived: true }));
    const own = route === derivedObservations ? { ...snapshot, catalogue: catalogueOf(derived) } : snapshot;
    const expected = [...PRINTED, PRINTED[3]];
    const read = async (order: 'asc' | 'desc') => rowsOf(route, { vintage: 'all' }, { order, snapshot: own });
    expect(instants(await read('asc'))).toEqual(expected);
    expect(instants(await read('desc'))).toEqual(expected.toReversed());
    // Of two that became known at once the identifiers decide.
    const [first] = vintages.slice(0, 2).toSorted((a, b) => a.idHash - b.idHash);
    for (const order of ['asc', 'desc'] as const) {
      const tied = (await read(order)).filter((row) => row['observedAt'] === PRINTED[3]);
      expect(tied.map((row) => row['sourceId'])[0]).toBe(own.catalogue.byNumber.get(first?.seriesNo ?? 0)?.sourceId);
      // Page by page the same rows in the same order.
      const places = (rows: readonly Row[]) => rows.map((row) => [row['observedAt'], row['sourceId']].join(' '));
      expect(places(await walked(route, { vintage: 'all' }, { order, snapshot: own }))).toEqual(places(await read(order)));
    }
  });
});

describe('the indicators of countries', () => {
  it('are those with data known then, as they stood then', async () => {
    const shown = async (query: Row) =>
      (await rowsOf(countriesAvailableIndicators, query)).map((row) => [
        row['countryId'],
        row['indicatorCount'],
        (row['indicators'] as readonly Row[]).map((one) => [
          one['sourceId'],
          one['firstPeriodEnd'],
          one['latestPeriodEnd'],
          one['freshnessStatus'],
        ]),
      ]);
    expect(await shown({ as_of: '2020-03-01T00:00:00.000Z' })).toEqual([
      [
        'US',
        1,
        [
          ['s', '2020-01-31', '2020-01-31', 'fresh'],
          ['t', '2020-01-31', '2020-01-31', 'fresh'],
        ],
      ],
    ]);
    expect(await shown({ as_of: '2024-03-20T00:00:00.000Z', country: 'fr' })).toEqual([
      ['FR', 1, [['s', '2024-02-29', '2024-02-29', 'fresh']]],
    ]);
    expect(await shown({ as_of: '2024-03-01T00:00:00.000Z', country: 'fr' })).toEqual([]);
    expect(await shown({ as_of: '2024-05-02T00:00:00.000Z', country: 'us' })).toEqual([
      [
        'US',
        1,
        [
          ['s', '2020-01-31', '2024-03-31', 'fresh'],
          ['t', '2020-01-31', '2020-01-31', 'stale'],
        ],
      ],
    ]);
  });
});

/** An item without pages. */
const WHOLE: ItemPage = { limit: 500, after: null, cursorAt: () => null };

/** What a route answers of one thing; null where it says that there is none. */
async function itemOf(route: AnyItemRoute<Snapshot>, path: Readonly<Record<string, string>>, query: Row = {}): Promise<Row | null> {
  return route.find(query, context(), path, WHOLE).then(
    (found) => found as Row,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    },
  );
}

const EVENT_COLUMNS = [
  texts(
    'event_id event_type title summary entity_id country currency importance status time_precision calendar_event_id source_id source_tier source_url document_hash language attribution license rights_note',
  ),
  'occurred_at timestamptz, published_at timestamptz, observed_at timestamptz, known_to timestamptz, event_date date, is_redistributable boolean',
  'indicator_ids varchar[], observation_ids varchar[]',
].join(', ');
const CALENDAR_COLUMNS = [
  texts(
    'event_id title country entity_id currency category indicator_id canonical_indicator_id factor_key importance time_precision timezone status period forecast_method unit frequency observation_id source_id source_url attribution',
  ),
  'actual previous revised_previous consensus forecast forecast_lower forecast_upper'
    .split(' ')
    .map((name) => `${name} double`)
    .join(', '),
  'scheduled_at timestamptz, released_at timestamptz, observed_at timestamptz, known_to timestamptz, scheduled_date date, period_end date, previous_period_end date, schedule_version integer',
].join(', ');

describe('one item at a cutoff', () => {
  it('names the currency of the country on the day of the cutoff, on calendar entries and events', async () => {
    await relations.table('published.entities', ENTITY_COLUMNS, [
      {
        entityId: 'hr',
        entityType: 'country',
        ...UNDATED,
        currencies: [
          { currency: 'HRK', validFrom: '1994-05-30', validTo: '2022-12-31' },
          { currency: 'EUR', validFrom: '2023-01-01', validTo: null },
        ],
      },
    ]);
    const version = { eventId: 'evt_2', entityId: 'hr', currency: 'EUR', observedAt: '2019-01-01T00:00:00.000Z' };
    await relations.table('published.events', EVENT_COLUMNS, [{ ...version, isRedistributable: true }]);
    await relations.table('published.calendar', CALENDAR_COLUMNS, [{ ...version, scheduleVersion: 1 }]);
    for (const route of [event, economicCalendarEntry]) {
      const at = async (asOf?: string) => (await itemOf(route, { eventId: 'evt_2' }, { as_of: asOf }))?.['currency'];
      expect([await at('2022-12-31T23:59:59.999Z'), await at('2023-01-01T00:00:00.000Z'), await at()]).toEqual(['HRK', 'EUR', 'EUR']);
    }
    await relations.table('published.entities', ENTITY_COLUMNS, []);
  });

  it('is the version of an event known then, or none', async () => {
    const version = { eventId: 'evt_1', occurredAt: '2024-03-20T18:00:00.000Z', eventDate: '2024-03-20', isRedistributable: true };
    await relations.table('published.events', EVENT_COLUMNS, [
      { ...version, title: 'scheduled', observedAt: '2024-01-01T00:00:00.000Z', knownTo: '2024-03-20T18:00:00.000Z' },
      { ...version, title: 'occurred', observedAt: '2024-03-20T18:00:00.000Z' },
    ]);
    const titleAt = async (asOf?: string) => (await itemOf(event, { eventId: 'evt_1' }, { as_of: asOf }))?.['title'] ?? null;
    expect(await titleAt()).toBe('occurred');
    expect(await titleAt('2024-03-20T18:00:00.000Z')).toBe('occurred');
    expect(await titleAt('2024-03-20T17:59:59.999Z')).toBe('scheduled');
    expect(await titleAt('2023-12-31T23:59:59.999Z')).toBeNull();
  });

  it('is the version of a calendar entry known then, or none', async () => {
    const version = { eventId: 'cal_1', scheduledAt: '2024-03-12T12:30:00.000Z', scheduledDate: '2024-03-12', periodEnd: '2024-02-29' };
    await relations.table('published.calendar', CALENDAR_COLUMNS, [
      { ...version, scheduleVersion: 1, observedAt: '2024-01-01T00:00:00.000Z', knownTo: '2024-02-01T00:00:00.000Z' },
      { ...version, scheduleVersion: 2, observedAt: '2024-02-01T00:00:00.000Z' },
    ]);
    const versionAt = async (asOf?: string) =>
      (await itemOf(economicCalendarEntry, { eventId: 'cal_1' }, { as_of: asOf }))?.['scheduleVersion'] ?? null;
    expect(await versionAt()).toBe(2);
    expect(await versionAt('2024-01-31T23:59:59.999Z')).toBe(1);
    expect(await versionAt('2023-12-31')).toBeNull();
  });

  it('is the chain of an observation known then, with the vintages and the verdict of that time', async () => {
    const [first] = prints;
    const rows = toVintages(prints);
    const us = series[0];
    if (us === undefined || first === undefined) throw new Error('no series');
    const id = idOf(us, { period: '2020-01', vintage: rows[0]?.vintage ?? '' });
    await relations.connection.run(
      `update published.vintages set run_id = null, id_hash = ${idHash(id)} where series_no = 1 and period = '2020-01'`,
    );
    await relations.table(
      'published.sources',
      'source_id varchar, name varchar, provider varchar, source_tier varchar, homepage_url varchar, license varchar',
      [],
    );
    const at = async (asOf?: string) => {
      const found = await itemOf(provenanceObservation, { observationId: id }, { as_of: asOf });
      return found === null ? null : [(found['vintages'] as readonly Row[]).length, found['scoring']];
    };
    expect(await at()).toEqual([1, { eligible: false, reasons: ['stale'] }]);
    expect(await at('2020-02-14T13:30:00.000Z')).toEqual([1, { eligible: true, reasons: [] }]);
    expect(await at('2020-02-14T13:29:59.999Z')).toBeNull();
  });

  it('is an entity or a country with the data known then', async () => {
    const counted = 'indicatorCount observationCount latestPeriodEnd'.split(' ');
    const own = {
      entityId: 'us',
      slug: 'united-states',
      name: 'United States',
      iso2: 'US',
      iso3: 'USA',
      indicatorCount: 1,
      observationCount: 4,
    };
    await relations.table('published.entities', ENTITY_COLUMNS, [
      { ...own, ...UNDATED, entityType: 'country', status: 'active', latestPeriodEnd: '2024-03-31', createdAt: NOW, updatedAt: NOW },
    ]);
    await relations.table('published.countries', COUNTRY_COLUMNS, [
      { ...own, ...UNDATED, memberships: [], countryId: 'US', isCurrencyArea: false, memberOf: [], latestPeriodEnd: '2024-03-31' },
    ]);
    for (const [route, path] of [
      [entityRoute, { idOrSlug: 'us' }],
      [country, { idOrIso: 'us' }],
    ] as const) {
      const at = async (asOf?: string) => {
        const found = await itemOf(route, path, { as_of: asOf });
        return counted.map((name) => found?.[name]);
      };
      expect(await at()).toEqual([1, 4, '2024-03-31']);
      // Of two sources January 2020.
      expect(await at('2020-03-01T00:00:00.000Z')).toEqual([1, 2, '2020-01-31']);
      expect(await at('2020-01-01T00:00:00.000Z')).toEqual([0, 0, null]);
    }
  });
});

describe('a catalogue', () => {
  const FEBRUARY = '2020-02-14T13:30:00.000Z';
  const common = { indicatorCount: 1, observationCount: 9, latestPeriodEnd: '2024-03-31' };
  const places = [
    { entityId: 'us', slug: 'united-states', name: 'United States', iso2: 'US', iso3: 'USA', countryId: 'US' },
    { entityId: 'fr', slug: 'france', name: 'France', iso2: 'FR', iso3: 'FRA', countryId: 'FR' },
    { entityId: 'aq', slug: 'antarctica', name: 'Antarctica', iso2: 'AQ', iso3: 'ATA', countryId: 'AQ' },
  ];
  const CREATED = '2019-12-01T00:00:00.000Z';

  beforeAll(async () => {
    await relations.table(
      'published.entities',
      ENTITY_COLUMNS,
      places.map(({ countryId: _, ...place }) => ({
        ...place,
        ...common,
        ...UNDATED,
        entityType: 'country',
        status: 'active',
        createdAt: CREATED,
        updatedAt: NOW,
      })),
    );
    await relations.table(
      'published.countries',
      COUNTRY_COLUMNS,
      places.map((place) => ({ ...place, ...common, ...UNDATED, memberships: [], isCurrencyArea: false, memberOf: [] })),
    );
    await relations.table('published.aliases', ALIAS_COLUMNS, []);
    await relations.table('published.runs', 'started_at timestamptz', []);
    await relations.table(
      'published.canonical_indicators',
      `${texts('canonical_id slug name description category sub_category factor_hint factor_key unit comparison_basis seasonal_adjustment frequency importance fred_code sdmx_code world_bank_code status successor_canonical_id')},
        polarity integer, is_monetary boolean, is_derived boolean, derived_from varchar[], aliases varchar[], preferred_source_ids varchar[],
        entity_types varchar[], is_screenable boolean, country_count integer, observation_count bigint, latest_period_end date, updated_at timestamptz, ceased_at timestamptz`,
      ['cpi', 'gdp'].map((canonicalId) => ({
        canonicalId,
        slug: canonicalId,
        name: canonicalId,
        category: 'prices',
        factorKey: canonicalId,
        unit: 'percent',
        comparisonBasis: 'level',
        seasonalAdjustment: 'na',
        frequency: 'monthly',
        importance: 'high',
        status: canonicalId === 'gdp' ? 'ceased' : 'active',
        successorCanonicalId: canonicalId === 'gdp' ? 'cpi' : null,
        ceasedAt: canonicalId === 'gdp' ? '2024-04-01T00:00:00.000Z' : null,
        polarity: 0,
        isMonetary: false,
        isDerived: false,
        derivedFrom: [],
        aliases: [],
        preferredSourceIds: [],
        entityTypes: ['country'],
        isScreenable: true,
        countryCount: 7,
        observationCount: 9,
        latestPeriodEnd: '2024-03-31',
        updatedAt: NOW,
      })),
    );
  });

  const listed = async (route: AnyListRoute<Snapshot>, names: string, query: Row) => {
    const rows = await rowsOf(route, query);
    return rows.map((row) => names.split(' ').map((name) => row[name]));
  };

  it('of countries counts the data known then', async () => {
    const names = 'iso2 indicatorCount observationCount latestPeriodEnd';
    expect(await listed(countriesList, names, {})).toEqual([
      ['AQ', 1, 9, '2024-03-31'],
      ['FR', 1, 9, '2024-03-31'],
      ['US', 1, 9, '2024-03-31'],
    ]);
    expect(await listed(countriesList, names, { as_of: moved(FEBRUARY, -1) })).toEqual([
      ['AQ', 0, 0, null],
      ['FR', 0, 0, null],
      ['US', 0, 0, null],
    ]);
    expect(await listed(countriesList, names, { as_of: FEBRUARY })).toEqual([
      ['AQ', 0, 0, null],
      ['FR', 0, 0, null],
      ['US', 1, 2, '2020-01-31'],
    ]);
    expect((await listed(countriesList, names, { as_of: '2024-03-10T12:00:00.000Z' }))[1]).toEqual(['FR', 1, 1, '2024-02-29']);
  });

  it('of entities counts the data known then, and is sorted by the last time when data became known', async () => {
    const names = 'entityId indicatorCount observationCount latestPeriodEnd updatedAt';
    const expected = [
      ['aq', 0, 0, null, CREATED],
      ['us', 1, 2, '2020-01-31', FEBRUARY],
      ['fr', 1, 1, '2024-02-29', '2024-03-10T12:00:00.000Z'],
    ];
    const sorted = { ...entitiesList, sortable: ['updated_at'] as const };
    const query = { as_of: '2024-03-10T12:00:00.000Z' };
    expect(await listed(sorted, names, query)).toEqual(expected);
    const walkedRows = await walked(sorted, query, { order: 'desc' });
    expect(walkedRows.map((row) => row['entityId'])).toEqual(['fr', 'us', 'aq']);
    expect((await itemOf(entityRoute, { idOrSlug: 'us' }, { as_of: FEBRUARY }))?.['updatedAt']).toBe(FEBRUARY);
    expect(await listed(entitiesList, 'entityId updatedAt', {})).toEqual([
      ['aq', NOW],
      ['fr', NOW],
      ['us', NOW],
    ]);
  });

  it('of canonical indicators counts the data known then, and shows no later renewal', async () => {
    const names = 'canonicalIndicatorId countryCount observationCount latestPeriodEnd updatedAt';
    expect(await listed(canonicalIndicators, names, { as_of: FEBRUARY })).toEqual([
      ['cpi', 1, 2, '2020-01-31', FEBRUARY],
      ['gdp', 0, 0, null, FEBRUARY],
    ]);
    expect(await listed(canonicalIndicators, names, { as_of: '2024-03-10T12:00:00.000Z' })).toEqual([
      ['cpi', 2, 3, '2024-02-29', '2024-03-10T12:00:00.000Z'],
      ['gdp', 0, 0, null, '2024-03-10T12:00:00.000Z'],
    ]);
    expect(await listed(canonicalIndicators, names, {})).toEqual([
      ['cpi', 7, 9, '2024-03-31', NOW],
      ['gdp', 7, 9, '2024-03-31', NOW],
    ]);
    const end = 'canonicalIndicatorId status successorIndicatorId';
    // No series of it is kept.
    const endAt = async (asOf?: string) =>
      (await rowsOf(canonicalIndicators, { as_of: asOf })).map((row) => end.split(' ').map((name) => row[name]))[1];
    expect(await endAt()).toEqual(['gdp', 'ceased', 'cpi']);
    expect(await endAt('2024-04-01T00:00:00.000Z')).toEqual(['gdp', 'ceased', 'cpi']);
    expect(await endAt('2024-03-31T23:59:59.999Z')).toEqual(['gdp', 'active', null]);
    const sorted = { ...canonicalIndicators, sortable: ['updated_at'] as const };
    const first = await walked(sorted, { as_of: '2020-02-20T00:00:00.000Z' }, { order: 'asc' });
    expect(first.map((row) => [row['canonicalIndicatorId'], row['updatedAt']])).toEqual([
      ['cpi', FEBRUARY],
      ['gdp', '2020-02-20T00:00:00.000Z'],
    ]);
  });
});

describe('the catalogue as of a moment', () => {
  const FEBRUARY = '2020-02-14T13:30:00.000Z';
  const listedAt = async (
    route: AnyListRoute<Snapshot>,
    asOf: string | undefined,
    names: readonly string[],
    query: Row = {},
    asked: Asked = {},
  ) => (await rowsOf(route, { ...query, as_of: asOf }, asked)).map((row) => names.map((name) => row[name]));

  it('has the series known then, with their reach and their verdicts of that time', async () => {
    const names = ['indicatorId', 'sourceId', 'firstPeriodEnd', 'latestPeriodEnd', 'observationCount', 'vintageCount', 'freshnessStatus'];
    for (const route of [indicators, indicatorsSeries]) {
      const at = (asOf?: string) => listedAt(route, asOf, names);
      expect(await at(moved(FEBRUARY, -1))).toEqual([]);
      expect(await at(FEBRUARY)).toEqual([
        ['us_cpi', 's', '2020-01-31', '2020-01-31', 1, 1, 'fresh'],
        ['us_cpi', 't', '2020-01-31', '2020-01-31', 1, 1, 'fresh'],
      ]);
      expect(await at('2024-05-01T11:59:59.999Z')).toEqual([
        ['fr_cpi', 's', '2024-02-29', '2024-02-29', 1, 1, 'fresh'],
        ['us_cpi', 's', '2020-01-31', '2024-03-31', 2, 2, 'fresh'],
        ['us_cpi', 't', '2020-01-31', '2024-03-31', 2, 2, 'fresh'],
      ]);
      // The value of March is withdrawn.
      expect((await at('2024-05-01T12:00:00.000Z'))[2]).toEqual(['us_cpi', 't', '2020-01-31', '2020-01-31', 2, 3, 'stale']);
    }
  });

  it('is sorted by the reach of that time, and walked page by page', async () => {
    const snapshotOf = { ...snapshot, catalogue: catalogueOf(series) };
    const query = { as_of: '2024-05-02T00:00:00.000Z' };
    const latest = (rows: readonly Row[]) => rows.map((row) => row['latestPeriodEnd']);
    const sorted = { ...indicators, sortable: ['latest_period_end'] as const };
    expect(latest(await rowsOf(sorted, query))).toEqual(['2020-01-31', '2024-02-29', '2024-03-31']);
    // Before the value of March was withdrawn from the other source.
    expect(latest(await rowsOf(sorted, { as_of: '2024-04-20T00:00:00.000Z' }))).toEqual(['2024-02-29', '2024-03-31', '2024-03-31']);
    expect(latest(await walked(sorted, query, { order: 'desc', snapshot: snapshotOf }))).toEqual([
      '2024-03-31',
      '2024-02-29',
      '2020-01-31',
    ]);
  });

  it('has the revisions known then', async () => {
    const at = (asOf: string) =>
      listedAt(indicatorsSeries, asOf, ['sourceId', 'revisedShare', 'medianReleaseLagDays'], { country: ['US'] });
    expect(await at(FEBRUARY)).toEqual([
      ['s', 0, 14],
      ['t', 0, 14],
    ]);
    expect(await at('2024-04-10T12:00:00.000Z')).toEqual([
      ['s', 0, 12],
      ['t', 0, 12],
    ]);
  });

  it('has the entities with an indicator known then', async () => {
    const names = ['entityId', 'sourceIds', 'firstPeriodEnd', 'latestPeriodEnd', 'observationCount'];
    const at = (asOf?: string) => listedAt(indicatorsEntities, asOf, names, { indicator_id: 'cpi' });
    expect(await at(moved(FEBRUARY, -1))).toEqual([]);
    expect(await at(FEBRUARY)).toEqual([['us', ['s', 't'], '2020-01-31', '2020-01-31', 2]]);
    expect(await at('2024-04-10T12:00:00.000Z')).toEqual([
      ['fr', ['s'], '2024-02-29', '2024-02-29', 1],
      ['us', ['s', 't'], '2020-01-31', '2024-03-31', 4],
    ]);
    expect((await at()).map(([entityId]) => entityId)).toEqual(['fr', 'us']);
  });

  it('covers the data known then', async () => {
    for (const route of [coverage, publicCoverage]) {
      const at = async (asOf?: string) => {
        const found = (await itemOf(route, {}, { as_of: asOf })) ?? {};
        const { entities, observations, vintages } = found['totals'] as Record<string, number>;
        return [
          found['asOf'],
          entities,
          observations,
          vintages,
          (found['countries'] as Row[]).map((row) => [row['iso2'], row['latestPeriodEnd']]),
        ];
      };
      expect(await at(moved(FEBRUARY, -1))).toEqual([moved(FEBRUARY, -1), 0, 0, 0, []]);
      expect(await at(FEBRUARY)).toEqual([FEBRUARY, 1, 2, 2, [['US', '2020-01-31']]]);
      const all = await at('2024-05-10T11:00:00.000Z');
      expect(all.slice(0, 4)).toEqual(['2024-05-10T11:00:00.000Z', 2, 5, 6]);
      expect((await at())[0]).toBe(NOW);
      // A snapshot knows nothing of what came after it.
      expect(await itemOf(route, {}, { as_of: '2030-01-01T00:00:00.000Z' })).toMatchObject({ asOf: NOW });
    }
  });

  it('has the entities and observations of a derived indicator, and no backtest', async () => {
    const derived = [
      seriesWith({ seriesNo: 1, canonicalId: 'growth', isDerived: true, sourceId: 'b', sourceRank: 2 }),
      seriesWith({ seriesNo: 2, canonicalId: 'growth', isDerived: true, sourceId: 'a' }),
      seriesWith({ seriesNo: 3, canonicalId: 'growth', isDerived: true, sourceId: 'c', entityId: 'fr', sourceRank: 1 }),
    ];
    const of = { ...snapshot, catalogue: catalogueOf(derived) };
    await relations.table(
      'published.derived_indicators',
      `${texts('slug name family unit cadence preferred_source_id method')}, derived_from varchar[], source_ids varchar[], entity_ids varchar[],
        entity_count bigint, observation_count bigint, latest_period_end date, refreshed_at timestamptz, is_redistributable boolean`,
      ['growth', 'forecast_baseline'].map((slug) => ({
        slug,
        name: slug,
        family: 'f',
        cadence: 'monthly',
        method: 'm',
        preferredSourceId: 'now',
        derivedFrom: ['now'],
        sourceIds: ['now'],
        entityIds: ['now'],
        entityCount: 99,
        observationCount: 99,
        latestPeriodEnd: '2024-03-31',
        refreshedAt: NOW,
        isRedistributable: true,
      })),
    );
    const names = [
      'derivedFrom',
      'sourceIds',
      'entityIds',
      'entityCount',
      'observationCount',
      'latestPeriodEnd',
      'refreshedAt',
      'preferredSourceId',
    ];
    const at = async (idOrSlug: string, asOf?: string) => {
      const found = (await derivedIndicator.find({ as_of: asOf }, context(of), { idOrSlug }, WHOLE)) as Row;
      return names.map((name) => found[name]);
    };
    expect(await at('growth', moved(FEBRUARY, -1))).toEqual([['now'], [], [], 0, 0, null, moved(FEBRUARY, -1), null]);
    expect(await at('growth', FEBRUARY)).toEqual([['now'], ['a', 'b'], ['us'], 1, 2, '2020-01-31T00:00:00.000Z', FEBRUARY, 'b']);
    const april = '2024-04-10T12:00:00.000Z';
    expect(await at('growth', april)).toEqual([['now'], ['a', 'b', 'c'], ['fr', 'us'], 2, 5, '2024-03-31T00:00:00.000Z', april, 'c']);

    await relations.table(
      'published.forecasts',
      'series_no integer, base_period varchar, forecast_period varchar, observed_at timestamptz',
      [
        { seriesNo: 1, basePeriod: '2020-01', forecastPeriod: '2020-02', observedAt: FEBRUARY },
        { seriesNo: 1, basePeriod: '2020-01', forecastPeriod: '2020-02', observedAt: april },
        { seriesNo: 3, basePeriod: '2024-Q1', forecastPeriod: '2024-Q2', observedAt: april },
        { seriesNo: 3, basePeriod: '2024', forecastPeriod: '2025', observedAt: moved(april, 1) },
      ],
    );
    const forecast = 'indicator_forecast_baseline';
    expect(await at(forecast, moved(FEBRUARY, -1))).toEqual([[], [], [], 0, 0, null, moved(FEBRUARY, -1), null]);
    expect(await at(forecast, FEBRUARY)).toEqual([['growth'], ['b'], ['us'], 1, 1, '2020-02-29T00:00:00.000Z', FEBRUARY, null]);
    expect(await at(forecast, april)).toEqual([['growth'], ['b', 'c'], ['fr', 'us'], 2, 2, '2024-06-30T00:00:00.000Z', april, null]);
    expect((await at(forecast, moved(april, 1))).slice(4, 6)).toEqual([3, '2025-12-31T00:00:00.000Z']);
    // The list says the same of each, and is sorted by it.
    const endOf = (row: readonly unknown[]) => (typeof row[6] === 'string' ? row[6] : 'never');
    const sorted = { ...derivedIndicators, sortable: ['latest_period_end'] as const };
    const walkedAt = async (asOf: string) =>
      (await walked(sorted, { as_of: asOf }, { snapshot: of })).map((row) => [row['slug'], ...names.map((name) => row[name])]);
    for (const asOf of [moved(FEBRUARY, -1), FEBRUARY, april, moved(april, 1)]) {
      const inOrder = [
        ['growth', ...(await at('growth', asOf))],
        ['forecast_baseline', ...(await at(forecast, asOf))],
      ].toSorted((a, b) => endOf(a).localeCompare(endOf(b)));
      const withoutEntities = inOrder.map(([slug, from, sources, , ...rest]) => [slug, from, sources, null, ...rest]);
      expect(new Set(await walkedAt(asOf))).toEqual(new Set(withoutEntities));
      expect((await walkedAt(asOf)).map((row) => row[6])).toEqual(withoutEntities.map((row) => row[6]));
    }
    const { metadata } = (await derivedIndicator.find({ as_of: april }, context(of), { idOrSlug: forecast }, WHOLE)) as { metadata: Row };
    expect(metadata['backtest']).toBeNull();
  });
});

describe('an entity by any of its names', () => {
  it('is found if the name resolves to one entity only, on the day of the question', async () => {
    await relations.table('published.entities', ENTITY_COLUMNS, []);
    await relations.table('published.aliases', ALIAS_COLUMNS, [
      { aliasId: '1', entityId: 'us', alias: '840', aliasNormalized: '840', aliasType: 'iso_numeric', isPrimary: true },
      { aliasId: '2', entityId: 'fr', alias: 'FRF', aliasNormalized: 'frf', aliasType: 'ticker', isPrimary: true, validTo: '2024-04-30' },
      { aliasId: '3', entityId: 'us', alias: 'FRF', aliasNormalized: 'frf', aliasType: 'ticker', isPrimary: true, validFrom: '2024-05-01' },
      { aliasId: '4', entityId: 'us', alias: 'Both', aliasNormalized: 'both', aliasType: 'name', isPrimary: true },
      { aliasId: '5', entityId: 'fr', alias: 'Both', aliasNormalized: 'both', aliasType: 'name', isPrimary: true },
    ]);
    const countries = async (entity: readonly string[], asOf?: string) => [
      ...new Set((await rowsOf(observationsRoute, { entity, as_of: asOf })).map((row) => row['country'])),
    ];
    expect([await countries(['840']), await countries(['us']), await countries(['840', 'FR'])]).toEqual([['US'], ['US'], ['US', 'FR']]);
    expect([await countries(['frf']), await countries(['frf'], '2024-04-30T12:00:00.000Z')]).toEqual([['US'], ['FR']]);
    expect([await countries(['Both']), await countries(['nobody'])]).toEqual([[], []]);
  });
});

describe('an empty list', () => {
  const hintsOf = async (route: AnyListRoute<Snapshot>, query: Row, after: CursorKey | null = null, own = snapshot) => {
    const bounds = { limit: 5, after };
    return (await route.list(query, { ...bounds, sort: route.sortable[0], order: 'asc', answer: bounds, isBulk: false }, context(own), {}))
      .meta?.['hints'];
  };
  const of = (parameter: string, message: string, nearest?: string) =>
    nearest === undefined ? { parameter, message } : { parameter, message: `${message} Did you mean ${nearest}?`, nearest };

  it('names each unknown value, and the nearest known one', async () => {
    await relations.table('published.aliases', ALIAS_COLUMNS, []);
    const query = {
      indicator_id: ['us_cpj', 'fr_cpi', 'zzzzzzzz'],
      indicator: 'cpp',
      entity: ['uss', 'us'],
      country: ['FRX'],
      source_id: 'q',
    };
    const expected = [
      of('indicator_id', 'There is no indicator us_cpj.', 'us_cpi'),
      of('indicator_id', 'There is no indicator zzzzzzzz.'),
      of('indicator', 'There is no indicator cpp.', 'cpi'),
      of('entity', 'There is no entity uss.', 'us'),
      of('country', 'There is no country FRX.', 'fr'),
      // Any letter is one letter away from each other one.
      of('source_id', 'There is no data set q.'),
    ];
    for (const route of [observationsRoute, observationsLatest, observationsChanges, platformMacroData, indicators]) {
      expect([route.path, await hintsOf(route, query)]).toEqual([route.path, expected]);
    }
  });

  it('looks all unknown countries up together, however many there are', async () => {
    await relations.table('published.aliases', ALIAS_COLUMNS, []);
    let asked = 0;
    const counted: Snapshot = {
      ...snapshot,
      withConnection: (use) => {
        asked += 1;
        return snapshot.withConnection(use);
      },
    };
    const lookups = async (count: number) => {
      asked = 0;
      const names = Array.from({ length: count }, (_, index) => `nowhere ${index}`);
      expect(await hintsOf(observationsRoute, { country: names }, null, counted)).toHaveLength(count);
      return asked;
    };
    expect(await lookups(40)).toBe(await lookups(1));
  });

  it('names the entities that an ambiguous name matches', async () => {
    const alias = (entityId: string) => ({
      aliasId: entityId,
      entityId,
      alias: 'Both',
      aliasNormalized: 'both',
      aliasType: 'name',
      isPrimary: true,
    });
    const ask = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `company_${String(index).padStart(2, '0')}`);
      await relations.table('published.entities', ENTITY_COLUMNS, []);
      await relations.table('published.aliases', ALIAS_COLUMNS, ids.map(alias));
      return Promise.all(
        [observationsRoute, observationsLatest, derivedObservations, indicators].map((route) => hintsOf(route, { entity: ['both'] })),
      );
    };
    const hint = (stands: string) => [
      { parameter: 'entity', message: `both is ambiguous: ${stands}. Ask for one of them by its identifier.` },
    ];
    // A name of one alone is known, though nothing is to be told of it.
    expect(await ask(1)).toEqual(Array(4).fill(undefined));
    expect(await ask(2)).toEqual(Array(4).fill(hint('company_00, company_01')));
    const ten = 'company_00, company_01, company_02, company_03, company_04, company_05, company_06, company_07, company_08, company_09';
    expect((await ask(10))[0]).toEqual(hint(ten));
    expect((await ask(12))[0]).toEqual(hint(`${ten} and 2 more`));
    expect(await hintsOf(events, { entity: 'both' })).toEqual(hint(`${ten} and 2 more`));
  });

  it('of macro rows names the unknown values of the request', async () => {
    const gold = seriesWith({
      seriesNo: 7,
      indicatorId: 'gold_spot',
      canonicalId: 'spot',
      entityId: 'gold',
      entityType: 'commodity',
      country: null,
    });
    const own = { ...snapshot, catalogue: catalogueOf([seriesWith({ seriesNo: 8 }), gold]) };
    const message = 'Left out, because these are not macroeconomic series: gold_spot. See market data on /observations.';
    const ask = (query: Row) => hintsOf(platformMacroData, query, null, own);
    expect(await ask({ indicator_id: ['spot'] })).toEqual([{ parameter: 'indicator_id', message }]);
    expect(await ask({ indicator: 'gold_spot' })).toEqual([{ parameter: 'indicator', message }]);
    // Who asks for macro rows by their kind knows, and what stands beside one is not all that was asked for.
    expect(await ask({ indicator_id: ['spot'], type: 'macro' })).toBeUndefined();
    expect(await ask({ indicator_id: ['spot', 'cpi'] })).toBeUndefined();
    expect(await hintsOf(observationsRoute, { indicator_id: ['spot'] }, null, own)).toBeUndefined();
  });

  it('names a derived indicator by its identifier without the prefix', async () => {
    const own = { ...snapshot, catalogue: catalogueOf([seriesWith({ seriesNo: 8, isDerived: true })]) };
    const query = { indicator_id: ['indicator_us_cpj'], country: ['US'] };
    const hint = of('indicator_id', 'There is no derived indicator us_cpj.', 'us_cpi');
    expect(await hintsOf(derivedObservations, query, null, own)).toEqual([hint]);
    // What a publisher states is no derived indicator, though it is one.
    const stated = of('indicator_id', 'There is no derived indicator us_cpi.');
    expect(await hintsOf(derivedObservations, { indicator_id: ['us_cpi'], country: ['US'] })).toEqual([stated]);
  });

  it('has the time of the first vintage if the request is for an earlier one', async () => {
    const nearest = '2020-02-14T13:30:00.000Z';
    const asOf = '2020-02-14T13:29:59.999Z';
    expect(await hintsOf(observationsRoute, { country: ['US'], as_of: asOf })).toEqual([
      {
        parameter: 'as_of',
        message: `Nothing was known at ${asOf}: the first vintage became known at ${nearest}. Ask for a later as_of.`,
        nearest,
      },
    ]);
  });

  it('of the calendar and of events has the time of the first known entry', async () => {
    const first = '2024-01-01T00:00:00.000Z';
    const hint = (what: string, known: string, asOf: string) => [
      {
        parameter: 'as_of',
        message: `Nothing was known at ${asOf}: the first ${what} became known at ${known}. Ask for a later as_of.`,
        nearest: known,
      },
    ];
    const early = '2023-12-31T23:59:59.999Z';
    expect(await hintsOf(economicCalendar, { as_of: early, start_date: '2024-03-12' })).toEqual(hint('entry', first, early));
    expect(await hintsOf(events, { as_of: early })).toEqual(hint('event', first, early));
    // None there is at any time, or none but on other days.
    for (const query of [
      { as_of: early, start_date: '2024-03-21' },
      { start_date: '2024-03-21' },
      { as_of: first, end_date: '2024-03-11' },
    ]) {
      expect([await hintsOf(economicCalendar, query), await hintsOf(events, query)]).toEqual([undefined, undefined]);
    }
    const nowhere = [of('country', 'There is no country FRX.', 'fr')];
    expect([await hintsOf(economicCalendar, { country: 'FRX' }), await hintsOf(events, { country: 'FRX' })]).toEqual([nowhere, nowhere]);
    expect(await hintsOf(economicCalendar, { indicator_id: ['us_cpj'] })).toEqual([
      of('indicator_id', 'There is no indicator us_cpj.', 'us_cpi'),
    ]);
  });

  it('has no hint without a reason, and neither has one with rows or after the first page', async () => {
    expect(await hintsOf(observationsRoute, { country: ['US'], start_date: '2050-01-01' })).toBeUndefined();
    expect(await hintsOf(observationsRoute, { country: ['US', 'FRX'] })).toBeUndefined();
    expect(await hintsOf(observationsRoute, { source_id: 'q' }, ['2050-01-01', '2050-01-01T00:00:00.000Z', '1'])).toBeUndefined();
  });
});
