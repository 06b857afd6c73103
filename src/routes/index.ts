// Every route with a key, one line each. If two match, the first one answers.
import type { KeyedRoute } from '../http/answer/asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { companyFinancials, publicCompanies } from './companies.ts';
import { countries, countriesAvailableIndicators, country } from './countries.ts';
import { derivedIndicator, derivedIndicators, derivedObservations } from './derived.ts';
import { entities, entitiesResolve, entityAliases, entityObservations, entityRoute } from './entities.ts';
import { economicCalendar, economicCalendarEntry, event, events } from './events.ts';
import { canonicalIndicators, coverage, indicators, indicatorsEntities, indicatorsSeries, publicCoverage } from './indicators.ts';
import {
  observationsChanges,
  observationsLatest,
  observationsRoute,
  platformMacroData,
  publicObservations,
  publicObservationsLatest,
} from './observations.ts';
import { manifestRoute, opsLiveness, quarantine, snapshotRoute, sourceHealth } from './operations.ts';
import { panels, publicPanels } from './panels.ts';
import { provenanceObservation } from './provenance.ts';
import { publicScreener, publicScreenerFilters } from './screener.ts';

/** What an embedded chart may ask without a key, by its address. */
export const embeddedRoutes = new Map([
  ['/embed/observations', publicObservations],
  ['/embed/observations/latest', publicObservationsLatest],
]);

export const routes: readonly KeyedRoute<Snapshot>[] = [
  entities,
  entitiesResolve,
  entityRoute,
  entityAliases,
  entityObservations,
  canonicalIndicators,
  countries,
  countriesAvailableIndicators,
  country,
  indicators,
  indicatorsSeries,
  indicatorsEntities,
  observationsRoute,
  observationsLatest,
  observationsChanges,
  publicObservations,
  publicObservationsLatest,
  panels,
  publicPanels,
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
  manifestRoute,
  sourceHealth,
  quarantine,
  opsLiveness,
  snapshotRoute,
];
