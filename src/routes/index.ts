// Every route with a key, one line each. Of two that match, the first listed answers.
import type { KeyedRoute } from '../http/asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { canonicalIndicators } from './canonical-indicators.ts';
import { companyFinancials } from './company-financials.ts';
import { countries } from './countries.ts';
import { countriesAvailableIndicators } from './countries-available-indicators.ts';
import { country } from './country.ts';
import { derivedIndicator } from './derived-indicator.ts';
import { derivedIndicators } from './derived-indicators.ts';
import { derivedObservations } from './derived-observations.ts';
import { economicCalendar } from './economic-calendar.ts';
import { economicCalendarEntry } from './economic-calendar-entry.ts';
import { entities } from './entities.ts';
import { entitiesResolve } from './entities-resolve.ts';
import { entity } from './entity.ts';
import { entityAliases } from './entity-aliases.ts';
import { entityObservations } from './entity-observations.ts';
import { event } from './event.ts';
import { events } from './events.ts';
import { indicators } from './indicators.ts';
import { indicatorsEntities } from './indicators-entities.ts';
import { indicatorsSeries } from './indicators-series.ts';
import { manifest } from './manifest.ts';
import { observations } from './observations.ts';
import { observationsChanges } from './observations-changes.ts';
import { observationsLatest } from './observations-latest.ts';
import { opsLiveness } from './ops-liveness.ts';
import { platformMacroData } from './platform-macro-data.ts';
import { provenanceObservation } from './provenance-observation.ts';
import { publicCompanies } from './public-companies.ts';
import { coverage, publicCoverage } from './public-coverage.ts';
import { publicObservations } from './public-observations.ts';
import { publicObservationsLatest } from './public-observations-latest.ts';
import { publicScreener } from './public-screener.ts';
import { publicScreenerFilters } from './public-screener-filters.ts';
import { quarantine } from './quarantine.ts';
import { sourceHealth } from './source-health.ts';
import { snapshot } from './snapshot.ts';

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
