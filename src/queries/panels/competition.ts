// Which series compete for the slots of a panel, in which order, and when their rows are eligible and fresh.
import { inTurns } from '../../db/turns.ts';
import { budgetAt, compareSeries, isCeasedAt, isProjection, reasonsAt, verdictTurnsAt } from '../../model/trust.ts';
import type { Series } from '../../model/catalogue.ts';
import type { PanelAsked, Slot } from './slots.ts';

export const MICROS_PER_MS = 1000;
export const toMicros = (ms: number) => Math.round(ms * MICROS_PER_MS);

/**
 * The parameters that all statements of a panel share, between two moments, ms.
 * @param slotNos the numbers of the slots, if these are a part of all
 */
export async function competition(asked: PanelAsked, since: number, until: number, slotNos: readonly number[] = [...asked.slots.keys()]) {
  const series = asked.slots.flatMap((slot) => slot.series);
  const nos = series.map((one) => one.seriesNo);
  return {
    knownNos: asked.vintage === 'known' ? nos : [],
    firstNos: asked.vintage === 'first' ? nos : [],
    projectionNos: series.filter((one) => isProjection(one.canonicalId)).map((one) => one.seriesNo),
    ...candidatesOf(asked.slots, slotNos),
    ...(await gatesOf(series, since, until)),
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    periodFrom: asked.periodFrom,
    grade: asked.grade,
    isEligibleOnly: asked.isEligibleOnly,
  };
}

function candidatesOf(slots: readonly Slot[], slotNos: readonly number[]) {
  const all = slots.flatMap(({ series }, index) => series.map((one) => ({ one, slot: slotNos[index] ?? index })));
  const sources = [...new Set(all.map(({ one }) => one.sourceId))].sort();
  const order = all.map(({ one }) => one).toSorted(compareSeries);
  const ranks = new Map<number, number>();
  for (const [index, one] of order.entries()) {
    const before = order[index - 1];
    const isTie = before !== undefined && compareSeries(before, one) === 0;
    ranks.set(one.seriesNo, isTie ? (ranks.get(before.seriesNo) ?? index) : index);
  }
  return {
    candidateNos: all.map(({ one }) => one.seriesNo),
    candidateSlots: all.map(({ slot }) => slot),
    candidatePreferences: all.map(({ one }) => ranks.get(one.seriesNo) ?? 0),
    candidateSources: all.map(({ one }) => sources.indexOf(one.sourceId)),
  };
}

const NO_BUDGET = -1;
const MS_PER_DAY = 86_400_000;

/** For each series, the intervals of [since, until] in which its verdict on all rows was the same. */
async function gatesOf(series: readonly Series[], since: number, until: number) {
  const gates = {
    gateNos: [] as number[],
    gateFrom: [] as number[],
    gateTo: [] as number[],
    gateEligible: [] as number[],
    gateBudgets: [] as number[],
  };
  for await (const part of inTurns(series)) {
    for (const one of part) {
      for (let from = since; from <= until; ) {
        const budgetDays = isCeasedAt(one, from) ? null : budgetAt(one, from);
        const to = Math.min(verdictTurnsAt(one, null, from), until + 1);
        gates.gateNos.push(one.seriesNo);
        gates.gateFrom.push(toMicros(from));
        gates.gateTo.push(toMicros(to));
        gates.gateEligible.push(reasonsAt(one, from).length === 0 ? 1 : 0);
        gates.gateBudgets.push(budgetDays === null ? NO_BUDGET : toMicros(Math.round(budgetDays * MS_PER_DAY)));
        from = to;
      }
    }
  }
  return gates;
}
