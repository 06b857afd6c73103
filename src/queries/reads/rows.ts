// A read of vintages: the request, and the rows that every plan returns.
import { z } from 'zod';
import type { HeldRows } from '../../db/query.ts';
import type { Series } from '../../model/catalogue.ts';
import type { FoundPage, PageOf } from '../paging.ts';
import type { Snapshot } from '../snapshot.ts';
import type { ObservationSort } from './order.ts';

/** Bounds on knowledge and reference period; null is no bound. Days are inclusive `YYYY-MM-DD`, instants ISO 8601. */
export interface VintageFilters {
  readonly asOf: string | null;
  readonly observedFrom: string | null;
  readonly observedTo: string | null;
  readonly periodFrom: string | null;
  readonly periodTo: string | null;
  readonly vintage: 'latest' | 'first' | 'all';
  readonly releaseNumber: number | null;
  readonly numericOnly: boolean;
  /** False: no period without a first print; true: only those; null: any. */
  readonly backfill: boolean | null;
  /** True to read the assumed vintages too. */
  readonly assumed?: boolean;
}

/** Which vintages to read. Every plan takes this and returns a `ReadPage`. */
export interface Read {
  readonly snapshot: Snapshot;
  /** In the order of series_no. */
  readonly series: readonly Series[];
  readonly filters: VintageFilters;
  readonly page: PageOf<ObservationSort>;
}

/** A read of the newest period of each series. */
export interface LatestRead extends Read {
  /** First day of a previous period that may be shown. Null or absent: all. */
  readonly historyFrom?: string | null;
}

/** Rows may stay in columns until you read them. */
export interface ReadPage<Row> {
  readonly rows: HeldRows<Row>;
  readonly nextKey: FoundPage<Row>['nextKey'];
}

export const VintageRow = z.strictObject({
  seriesNo: z.int(),
  period: z.string(),
  periodEnd: z.string(),
  value: z.number().nullable(),
  vintage: z.string(),
  observedAt: z.string(),
  knownTo: z.string().nullable(),
  releasedAt: z.string().nullable(),
  retrievedAt: z.string(),
  isRevised: z.boolean(),
  isBackfill: z.boolean(),
  obsStatus: z.string().nullable(),
  releaseNo: z.int(),
  idHash: z.union([z.bigint(), z.number()]),
  /** The run that read the newest file behind the value. */
  sourceRunId: z.string().nullable(),
  derivedFrom: z.array(z.string()).nullable(),
});
export type VintageRow = z.infer<typeof VintageRow>;

export const LatestVintageRow = VintageRow.extend({ previous: z.number().nullable(), revisedPrevious: z.number().nullable() });
export type LatestVintageRow = z.infer<typeof LatestVintageRow>;
