import type { DerivedIndicator } from './derived.ts';

export const policyRate: DerivedIndicator = {
  slug: 'policy_rate',
  datasetNo: 1053,
  family: 'macro_transform',
  derivedFrom: ['federal_funds_rate'],
  method: 'identity_v1',
};
