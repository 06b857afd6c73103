import type { DerivedIndicator } from './derived.ts';

export const corePceInflationMom: DerivedIndicator = {
  slug: 'core_pce_inflation_mom',
  datasetNo: 1043,
  family: 'macro_transform',
  derivedFrom: ['core_pce_price_index'],
  method: 'month_over_month_v1',
};
