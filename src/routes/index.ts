// Every route with a key, one line each. Of two that match, the first listed answers.
import type { KeyedRoute } from '../http/answer/asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { companyFinancials, publicCompanies } from './companies.ts';
import { countries, countriesAvailableIndicators, country } from './countries.ts';
import { derivedIndicator, derivedIndicators, derivedObservations } from './derived.ts';
import { entities, entitiesResolve, entity, entityAliases, entityObservations } from './entities.ts';
import { economicCalendar, economicCalendarEntry, event, events } from './events.ts';
import { canonicalIndicators, coverage, indicators, indicatorsEntities, indicatorsSeries, publicCoverage } from './indicators.ts';
import {
  observations,
  observationsChanges,
  observationsLatest,
  platformMacroData,
  publicObservations,
  publicObservationsLatest,
} from './observations.ts';
import { manifest, opsLiveness, quarantine, snapshot, sourceHealth } from './operations.ts';
import { provenanceObservation } from './provenance.ts';
import { publicScreener, publicScreenerFilters } from './screener.ts';

export const routes: readonly KeyedRoute<Snapshot>[] = [
  entities,
  entitiesResolve,
  entity,
  entityAliases,
  entityObservations,
  canonicalIndicators,
  countries,
  countriesAvailableIndicators,
  country,
  indicators,
  indicatorsSeries,
  indicatorsEntities,
  observations,
  observationsLatest,
  observationsChanges,
  publicObservations,
  publicObservationsLatest,
  platformMacroData,
  publicCoverage,
  coverage,
  derivedIndicators,
  derivedIndicator,
  derivedObservations,
  publicScreener,
  publicScreenerFilters,
  publicCompanies,
  companyFinancials,
  events,
  event,
  economicCalendar,
  economicCalendarEntry,
  provenanceObservation,
  manifest,
  sourceHealth,
  quarantine,
  opsLiveness,
  snapshot,
];
