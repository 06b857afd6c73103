import type { DerivedIndicator } from './derived.ts';

export const cotPositioningPercentile: DerivedIndicator = {
  slug: 'cot_positioning_percentile',
  datasetNo: 1025,
  family: 'positioning',
  derivedFrom: ['cot_noncommercial_long', 'cot_noncommercial_short'],
  method: 'midrank_percentile_v1',
};
