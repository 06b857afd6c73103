// The policy rate beside a decision of a central bank, in the calendar.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly [name: string]: unknown;
}
interface Found {
  readonly series: readonly (readonly Entry[])[];
  readonly decisions: readonly Entry[];
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/calendar/decisions.js')).href;
const { withRates } = (await import(address)) as { readonly withRates: (entries: readonly Entry[], found: Found) => readonly Entry[] };

const decision = (day: string, more: Entry = {}): Entry => ({
  country: 'GB',
  canonicalIndicatorId: 'policy_rate',
  scheduledAt: `${day}T11:00:00.000Z`,
  status: 'released',
  period: null,
  actual: null,
  previous: null,
  observationId: null,
  ...more,
});
const rate = (periodEnd: string, actual: number | null, more: Entry = {}): Entry => ({
  country: 'GB',
  periodEnd,
  period: periodEnd,
  actual,
  observationId: `obs_${periodEnd}`,
  ...more,
});
const shownOf = (entry: Entry, series: Found['series'], decisions: readonly Entry[] = [entry]) => {
  const [found] = withRates([entry], { series, decisions });
  return [found?.['previous'], found?.['actual'], found?.['observationId']];
};

describe('a decision of a central bank', () => {
  const entry = decision('2026-10-29');

  it('has the last rate before it, and the first one eight days later or more', () => {
    const days = ['2026-10-28', '2026-10-29', '2026-11-05', '2026-11-06', '2026-11-07'].map((day, at) => rate(day, 4 + at));
    expect(shownOf(entry, [days])).toEqual([4, 7, 'obs_2026-11-06']);
    // The end of its own month comes too early.
    const months = [rate('2026-09-30', 4), rate('2026-10-31', 4), rate('2026-11-30', 3.75)];
    expect(shownOf(entry, [months])).toEqual([4, 3.75, 'obs_2026-11-30']);
  });

  it('has the better of two series, and no rate of another country', () => {
    const months = [rate('2026-09-30', 4), rate('2026-11-30', 3.75)];
    expect(shownOf(entry, [[rate('2026-11-06', 9, { country: 'SE' })], months])).toEqual([4, 3.75, 'obs_2026-11-30']);
    expect(shownOf(entry, [[rate('2026-11-06', 3.8)], months])).toEqual([null, 3.8, 'obs_2026-11-06']);
  });

  it('has none if another decision lies between, or if the rate comes late', () => {
    const months = [rate('2026-09-30', 4), rate('2026-11-30', 3.75)];
    expect(shownOf(entry, [months], [entry, decision('2026-11-20')])).toEqual([4, null, null]);
    expect(shownOf(entry, [months], [entry, decision('2026-10-05')])).toEqual([null, 3.75, 'obs_2026-11-30']);
    expect(shownOf(entry, [months], [entry, decision('2026-11-20', { status: 'cancelled' })])).toEqual([4, 3.75, 'obs_2026-11-30']);
    expect(shownOf(entry, [[rate('2026-12-31', 3.75)]])).toEqual([null, null, null]);
    expect(shownOf(entry, [[rate('2026-11-30', null)]])).toEqual([null, null, null]);
  });

  it('that is to come has the rate before it alone', () => {
    const due = decision('2026-10-29', { status: 'scheduled' });
    expect(shownOf(due, [[rate('2026-09-30', 4), rate('2026-11-30', 3.75)]])).toEqual([4, null, null]);
  });

  it('leaves other entries as they are', () => {
    const other = decision('2026-10-29', { canonicalIndicatorId: 'cpi' });
    expect(shownOf(other, [[rate('2026-09-30', 4), rate('2026-11-30', 3.75)]])).toEqual([null, null, null]);
    const printed = decision('2026-10-29', { actual: 1, previous: 2 });
    expect(shownOf(printed, [[rate('2026-11-30', 3.75)]])).toEqual([2, 1, null]);
  });
});
