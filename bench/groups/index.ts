// What can be measured, by the name that --only takes.
import type { Lake } from '../generate.ts';
import type { Group } from '../report.ts';
import { asOfReads, coldReads } from './reads.ts';
import { screener } from './screener.ts';

export const GROUPS = {
  cold: coldReads,
  'as-of': asOfReads,
  screener,
} as const satisfies Record<string, (lake: Lake) => Promise<Group>>;

export type GroupName = keyof typeof GROUPS;

export function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(GROUPS, name);
}
