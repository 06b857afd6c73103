// Every query, one line each: the SQL-contract test asks DuckDB whether each is what it says.
import { countriesAvailable, countriesAvailableQuery } from '../../src/queries/availability.ts';
import {
  canonicalIndicatorsList,
  canonicalIndicatorsListQuery,
  countriesList,
  countriesListQuery,
  countryByIso2Query,
} from '../../src/queries/catalogues.ts';
import {
  derivedIndicatorsList,
  derivedIndicatorsQuery,
  derivedObservationsList,
  derivedObservationsQuery,
  forecastsReachQuery,
} from '../../src/queries/derived.ts';
import {
  companiesList,
  companiesListQuery,
  companyByLookupQuery,
  nullMultiplesQuery,
  financialsList,
  financialsListQuery,
  unreadTaxonomiesQuery,
} from '../../src/queries/companies.ts';
import {
  aliasesByTextsQuery,
  aliasesList,
  aliasesOfEntityQuery,
  entitiesList,
  entitiesListQuery,
  entityByNameQuery,
} from '../../src/queries/entities.ts';
import {
  calendarBeginQuery,
  calendarList,
  calendarListQuery,
  eventsBeginQuery,
  eventsList,
  eventObservationsQuery,
  eventsListQuery,
} from '../../src/queries/events.ts';
import { forecastBacktestsQuery, forecastsOfPeriodsQuery } from '../../src/queries/forecasts.ts';
import {
  observationsBackfillsQuery,
  observationsChangesQuery,
  observationsLatest,
  observationsLatestQuery,
  observationsList,
  observationsListQuery,
  observationsNewest,
  observationsNewestQuery,
} from '../../src/queries/reads/engine.ts';
import { preferredChangesQuery } from '../../src/queries/preferred.ts';
import { observationsPeriodsQuery } from '../../src/queries/reads/period-windows.ts';
import { aliasNamesQuery, companyNamesQuery, derivedNamesQuery, sourceNamesQuery } from '../../src/queries/hints/names.ts';
import {
  engineMemoryQuery,
  quarantineCountsQuery,
  quarantineList,
  quarantineListQuery,
  sourcesHealth,
  sourcesHealthQuery,
} from '../../src/queries/operations.ts';
import { seriesBeginQuery, seriesReachQuery } from '../../src/queries/reach.ts';
import {
  runByIdQuery,
  runCountsQuery,
  sourceByIdQuery,
  vintageByIdQuery,
  vintageByKeyQuery,
  vintagesOfPeriodQuery,
} from '../../src/queries/provenance.ts';
import { screenerStatesQuery, screenerStatisticsQuery, screenerStatesOfEpochQuery } from '../../src/queries/reads/states.ts';
import { screenerFigureFieldsQuery, screenerFiguresQuery, screenerScoresQuery } from '../../src/queries/screener/figures.ts';
import { screenerUniverseQuery } from '../../src/queries/screener/universe.ts';
import { screenerFieldsQuery } from '../../src/queries/screener/fields.ts';
import {
  indicatorEntities,
  indicatorEntitiesQuery,
  seriesList,
  seriesListQuery,
  seriesLivenessQuery,
  seriesRevisionsOfQuery,
  seriesRevisionsQuery,
} from '../../src/queries/series.ts';
import {
  catalogueBudgetsQuery,
  catalogueCountriesQuery,
  catalogueEntitiesQuery,
  catalogueConsensusQuery,
  catalogueEventCadencesQuery,
  catalogueIndicatorsQuery,
  catalogueReleasesQuery,
  catalogueRunsQuery,
  catalogueSeriesQuery,
} from '../../src/snapshot/serving/catalogue.ts';

export const queries = [
  aliasesByTextsQuery,
  aliasesOfEntityQuery,
  aliasNamesQuery,
  companyNamesQuery,
  derivedNamesQuery,
  sourceNamesQuery,
  calendarBeginQuery,
  calendarListQuery,
  catalogueBudgetsQuery,
  catalogueCountriesQuery,
  catalogueEntitiesQuery,
  catalogueConsensusQuery,
  catalogueEventCadencesQuery,
  catalogueIndicatorsQuery,
  catalogueReleasesQuery,
  catalogueRunsQuery,
  catalogueSeriesQuery,
  canonicalIndicatorsListQuery,
  countriesAvailableQuery,
  companiesListQuery,
  companyByLookupQuery,
  nullMultiplesQuery,
  countriesListQuery,
  countryByIso2Query,
  derivedIndicatorsQuery,
  derivedObservationsQuery,
  forecastsReachQuery,
  engineMemoryQuery,
  entitiesListQuery,
  entityByNameQuery,
  eventObservationsQuery,
  eventsBeginQuery,
  eventsListQuery,
  financialsListQuery,
  unreadTaxonomiesQuery,
  indicatorEntitiesQuery,
  forecastBacktestsQuery,
  forecastsOfPeriodsQuery,
  observationsBackfillsQuery,
  observationsChangesQuery,
  observationsLatestQuery,
  observationsListQuery,
  observationsNewestQuery,
  observationsPeriodsQuery,
  preferredChangesQuery,
  quarantineCountsQuery,
  quarantineListQuery,
  runByIdQuery,
  runCountsQuery,
  seriesListQuery,
  seriesBeginQuery,
  seriesReachQuery,
  seriesLivenessQuery,
  seriesRevisionsOfQuery,
  seriesRevisionsQuery,
  screenerFieldsQuery,
  screenerFigureFieldsQuery,
  screenerFiguresQuery,
  screenerScoresQuery,
  screenerUniverseQuery,
  screenerStatesQuery,
  screenerStatesOfEpochQuery,
  screenerStatisticsQuery,
  sourceByIdQuery,
  sourcesHealthQuery,
  vintageByIdQuery,
  vintageByKeyQuery,
  vintagesOfPeriodQuery,
] as const;

export const pagedQueries = {
  aliasesList,
  calendarList,
  canonicalIndicatorsList,
  companiesList,
  countriesAvailable,
  countriesList,
  derivedIndicatorsList,
  derivedObservationsList,
  entitiesList,
  eventsList,
  financialsList,
  observationsLatest,
  indicatorEntities,
  observationsList,
  observationsNewest,
  quarantineList,
  seriesList,
  sourcesHealth,
} as const;
