import type { DerivedIndicator } from './derived.ts';

export const industrialProductionMom: DerivedIndicator = {
  slug: 'industrial_production_mom',
  datasetNo: 1047,
  family: 'macro_transform',
  derivedFrom: ['industrial_production'],
  method: 'month_over_month_v1',
};
