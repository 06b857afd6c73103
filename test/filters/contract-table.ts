// Every keyed route with its query parameters and their further names, out of the interface and the contract.

/** Parameter → its further names. */
export type ParameterTable = Readonly<Record<string, readonly string[]>>;

const list: ParameterTable = { limit: [], cursor: [], sort: [], order: [] };
const bulk: ParameterTable = { ...list, format: [], columns: [] };
const asOf: ParameterTable = { as_of: ['asOf'] };

const series: ParameterTable = {
  country: [],
  entity: ['entity_id'],
  indicator_id: ['indicatorId'],
  indicator: [],
  source_id: ['sourceId'],
  provider_id: ['providerId', 'provider'],
  frequency: [],
  importance: [],
  freshness: [],
};

const knowledge: ParameterTable = {
  ...asOf,
  observed_from: ['observedFrom'],
  observed_to: ['observedTo'],
  period: [],
  start_date: ['period_from'],
  end_date: ['period_to'],
  vintage: [],
  include_backfill: ['includeBackfill'],
};

const observations: ParameterTable = {
  ...series,
  ...knowledge,
  currency: [],
  type: [],
  numeric_only: ['numericOnly'],
  release_number: [],
};

const indicators: ParameterTable = { ...series, category: [], q: [], ...asOf, ...list };

const panels: ParameterTable = {
  factor: [],
  country: [],
  entity: [],
  group: [],
  from: [],
  to: [],
  every: [],
  at: [],
  eligible_only: [],
  source_id: ['sourceId'],
  vintage: [],
  grade: [],
  ...bulk,
};

export const PARAMETERS: Readonly<Record<string, ParameterTable>> = {
  '/entities': { entity_type: [], country: [], status: [], q: [], ...asOf, ...list },
  '/entities/resolve': { alias: [], alias_type: [], ...asOf },
  '/entities/{idOrSlug}': asOf,
  '/entities/{idOrSlug}/aliases': { ...asOf, ...list },
  '/entities/{entityId}/observations': { ...observations, include_assumed: ['includeAssumed'], ...bulk },
  '/canonical-indicators': { q: [], ...asOf, ...list },
  '/countries': { ...asOf, ...list },
  '/countries/available-indicators': { country: [], ...asOf, ...list },
  '/countries/{idOrIso}': asOf,
  '/indicators': indicators,
  '/indicators/series': indicators,
  '/indicators/entities': { indicator_id: [], ...asOf, ...list },
  '/observations': { ...observations, include_assumed: ['includeAssumed'], ...bulk },
  '/observations/latest': { ...observations, include_assumed: ['includeAssumed'], ...bulk },
  '/observations/changes': { ...observations, since: [], ...bulk },
  '/public/observations': { ...observations, include_assumed: ['includeAssumed'], ...bulk },
  '/public/observations/latest': { ...observations, include_assumed: ['includeAssumed'], ...bulk },
  '/panels': panels,
  '/public/panels': panels,
  '/platform/macro-data': { ...observations, include_assumed: ['includeAssumed'], ...list },
  '/public/coverage': asOf,
  '/coverage': asOf,
  '/derived-indicators': { family: [], availability: [], ...asOf, ...list },
  '/derived-indicators/{idOrSlug}': asOf,
  '/derived-observations': {
    indicator_id: ['indicatorId'],
    country: [],
    entity: ['entity_id'],
    source_id: ['sourceId'],
    frequency: [],
    freshness: [],
    ...knowledge,
    ...bulk,
  },
  '/public/screener': {
    filter: [],
    universe: [],
    entity_type: [],
    country: [],
    sector: [],
    rank_by: [],
    columns: [],
    min_freshness: [],
    eligible_only: [],
    ...asOf,
    ...bulk,
  },
  '/public/screener/filters': { ...asOf, ...list },
  '/public/companies': { sector: [], industry: [], country: [], ticker: [], status: [], q: [], ...asOf, ...list },
  '/companies/{idOrLookup}/financials': {
    statement: [],
    period: [],
    fiscal_year: [],
    start_date: [],
    end_date: [],
    basis: [],
    ...asOf,
    ...bulk,
  },
  '/events': {
    event_type: [],
    country: [],
    entity: ['entity_id'],
    importance: [],
    status: [],
    start_date: [],
    end_date: [],
    q: [],
    ...asOf,
    ...list,
  },
  '/events/{eventId}': asOf,
  '/economic-calendar': {
    start_date: [],
    end_date: [],
    country: [],
    indicator_id: ['indicatorId'],
    importance: [],
    category: [],
    status: [],
    ...asOf,
    ...list,
  },
  '/economic-calendar/{eventId}': asOf,
  '/provenance/observations/{observationId}': asOf,
  '/manifest': {},
  '/source-health': { source_id: ['sourceId'], status: [], source_tier: ['sourceTier'], freshness: [], ...list },
  '/quarantine': {
    source_id: ['sourceId'],
    indicator_id: ['indicatorId'],
    entity_id: ['entityId'],
    rule: [],
    severity: [],
    status: [],
    detected_from: ['detectedFrom'],
    detected_to: ['detectedTo'],
    ...list,
  },
  '/ops/liveness': { verdict: [], source_id: ['sourceId'], limit: [], cursor: [] },
  '/snapshot': {},
};

/** Placeholders of paths, filled with what the lake of these tests has. */
export const FILLED: Readonly<Record<string, string>> = {
  '/entities/{idOrSlug}/aliases': '/entities/us/aliases',
  '/entities/{entityId}/observations': '/entities/us/observations',
  '/companies/{idOrLookup}/financials': '/companies/SOFT/financials',
};

const PANEL = 'factor=consumer_confidence&from=2029-01-01&to=2029-12-31';

/** What a route cannot do without. */
export const REQUIRED: Readonly<Record<string, string>> = {
  '/entities/resolve': 'alias=US',
  '/indicators/entities': 'indicator_id=consumer_confidence',
  '/panels': PANEL,
  '/public/panels': PANEL,
};
