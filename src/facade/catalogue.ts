// The series as FRED would list them: one per indicator of an entity, under FRED's own id if FRED has it.
import { z } from 'zod';
import { everyPage, type ServiceClient } from '../client/service.ts';

export interface SeriesEntry {
  /** FRED's id if known, else the service's storage id. */
  readonly id: string;
  readonly indicatorId: string;
  readonly canonicalId: string;
  readonly entityId: string;
  readonly sourceId: string;
  readonly title: string;
  readonly frequency: Frequency;
  readonly unit: string;
  readonly seasonalAdjustment: string;
  readonly category: string;
  /** Null if the category has no finer ones. */
  readonly subCategory: string | null;
  readonly firstPeriodEnd: string;
  readonly latestPeriodEnd: string;
  readonly notes: string;
  readonly observationCount: number;
  /** Prints of all observations. */
  readonly vintageCount: number;
}

export type Frequency = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'annual';

const Listed = z.object({
  indicatorId: z.string(),
  canonicalIndicatorId: z.string(),
  name: z.string().nullable(),
  entityId: z.string(),
  frequency: z.string(),
  unit: z.string().nullable(),
  sourceId: z.string(),
  firstPeriodEnd: z.string().nullable(),
  latestPeriodEnd: z.string().nullable(),
  freshnessStatus: z.string().nullable(),
  observationCount: z.int(),
  vintageCount: z.int(),
});
type ListedRow = z.infer<typeof Listed>;
const Canonical = z.object({
  canonicalIndicatorId: z.string(),
  description: z.string().nullable(),
  seasonalAdjustment: z.string().nullable(),
  category: z.string(),
  subCategory: z.string().nullable(),
  preferredSourceIds: z.array(z.string()),
  externalCodes: z.object({ fred: z.string().nullable() }),
});

const FREQUENCIES: ReadonlySet<string> = new Set(['daily', 'weekly', 'monthly', 'quarterly', 'annual'] satisfies Frequency[]);
/** Sources with FRED's ids, in order: FRED's own vintages, then FRED's monthly file. Both come before other sources. */
const OF_FRED = ['fred', 'fred_md'];

/**
 * The series known at `asOf`, by id in lower case. If several sources have a series, the id means the best one at that time. Each is also
 * `id@source`.
 */
export async function readCatalogue(service: ServiceClient, asOf: string | undefined): Promise<ReadonlyMap<string, SeriesEntry>> {
  const [listed, canonicals] = await Promise.all([
    everyPage(service, '/indicators', { as_of: asOf }),
    everyPage(service, '/canonical-indicators', { as_of: asOf }),
  ]);
  const byId = new Map(
    z
      .array(Canonical)
      .parse(canonicals.data)
      .map((one) => [one.canonicalIndicatorId, one]),
  );
  const entries = new Map<string, SeriesEntry>();
  const listedRows = z.array(Listed).parse(listed.data);
  for (const row of listedRows.toSorted(byUse((id) => byId.get(id)?.preferredSourceIds ?? []))) {
    const entry = entryOf(row, byId.get(row.canonicalIndicatorId));
    if (entry === null) continue;
    for (const id of [entry.id, row.indicatorId]) {
      const key = id.toLowerCase();
      if (!entries.has(key)) entries.set(key, entry);
      entries.set(`${key}@${row.sourceId}`, { ...entry, id: `${entry.id}@${row.sourceId}` });
    }
  }
  return entries;
}

/**
 * The best source comes first. Of those with FRED's own numbers: a fresh one, then the one that reaches furthest, so that a partly loaded
 * source does
 * not hide a complete one. Then the others, in the indicator's order of preference.
 */
function byUse(preferredOf: (canonicalId: string) => readonly string[]): (a: ListedRow, b: ListedRow) => number {
  const isOfFred = (row: ListedRow) => OF_FRED.includes(row.sourceId);
  const reach = (row: ListedRow) => (isOfFred(row) ? (row.freshnessStatus === 'fresh' ? 'fresh' : (row.latestPeriodEnd ?? '')) : '');
  const rank = (row: ListedRow) => {
    const sources = [...OF_FRED, ...preferredOf(row.canonicalIndicatorId)];
    const at = sources.indexOf(row.sourceId);
    return at === -1 ? sources.length : at;
  };
  return (a, b) => (reach(a) === reach(b) ? rank(a) - rank(b) : reach(a) > reach(b) ? -1 : 1);
}

/** Null if the series has no values, or a frequency that FRED does not have. */
function entryOf(row: ListedRow, canonical: z.infer<typeof Canonical> | undefined): SeriesEntry | null {
  const { indicatorId, sourceId, firstPeriodEnd, latestPeriodEnd, frequency } = row;
  if (firstPeriodEnd === null || latestPeriodEnd === null || !FREQUENCIES.has(frequency)) return null;
  const fred = row.entityId === 'us' ? canonical?.externalCodes.fred : null;
  return {
    ...describedBy(canonical),
    id: fred ?? indicatorId,
    indicatorId,
    canonicalId: row.canonicalIndicatorId,
    entityId: row.entityId,
    sourceId,
    title: row.name ?? indicatorId,
    frequency: frequency as Frequency,
    unit: row.unit ?? '',
    firstPeriodEnd,
    latestPeriodEnd,
    observationCount: row.observationCount,
    vintageCount: row.vintageCount,
  };
}

const describedBy = (canonical: z.infer<typeof Canonical> | undefined) => ({
  seasonalAdjustment: canonical?.seasonalAdjustment ?? '',
  category: canonical?.category ?? '',
  subCategory: canonical?.subCategory ?? null,
  notes: canonical?.description ?? '',
});
