// The policy rate before and after the decisions of central banks. A decision has no print of its own: the rate is a series.
import { getAll } from '../api.js';
import { daysAfter } from './weeks.js';

/** Rates that show a decision, the best first: the bank's own daily rates, then the rate at the end of a month, then a market rate. */
const RATES = ['central_bank_policy_rate_daily', 'ecb_deposit_facility_rate', 'central_bank_policy_rate', 'federal_funds_rate_daily'];
/** Some banks apply a decision from the Wednesday after it. */
const DAYS_UNTIL_IN_FORCE = 8;
/** The end of the next month is at most so far away. */
const MOST_DAYS = 45;

const isDecision = ({ canonicalIndicatorId }) => canonicalIndicatorId === 'policy_rate';
const dayOf = ({ scheduledAt }) => scheduledAt.slice(0, 10);

/** True if an entry is a decision without a number. */
export const lacksRate = (entry) => isDecision(entry) && entry.actual === null;

/** The span that holds the rates around the decisions of some days. */
export const spanAround = ({ start_date, end_date, as_of }) => ({
  start_date: daysAfter(start_date, -MOST_DAYS - DAYS_UNTIL_IN_FORCE),
  end_date: daysAfter(end_date, MOST_DAYS),
  as_of,
});

/** → { series: the observations of each rate, the best rate first, decisions: the decisions of all countries in the span }. */
export async function ratesIn(path, span, options) {
  const columns = 'indicatorId,indicatorName,country,periodEnd,period,actual,frequency,observationId';
  const [observations, decisions] = await Promise.all([
    Promise.all(RATES.map((rate) => getAll(path, { ...span, indicator_id: rate, columns }, options))),
    getAll('/economic-calendar', { ...span, category: 'rates' }, options),
  ]);
  return { series: observations.map(({ data }) => data), decisions: decisions.data.filter(isDecision) };
}

/** Entries of the calendar → the same ones; a decision has the rate after it as `actual`, the rate before it as `previous`, and their series as `rate`. */
export function withRates(entries, { series, decisions }) {
  return entries.map((entry) => {
    if (!lacksRate(entry) || entry.status === 'cancelled') return entry;
    const days = decisions.filter(({ country, status }) => country === entry.country && status !== 'cancelled').map(dayOf);
    const found = series.map((all) =>
      aroundDay(
        all.filter(({ country }) => country === entry.country),
        dayOf(entry),
        days,
      ),
    );
    const { before, after } = found.find((one) => one.after !== null) ?? found.find((one) => one.before !== null) ?? NOTHING;
    const shown = entry.status === 'released' ? after : null;
    const previous = before?.actual ?? null;
    if (shown === null) return { ...entry, previous, rate: before };
    return { ...entry, actual: shown.actual, previous, period: shown.period, observationId: shown.observationId, rate: shown };
  });
}

const NOTHING = { before: null, after: null };

/** The last row before a day, and the first one when a decision of that day is in force: null if another decision lies between. */
function aroundDay(rows, day, decisionDays) {
  const known = rows.filter(({ actual }) => actual !== null).toSorted((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1));
  const isBetween = (from, to) => decisionDays.some((one) => one !== day && one >= from && one <= to);
  const inForce = daysAfter(day, DAYS_UNTIL_IN_FORCE);
  const after = known.find(({ periodEnd }) => periodEnd >= inForce) ?? null;
  const before = known.findLast(({ periodEnd }) => periodEnd < day) ?? null;
  return {
    after: after === null || after.periodEnd > daysAfter(day, MOST_DAYS) || isBetween(day, after.periodEnd) ? null : after,
    before: before === null || isBetween(daysAfter(before.periodEnd, 1 - DAYS_UNTIL_IN_FORCE), day) ? null : before,
  };
}
