import type { DerivedIndicator } from './derived.ts';

export const retailSalesYoy: DerivedIndicator = {
  slug: 'retail_sales_yoy',
  datasetNo: 1048,
  family: 'macro_transform',
  derivedFrom: ['retail_food_services_sales'],
  method: 'year_over_year_v1',
};
