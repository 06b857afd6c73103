import type { DerivedIndicator } from './derived.ts';

export const durableGoodsOrdersMom: DerivedIndicator = {
  slug: 'durable_goods_orders_mom',
  datasetNo: 1052,
  family: 'macro_transform',
  derivedFrom: ['durable_goods_orders'],
  method: 'month_over_month_v1',
};
