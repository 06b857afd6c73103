import type { DerivedIndicator } from './derived.ts';

export const evToEbitda: DerivedIndicator = {
  slug: 'ev_to_ebitda',
  datasetNo: 1069,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
