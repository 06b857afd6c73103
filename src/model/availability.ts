// Coverage: the indicators of each country, and the totals.
import { z } from 'zod';
import { Day, Frequency, Instant } from './period.ts';
import { CollectionStatus, FreshnessStatus, SourceTier } from './trust.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);

export const AvailableIndicator = z
  .strictObject({
    indicatorId: z.string().describe('Storage identifier.'),
    canonicalIndicatorId: z.string().describe('Canonical indicator.'),
    factorKey: text('Quantity, with the same name in every country, such as nonfarm_payrolls.'),
    frequency: Frequency.describe('Frequency of the series.'),
    unit: text('Unit of the series.'),
    sourceId: z.string().describe('Data set.'),
    sourceTier: SourceTier.describe('Kind of institution that established the number.'),
    firstPeriodEnd: day('Oldest period with a value.'),
    latestPeriodEnd: day('Newest period with a value.'),
    freshnessStatus: FreshnessStatus.describe(
      'fresh: the newest period ended at most budgetDays ago (see /ops/liveness). stale: it ended earlier. unknown: the series ceased or has no budget.',
    ),
    collectionStatus: CollectionStatus.nullable().describe(
      'ceased if the publisher stopped the series for good; null for any other series.',
    ),
  })
  .meta({ id: 'AvailableIndicator' });

export const CountryAvailability = z
  .strictObject({
    countryId: z.string().describe('The country, as in /countries.'),
    name: z.string().describe('Name of the country.'),
    indicatorCount: z.int().describe('Number of listed indicators; one may come through several sources.'),
    indicators: z.array(AvailableIndicator).describe('The series of the country.'),
  })
  .meta({ id: 'CountryAvailability' });
export type CountryAvailability = z.infer<typeof CountryAvailability>;

export const Coverage = z
  .strictObject({
    asOf: Instant.describe('Knowledge cutoff: the as_of you asked for, or the end of the snapshot.'),
    totals: z
      .strictObject({
        entities: z.int().describe('Entities with data.'),
        countries: z.int().describe('Countries and currency areas with data.'),
        indicators: z.int().describe('Canonical indicators with data.'),
        series: z.int().describe('Series.'),
        observations: z.int().describe('Observations: one for each series and period.'),
        vintages: z.int().describe('Vintages of the observations.'),
        sources: z.int().describe('Data sets.'),
      })
      .meta({ id: 'CoverageTotals' })
      .describe('Totals. All counts include only series whose rights allow redistribution.'),
    categories: z
      .array(
        z
          .strictObject({
            category: z.string().describe('Category of indicators.'),
            indicatorCount: z.int().describe('Canonical indicators with data.'),
            observationCount: z.int().describe('Observations: one for each series and period.'),
          })
          .meta({ id: 'CoverageCategory' }),
      )
      .describe('By category, in alphabetical order.'),
    countries: z
      .array(
        z
          .strictObject({
            iso2: z.string().describe('The country, as in /countries.'),
            name: z.string().describe('Name of the country.'),
            indicatorCount: z.int().describe('Canonical indicators with data.'),
            observationCount: z.int().describe('Observations: one for each series and period.'),
            latestPeriodEnd: day('Newest period with a value.'),
          })
          .meta({ id: 'CoverageCountry' }),
      )
      .describe('By country, in the order of the codes.'),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof Coverage>;
