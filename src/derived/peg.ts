import type { DerivedIndicator } from './derived.ts';

export const peg: DerivedIndicator = {
  slug: 'peg',
  datasetNo: 1076,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
