// Releases and revisions as sentences. All numbers are those known when the value became known.
import { z } from 'zod';
import { defineQuery } from '../../../db/query.ts';
import { observationId } from '../../../model/observation.ts';
import { Day, Frequency, Instant } from '../../../model/period.ts';

/** A series at a moment at which it changed, with the row of its newest period. */
export const News = z.strictObject({
  sourceId: z.string(),
  indicatorId: z.string(),
  indicatorName: z.string(),
  entityId: z.string(),
  entityName: z.string(),
  country: z.string().nullable(),
  frequency: Frequency,
  unit: z.string().nullable(),
  attribution: z.string(),
  period: z.string(),
  periodEnd: Day,
  value: z.number().nullable(),
  priorValue: z.number().nullable(),
  previousPeriod: z.string().nullable(),
  previous: z.number().nullable(),
  periods: z.int(),
  observedAt: Instant,
  vintage: z.string(),
});
export type News = Readonly<z.infer<typeof News>>;

export const feedNewsQuery = defineQuery('feeds/news.sql', {
  params: z.strictObject({ isRevision: z.boolean(), limit: z.int() }),
  row: News,
});

/** The key of an entry: equal on every night, whatever became known since. */
export function newsKey({ sourceId, indicatorId, entityId, frequency, observedAt }: News): readonly string[] {
  return [sourceId, indicatorId, entityId, frequency, observedAt];
}

export interface Told {
  readonly title: string;
  readonly text: string;
}

/** The value, the period before as known then, and the difference. */
export function releaseText(news: News): Told {
  const { indicatorName, entityName, period, value, previous, previousPeriod, unit, periods } = news;
  const before =
    value === null || previous === null
      ? ''
      : `, after ${amountText(previous, unit)} in ${previousPeriod}: ${differenceText(value, previous, unit)}`;
  return {
    title: `${indicatorName}, ${entityName}: ${amountText(value, unit)} in ${period}`,
    text: [
      `${indicatorName} (${entityName}) was ${amountText(value, unit)} in ${period}${before}.`,
      ...othersText(periods - 1, 'released'),
    ].join(' '),
  };
}

/** The value before the revision, the value after it, and the difference. */
export function revisionText(news: News): Told {
  const { indicatorName, entityName, period, value, priorValue, unit, periods } = news;
  const what = `${indicatorName} (${entityName}) for ${period}`;
  const change = `from ${amountText(priorValue, unit)} to ${amountText(value, unit)}`;
  const told =
    value === null
      ? `${what} was withdrawn; it was ${amountText(priorValue, unit)}.`
      : priorValue === null
        ? `${what} has a value again: ${amountText(value, unit)}.`
        : `${what} was revised ${change}: ${differenceText(value, priorValue, unit)}.`;
  return {
    title:
      value === null || priorValue === null
        ? `${indicatorName}, ${entityName}: ${period} ${value === null ? 'withdrawn' : 'restored'}`
        : `${indicatorName}, ${entityName}: ${period} revised ${change}`,
    text: [told, ...othersText(periods - 1, 'revised')].join(' '),
  };
}

export const observationOf = ({ sourceId, indicatorId, entityId, frequency, period, vintage }: News): string =>
  observationId({ sourceId, indicatorId, entityId, frequency, period, vintage });

function othersText(count: number, verb: string): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? `One earlier period was ${verb} too.` : `${count} earlier periods were ${verb} too.`];
}

const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 12 });
const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
/** A publisher's own number rarely has more digits. A computed one has, and they mean nothing. */
const MOST_DIGITS = 8;

/** Exact, or rounded if it is long. */
function numberText(value: number): string {
  const text = EXACT.format(value);
  return Number.isInteger(value) || text.replaceAll(/[^\d]/g, '').replace(/^0+/, '').length <= MOST_DIGITS ? text : ROUNDED.format(value);
}

/** Units that count nothing: they follow the number in brackets. */
const BARE = ['index', 'balance', 'ratio'];

function amountText(value: number | null, unit: string | null): string {
  if (value === null) return 'no value';
  const text = numberText(value);
  if (unit === null) return text;
  if (unit === 'percent') return `${text} %`;
  return BARE.includes(unit) ? `${text} (${unit})` : `${text} ${unitText(unit)}`;
}

function differenceText(value: number, before: number, unit: string | null): string {
  // 0.3 - 0.1 is 0.19999999999999998 in binary: twelve digits round that off.
  const difference = Number((value - before).toPrecision(12));
  const text = `${difference > 0 ? '+' : ''}${numberText(difference)}`;
  if (unit === null || BARE.includes(unit)) return `a change of ${text}`;
  return `a change of ${text} ${unit === 'percent' ? 'percentage points' : unitText(unit)}`;
}

/** `usd_billions_chained` → `USD billions chained`, as in numbers.js of the pages, which a browser loads as it is: a test compares both. */
function unitText(unit: string): string {
  return unit.replaceAll('_', ' ').replaceAll(/\b(?:usd|eur|gbp|jpy|chf|cny|cad)\b/g, (code) => code.toUpperCase());
}
