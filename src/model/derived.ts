// Derived indicators and their observations.
import { z } from 'zod';
import { JsonObject } from './provenance.ts';
import { Rights } from './observation.ts';
import { Frequency, Instant } from './period.ts';
import { FreshnessStatus, RevisionStatus } from './trust.ts';

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);

export const Availability = z.enum(['public', 'internal_only']).meta({ id: 'Availability' });

const measure = (description: string) => z.number().nullable().describe(`${description}; null if no forecast could be scored.`);

export const ForecastBacktest = z
  .strictObject({
    indicatorId: z.string().describe('Storage identifier of the series.'),
    canonicalIndicatorId: z.string().describe('Measured quantity.'),
    sourceId: z.string().describe('Data set.'),
    frequency: Frequency.describe('Frequency.'),
    forecastMethod: z
      .string()
      .describe('Method of its newest forecast: the combination if it beat the naive forecast at earlier releases.'),
    forecastModelVersion: z.string().describe('Version of the model of the newest forecast.'),
    forecastLevel: z.number().describe('Share of values that the intervals should contain.'),
    originCount: z.int().describe('Releases at which this version of the model could forecast from the data known then.'),
    scoredCount: z
      .int()
      .describe('Of originCount: releases whose forecast was scored against the value known 12 months later (24 for annual series).'),
    combinationCount: z.int().describe('Number of the releases in originCount whose forecast was the combination.'),
    mase: measure('Mean absolute scaled error of the chosen forecast'),
    rmseRatio: measure('RMSE of the chosen forecast, divided by the RMSE of the naive forecast'),
    coverage: measure('Share of values within the interval'),
    msis: measure('Mean scaled interval score'),
    naiveMase: measure(
      'Mean absolute scaled error of the naive forecast: the random walk; from model 2.0.0 on, the value one season before if the series is seasonal',
    ),
    combinationMase: measure('Mean absolute scaled error of the combination, chosen or not'),
    combinationRmseRatio: measure('RMSE of the combination, divided by the RMSE of the naive forecast'),
  })
  .meta({ id: 'ForecastBacktest' });
export type ForecastBacktest = z.infer<typeof ForecastBacktest>;

const BacktestTable = z
  .strictObject({
    calmCoverage: measure('The share over all series, without the periods from March to August 2020'),
    series: z.array(ForecastBacktest).describe('One row per series with a forecast.'),
  })
  .meta({ id: 'BacktestTable' });

export type BacktestTable = z.infer<typeof BacktestTable>;

const DerivedIndicatorMetadata = z
  .strictObject({
    method: z.string().describe('The method, by its textbook name and version.'),
    valuesAt: z.string().describe('The route that serves the values.'),
    backtest: BacktestTable.nullable().describe(
      'Scores of earlier forecasts. Null with as_of, for keys of the free tier, and for indicators other than forecasts.',
    ),
  })
  .meta({ id: 'DerivedIndicatorMetadata' });

export const DerivedIndicatorEntry = z
  .strictObject({
    indicatorId: z.string().describe('Identifier: indicator_ and the slug.'),
    slug: z.string().describe('Slug. Look-ups accept it and indicatorId.'),
    name: z.string().describe('Name.'),
    family: z.string().describe('Family of methods.'),
    unit: text('Unit of the values.'),
    cadence: z.string().describe('How often it is published.'),
    derivedFrom: z.array(z.string()).describe('Canonical indicators of the inputs.'),
    sourceIds: z.array(z.string()).describe('Data sets of the inputs.'),
    entityIds: z.array(z.string()).nullable().describe('Entities with values; null in lists, filled if you ask for one indicator.'),
    entityCount: z.int().describe('Number of entities with values.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
    latestPeriodEnd: instant('Newest period with a value, as an instant.'),
    refreshedAt: Instant.describe('When this entry was last rebuilt.'),
    availability: Availability.describe(
      'internal_only if no combination of inputs may be redistributed and no grant allows it: the values are withheld.',
    ),
    availabilityReason: text('Reason why the values are withheld; null if they are public.'),
    preferredSourceId: text('Source to prefer if several supply the same entity and period. A preference, not a filter.'),
    metadata: DerivedIndicatorMetadata.nullable().describe(
      'Method, and the scores of its forecasts; null in lists, filled if you ask for one indicator.',
    ),
  })
  .meta({ id: 'DerivedIndicator' });
export type DerivedIndicatorEntry = z.infer<typeof DerivedIndicatorEntry>;

const SourceRef = z
  .strictObject({
    sourceId: z.string().describe('Data set of the input.'),
    indicatorId: z.string().describe('Storage identifier of the input.'),
    url: text('Address of its newest file or page.'),
  })
  .meta({ id: 'SourceRef' });
export type SourceRef = z.infer<typeof SourceRef>;

export const DerivedObservation = z
  .strictObject({
    id: z.string().describe('observationId of this vintage.'),
    entityId: z.string().describe('Entity.'),
    indicatorId: z.string().describe('Derived indicator, in the prefixed form.'),
    sourceId: z.string().describe('Data set of the inputs.'),
    providerId: z.string().describe('The service or publisher that computed it.'),
    derivedFrom: z
      .array(z.string())
      .describe('Storage identifiers of the inputs, then facts of filings; or the identifier of the document it was computed from.'),
    valueNumeric: z.number().nullable().describe('The value as a number; null if an input was withdrawn.'),
    valueText: text('The value in words, if it has one.'),
    unit: text('Unit of the number.'),
    frequency: Frequency.describe('Frequency.'),
    periodStart: instant('Start of the first day of the period.'),
    periodEnd: instant('Start of the last day of the period.'),
    observedAt: Instant.describe('Knowledge time: the time at which this value became known, never before all of its inputs were known.'),
    releasedAt: instant('Release time of its newest input, if the publisher states it.'),
    ingestedAt: Instant.describe('Time at which the last of its inputs entered the lake.'),
    revisionStatus: RevisionStatus.describe('initial: the first print of its period; revised: a later one.'),
    sourceUrl: text('Address of the file with the newest input of this vintage, or of the document.'),
    attribution: z.string().describe('Attribution to show with the value.'),
    freshnessStatus: FreshnessStatus.describe(
      'fresh: the period ended at most budgetDays ago (see /ops/liveness). stale: it ended earlier. unknown: the series ceased or has no budget.',
    ),
    metadata: JsonObject.describe('Further results of the method.'),
    rights: Rights.nullable().describe('Rights under the licences of the inputs.'),
    inputObservationIds: z.array(z.string()).describe('The observations it was computed from, or the document.'),
    sourceRefs: z.array(SourceRef).describe('The series of the observations in inputObservationIds, each with its file.'),
  })
  .meta({ id: 'DerivedObservation' });
export type DerivedObservation = z.infer<typeof DerivedObservation>;
