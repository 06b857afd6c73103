// Every route with a key, one line each. Of two that match, the first listed answers.
import type { KeyedRoute } from '../http/asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { canonicalIndicators } from './canonical-indicators.ts';
import { countries } from './countries.ts';
import { entities } from './entities.ts';
import { entitiesResolve } from './entities-resolve.ts';
import { entity } from './entity.ts';
import { entityAliases } from './entity-aliases.ts';
import { entityObservations } from './entity-observations.ts';
import { manifest } from './manifest.ts';
import { observations } from './observations.ts';
import { observationsChanges } from './observations-changes.ts';
import { observationsLatest } from './observations-latest.ts';
import { provenanceObservation } from './provenance-observation.ts';
import { publicObservations } from './public-observations.ts';
import { publicObservationsLatest } from './public-observations-latest.ts';
import { snapshot } from './snapshot.ts';

export const routes: readonly KeyedRoute<Snapshot>[] = [
  entities,
  entitiesResolve,
  entity,
  entityAliases,
  entityObservations,
  canonicalIndicators,
  countries,
  observations,
  observationsLatest,
  observationsChanges,
  publicObservations,
  publicObservationsLatest,
  provenanceObservation,
  manifest,
  snapshot,
];
