// Parameters that several routes share, and their rules.
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { type Context, parameter, type ValuesOf } from '../http/route.ts';
import { countryNamed } from '../model/catalogue.ts';
import { calendarSpan, endOfDay, Frequency, Instant, isDay } from '../model/period.ts';
import { FreshnessStatus, Importance } from '../model/trust.ts';
import type { VintageFilters } from '../queries/reads/rows.ts';
import type { SeriesFilters } from '../queries/series-asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isInstant(text: string): boolean {
  return INSTANT.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

const DayOrInstant = z
  .string()
  .refine(
    (text) => isDay(text) || isInstant(text),
    'must be a day YYYY-MM-DD or an instant YYYY-MM-DDThh:mm:ssZ. Send a + in an offset as %2B',
  )
  .meta({
    id: 'DayOrInstant',
    description: 'A day, or an instant with its offset: 2020-06-30, 2020-06-30T12:00:00Z.',
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
    // Years have four digits and do not begin with zero.
    pattern: '^[1-9]',
  });

/** An instant or a day, as an instant; a day means its end (an upper bound) or its begin (a lower one). */
export const moment = (edge: 'begin' | 'end', description: string) =>
  DayOrInstant.transform((text) => {
    if (!isDay(text)) return new Date(text).toISOString();
    return edge === 'end' ? endOfDay(text) : `${text}T00:00:00.000Z`;
  })
    .optional()
    .meta({ description });

export const day = (description: string) =>
  z.string().refine(isDay, 'must be a day YYYY-MM-DD').optional().meta({ description, format: 'date' });

const MEMBER = String.raw`[^,\u0000-\u001f\u007f-\u009f]*[^,\s\u0000-\u001f\u007f-\u009f][^,\u0000-\u001f\u007f-\u009f]*`;
const upTo = (most: number) => `^${MEMBER}(?:,${MEMBER}){0,${most - 1}}$`;

export const list = (description: string, example: string, most = 50) =>
  z
    .string()
    .min(1)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every((part) => part !== ''), 'has an empty item between commas')
    .refine((parts) => parts.length <= most, `takes at most ${most} values`)
    .optional()
    .meta({ description, examples: [example], pattern: upTo(most) });

export const text = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description, examples: [example] });
export const flag = (description: string, example = 'true') =>
  z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .optional()
    .meta({ description, examples: [example] });

export const observationParameters = {
  country: parameter(
    list(
      'Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.',
      'US',
    ),
  ),
  entity: parameter(
    list('Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.', 'us'),
    'entity_id',
  ),
  indicator_id: parameter(list('Storage or canonical indicator ids, up to 50 separated by commas.', 'us_nonfarm_payrolls'), 'indicatorId'),
  indicator: parameter(
    text('One indicator by canonical name, storage id or slug. An unknown one gives an empty list.', 'nonfarm_payrolls'),
  ),
  source_id: parameter(text('Data set of the numbers.', 'fred_md'), 'sourceId'),
  provider_id: parameter(text('Publisher of the numbers, by name or slug.', 'us_bureau_of_labor_statistics'), 'providerId', 'provider'),
  frequency: parameter(Frequency.optional().meta({ description: 'Frequency of the series.', examples: ['monthly'] })),
  currency: parameter(
    z
      .string()
      .regex(/^[A-Za-z]{3}$/, 'must be an ISO 4217 code')
      .optional()
      .meta({ description: 'Currency of the values, ISO 4217.', examples: ['USD'] }),
  ),
  type: parameter(
    z
      .literal('macro')
      .optional()
      .meta({ description: 'macro leaves out companies, instruments and futures contracts.', examples: ['macro'] }),
  ),
  numeric_only: parameter(flag('Leave out withdrawn and missing values.'), 'numericOnly'),
  importance: parameter(Importance.optional().meta({ description: 'Importance of the indicator.', examples: ['high'] })),
  freshness: parameter(
    FreshnessStatus.optional().meta({
      description:
        'Freshness of the whole series, now or at as_of. fresh: its newest period is within budgetDays of /ops/liveness. The field freshnessStatus is of the single row.',
      examples: ['fresh'],
    }),
  ),
  as_of: parameter(moment('end', 'Knowledge cutoff: return the data as known then. A day means its end; the future means now.'), 'asOf'),
  observed_from: parameter(moment('begin', 'Knowledge time, lower bound, inclusive.'), 'observedFrom'),
  observed_to: parameter(moment('end', 'Knowledge time, upper bound, inclusive.'), 'observedTo'),
  period: parameter(
    z
      .string()
      .regex(
        /^\d{4}(?:-(?:0[1-9]|1[0-2]|[Qq][1-4]))?$/,
        'must be YYYY, YYYY-MM or YYYY-Qn. For a day or a week, set start_date and end_date',
      )
      .optional()
      .meta({ description: 'Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.', examples: ['2020-Q2'] }),
  ),
  start_date: parameter(day('Periods ending on or after this day.'), 'period_from'),
  end_date: parameter(day('Periods ending on or before this day.'), 'period_to'),
  vintage: parameter(
    z
      .enum(['latest', 'first', 'all'])
      .meta({ id: 'VintageChoice' })
      .optional()
      .meta({
        description: 'Vintage of each period. Default: latest. first leaves out backfills: periods that have no first print.',
        examples: ['all'],
      }),
  ),
  release_number: parameter(
    z.coerce.number().int().min(1).max(100_000).optional().meta({
      description:
        'The n-th print of each period. Cannot be combined with vintage. Leaves out backfills: periods that have no first print.',
    }),
  ),
  include_backfill: parameter(
    flag(
      'Include backfills in vintage=first and release_number: periods that were loaded long after they ended, or with the first vintage of their series.',
    ),
    'includeBackfill',
  ),
};

/** Of the lists that may have assumed rows. */
export const assumedParameter = {
  include_assumed: parameter(
    flag(
      'Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.',
    ),
    'includeAssumed',
  ),
};

export type ObservationQuery = ValuesOf<typeof observationParameters>;
/** Of a list that may have assumed rows. */
export type ObservationListQuery = ObservationQuery & ValuesOf<typeof assumedParameter>;
/** A route may offer fewer of these filters. */
export type SomeObservationQuery = { readonly [Name in keyof ObservationListQuery]?: ObservationListQuery[Name] | undefined };

/** A bad_request if two parameters contradict each other. */
function checkTogether(query: SomeObservationQuery): void {
  const refuse = (message: string, ...parameters: string[]) => {
    throw new ApiError('bad_request', message, { parameters });
  };
  if (query.vintage !== undefined && query.release_number !== undefined) {
    refuse('vintage and release_number cannot be combined. Remove one of them.', 'vintage', 'release_number');
  }
  if (isAfter(query.start_date, query.end_date)) refuse('start_date is after end_date. Swap them.', 'start_date', 'end_date');
  if (isAfter(query.observed_from, query.observed_to))
    refuse('observed_from is after observed_to. Swap them.', 'observed_from', 'observed_to');
  if (isAfter(query.observed_from, query.as_of))
    refuse('observed_from is after as_of, so no row can match. Use an earlier observed_from or a later as_of.', 'observed_from', 'as_of');
}

function isAfter(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Parameters of routes that return one dated item. */
export const atCutoff = { as_of: observationParameters.as_of };

/** The clock of a request and its snapshot. */
type Present = Pick<Context<Snapshot>, 'now' | 'snapshot'>;

/**
 * The cutoff of a read in ISO form; a future one becomes now. Without a cutoff: null, or now if the snapshot has rows that a wrong clock
 * dated in the future.
 */
export function cutoffOf(asOf: string | undefined, { now, snapshot }: Present): string | null {
  const present = new Date(now).toISOString();
  if (asOf === undefined) return snapshot.knowledgeCutoff > present ? present : null;
  return asOf > present ? present : asOf;
}

/** The cutoff of a read, and the moment for all its verdicts, ms. */
export function momentOf(asOf: string | undefined, present: Present): { readonly asOf: string | null; readonly at: number } {
  const cutoff = cutoffOf(asOf, present);
  return { asOf: cutoff, at: cutoff === null ? present.now : Date.parse(cutoff) };
}

export interface ObservationRead {
  readonly vintages: VintageFilters;
  readonly series: SeriesFilters;
  readonly asOf: string | null;
  /** Evaluation time of freshness and eligibility, ms. */
  readonly at: number;
}

/** @param isPublic only series whose rights allow redistribution */
export function readOf(query: SomeObservationQuery, context: Context<Snapshot>, isPublic: boolean): ObservationRead {
  checkTogether(query);
  const { asOf, at } = momentOf(query.as_of, context);
  return {
    asOf,
    at,
    vintages: vintagesOf(query, asOf, context.historyFrom),
    series: { ...seriesOf(query), isRedistributableOnly: isPublic },
  };
}

function vintagesOf(query: SomeObservationQuery, asOf: string | null, historyFrom: string | null): VintageFilters {
  const span = query.period === undefined ? null : calendarSpan(query.period);
  return {
    asOf,
    observedFrom: orNull(query.observed_from),
    observedTo: orNull(query.observed_to),
    periodFrom: latest(query.start_date, span?.from, historyFrom ?? undefined),
    periodTo: earliest(query.end_date, span?.to),
    vintage: query.release_number === undefined ? (query.vintage ?? 'latest') : 'all',
    releaseNumber: orNull(query.release_number),
    numericOnly: query.numeric_only ?? false,
    backfill: isOfPrints(query) && query.include_backfill !== true ? false : null,
    assumed: query.include_assumed === true && !isOfPrints(query),
  };
}

/** Routes that count prints, and so omit periods without a first one. */
const isOfPrints = (query: SomeObservationQuery) => query.vintage === 'first' || query.release_number !== undefined;

function seriesOf(query: SomeObservationQuery): Omit<SeriesFilters, 'isRedistributableOnly'> {
  return {
    countries: orNull(query.country),
    entities: orNull(query.entity),
    indicatorIds: orNull(query.indicator_id),
    indicator: orNull(query.indicator),
    sourceId: orNull(query.source_id),
    provider: orNull(query.provider_id),
    frequency: orNull(query.frequency),
    currency: orNull(query.currency),
    isMacroOnly: query.type === 'macro',
    importance: orNull(query.importance),
    freshness: orNull(query.freshness),
  };
}

function orNull<Value>(value: Value | undefined): Value | null {
  return value ?? null;
}

function latest(...days: (string | undefined)[]): string | null {
  return (
    days
      .filter((one) => one !== undefined)
      .sort()
      .at(-1) ?? null
  );
}

function earliest(...days: (string | undefined)[]): string | null {
  return days.filter((one) => one !== undefined).sort()[0] ?? null;
}

/** Fields that observation lists add to meta. */
export const observationMeta = {
  as_of: Instant.nullable().describe('The knowledge cutoff of this answer; null if you set none.'),
};

/** A country parameter, the same on every route. */
export const oneCountry = parameter(
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Country or currency area by code, slug or name: GB, GBR, UK, united-kingdom.',
      examples: ['US'],
      parameter: 'oneCountry',
    }),
);

/** Its ISO 2 code; empty for an unknown country, null if the parameter is absent. */
export function countryOf(snapshot: Snapshot, country: string | undefined): string | null {
  return country === undefined ? null : (countryNamed(snapshot.catalogue, country) ?? '');
}

/** The days that limit the records. A bad_request if they are reversed. */
export function daysBetween(
  query: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  historyFrom: string | null,
): { readonly dateFrom: string | null; readonly dateTo: string | null } {
  const { start_date: from = null, end_date: to = null } = query;
  if (from !== null && to !== null && from > to) {
    throw new ApiError('bad_request', 'start_date is after end_date. Swap them.', { parameters: ['start_date', 'end_date'] });
  }
  return { dateFrom: from === null || (historyFrom !== null && historyFrom > from) ? historyFrom : from, dateTo: to };
}
