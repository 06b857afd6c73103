// The rows of a panel's cells.
import { type Catalogue, countryAt, idOf, type Series, seriesOf } from '../../model/catalogue.ts';
import type { Rights } from '../../model/observation.ts';
import { middleOf, type PublicPanelRow } from '../../model/panel.ts';
import { dayNumber } from '../../model/period.ts';
import type { Cell, Interval } from './cells.ts';
import { MICROS_PER_MS, toMicros } from './competition.ts';
import type { PanelAsked, Slot } from './slots.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();

type MadeRow = PublicPanelRow & { rights?: Rights; knownTo?: string | null };

export interface RowForm {
  readonly hasRights: boolean;
  /** Of the bulk forms: until when a cell's row was the one. Null for a form without that member. */
  readonly knownTo: ((cell: Cell) => string | null) | null;
}

/** The moment at which the row of a change ceased to be the one; null if it still was at `until`, ms. */
export const knownUntil =
  (until: number) =>
  ({ interval }: Cell): string | null =>
    interval.heldTo > toMicros(until) ? null : isoOf(interval.heldTo / MICROS_PER_MS);

/** Writes the rows of cells. Cells of one interval share most of their row. */
export function rowWriter(catalogue: Catalogue, { slots }: PanelAsked, { hasRights, knownTo }: RowForm): (cell: Cell) => MadeRow {
  const shared = new Map<Interval, SharedRow>();
  return (cell) => {
    const { day, moment, interval } = cell;
    let row = shared.get(interval);
    if (row === undefined) {
      row = sharedRow(catalogue, slots, interval);
      shared.set(interval, row);
    }
    const { series, endNumber, middleNumber, own } = row;
    const number = dayNumber(day);
    // Each member by name: an object that spreads others takes several times as long to make and to write.
    const made: MadeRow = {
      date: day,
      asOf: isoOf(moment),
      entityId: series.entityId,
      country: countryAt(catalogue, series, moment),
      factor: own.factor,
      factorKey: own.factorKey,
      indicatorId: own.indicatorId,
      observationId: own.observationId,
      vintage: own.vintage,
      value: own.value,
      unit: own.unit,
      period: own.period,
      periodEnd: own.periodEnd,
      observedAt: own.observedAt,
      releaseNumber: own.releaseNumber,
      isRevised: own.isRevised,
      isBackfill: own.isBackfill,
      sourceId: own.sourceId,
      sourceTier: own.sourceTier,
      freshnessStatus: own.freshnessStatus,
      scoringEligible: own.scoringEligible,
      eopLag: number - endNumber,
      mopLag: number - middleNumber,
      grade: interval.grade,
    };
    if (hasRights) made.rights = series.rights;
    if (knownTo !== null) made.knownTo = knownTo(cell);
    return made;
  };
}

interface SharedRow {
  readonly series: Series;
  readonly endNumber: number;
  readonly middleNumber: number;
  readonly own: Omit<PublicPanelRow, 'date' | 'asOf' | 'entityId' | 'country' | 'eopLag' | 'mopLag' | 'grade'>;
}

function sharedRow(catalogue: Catalogue, slots: readonly Slot[], interval: Interval): SharedRow {
  const series = seriesOf(catalogue, interval);
  return {
    series,
    endNumber: dayNumber(interval.periodEnd),
    middleNumber: middleOf(series.frequency, interval.periodEnd),
    own: {
      factor: slots[interval.slot]?.factor ?? series.canonicalId,
      factorKey: series.factorKey,
      indicatorId: series.indicatorId,
      observationId: idOf(series, interval),
      vintage: interval.vintage,
      value: interval.value,
      unit: series.unit,
      period: interval.period,
      periodEnd: interval.periodEnd,
      observedAt: interval.observedAt,
      releaseNumber: interval.isBackfill ? null : interval.releaseNo,
      isRevised: interval.isRevised,
      isBackfill: interval.isBackfill,
      sourceId: series.sourceId,
      sourceTier: series.sourceTier,
      freshnessStatus: interval.freshness,
      scoringEligible: interval.isEligible,
    },
  };
}
