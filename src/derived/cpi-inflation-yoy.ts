import type { DerivedIndicator } from './derived.ts';

export const cpiInflationYoy: DerivedIndicator = {
  slug: 'cpi_inflation_yoy',
  datasetNo: 1024,
  family: 'macro_transform',
  derivedFrom: ['cpi'],
  method: 'year_over_year_v1',
};
