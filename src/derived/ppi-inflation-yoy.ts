import type { DerivedIndicator } from './derived.ts';

export const ppiInflationYoy: DerivedIndicator = {
  slug: 'ppi_inflation_yoy',
  datasetNo: 1044,
  family: 'macro_transform',
  derivedFrom: ['ppi_finished_goods'],
  method: 'year_over_year_v1',
};
