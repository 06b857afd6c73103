import type { DerivedIndicator } from './derived.ts';

export const cotTffPercentile: DerivedIndicator = {
  slug: 'cot_tff_percentile',
  datasetNo: 1026,
  family: 'positioning',
  derivedFrom: ['cot_tff_leveraged_funds_long', 'cot_tff_leveraged_funds_short'],
  method: 'midrank_percentile_v1',
};
