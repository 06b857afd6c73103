import type { DerivedIndicator } from './derived.ts';

export const priceToEarnings: DerivedIndicator = {
  slug: 'price_to_earnings',
  datasetNo: 1064,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
