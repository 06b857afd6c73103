import type { DerivedIndicator } from './derived.ts';

export const evToEbit: DerivedIndicator = {
  slug: 'ev_to_ebit',
  datasetNo: 1070,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
