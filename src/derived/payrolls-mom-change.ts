import type { DerivedIndicator } from './derived.ts';

export const payrollsMomChange: DerivedIndicator = {
  slug: 'payrolls_mom_change',
  datasetNo: 1050,
  family: 'macro_transform',
  derivedFrom: ['nonfarm_payrolls'],
  method: 'month_over_month_change_v1',
};
