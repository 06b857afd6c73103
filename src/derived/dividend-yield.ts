import type { DerivedIndicator } from './derived.ts';

export const dividendYield: DerivedIndicator = {
  slug: 'dividend_yield',
  datasetNo: 1075,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
