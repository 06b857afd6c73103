// Every derived indicator, one line each.
import { cbStatementSentiment } from './cb-statement-sentiment.ts';
import { corePceInflationYoy } from './core-pce-inflation-yoy.ts';
import { cotPositioningPercentile } from './cot-positioning-percentile.ts';
import { cotTffPercentile } from './cot-tff-percentile.ts';
import { cpiInflationYoy } from './cpi-inflation-yoy.ts';
import type { DerivedIndicator } from './derived.ts';
import { gdpGrowth } from './gdp-growth.ts';
import { gdpGrowthYoy } from './gdp-growth-yoy.ts';

export const derivedIndicators: readonly DerivedIndicator[] = [
  cpiInflationYoy,
  corePceInflationYoy,
  gdpGrowth,
  gdpGrowthYoy,
  cotPositioningPercentile,
  cotTffPercentile,
  cbStatementSentiment,
];
