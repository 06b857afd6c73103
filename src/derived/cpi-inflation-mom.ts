import type { DerivedIndicator } from './derived.ts';

export const cpiInflationMom: DerivedIndicator = {
  slug: 'cpi_inflation_mom',
  datasetNo: 1040,
  family: 'macro_transform',
  derivedFrom: ['cpi'],
  method: 'month_over_month_v1',
};
