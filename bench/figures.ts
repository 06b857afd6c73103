// What a run of the benchmark leaves: groups of figures, and the conditions in which they were measured.
import type { Figures } from './measure.ts';

/** The measurements by their names in --only. */
export const GROUP_NAMES = [
  'hot',
  'cold',
  'cold-query',
  'as-of',
  'as-of-query',
  'as-of-warm',
  'narrow',
  'latest',
  'latest-query',
  'walk',
  'screener',
  'screener-as-of',
  'screener-http',
  'screener-as-of-http',
  'bulk',
  'panel',
  'deployments',
  'ingest',
  'rebuild',
  'start',
  'fair',
  'mixed',
] as const;

export type GroupName = (typeof GROUP_NAMES)[number];

export function isGroupName(name: string): name is GroupName {
  return GROUP_NAMES.some((known) => known === name);
}

export interface GroupOptions {
  /** Duration of the mixed load. */
  readonly seconds: number;
}

/** Measures other than rates. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export interface Group {
  readonly name: string;
  /** What one request is. */
  readonly of: string;
  readonly figures: readonly Figures[];
  readonly measures?: readonly Measure[];
  /** Peers that are not available on this machine. */
  readonly absent?: readonly string[];
  /** Peak resident memory of the serving process, if there is one. */
  readonly serverPeakMemoryMb?: number | undefined;
}

export interface MeasuredGroup extends Group {
  readonly key: GroupName;
  /** Peak resident memory of the measuring process, with the peers in it. */
  readonly peakMemoryMb: number;
}

/** The place, time and versions of the measurement. */
export interface RunConditions {
  readonly measuredAt: string;
  /** Null outside a checkout; uncommitted changes are noted. */
  readonly commit: string | null;
  readonly machine: { readonly cores: number; readonly memoryGb: number; readonly cpu: string };
  /** Null if it is absent. */
  readonly versions: Readonly<Record<'Node' | 'DuckDB' | 'PostgreSQL' | 'ClickHouse', string | null>>;
}

export interface Report extends RunConditions {
  readonly vintages: number;
  readonly groups: readonly MeasuredGroup[];
}
