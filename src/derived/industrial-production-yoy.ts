import type { DerivedIndicator } from './derived.ts';

export const industrialProductionYoy: DerivedIndicator = {
  slug: 'industrial_production_yoy',
  datasetNo: 1046,
  family: 'macro_transform',
  derivedFrom: ['industrial_production'],
  method: 'year_over_year_v1',
};
