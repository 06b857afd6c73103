import type { DerivedIndicator } from './derived.ts';

export const priceToBook: DerivedIndicator = {
  slug: 'price_to_book',
  datasetNo: 1065,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
