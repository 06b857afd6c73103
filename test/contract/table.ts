// What each route promises, written out by hand in the notation of the contract; nothing here is read from the routes or their description.
// s text · n number · i whole number · b boolean · d day · t instant · v number or text · ? may be null · [] list · e{a|b} one of · {…} object
// · {} any object · {* x} object with any keys.

export type Scope = 'data:read' | 'ops:read';

export interface Promised {
  /** As in the description: `/entities/{idOrSlug}`. */
  readonly path: string;
  readonly kind: 'list' | 'item';
  readonly scope: Scope;
  /** Whether a free key sees the trailing 24 months alone. */
  readonly isHistory: boolean;
  /** Whether csv, ndjson, arrow and parquet are offered. */
  readonly isBulk: boolean;
  /** Sortable fields, the default first; ascending unless asked. */
  readonly sorts: readonly string[];
  /** Of a row of the list, or of the item. */
  readonly fields: string;
  /** Members of meta beside request_id, requestId, api_version, pagination and history_limited. */
  readonly meta: string;
}

const TIER = 'e{central_bank|official_national|official_supranational|service_derived|multilateral_fallback|market_data|news|other}';
const FREQUENCY = 'e{daily|weekly|monthly|quarterly|annual|event|static}';
const FRESHNESS = 'e{fresh|stale|unknown}';
const IMPORTANCE = 'e{low|medium|high}';
const BASIS = 'e{level|yoy|qoq|qoq_saar|mom|balance|rate}';
const RIGHTS = '{redistributable b, license s, note s?}';

const ENTITY = `entityId s, slug s,
  entityType e{country|currency_area|region|central_bank|company|futures_contract|instrument|index|commodity|currency},
  name s, shortName s?, country s?, currency s?, parentEntityId s?,
  identifiers {iso2 s?, iso3 s?, isoNumeric s?, cik s?, lei s?, figi s?, isin s?, ticker s?, mic s?, cftcContractCode s?},
  status e{active|inactive|merged}, successorEntityId s?, validFrom d?, validTo d?, indicatorCount i, observationCount i,
  latestPeriodEnd d?, createdAt t, updatedAt t`;

const ALIAS = `aliasId s, entityId s, alias s, aliasNormalized s,
  aliasType e{name|short_name|slug|iso2|iso3|iso_numeric|currency|ticker|cik|lei|isin|figi|wb_code|imf_code|oecd_code|eurostat_code|fred_code|cftc_code},
  scheme s?, isPrimary b, validFrom d?, validTo d?, sourceId s?, confidence n, createdAt t`;

const COUNTRY = `countryId s, entityId s, slug s, name s, officialName s?, iso2 s, iso3 s, isoNumeric s?, region s?, subregion s?,
  incomeGroup s?, currency s?, centralBankEntityId s?, timezone s?, isCurrencyArea b, memberOf s[], indicatorCount i,
  observationCount i, latestPeriodEnd d?`;

const AVAILABLE = `countryId s, name s, indicatorCount i, indicators {indicatorId s, canonicalIndicatorId s, factorKey s?,
  frequency ${FREQUENCY}, unit s?, sourceId s, sourceTier ${TIER}, firstPeriodEnd d?, latestPeriodEnd d?,
  freshnessStatus ${FRESHNESS}, collectionStatus e{ceased}?}[]`;

const CANONICAL = `canonicalIndicatorId s, slug s, name s, description s?, category s, subCategory s?, factorHint s?, factorKey s,
  unit s, comparisonBasis ${BASIS}, seasonalAdjustment e{sa|nsa|swda|trend|na}, frequency ${FREQUENCY}, cadenceComparable b,
  polarity i, importance ${IMPORTANCE}, derivedFrom s[], aliases s[], externalCodes {fred s?, sdmx s?, worldBank s?},
  preferredSourceIds s[], entityTypes s[], screenable b, countryCount i, observationCount i, latestPeriodEnd d?,
  status e{active|ceased}, successorIndicatorId s?, updatedAt t`;

const INDICATOR = `indicatorId s, canonicalIndicatorId s?, factorKey s?, name s, category s, entityId s, country s?,
  frequency ${FREQUENCY}, unit s?, sourceId s, sourceTier ${TIER}, firstPeriodEnd d?, latestPeriodEnd d?, observationCount i,
  vintageCount i, freshnessStatus ${FRESHNESS}, collectionStatus e{ceased}?, ceasedFinalPeriod s?, successorIndicatorId s?,
  rights ${RIGHTS}`;

const OBSERVATION = `observationId s?, indicatorId s?, indicatorName s?, category s?, subCategory s?, factorHint s?, country s?,
  instrumentId s?, currency s?, sourceId s?, provider s?, releaseDate d?, period s?, periodEnd d?, actual n?, forecast n?,
  consensus n?, surprise n?, surprisePercent n?, unit s?, frequency ${FREQUENCY}?, importance ${IMPORTANCE}?, observedAt t?,
  retrievedAt t?, revised b?, vintage s?, sourceUrl s?, attribution s?, rawAvailable b?, releaseEventId s?, sourceTier ${TIER}?,
  fallbackOnly b?, scoringEligible b?, freshnessStatus ${FRESHNESS}?, collectionStatus e{ceased}?, ceasedFinalPeriod s?,
  successorIndicatorId s?, cadenceComparable b?, preferredForFactor b?, factorKey s?, comparisonBasis ${BASIS}?, derivedFrom s[]?`;
const LATEST = `${OBSERVATION}, previous n?, revisedPrevious n?, previousType e{prior_period|prior_year_period|prior_meeting}?`;
const FULL = `, rights ${RIGHTS}`;
const CHANGE = `${OBSERVATION}${FULL}, changeSequence i, changeType e{insert|revise|retract}, changedAt t, priorObservationId s?,
  priorActual n?`;
const MACRO = `${OBSERVATION}, forecastMethod s?, forecastLower n?, forecastUpper n?, forecastLevel n?, forecastPeriod s?,
  forecastOrigin t?, forecastModelVersion s?, forecastTarget e{revised}?${FULL}`;

const BACKTEST = `indicatorId s, canonicalIndicatorId s, sourceId s, frequency ${FREQUENCY}, forecastMethod s, forecastModelVersion s,
  forecastLevel n, originCount i, scoredCount i, combinationCount i, mase n?, rmseRatio n?, coverage n?, msis n?, naiveMase n?,
  combinationMase n?, combinationRmseRatio n?`;
const DERIVED_INDICATOR = `indicatorId s, slug s, name s, family s, unit s?, cadence s, derivedFrom s[], sourceIds s[],
  entityIds s[]?, entityCount i, observationCount i, latestPeriodEnd t?, refreshedAt t, availability e{public|internal_only},
  availabilityReason s?, preferredSourceId s?,
  metadata {method s, valuesAt s, backtest {calmCoverage n?, series {${BACKTEST}}[]}?}?`;
const DERIVED_OBSERVATION = `id s, entityId s, indicatorId s, sourceId s, providerId s, derivedFrom s[], valueNumeric n?,
  valueText s?, unit s?, frequency ${FREQUENCY}, periodStart t?, periodEnd t?, observedAt t, releasedAt t?, ingestedAt t,
  revisionStatus e{initial|revised|final|unknown}, sourceUrl s?, attribution s, freshnessStatus ${FRESHNESS}, metadata {},
  rights ${RIGHTS}?, inputObservationIds s[], sourceRefs {sourceId s, indicatorId s, url s?}[]`;

const SCREENED = `{value v?, unit s?, period s?, periodEnd d?, observedAt t?, observationId s?, sourceTier ${TIER}?,
  freshnessStatus ${FRESHNESS}?, scoringEligible b?, percentile n?}`;
const SCREEN = `rank i, entityId s,
  entityType e{country|currency_area|region|central_bank|company|futures_contract|instrument|index|commodity|currency},
  name s, country s?, values {* ${SCREENED}}`;
const SCREEN_FIELD = `field s, label s, type e{number|string|boolean|date}, unit s?, operators s[], modifiers s[], universes s[],
  min n?, p05 n?, median n?, p95 n?, max n?, coverageCount i, enumValues s[]?, example s`;

const COMPANY = `companyId s, entityId s, cik s, lei s?, ticker s?, exchange s?, tickers s[], name s, sector s?, industry s?, sic s?,
  classificationScheme s, country s?, reportingCurrency s?, fiscalYearEnd s?, status e{active|delisted|acquired|unknown},
  sharesOutstanding n?, sharesAsOf d?, price n?, priceAsOf d?, marketCap n?, latestPeriodEnd d?, latestFiledAt t?,
  multiples {priceToEarnings n?, priceToBook n?, priceToSales n?, priceToFreeCashFlow n?, priceToOperatingCashFlow n?, evToEbitda n?,
    evToEbit n?, evToSales n?, evToFreeCashFlow n?, earningsYield n?, freeCashFlowYield n?, dividendYield n?, peg n?},
  scores {composite n?, value n?, quality n?, growth n?, financialHealth n?}, scoreAsOf t?, scoreCoverage n,
  freshnessStatus ${FRESHNESS}, scoringEligible b, rightsNote s?, nullReasons {* s}`;
const STATEMENT = `statementId s, companyId s, cik s, statementType e{income|balance_sheet|cash_flow},
  periodType e{annual|quarterly|ytd|ttm|instant}, fiscalYear i, fiscalPeriod e{FY|Q1|Q2|Q3|Q4|H1|9M|TTM}, periodStart d?, periodEnd d,
  form s, accessionNumber s, filedAt d, acceptedAt t?, observedAt t, revisionStatus e{initial|revised|final|unknown}, restated b,
  splitFactor n, derived b, derivation e{none|fy_minus_9m|fy_minus_3q|ytd_difference|ttm_roll}, currency s, items {* n?},
  lines {key s, label s, value n, unit s, concept s, decimals i?, quality e{reported|derived}, factRefs s[]}[], sourceUrl s`;

const EVENT = `eventId s, eventType e{policy_decision|policy_statement|minutes|speech|data_release|filing|auction|other}, title s,
  summary s?, entityId s?, country s?, currency s?, importance ${IMPORTANCE}, status e{scheduled|occurred|postponed|cancelled|unconfirmed},
  occurredAt t, timePrecision e{minute|day|month}, publishedAt t?, observedAt t, indicatorIds s[], observationIds s[],
  calendarEventId s?, sourceId s, sourceTier ${TIER}, sourceUrl s?, documentHash s?, language s?, attribution s, rights ${RIGHTS}?`;
const CALENDAR = `eventId s, title s, country s, entityId s, currency s?, category s, indicatorId s?, canonicalIndicatorId s?,
  factorKey s?, importance ${IMPORTANCE}, scheduledAt t, timePrecision e{exact|date_only|estimated|tentative}, timezone s,
  status e{scheduled|released|postponed|cancelled|unconfirmed}, period s?, periodEnd d?, actual n?, previous n?, revisedPrevious n?, consensus n?,
  forecast n?, forecastMethod s?, forecastLower n?, forecastUpper n?, unit s?, frequency ${FREQUENCY}?, releasedAt t?,
  observationId s?, scheduleVersion i, observedAt t, sourceId s, sourceUrl s?, attribution s`;

const PROVENANCE = `observationId s, indicatorId s, entityId s, period s, actual n?, unit s?, vintage s, observedAt t,
  source {sourceId s, name s, publisher s, sourceTier ${TIER}, homepageUrl s?, license s}, sourceUrl s?,
  release {releaseEventId s?, title s?, publishedAt t?},
  rawPayload {payloadId s, sha256 s, bytes i, mediaType s, httpStatus i?, etag s?, lastModified s?, retrievedAt t, available b,
    locator s?}?,
  ingestionRun {runId s, connectorId s, connectorVersion i, codeRevision s, startedAt t, finishedAt t, status s, rowsRead i,
    rowsWritten i, rowsQuarantined i}?,
  transformations {step i, name s, version s, params {}}[],
  inputs {observationId s, indicatorId s, role s, payloads {payloadId s, sha256 s}[]}[],
  consensus {sourceId s, observationId s, publishedAt t}?, obsStatus s?,
  vintages {vintage s, observedAt t, actual n?, observationId s}[], scoring {eligible b, reasons s[]}, chainHash s`;

const COUNTS = '{entities i, countries i, indicators i, observations i, vintages i, companies i, events i}';
const MANIFEST = `profile e{data-package}, name e{asof}, id s, version s, created t, snapshotId s, previousSnapshotId s?,
  knowledgeCutoff t, schemaVersion s, contentHash s, lastChangeSequence i, counts ${COUNTS},
  licenses {name s, title s, path s}[], sources {sourceId s, title s, path s}[],
  resources {name s, table s, description s, type e{file}, path s, format e{parquet}, mediatype e{application/vnd.apache.parquet}, bytes i, hash s,
    schema {fields {name s, type e{any|array|boolean|date|datetime|integer|number|object|string}, physicalType s, unit s?, description s}[],
      primaryKey s[]}, partition {* v}, rowCount i, minPeriodEnd d?, maxPeriodEnd d?, minObservedAt t?,
    maxObservedAt t?, rights {}}[]`;
const SNAPSHOT = `snapshotId s, generatedAt t, knowledgeCutoff t, schemaVersion s, previousSnapshotId s?, contentHash s,
  counts ${COUNTS}, tables {name s, rowCount i, bytes i, partitions i, maxObservedAt t?, hash s}[], changesCursor s, manifestUrl s`;
const HEALTH = `sourceId s, name s, provider s, sourceTier ${TIER}, connectorId s, connectorVersion i?,
  status e{healthy|degraded|failing|paused|unknown}, lastAttemptAt t?, lastSuccessAt t?, lastNewDataAt t?, lastErrorAt t?,
  lastErrorCode s?, lastErrorMessage s?, consecutiveFailures i, successRate7d n?, latencyMsP50 n?, expectedIntervalSeconds i?,
  nextRunAt t?, seriesTotal i, seriesFresh i, seriesStale i, seriesCeased i, seriesUnknown i, quarantinedOpen i,
  freshnessStatus ${FRESHNESS}, rights ${RIGHTS}?, checkedAt t`;
const QUARANTINE = `quarantineId s, sourceId s, connectorId s, ingestionRunId s, entityId s?, indicatorId s?, period s?,
  rule e{schema_drift|unit_mismatch|scale_jump|out_of_range|sign_flip|future_period|time_travel|duplicate_conflict|period_regression|identity_unresolved|reconciliation_failed},
  ruleVersion s, severity e{warn|block}, reason s, fieldPath s?, observedValue s?, expected {}?, rawPayloadId s?,
  status e{open|released|rejected|superseded}, detectedAt t, resolvedAt t?, resolution s?, observationId s?`;
const VERDICT = 'e{live|late|frozen|ceased|unknown}';
const LIVENESS = `generatedAt t, summary {live i, late i, frozen i, ceased i, unknown i}, nextCursor s?,
  series {indicatorId s, entityId s, sourceId s, frequency ${FREQUENCY}, latestPeriodEnd d?, latestObservedAt t?, lastCheckedAt t?,
    lastAdvanceAt t?, expectedNextAt t?, ageDays n?, budgetDays n?, overdueDays n, identicalPrints i, upstreamAdvanced b?,
    verdict ${VERDICT}, reasons s[]}[]`;
const COVERAGE = `asOf t, totals {entities i, countries i, indicators i, series i, observations i, vintages i, sources i},
  categories {category s, indicatorCount i, observationCount i}[],
  countries {iso2 s, name s, indicatorCount i, observationCount i, latestPeriodEnd d?}[]`;

const PANEL = `date d, asOf t, entityId s, country s?, factor s, factorKey s?, indicatorId s, observationId s, vintage s, value n?, unit s?,
  period s, periodEnd d, observedAt t, releaseNumber i?, isRevised b, isBackfill b, sourceId s, sourceTier ${TIER},
  freshnessStatus ${FRESHNESS}, scoringEligible b, eopLag i, mopLag i, grade i`;

const AS_OF = 'as_of t?';
const SERIES_SORTS = ['indicator_id', 'name', 'entity_id', 'source_id', 'latest_period_end'];
const OBSERVATION_SORTS = ['period_end', 'observed_at', 'release_date', 'indicator_id', 'actual'];

type More = Partial<Pick<Promised, 'scope' | 'isHistory' | 'isBulk' | 'meta'>>;
const list = (path: string, fields: string, sorts: readonly string[], more: More = {}): Promised => ({
  path,
  kind: 'list',
  scope: 'data:read',
  isHistory: false,
  isBulk: false,
  meta: '',
  ...more,
  sorts,
  fields,
});
const item = (path: string, fields: string, more: More = {}): Promised => ({ ...list(path, fields, [], more), kind: 'item' });
const ops = { scope: 'ops:read' } as const;
const dated = { isHistory: true, meta: AS_OF } as const;
const bulk = { ...dated, isBulk: true } as const;

export const PROMISED: readonly Promised[] = [
  list('/entities', ENTITY, ['name', 'slug', 'entity_type', 'updated_at'], { meta: AS_OF }),
  item('/entities/resolve', `entity {${ENTITY}}, matchedAlias {${ALIAS}}, matchType e{exact|normalized}`),
  item('/entities/{idOrSlug}', ENTITY),
  list('/entities/{idOrSlug}/aliases', ALIAS, ['alias', 'alias_type', 'valid_from'], { meta: AS_OF }),
  list('/entities/{entityId}/observations', OBSERVATION + FULL, OBSERVATION_SORTS, bulk),
  list('/canonical-indicators', CANONICAL, ['canonical_indicator_id', 'name', 'category', 'updated_at'], { meta: AS_OF }),
  list('/countries', COUNTRY, ['name', 'iso2', 'region'], { meta: AS_OF }),
  list('/countries/available-indicators', AVAILABLE, ['name', 'country_id'], { meta: AS_OF }),
  item('/countries/{idOrIso}', COUNTRY),
  list('/indicators', INDICATOR, SERIES_SORTS, { meta: AS_OF }),
  list('/indicators/series', `${INDICATOR}, meanAbsRevision n?, revisedShare n?, medianReleaseLagDays n?`, SERIES_SORTS, { meta: AS_OF }),
  list(
    '/indicators/entities',
    'entityId s, name s?, entityType s, country s?, indicatorIds s[], sourceIds s[], firstPeriodEnd d?, latestPeriodEnd d?, observationCount i',
    ['name', 'entity_id', 'latest_period_end'],
    { meta: AS_OF },
  ),
  list('/observations', OBSERVATION + FULL, OBSERVATION_SORTS, bulk),
  list('/observations/latest', LATEST + FULL, OBSERVATION_SORTS, bulk),
  list('/observations/changes', CHANGE, ['change_sequence'], { ...bulk, meta: `${AS_OF}, resume_cursor s?` }),
  list('/public/observations', OBSERVATION, OBSERVATION_SORTS, bulk),
  list('/public/observations/latest', LATEST, OBSERVATION_SORTS, bulk),
  list('/panels', PANEL + FULL, ['date'], bulk),
  list('/public/panels', PANEL, ['date'], bulk),
  list('/platform/macro-data', MACRO, OBSERVATION_SORTS, dated),
  item('/public/coverage', COVERAGE),
  item('/coverage', COVERAGE),
  list('/derived-indicators', DERIVED_INDICATOR, ['slug', 'name', 'family', 'latest_period_end'], { meta: AS_OF }),
  item('/derived-indicators/{idOrSlug}', DERIVED_INDICATOR),
  list('/derived-observations', DERIVED_OBSERVATION, ['period_end', 'observed_at', 'value'], bulk),
  list('/public/screener', SCREEN, ['rank', 'name'], {
    ...bulk,
    meta: `${AS_OF}, screener {evaluated i, matched i, excludedMissing i, excludedIneligible i}`,
  }),
  list('/public/screener/filters', SCREEN_FIELD, ['field', 'coverage_count'], dated),
  list('/public/companies', COMPANY, ['name', 'market_cap', 'score'], dated),
  list('/companies/{idOrLookup}/financials', STATEMENT, ['period_end', 'filed_at', 'fiscal_year'], bulk),
  list('/events', EVENT, ['occurred_at', 'observed_at', 'title'], dated),
  item('/events/{eventId}', EVENT, { isHistory: true }),
  list('/economic-calendar', CALENDAR, ['scheduled_at', 'observed_at', 'country'], dated),
  item('/economic-calendar/{eventId}', CALENDAR, { isHistory: true }),
  item('/provenance/observations/{observationId}', PROVENANCE, { isHistory: true }),
  item('/manifest', MANIFEST, ops),
  list('/source-health', HEALTH, ['source_id', 'name', 'status', 'last_attempt_at', 'last_new_data_at'], ops),
  list('/quarantine', QUARANTINE, ['detected_at', 'source_id', 'rule', 'period'], { ...ops, isHistory: true }),
  item('/ops/liveness', LIVENESS, ops),
  item('/snapshot', SNAPSHOT, ops),
];

export const OPEN_ROUTES = ['/health', '/ready', '/openapi.json', '/llms.txt', '/llms-full.txt'] as const;

export const POLICIES = {
  'data:read': 'data:read;limit=1000;window=60',
  'ops:read': 'ops:read;limit=500;window=60',
  admin: 'admin;limit=250;window=60',
  discovery: 'discovery;limit=600;window=60',
  unauthenticated: 'unauthenticated;limit=100;window=60',
} as const;

export const FORMATS = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;
