// The row that a panel shows of an entity and a factor at a moment, chosen by the rules from the rows of /observations/latest.
import * as fc from 'fast-check';
import type { RunningService } from '../service.ts';

export interface LatestRow {
  readonly observationId: string;
  readonly indicatorId: string;
  readonly country: string | null;
  readonly frequency: string;
  readonly sourceId: string;
  readonly sourceTier: string;
  readonly periodEnd: string;
  readonly observedAt: string;
  readonly retrievedAt: string;
  readonly vintage: string;
  readonly actual: number | null;
  readonly freshnessStatus: string;
  readonly scoringEligible: boolean;
}

interface Canonical {
  readonly canonicalIndicatorId: string;
  readonly category: string;
  readonly preferredSourceIds: readonly string[];
}

export interface PanelRow {
  readonly date: string;
  readonly asOf: string;
  readonly entityId: string;
  readonly factor: string;
  readonly indicatorId: string;
  readonly observationId: string;
  readonly vintage: string;
  readonly value: number;
  readonly period: string;
  readonly periodEnd: string;
  readonly observedAt: string;
  readonly freshnessStatus: string;
  readonly scoringEligible: boolean;
  readonly isBackfill: boolean;
  readonly releaseNumber: number | null;
  readonly eopLag: number;
  readonly mopLag: number;
  readonly grade: number;
  readonly knownTo?: string | null;
}

interface Body<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly pagination: { readonly next_cursor: string | null } };
}

/** All rows of a list. */
export async function rowsOf<Row>(
  service: Pick<RunningService, 'get'>,
  path: string,
  key: 'full' | 'free' = 'full',
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const response = await service.get(cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`, { key });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const body = (await response.json()) as Body<Row>;
    rows.push(...body.data);
    cursor = body.meta.pagination.next_cursor;
    if (cursor === null) return rows;
  }
}

export const canonicalsOf = async (service: Pick<RunningService, 'get'>): Promise<ReadonlyMap<string, Canonical>> =>
  new Map((await rowsOf<Canonical>(service, '/canonical-indicators?limit=500')).map((one) => [one.canonicalIndicatorId, one]));

/** Rates, foreign exchange and money ask the central bank first. */
const MONETARY = new Set(['rates', 'fx', 'money']);
const NATIONAL_FIRST = ['official_national', 'central_bank'];
const BANK_FIRST = ['central_bank', 'official_national'];
const OTHERS = ['official_supranational', 'service_derived', 'multilateral_fallback', 'market_data', 'news', 'other'];

/** Null if nothing was known. */
function chosenRow(rows: readonly LatestRow[], canonical: Canonical): LatestRow | null {
  const tiers = [...(MONETARY.has(canonical.category) ? BANK_FIRST : NATIONAL_FIRST), ...OTHERS];
  const rank = ({ sourceId }: LatestRow) => {
    const place = canonical.preferredSourceIds.indexOf(sourceId);
    return place === -1 ? Infinity : place;
  };
  const order = (a: LatestRow, b: LatestRow) =>
    Number(b.scoringEligible) - Number(a.scoringEligible) ||
    compare(rank(a), rank(b)) ||
    tiers.indexOf(a.sourceTier) - tiers.indexOf(b.sourceTier) ||
    compare(b.periodEnd, a.periodEnd) ||
    compare(b.observedAt, a.observedAt) ||
    compare(b.retrievedAt, a.retrievedAt) ||
    compare(a.sourceId, b.sourceId) ||
    compare(a.observationId, b.observationId);
  return rows.filter(({ actual }) => actual !== null).toSorted(order)[0] ?? null;
}

const compare = <Value extends string | number>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0);

interface Draws {
  readonly seed: number;
  /** How many cells to compare, at least. */
  readonly cells: number;
  readonly from: string;
  readonly factors: readonly string[];
}

const HOURS = ['', '09:30 Europe/Berlin', '16:00 America/New_York', '15:00 Asia/Tokyo'];

/** Compares drawn dates of panels with the rows that the rules choose from the latest rows as of the same moment. */
export async function compareDraws(service: Pick<RunningService, 'get'>, { seed, cells: wanted, from, factors }: Draws) {
  const canonicals = await canonicalsOf(service);
  const differences: unknown[] = [];
  let cells = 0;
  const days = Math.floor((Date.parse('2026-11-20') - Date.parse(from)) / 86_400_000);
  const draw = fc.record({
    factor: fc.constantFrom(...factors),
    date: fc.nat(days).map((number) => new Date(Date.parse(from) + number * 86_400_000).toISOString().slice(0, 10)),
    at: fc.constantFrom(...HOURS),
    isEligibleOnly: fc.boolean(),
  });
  for (const { factor, date, at, isEligibleOnly } of fc.sample(draw, { seed, numRuns: 20 * wanted })) {
    if (cells >= wanted) break;
    const canonical = canonicals.get(factor);
    if (canonical === undefined) continue;
    const hour = at === '' ? '' : `&at=${encodeURIComponent(at)}`;
    const rows = await rowsOf<PanelRow>(
      service,
      `/panels?factor=${factor}&from=${date}&to=${date}&every=day&grade=3&limit=500${hour}&eligible_only=${isEligibleOnly}`,
    );
    // Without a row the moment is known only if it is the default: the end of the day.
    const asOf = rows[0]?.asOf ?? (at === '' ? `${date}T23:59:59.999Z` : null);
    if (asOf === null) continue;
    const latest = await rowsOf<LatestRow>(
      service,
      `/observations/latest?indicator_id=${factor}&as_of=${asOf}&limit=500&sort=period_end&include_assumed=true`,
    );
    // A national series is named by its country.
    const comparable = latest.filter(
      ({ frequency, indicatorId, country }) => COMPARABLE.has(frequency) && indicatorId === `${country?.toLowerCase()}_${factor}`,
    );
    const expected = [...new Set(comparable.map(({ indicatorId }) => indicatorId))].toSorted().flatMap((indicatorId) => {
      const row = chosenRow(
        comparable.filter((one) => one.indicatorId === indicatorId),
        canonical,
      );
      return row === null || (isEligibleOnly && !row.scoringEligible) ? [] : [row];
    });
    const [is, ought] = [rows.map(factsOfPanel), expected.map(factsOfLatest)].map((some) => JSON.stringify(some));
    if (is !== ought) differences.push({ factor, date, at, is, ought });
    cells += rows.length;
  }
  return { cells, differences };
}

const COMPARABLE = new Set(['daily', 'weekly', 'monthly', 'quarterly']);

const factsOfPanel = (row: PanelRow) => [
  row.indicatorId,
  row.observationId,
  row.value,
  row.vintage,
  row.periodEnd,
  row.observedAt,
  row.scoringEligible,
  row.freshnessStatus,
];
const factsOfLatest = (row: LatestRow) => [
  row.indicatorId,
  row.observationId,
  row.actual,
  row.vintage,
  row.periodEnd,
  row.observedAt,
  row.scoringEligible,
  row.freshnessStatus,
];
