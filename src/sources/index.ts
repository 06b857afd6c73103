// Every source, one line each.
import { fred } from './fred.ts';
import type { Source } from './source.ts';

export const sources: readonly Source[] = [fred];
