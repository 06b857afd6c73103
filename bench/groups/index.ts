// What can be measured, by the name that --only takes.
import type { Lake } from '../generate.ts';
import type { Group } from '../report.ts';
import { asOfReadsByHttp, coldReadsByHttp, hotReads, latestOfCountry, walk, warmReadsByHttp } from './http.ts';
import { latest } from './latest.ts';
import { asOfReads, coldReads } from './reads.ts';
import { screener, screenerAsOf } from './screener.ts';

export const GROUPS = {
  hot: hotReads,
  cold: coldReadsByHttp,
  'cold-query': coldReads,
  'as-of': asOfReadsByHttp,
  'as-of-query': asOfReads,
  'as-of-warm': warmReadsByHttp,
  latest: latestOfCountry,
  'latest-query': latest,
  walk,
  screener,
  'screener-as-of': screenerAsOf,
} as const satisfies Record<string, (lake: Lake) => Promise<Group>>;

export type GroupName = keyof typeof GROUPS;

export function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(GROUPS, name);
}
