// Every derived indicator, one line each.
import { cotPositioningPercentile } from './cot-positioning-percentile.ts';
import { cotTffPercentile } from './cot-tff-percentile.ts';
import { cpiInflationYoy } from './cpi-inflation-yoy.ts';
import type { DerivedIndicator } from './derived.ts';

export const derivedIndicators: readonly DerivedIndicator[] = [cpiInflationYoy, cotPositioningPercentile, cotTffPercentile];
