// Derived indicators and their observations.
import { z } from 'zod';
import { JsonObject } from './json-object.ts';
import { Rights } from './observation.ts';
import { Frequency, Instant } from './period.ts';
import { FreshnessStatus, RevisionStatus } from './trust.ts';

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);

export const Availability = z.enum(['public', 'internal_only']).meta({ id: 'Availability' });

const measure = (description: string) => z.number().nullable().describe(`${description}; null where no forecast could be scored.`);

export const ForecastBacktest = z
  .strictObject({
    indicatorId: z.string().describe('Storage identifier of the series.'),
    canonicalIndicatorId: z.string().describe('What it measures.'),
    sourceId: z.string().describe('Data set.'),
    frequency: Frequency.describe('Frequency.'),
    forecastMethod: z
      .string()
      .describe('Method of its newest forecast: the combination where it beat the naive forecast at earlier releases.'),
    forecastModelVersion: z.string().describe('Version of the model that made it.'),
    forecastLevel: z.number().describe('Share of values that its intervals are made to hold.'),
    originCount: z.int().describe('Releases at which that model forecast or would have, from what was known then.'),
    scoredCount: z
      .int()
      .describe('Of these, how many could be scored against the value known twelve months later, annual ones twenty-four.'),
    combinationCount: z.int().describe('For how many the combination was chosen.'),
    mase: measure('Mean absolute scaled error of what was chosen'),
    rmseRatio: measure('Its root mean squared error over that of the naive forecast'),
    coverage: measure('Share of values within the interval'),
    msis: measure('Mean scaled interval score'),
    naiveMase: measure(
      'Mean absolute scaled error of the naive forecast: the random walk, from model 2.0.0 on the value of a season before where the series has one',
    ),
    combinationMase: measure('Mean absolute scaled error of the combination, chosen or not'),
    combinationRmseRatio: measure('Its root mean squared error over that of the naive forecast'),
  })
  .meta({ id: 'ForecastBacktest' });
export type ForecastBacktest = z.infer<typeof ForecastBacktest>;

const BacktestTable = z
  .strictObject({
    calmCoverage: measure('Share that they held over all series, periods from March to August 2020 left out'),
    series: z.array(ForecastBacktest).describe('One row per series that was ever forecast.'),
  })
  .meta({ id: 'BacktestTable' });

export type BacktestTable = z.infer<typeof BacktestTable>;

const DerivedIndicatorMetadata = z
  .strictObject({
    method: z.string().describe('The method, by its textbook name and version.'),
    valuesAt: z.string().describe('The route that serves the values.'),
    backtest: BacktestTable.nullable().describe(
      'How earlier forecasts came out; null for what is not a forecast, with as_of, and for a key of the free tier.',
    ),
  })
  .meta({ id: 'DerivedIndicatorMetadata' });

export const DerivedIndicatorEntry = z
  .strictObject({
    indicatorId: z.string().describe('Identifier: indicator_ and the slug.'),
    slug: z.string().describe('Bare slug; both forms resolve on lookups.'),
    name: z.string().describe('Name.'),
    family: z.string().describe('Family of methods.'),
    unit: text('Unit of the values.'),
    cadence: z.string().describe('How often it is published.'),
    derivedFrom: z.array(z.string()).describe('Canonical indicators that it is computed from.'),
    sourceIds: z.array(z.string()).describe('Data sets of the inputs.'),
    entityIds: z.array(z.string()).nullable().describe('Entities with values; null in lists, filled in the detail.'),
    entityCount: z.int().describe('How many they are.'),
    observationCount: z.int().describe('Observations in force.'),
    latestPeriodEnd: instant('Newest period with a value, as an instant.'),
    refreshedAt: Instant.describe('When this entry was last rebuilt.'),
    availability: Availability.describe(
      'internal_only when no combination of inputs may be redistributed and no grant of the operator opens one: the values are withheld.',
    ),
    availabilityReason: text('Why the values are withheld; null when they are public.'),
    preferredSourceId: text('Source to prefer where several supply the same entity and period: a preference, not a filter.'),
    metadata: DerivedIndicatorMetadata.nullable().describe('How it is computed, and how well it did; null in lists, filled in the detail.'),
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
    providerId: z.string().describe('Who computed it.'),
    derivedFrom: z
      .array(z.string())
      .describe(
        'Storage identifiers of the inputs, then the facts of filings; the identifier of the document where it was computed from one.',
      ),
    valueNumeric: z.number().nullable().describe('The value as a number; null when an input was withdrawn.'),
    valueText: text('The value in words, where it has one.'),
    unit: text('Unit of the number.'),
    frequency: Frequency.describe('Frequency.'),
    periodStart: instant('Begin of the first day of the period.'),
    periodEnd: instant('Begin of the last day of the period.'),
    observedAt: Instant.describe('Knowledge time: when the last of its inputs became known.'),
    releasedAt: instant('When that input was released, as far as its publisher says.'),
    ingestedAt: Instant.describe('When that input entered the lake.'),
    revisionStatus: RevisionStatus.describe('initial: the first print of its period; revised: a later one.'),
    sourceUrl: text('Address of the file that brought the newest of the inputs of this vintage, or of the document.'),
    attribution: z.string().describe('Attribution to show with the value.'),
    freshnessStatus: FreshnessStatus.describe('Age of the period against the cadence budget.'),
    metadata: JsonObject.describe('What else the method says of the value.'),
    rights: Rights.nullable().describe('What the licences of the inputs allow.'),
    inputObservationIds: z.array(z.string()).describe('The very observations it was computed from, or the document.'),
    sourceRefs: z.array(SourceRef).describe('The series these belong to, with the file that brought each.'),
  })
  .meta({ id: 'DerivedObservation' });
export type DerivedObservation = z.infer<typeof DerivedObservation>;
