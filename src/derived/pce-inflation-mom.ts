import type { DerivedIndicator } from './derived.ts';

export const pceInflationMom: DerivedIndicator = {
  slug: 'pce_inflation_mom',
  datasetNo: 1042,
  family: 'macro_transform',
  derivedFrom: ['pce_price_index'],
  method: 'month_over_month_v1',
};
