// The public observation row and the latest-observation row. Every key is always present.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { CollectionStatus, ComparisonBasis, FreshnessStatus, Importance, SourceTier } from './trust.ts';
import { Day, Frequency, Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const number = (description: string) => z.number().nullable().describe(description);
const flag = (description: string) => z.boolean().nullable().describe(description);

export const Observation = z.strictObject({
  observationId: text('Identifier of this vintage of the observation.'),
  indicatorId: text('Storage identifier: the entity and the canonical indicator, such as us_nonfarm_payrolls.'),
  indicatorName: text('Name of the indicator.'),
  category: text('Category of the indicator, such as labour.'),
  subCategory: text('Finer category, if there is one.'),
  factorHint: text('Broad theme of the indicator, such as labour or growth, for grouping. asof computes nothing from it.'),
  country: text('ISO 3166-1 alpha-2 code; null for entities without one country.'),
  instrumentId: text('Entity identifier of the instrument, for market data.'),
  currency: text('ISO 4217 code of the currency the value is denominated in.'),
  sourceId: text('The data set that delivered the number, such as fred_md.'),
  provider: text('The publisher who established the number.'),
  releaseDate: day('Day of the release of this vintage, YYYY-MM-DD; if the publisher states none, the day of observedAt.'),
  period: text('Reference period: 2026, 2026-Q3, 2026-09, 2026-W37 or 2026-09-12.'),
  periodEnd: day('Last day of the reference period, YYYY-MM-DD.'),
  actual: number('The value; null if the publisher withdrew it or left it missing.'),
  forecast: number('Always null here: /platform/macro-data carries the baseline.'),
  consensus: number(
    'Median of an official survey of forecasters, from its newest round before the first print of the period; null without one.',
  ),
  surprise: number('actual minus consensus.'),
  surprisePercent: number('100 · surprise / |consensus|; null if the consensus is 0.'),
  unit: text('Unit of the value.'),
  frequency: Frequency.nullable().describe('Frequency of the series.'),
  importance: Importance.nullable().describe('Importance of the indicator.'),
  observedAt: instant('Knowledge time: the instant at which this vintage became known.'),
  retrievedAt: instant('Time at which the file with this value was retrieved.'),
  revised: flag('True if the value differs from the first vintage of its period.'),
  vintage: text(
    'The day of observedAt, YYYY-MM-DD; YYYY-MM-DD.n for the n-th vintage of a day. The prefix `pseudo:` means that nobody knows when the value was known, because a vendor adjusted the price later or the file has no publication times. Only rows that you ask for with include_assumed have the prefix `assumed:`.',
  ),
  sourceUrl: text("Address of the publisher's file or page. It is null for rows of the sample, and if the source has no public address."),
  attribution: text('Attribution to show with the value.'),
  rawAvailable: flag('Always true: asof archives the file of each row. It does not check whether the file is still there.'),
  releaseEventId: text('The event of /events that published this vintage, if known.'),
  sourceTier: SourceTier.nullable().describe('Kind of institution that established the number.'),
  fallbackOnly: flag('True if the series is annual and sourceTier is multilateral_fallback: use the row as context only.'),
  scoringEligible: flag(
    'True if you can use the row in a score: it is official or market data, its series has not ceased, it has the unit of its indicator, and it is not stale. Provenance has the reasons if not. Rows of a series of events have no freshness budget. They are eligible while the newest event is no older than a learned limit: the usual gap between events, plus the usual delay and a grace period. Before its twelfth release, a series of events has no such limit, and its rows are not eligible.',
  ),
  freshnessStatus: FreshnessStatus.nullable().describe(
    'fresh: the period ended at most budgetDays ago (see /ops/liveness). stale: it ended earlier. unknown: the series ceased or has no budget.',
  ),
  collectionStatus: CollectionStatus.nullable().describe('ceased if the publisher stopped the series for good; null for any other series.'),
  ceasedFinalPeriod: text('Last period of a ceased series.'),
  successorIndicatorId: text('Indicator that replaces a ceased series. asof does not join the two.'),
  cadenceComparable: flag('False for annual, event and static series: panels and screens that compare countries leave them out.'),
  preferredForFactor: flag('True for the one row to use for its country, factorKey and period, among the rows of this answer.'),
  factorKey: text(
    'Quantity, with the same name in every country, such as nonfarm_payrolls; null for entities other than countries and currency areas.',
  ),
  comparisonBasis: ComparisonBasis.nullable().describe('Basis of comparison: level, yoy, qoq, qoq_saar, mom, balance or rate.'),
  derivedFrom: z
    .array(z.string())
    .nullable()
    .describe(
      'Inputs of a computed value: its indicators and then its facts of filings, or its document. Null for a value that a publisher states.',
    ),
});
export type Observation = z.infer<typeof Observation>;

export const LatestObservation = Observation.extend({
  previous: number(
    'Value of the calendar period before (in daily and event series, of the row before), as known just before this release; null if that period has no value.',
  ),
  revisedPrevious: number('Value of the period of previous, as known just after this release; null if this release did not change it.'),
  previousType: z
    .enum(['prior_period', 'prior_year_period', 'prior_meeting'])
    .meta({ id: 'PreviousType' })
    .nullable()
    .describe('prior_period: previous is of the calendar period or row before. Null if previous is null. No row has the other values.'),
});
export type LatestObservation = z.infer<typeof LatestObservation>;

export const Rights = z
  .strictObject({
    redistributable: z.boolean().describe('True if the licence or a grant by the operator allows redistribution.'),
    license: z.string().describe('Licence, by name.'),
    note: z.string().nullable().describe('Condition or restriction; the note of the grant if a grant opens the values.'),
  })
  .meta({ id: 'Rights' });
export type Rights = z.infer<typeof Rights>;

/** Additional fields of bulk rows. */
export const Superseded = {
  isBackfill: z.boolean().describe('True if its period has no first print: it was loaded late, or with the first vintage of its series.'),
  supersededAt: instant('Time at which the next vintage replaced this one; null while it is the newest (at the cutoff, if you set one).'),
};

/** Additional fields of bulk rows with published values. */
export const BulkMembers = {
  ...Superseded,
  obsStatus: text(
    'Flag of the publisher beside the value, as a code of CL_OBS_STATUS of SDMX (P provisional, E estimated, B break); null without one.',
  ),
};

/** @param knownTo when the next vintage became known */
export function supersededAt(knownTo: string | null, asOf: string | null): string | null {
  return knownTo === null || (asOf !== null && knownTo > asOf) ? null : knownTo;
}

/** The identity of one vintage of one observation. */
export interface ObservationKey {
  readonly sourceId: string;
  readonly indicatorId: string;
  readonly entityId: string;
  readonly frequency: string;
  readonly period: string;
  readonly vintage: string;
}

// RFC 4648 base32hex: its letters sort like the bits, so order by identifier equals order by hash.
const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

/** `obs_` and 26 base32hex characters (130 bits) of sha256(sourceId|indicatorId|entityId|frequency|period|vintage). */
export function observationId(key: ObservationKey): string {
  const named = `${key.sourceId}|${key.indicatorId}|${key.entityId}|${key.frequency}|${key.period}|${key.vintage}`;
  return `obs_${first130Bits(hash('sha256', named, 'binary'))}`;
}

/** The first 64 bits of an observationId: published tables store and sort by them. */
export function idHash(id: string): bigint {
  const characters = /^obs_([0-9a-v]{26})$/.exec(id)?.[1];
  if (characters === undefined) throw new RangeError(`${id} is not an observation identifier`);
  let bits = 0n;
  for (const character of characters.slice(0, 13)) bits = (bits << 5n) | BigInt(BASE32HEX.indexOf(character));
  return bits >> 1n;
}

const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${BASE32HEX[bits >> 5]}${BASE32HEX[bits & 31]}`);

/** 26 characters: three times five bytes as four pairs, then ten bits as the last pair. */
function first130Bits(bytes: string): string {
  let out = '';
  for (let at = 0; at < 15; at += 5) {
    const middle = bytes.charCodeAt(at + 2);
    const high = (bytes.charCodeAt(at) << 12) | (bytes.charCodeAt(at + 1) << 4) | (middle >> 4);
    const low = ((middle & 15) << 16) | (bytes.charCodeAt(at + 3) << 8) | bytes.charCodeAt(at + 4);
    out += `${PAIRS[high >> 10]}${PAIRS[high & 1023]}${PAIRS[low >> 10]}${PAIRS[low & 1023]}`;
  }
  return `${out}${PAIRS[((bytes.charCodeAt(15) << 8) | bytes.charCodeAt(16)) >> 6]}`;
}

type Surprise = Pick<Observation, 'consensus' | 'surprise' | 'surprisePercent'>;

/** The fields of a row next to its consensus. */
export function surpriseOf(actual: number | null, consensus: number | null): Surprise {
  const surprise = actual === null || consensus === null ? null : actual - consensus;
  const isRelative = surprise !== null && consensus !== null && consensus !== 0;
  return { consensus, surprise, surprisePercent: isRelative ? (100 * surprise) / Math.abs(consensus) : null };
}
