// Every derived indicator, one line each.
import { cpiInflationYoy } from './cpi-inflation-yoy.ts';
import type { DerivedIndicator } from './derived.ts';

export const derivedIndicators: readonly DerivedIndicator[] = [cpiInflationYoy];
