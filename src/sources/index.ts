// Every source, one line each.
import type { Source } from './source.ts';

export const sources: readonly Source[] = [];
