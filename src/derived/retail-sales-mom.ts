import type { DerivedIndicator } from './derived.ts';

export const retailSalesMom: DerivedIndicator = {
  slug: 'retail_sales_mom',
  datasetNo: 1049,
  family: 'macro_transform',
  derivedFrom: ['retail_food_services_sales'],
  method: 'month_over_month_v1',
};
