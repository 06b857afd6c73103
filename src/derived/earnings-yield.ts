import type { DerivedIndicator } from './derived.ts';

export const earningsYield: DerivedIndicator = {
  slug: 'earnings_yield',
  datasetNo: 1073,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
