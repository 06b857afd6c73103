// Every field of every row has a row where it differs, and every value of an enumeration a row that has it: a field that were always the same
// would say nothing, and no other test would see it. The lists are those of the contract, written out here.
import { afterAll, describe, expect, it } from 'vitest';
import { fredMdFile } from '../pipeline.ts';
import { fixtureFiles, startFixtureService } from '../routes/fixture-service.ts';
import { startSampleService } from '../service.ts';
import { PROMISED } from '../contract/table.ts';
import { feeds, item, lines, pages, type Row, varietyOf } from './rows.ts';

const sample = await startSampleService();
// What a sample that came in at one moment, without an address and without a failure, cannot show.
const MONTHS = ['2025-09', '2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
const course = (factor: number) => Object.fromEntries(MONTHS.map((month, index) => [month, (100 + index) * factor]));
const small = await startFixtureService(
  [
    {
      at: '2026-07-02T12:00:00.000Z',
      files: {
        ...fredMdFile('2026-06', { PAYEMS: course(1000), INDPRO: course(1), UNRATE: { '2026-05': 4.1 } }),
        'ecb-eurofxref/eurofxref.csv': '<html>',
      },
    },
    {
      at: '2026-09-20T12:00:00.000Z',
      files: {
        ...fredMdFile('2026-07', {
          PAYEMS: { ...course(1000), '2026-05': -109_000, '2026-06': 109_500 },
          INDPRO: { ...course(1), '2026-04': 10_700 },
        }),
        ...fixtureFiles('bls_calendar', 'schedule-with-changes'),
      },
    },
  ],
  '2026-09-21T00:00:00.000Z',
);
afterAll(async () => {
  await small.stop();
  await sample.stop();
});

const both = async (read: (service: typeof sample) => Promise<readonly Row[]>): Promise<readonly Row[]> => [
  ...(await read(sample)),
  ...(await read(small)),
];

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const within = (prefix: string, text: string): readonly string[] => words(text).map((field) => `${prefix}.${field}`);

const OBSERVATION = words(`
  observationId indicatorId indicatorName category subCategory factorHint country instrumentId currency sourceId provider releaseDate period periodEnd
  actual forecast consensus surprise surprisePercent unit frequency importance observedAt retrievedAt revised vintage sourceUrl attribution rawAvailable
  releaseEventId sourceTier fallbackOnly scoringEligible freshnessStatus collectionStatus ceasedFinalPeriod successorIndicatorId cadenceComparable
  preferredForFactor factorKey comparisonBasis derivedFrom`);
const RIGHTS = within('rights', 'redistributable license note');
const LATEST = words('previous revisedPrevious previousType');

interface Kind {
  readonly fields: readonly string[];
  readonly rows: () => Promise<readonly Row[]>;
  /** Values of the contract, in full. */
  readonly values?: Readonly<Record<string, string>>;
}

const TIERS = 'central_bank official_national official_supranational service_derived multilateral_fallback market_data news other';
const OBSERVATION_VALUES = {
  sourceTier: TIERS,
  freshnessStatus: 'fresh stale unknown',
  collectionStatus: 'ceased null',
  frequency: 'daily weekly monthly quarterly annual event static',
  importance: 'low medium high',
  comparisonBasis: 'level yoy qoq qoq_saar mom balance rate',
};
const AS_KNOWN = '/observations?vintage=all&start_date=2019-11-01&end_date=2020-01-31';
const observations = (service: typeof sample) =>
  Promise.all([
    lines(service, AS_KNOWN),
    lines(service, '/observations?vintage=all&start_date=2026-10-01'),
    lines(service, '/observations?source_id=world_bank&start_date=2023-01-01'),
    lines(service, '/observations?indicator=nonfarm_payrolls&start_date=2026-03-01&end_date=2026-05-31'),
  ]).then((some) => some.flat());

const PANEL = words(
  `date asOf entityId country factor factorKey indicatorId observationId vintage value unit period periodEnd observedAt releaseNumber
  isRevised isBackfill sourceId sourceTier freshnessStatus scoringEligible eopLag mopLag grade`,
);
const PANEL_QUESTIONS = [
  'factor=nonfarm_payrolls,cpi_inflation_yoy,consumer_confidence,business_confidence,policy_rate,cb_statement_sentiment&from=2019-06-01&to=2026-10-31',
  'factor=price_to_earnings,cot_positioning_percentile,population&entity=us,company_9999999001,cftc_043602&from=2024-01-01&to=2026-10-31',
];
const panelsOf = async (path: string) =>
  (await Promise.all(PANEL_QUESTIONS.map((question) => pages(sample, `${path}?${question}`)))).flat();

const KINDS: Readonly<Record<string, Kind>> = {
  '/observations': { fields: [...OBSERVATION, ...RIGHTS], rows: () => both(observations), values: OBSERVATION_VALUES },
  '/public/observations': {
    fields: OBSERVATION,
    rows: async () => [
      ...(await lines(sample, '/public/observations?vintage=all&start_date=2019-11-01&end_date=2020-01-31')),
      ...(await lines(sample, '/public/observations?start_date=2026-10-15')),
      ...(await lines(sample, '/public/observations?source_id=world_bank&start_date=2024-01-01')),
      ...(await lines(small, '/public/observations')),
    ],
  },
  '/observations/latest': {
    fields: [...OBSERVATION, ...RIGHTS, ...LATEST],
    rows: () => both((service) => lines(service, '/observations/latest')),
    values: { ...OBSERVATION_VALUES, previousType: 'prior_period prior_year_period prior_meeting null' },
  },
  '/public/observations/latest': {
    fields: [...OBSERVATION, ...LATEST],
    rows: () => both((service) => lines(service, '/public/observations/latest')),
  },
  '/observations/changes': {
    fields: [...OBSERVATION, ...RIGHTS, ...words('changeSequence changeType changedAt priorObservationId priorActual')],
    rows: async () => [
      ...(await lines(sample, '/observations/changes?start_date=2019-11-01&end_date=2020-01-31')),
      ...(await lines(sample, '/observations/changes?start_date=2026-10-15')),
      ...(await lines(sample, '/observations/changes?indicator=ip_consumer_goods')),
      ...(await lines(sample, '/observations/changes?source_id=world_bank&start_date=2025-01-01')),
      ...(await lines(small, '/observations/changes')),
    ],
    values: { changeType: 'insert revise retract' },
  },
  '/entities/{entityId}/observations': {
    fields: OBSERVATION,
    rows: async () => [
      ...(await lines(sample, '/entities/us/observations?vintage=all&start_date=2019-10-01&end_date=2020-01-31')),
      ...(await lines(sample, '/entities/us/observations?start_date=2026-09-01')),
      ...(await lines(sample, '/entities/de/observations?start_date=2025-12-01')),
      ...(await lines(sample, '/entities/index_vix/observations?start_date=2026-11-01')),
      ...(await lines(small, '/entities/us/observations')),
    ],
  },
  '/panels': { fields: [...PANEL, ...RIGHTS], rows: () => panelsOf('/panels') },
  '/public/panels': { fields: PANEL, rows: () => panelsOf('/public/panels') },
  '/platform/macro-data': {
    fields: [
      ...OBSERVATION,
      ...words(
        'forecastMethod forecastLower forecastUpper forecastLevel forecastPeriod forecastOrigin forecastModelVersion forecastTarget',
      ),
    ],
    rows: async () => [
      ...(await pages(sample, '/platform/macro-data?vintage=all&start_date=2019-11-01&end_date=2020-01-31')),
      ...(await pages(sample, '/platform/macro-data?start_date=2026-11-01')),
      ...(await pages(sample, '/platform/macro-data?start_date=2026-10-01&frequency=monthly')),
      ...(await pages(sample, '/platform/macro-data?start_date=2026-01-01&frequency=quarterly')),
      ...(await pages(sample, '/platform/macro-data?start_date=2025-01-01&frequency=annual')),
      ...(await pages(small, '/platform/macro-data')),
    ],
    values: { forecastTarget: 'revised null', forecastMethod: 'comb_theta_damped_v1 comb_dotm_ets_v2 comb_dotm_ets_v3 naive_v1 null' },
  },
  '/derived-observations': {
    fields: [
      ...words(`id entityId indicatorId sourceId providerId derivedFrom valueNumeric valueText unit frequency periodStart periodEnd observedAt releasedAt
        ingestedAt revisionStatus sourceUrl attribution freshnessStatus metadata inputObservationIds`),
      ...RIGHTS,
      ...within('sourceRefs[]', 'sourceId indicatorId url'),
    ],
    rows: () => both((service) => lines(service, '/derived-observations?vintage=all&start_date=2026-04-01')),
    values: { revisionStatus: 'initial revised final unknown', freshnessStatus: 'fresh stale unknown' },
  },
  '/derived-indicators': {
    fields:
      words(`indicatorId slug name family unit cadence derivedFrom sourceIds entityIds entityCount observationCount latestPeriodEnd refreshedAt
      availability availabilityReason preferredSourceId`),
    rows: async () => [
      ...(await both((service) => pages(service, '/derived-indicators'))),
      await item(sample, '/derived-indicators/cpi_inflation_yoy'),
    ],
    values: { availability: 'public internal_only' },
  },
  '/entities': {
    fields: [
      ...words('entityId slug entityType name shortName country currency parentEntityId status successorEntityId validFrom validTo'),
      ...words('indicatorCount observationCount latestPeriodEnd createdAt updatedAt'),
      ...within('identifiers', 'iso2 iso3 isoNumeric cik lei figi isin ticker mic cftcContractCode'),
    ],
    rows: () => both((service) => pages(service, '/entities')),
    values: {
      entityType: 'country currency_area region central_bank company futures_contract instrument index commodity currency',
      status: 'active inactive merged',
    },
  },
  '/entities/{idOrSlug}/aliases': {
    fields: words('aliasId entityId alias aliasNormalized aliasType scheme isPrimary validFrom validTo sourceId confidence createdAt'),
    rows: async () => {
      const ids = 'us cn de cur_usd cur_eur cur_rol cftc_001602 company_9999999001 index_vix cb_fed region_wld ea'.split(' ');
      const found = await Promise.all(ids.map((id) => pages(sample, `/entities/${id}/aliases`)));
      return [...found.flat(), ...(await pages(small, '/entities/us/aliases'))];
    },
    values: {
      aliasType:
        'name short_name slug iso2 iso3 iso_numeric currency ticker cik lei isin figi wb_code imf_code oecd_code eurostat_code fred_code cftc_code',
    },
  },
  '/entities/resolve': {
    fields: ['entity', 'matchedAlias', 'matchType', 'entity.entityId', 'matchedAlias.alias'],
    rows: () =>
      Promise.all(
        ['United States', 'united  states', 'DEU', 'germany.'].map((alias) =>
          item(sample, `/entities/resolve?alias=${encodeURIComponent(alias)}`),
        ),
      ),
    values: { matchType: 'exact normalized' },
  },
  '/countries': {
    fields:
      words(`countryId entityId slug name officialName iso2 iso3 isoNumeric region subregion incomeGroup currency centralBankEntityId timezone
      isCurrencyArea memberOf indicatorCount observationCount latestPeriodEnd`),
    rows: () => pages(sample, '/countries'),
  },
  '/countries/available-indicators': {
    fields: [
      ...words('countryId name indicatorCount'),
      ...within(
        'indicators[]',
        `indicatorId canonicalIndicatorId factorKey frequency unit sourceId sourceTier firstPeriodEnd latestPeriodEnd freshnessStatus collectionStatus`,
      ),
    ],
    rows: () => pages(sample, '/countries/available-indicators'),
  },
  '/canonical-indicators': {
    fields: [
      ...words(`canonicalIndicatorId slug name description category subCategory factorHint factorKey unit comparisonBasis seasonalAdjustment frequency
        cadenceComparable polarity importance derivedFrom aliases preferredSourceIds entityTypes screenable countryCount observationCount latestPeriodEnd status
        successorIndicatorId updatedAt`),
      ...within('externalCodes', 'fred sdmx worldBank'),
    ],
    rows: () => pages(sample, '/canonical-indicators'),
    values: {
      seasonalAdjustment: 'sa nsa swda trend na',
      polarity: '-1 0 1',
      importance: 'low medium high',
      status: 'active ceased',
      comparisonBasis: OBSERVATION_VALUES.comparisonBasis,
      frequency: OBSERVATION_VALUES.frequency,
    },
  },
  '/indicators': {
    fields: [
      ...words(`indicatorId canonicalIndicatorId factorKey name category entityId country frequency unit sourceId sourceTier firstPeriodEnd latestPeriodEnd
        observationCount vintageCount freshnessStatus collectionStatus ceasedFinalPeriod successorIndicatorId`),
      ...RIGHTS,
    ],
    rows: () => pages(sample, '/indicators'),
    values: { collectionStatus: 'ceased null', freshnessStatus: 'fresh stale unknown', sourceTier: TIERS },
  },
  '/indicators/series': {
    fields: words('indicatorId observationCount vintageCount meanAbsRevision revisedShare medianReleaseLagDays'),
    rows: () => pages(sample, '/indicators/series'),
  },
  '/indicators/entities': {
    fields: words('entityId name entityType country indicatorIds sourceIds firstPeriodEnd latestPeriodEnd observationCount'),
    rows: async () => [
      ...(await pages(sample, '/indicators/entities?indicator_id=cpi_inflation_yoy')),
      ...(await pages(sample, '/indicators/entities?indicator_id=price_close')),
      ...(await pages(sample, '/indicators/entities?indicator_id=ecb_reference_rate')),
    ],
  },
  '/source-health': {
    fields: [
      ...words(`sourceId name provider sourceTier connectorId connectorVersion status lastAttemptAt lastSuccessAt lastNewDataAt lastErrorAt lastErrorCode
        lastErrorMessage consecutiveFailures successRate7d latencyMsP50 expectedIntervalSeconds nextRunAt seriesTotal seriesFresh seriesStale seriesCeased
        seriesUnknown quarantinedOpen freshnessStatus checkedAt`),
      ...RIGHTS,
    ],
    rows: () => both((service) => pages(service, '/source-health')),
    values: { status: 'healthy degraded failing paused unknown', freshnessStatus: 'fresh stale unknown' },
  },
  '/quarantine': {
    fields:
      words(`quarantineId sourceId connectorId ingestionRunId entityId indicatorId period rule ruleVersion severity reason fieldPath observedValue
      expected rawPayloadId status detectedAt resolvedAt resolution observationId`),
    rows: () => both((service) => pages(service, '/quarantine')),
    values: {
      rule: `schema_drift unit_mismatch scale_jump out_of_range sign_flip future_period time_travel duplicate_conflict period_regression
        identity_unresolved reconciliation_failed`,
      severity: 'warn block',
      status: 'open released rejected superseded',
    },
  },
  '/events': {
    fields: [
      ...words(`eventId eventType title summary entityId country currency importance status occurredAt timePrecision publishedAt observedAt indicatorIds
        observationIds calendarEventId sourceId sourceTier sourceUrl documentHash language attribution`),
      ...RIGHTS,
    ],
    rows: () => both((service) => pages(service, '/events')),
    values: {
      eventType: 'policy_decision policy_statement minutes speech data_release filing auction other',
      status: 'scheduled occurred postponed cancelled unconfirmed',
      timePrecision: 'minute day month',
      importance: 'low medium high',
    },
  },
  '/economic-calendar': {
    fields:
      words(`eventId title country entityId currency category indicatorId canonicalIndicatorId factorKey importance scheduledAt timePrecision timezone
      status period periodEnd actual previous revisedPrevious consensus forecast forecastMethod forecastLower forecastUpper unit frequency releasedAt
      observationId scheduleVersion observedAt sourceId sourceUrl attribution`),
    rows: () => both((service) => pages(service, '/economic-calendar')),
    values: {
      status: 'scheduled released postponed cancelled unconfirmed',
      timePrecision: 'exact date_only estimated tentative',
      importance: 'low medium high',
    },
  },
  '/public/companies': {
    fields: [
      ...words(`companyId entityId cik lei ticker exchange tickers name sector industry sic classificationScheme country reportingCurrency fiscalYearEnd status
        sharesOutstanding sharesAsOf price priceAsOf marketCap latestPeriodEnd latestFiledAt multiples scoreAsOf scoreCoverage freshnessStatus scoringEligible
        rightsNote nullReasons`),
      ...within('scores', 'composite value quality growth financialHealth'),
    ],
    rows: () => pages(sample, '/public/companies'),
    values: { status: 'active delisted acquired unknown', freshnessStatus: 'fresh stale unknown' },
  },
  '/companies/{idOrLookup}/financials': {
    fields: [
      ...words(`statementId companyId cik statementType periodType fiscalYear fiscalPeriod periodStart periodEnd form accessionNumber filedAt acceptedAt
        observedAt revisionStatus restated splitFactor derived derivation currency items sourceUrl`),
      ...within('lines[]', 'key label value unit concept decimals quality factRefs'),
    ],
    rows: async () => [
      ...(await lines(sample, '/companies/ZZSMB/financials')),
      ...(await lines(sample, '/companies/ZZSMA/financials?start_date=2025-01-01')),
    ],
    values: {
      statementType: 'income balance_sheet cash_flow',
      periodType: 'annual quarterly ytd ttm instant',
      fiscalPeriod: 'FY Q1 Q2 Q3 Q4 H1 9M TTM',
      derivation: 'none fy_minus_9m fy_minus_3q ytd_difference ttm_roll',
      'lines[].quality': 'reported derived',
    },
  },
  '/provenance/observations/{observationId}': {
    fields: [
      ...words('observationId indicatorId entityId period actual unit vintage observedAt sourceUrl chainHash'),
      ...within('source', 'sourceId name publisher sourceTier homepageUrl license'),
      ...within('release', 'releaseEventId title publishedAt'),
      'rawPayload',
      ...within('rawPayload', 'payloadId sha256 bytes mediaType httpStatus etag lastModified retrievedAt available locator'),
      'ingestionRun',
      ...within(
        'ingestionRun',
        'runId connectorId connectorVersion codeRevision startedAt finishedAt status rowsRead rowsWritten rowsQuarantined',
      ),
      ...within('transformations[]', 'step name version params'),
      ...within('inputs[]', 'observationId indicatorId role payloads'),
      ...within('inputs[].payloads[]', 'payloadId sha256'),
      'consensus',
      ...within('vintages[]', 'vintage observedAt actual observationId'),
      ...within('scoring', 'eligible reasons'),
    ],
    rows: async () => {
      const ids = async (service: typeof sample, path: string) =>
        (await pages(service, path)).slice(0, 4).map((row) => [service, String(row['observationId'])] as const);
      const asked = [
        ...(await ids(sample, '/observations?indicator_id=us_nonfarm_payrolls&start_date=2026-06-01')),
        ...(await ids(sample, '/observations?indicator_id=us_cpi_inflation_yoy&start_date=2026-06-01')),
        ...(await ids(sample, '/observations?indicator_id=us_payrolls_mom_change&start_date=2026-06-01')),
        ...(await ids(sample, '/observations?indicator_id=us_gdp_nominal&start_date=2025-12-01')),
        ...(await ids(sample, '/observations?source_id=world_bank&country=DE&start_date=2024-01-01')),
        ...(await ids(sample, '/observations?source_id=fed_statements')),
        ...(await ids(
          small,
          '/observations?indicator_id=us_nonfarm_payrolls&vintage=all&sort=observed_at&order=desc&start_date=2026-04-01',
        )),
        ...(await ids(small, '/observations?indicator_id=us_nonfarm_payrolls&end_date=2025-12-31')),
      ];
      return Promise.all(asked.map(([service, id]) => item(service, `/provenance/observations/${id}`)));
    },
  },
  '/ops/liveness': {
    fields:
      words(`indicatorId entityId sourceId frequency latestPeriodEnd latestObservedAt lastCheckedAt lastAdvanceAt expectedNextAt ageDays budgetDays
      overdueDays identicalPrints upstreamAdvanced verdict reasons`),
    rows: () => both(feeds),
    values: { verdict: 'live late frozen ceased unknown' },
  },
  '/public/screener/filters': {
    fields: words('field label type unit operators modifiers universes min p05 median p95 max coverageCount enumValues example'),
    rows: () => pages(sample, '/public/screener/filters'),
    values: { type: 'number string boolean date' },
  },
  '/public/screener': {
    fields: [
      ...words('rank entityId entityType name country'),
      ...within('cells[]', 'value unit period periodEnd observedAt observationId sourceTier freshnessStatus scoringEligible percentile'),
    ],
    rows: async () => {
      const columns = 'consumer_confidence,initial_jobless_claims,exchange_rate_cny_per_usd,unemployment_rate,population';
      const screen = `/public/screener?universe=entities&eligible_only=false&columns=${columns}`;
      const filter = 'filter=consumer_confidence:is:notnull|exchange_rate_cny_per_usd:is:notnull';
      const rows = [...(await pages(sample, `${screen}&${filter}`)), ...(await pages(sample, `${screen}&${filter}&as_of=2020-06-30`))];
      return rows.map((row) => ({ ...row, cells: Object.values(row['values'] as Row).filter((cell) => cell !== null) }));
    },
  },
  '/snapshot': {
    fields: [
      ...words('snapshotId generatedAt knowledgeCutoff schemaVersion previousSnapshotId contentHash changesCursor manifestUrl'),
      ...within('counts', 'entities countries indicators observations vintages companies events'),
      ...within('tables[]', 'name rowCount bytes partitions maxObservedAt hash'),
    ],
    rows: () => both(async (service) => [await item(service, '/snapshot')]),
  },
  '/manifest': {
    fields: [
      ...words('profile name id version created snapshotId'),
      ...within('licenses[]', 'name title path'),
      ...within('sources[]', 'sourceId title path'),
      ...within(
        'resources[]',
        'name table description type path format mediatype bytes hash partition rowCount minPeriodEnd maxPeriodEnd minObservedAt maxObservedAt rights',
      ),
      ...within('resources[].schema', 'primaryKey'),
      ...within('resources[].schema.fields[]', 'name type physicalType unit description'),
    ],
    rows: () => both(async (service) => [await item(service, '/manifest')]),
  },
  '/coverage': {
    fields: [
      'asOf',
      ...within('totals', 'entities countries indicators observations'),
      ...within('categories[]', 'category indicatorCount observationCount'),
      ...within('countries[]', 'iso2 name indicatorCount observationCount latestPeriodEnd'),
    ],
    rows: () => both(async (service) => [await item(service, '/coverage')]),
  },
};

type Stated = Readonly<Record<string, string>>;
const at = (path: string, fields: Stated): Stated =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${path} ${field}`, value]));

const OF_EVERY_OBSERVATION = {
  // A row without its bytes in the archive cannot come about.
  rawAvailable: 'true',
};
/** A forecast stands on /platform/macro-data alone. */
const NO_FORECAST = { forecast: 'null' };

/** Fields that are always the same, with what they are: a line that no longer holds has to go. */
const SAME: Stated = {
  ...at('/observations', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  ...at('/public/observations', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  ...at('/observations/latest', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  ...at('/public/observations/latest', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  ...at('/observations/changes', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  ...at('/entities/{entityId}/observations', { ...OF_EVERY_OBSERVATION, ...NO_FORECAST }),
  // No newest period of these series is revised before a later one comes, and what is computed from prices is granted.
  ...at('/panels', { isBackfill: 'false', isRevised: 'false', releaseNumber: '1', 'rights.redistributable': 'true' }),
  ...at('/public/panels', { isBackfill: 'false', isRevised: 'false', releaseNumber: '1' }),
  // Macro rows are of no instrument.
  ...at('/platform/macro-data', { ...OF_EVERY_OBSERVATION, instrumentId: 'null' }),
  // The service computed them all, and shows none that may not be passed on.
  ...at('/derived-observations', { providerId: '"asof"', 'rights.redistributable': 'true' }),
  // The invented prices are granted, so nothing that is computed is withheld.
  ...at('/derived-indicators', { availability: '"public"', availabilityReason: 'null' }),
  // No reference data hold these codes.
  ...at('/entities', { 'identifiers.figi': 'null', 'identifiers.isin': 'null', 'identifiers.lei': 'null' }),
  ...at('/entities/{idOrSlug}/aliases', { confidence: '1', sourceId: 'null' }),
  // No rule has changed yet.
  // Schedules and documents of the publishers may all be passed on.
  ...at('/events', { 'rights.note': 'null', 'rights.redistributable': 'true' }),
  ...at('/public/companies', {
    classificationScheme: '"SIC"',
    fiscalYearEnd: '"12-31"',
    lei: 'null',
    reportingCurrency: '"USD"',
    // The invented prices are granted.
    rightsNote: 'null',
  }),
  // EDGAR's facts do not say how accurate they are.
  // The splits of reference data are of real companies: test/filings/restatements.long.test.ts has rows of other factors.
  ...at('/companies/{idOrLookup}/financials', { currency: '"USD"', 'lines[].decimals': 'null', splitFactor: '1' }),
  ...at('/provenance/observations/{observationId}', {
    // A run that failed wrote no row.
    'ingestionRun.status': '"ok"',
    'rawPayload.available': 'true',
    // Both came from a folder, not from a server.
    'rawPayload.etag': 'null',
    'rawPayload.httpStatus': 'null',
    'rawPayload.lastModified': 'null',
  }),
  // Both are first snapshots of one version; the countries are those of reference data.
  ...at('/snapshot', { 'counts.countries': '250', manifestUrl: '"/manifest"', previousSnapshotId: 'null', schemaVersion: '"9"' }),
  ...at('/manifest', {
    name: '"asof"',
    profile: '"data-package"',
    'resources[].format': '"parquet"',
    'resources[].mediatype': '"application/vnd.apache.parquet"',
    'resources[].type': '"file"',
    version: '"0.1.0"',
  }),
};

const none = (path: string, field: string, values: string): readonly string[] => words(values).map((value) => `${path} ${field} ${value}`);

/** Values of the contract that no row has. */
const NOWHERE: readonly string[] = [
  // No source of news, and no series without a time.
  ...none('/observations', 'sourceTier', 'news'),
  ...none('/observations', 'frequency', 'static'),
  ...none('/observations/latest', 'sourceTier', 'news'),
  ...none('/observations/latest', 'frequency', 'static'),
  ...none('/indicators', 'sourceTier', 'news'),
  ...none('/canonical-indicators', 'frequency', 'static'),
  // Every row is compared with the period before.
  ...none('/observations/latest', 'previousType', 'prior_meeting prior_year_period'),
  // What can still be revised is never final.
  ...none('/derived-observations', 'revisionStatus', 'final unknown'),
  ...none('/derived-indicators', 'availability', 'internal_only'),
  // The sample of the tests is of a day before this model was in force: test/boundaries/forecasts.test.ts has its rows.
  ...none('/platform/macro-data', 'forecastMethod', 'comb_dotm_ets_v2'),
  ...none('/platform/macro-data', 'forecastMethod', 'comb_dotm_ets_v3'),
  // Reference data hold no entity that was merged, and none of these codes.
  ...none('/entities', 'status', 'merged'),
  ...none('/entities/{idOrSlug}/aliases', 'aliasType', 'figi fred_code isin lei'),
  ...none('/canonical-indicators', 'seasonalAdjustment', 'trend'),
  // Every source is scheduled, and none has ceased as a whole.
  ...none('/source-health', 'status', 'paused'),
  // The readers hold values back to their retrieval, so that none is earlier than it can be; no reader knows another unit than the reference data;
  // nothing rejects by hand, and no connector has a second version.
  ...none('/quarantine', 'rule', 'time_travel unit_mismatch'),
  ...none('/quarantine', 'status', 'rejected superseded'),
  // No source of such events.
  ...none('/events', 'eventType', 'auction filing other speech'),
  ...none('/events', 'timePrecision', 'month'),
  ...none('/economic-calendar', 'timePrecision', 'estimated'),
  // EDGAR does not say what became of a filer, and every filer of the sample has reported.
  ...none('/public/companies', 'status', 'acquired delisted'),
  ...none('/public/companies', 'freshnessStatus', 'unknown'),
  // The invented companies all state nine months.
  ...none('/companies/{idOrLookup}/financials', 'derivation', 'fy_minus_3q'),
  ...none('/public/screener/filters', 'type', 'boolean date'),
];

it('every route is tested, except one with the rows of a tested route', () => {
  const asked = new Set(PROMISED.filter(({ path }) => KINDS[path] !== undefined).map(({ fields }) => fields));
  expect(PROMISED.filter(({ fields }) => !asked.has(fields)).map(({ path }) => path)).toEqual([]);
});

it('every derived indicator has values in the sample, except those whose level is not in it', async () => {
  const listed = await pages(sample, '/derived-indicators');
  const empty = listed.filter((entry) => entry['observationCount'] === 0).map((entry) => entry['slug']);
  expect(empty).toEqual([
    'core_cpi_inflation_quarterly',
    'core_pce_inflation_mom',
    'core_pce_inflation_quarterly',
    'core_pce_inflation_yoy',
    'gdp_growth_of_year',
  ]);
});

describe.each(Object.entries(KINDS))('%s', (path, kind) => {
  it('has a row for each variation of a field, and rows for each value', async () => {
    const rows = await kind.rows();
    expect(rows.length).toBeGreaterThan(1);
    const same = kind.fields.flatMap((field) => {
      const variety = varietyOf(rows, field);
      return variety.size < 2 ? [[`${path} ${field}`, [...variety][0] ?? 'no value']] : [];
    });
    const nowhere = Object.entries(kind.values ?? {}).flatMap(([field, values]) => {
      const seen = new Set([...varietyOf(rows, field)].map((value) => value.replaceAll('"', '')));
      const strangers = [...seen].filter((value) => !words(values).includes(value)).map((value) => `${value} is no value of the contract`);
      return [...strangers, ...words(values).filter((value) => !seen.has(value))].map((value) => `${path} ${field} ${value}`);
    });
    const isOwn = (name: string) => name.startsWith(`${path} `);
    expect({ same: Object.fromEntries(same), nowhere: nowhere.toSorted() }).toEqual({
      same: Object.fromEntries(Object.entries(SAME).filter(([name]) => isOwn(name))),
      nowhere: NOWHERE.filter(isOwn).toSorted(),
    });
  });
});
