// Every query, one line each: the SQL-contract test asks DuckDB whether each is what it says.
import { canonicalIndicatorsList, canonicalIndicatorsListQuery, countriesList, countriesListQuery } from './catalogues.ts';
import { aliasesByTextQuery, aliasesList, aliasesOfEntityQuery, entitiesList, entitiesListQuery, entityByNameQuery } from './entities.ts';
import {
  observationsChangesQuery,
  observationsLatest,
  observationsLatestQuery,
  observationsList,
  observationsListQuery,
  observationsNewest,
  observationsNewestQuery,
} from './observations.ts';
import { runByIdQuery, sourceByIdQuery, vintageByIdQuery, vintageByKeyQuery, vintagesOfPeriodQuery } from './provenance.ts';

export const queries = [
  aliasesByTextQuery,
  aliasesOfEntityQuery,
  canonicalIndicatorsListQuery,
  countriesListQuery,
  entitiesListQuery,
  entityByNameQuery,
  observationsChangesQuery,
  observationsLatestQuery,
  observationsListQuery,
  observationsNewestQuery,
  runByIdQuery,
  sourceByIdQuery,
  vintageByIdQuery,
  vintageByKeyQuery,
  vintagesOfPeriodQuery,
] as const;

export const pagedQueries = [
  aliasesList,
  canonicalIndicatorsList,
  countriesList,
  entitiesList,
  observationsLatest,
  observationsList,
  observationsNewest,
] as const;
