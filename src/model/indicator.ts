// Canonical indicators.
import { z } from 'zod';
import { Day, Frequency, Instant } from './period.ts';
import { ComparisonBasis, Importance } from './trust.ts';

const day = (description: string) => Day.nullable().describe(description);

export const CanonicalIndicator = z
  .strictObject({
    canonicalIndicatorId: z.string().describe('Canonical identifier, the same across countries.'),
    slug: z.string().describe('Identifier for use in URLs.'),
    name: z.string().describe('Name.'),
    description: z.string().nullable().describe('Description.'),
    category: z.string().describe('Category.'),
    subCategory: z.string().nullable().describe('Finer category.'),
    factorHint: z.string().nullable().describe('Broad theme, such as labour or growth, for grouping. asof computes nothing from it.'),
    factorKey: z.string().describe('Quantity, with the same name in every country, such as nonfarm_payrolls.'),
    unit: z.string().describe('Unit of the indicator. Rows in another unit are not eligible.'),
    comparisonBasis: ComparisonBasis.describe('Basis of comparison of its values.'),
    seasonalAdjustment: z.enum(['sa', 'nsa', 'swda', 'trend', 'na']).meta({ id: 'SeasonalAdjustment' }).describe('Seasonal adjustment.'),
    frequency: Frequency.describe('Usual frequency.'),
    cadenceComparable: z
      .boolean()
      .describe('False for annual, event and static series: panels and screens that compare countries leave them out.'),
    polarity: z.int().min(-1).max(1).describe('1 if higher is better for the economy, -1 if lower is, 0 if neither.'),
    importance: Importance.describe('Importance.'),
    derivedFrom: z.array(z.string()).describe('Canonical indicators of the inputs.'),
    aliases: z.array(z.string()).describe('Other names that look-ups accept.'),
    externalCodes: z
      .strictObject({
        fred: z.string().nullable().describe('FRED series.'),
        sdmx: z.string().nullable().describe('SDMX concept.'),
        worldBank: z.string().nullable().describe('World Bank indicator.'),
      })
      .meta({ id: 'ExternalCodes' })
      .describe('Codes of the indicator at publishers.'),
    preferredSourceIds: z.array(z.string()).describe('Sources in order of preference.'),
    entityTypes: z.array(z.string()).describe('Kinds of entity that the indicator is made for. Other kinds can have it too.'),
    screenable: z.boolean().describe('True if the screener offers it.'),
    countryCount: z.int().describe('Countries with data.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
    latestPeriodEnd: day('Newest period with a value.'),
    status: z.enum(['active', 'ceased']).meta({ id: 'IndicatorStatus' }).describe('active, or ceased if its publishers stopped.'),
    successorIndicatorId: z.string().nullable().describe('Canonical indicator that replaced it.'),
    updatedAt: Instant.describe('Time of its newest vintage or change.'),
  })
  .meta({ id: 'CanonicalIndicator' });
export type CanonicalIndicator = z.infer<typeof CanonicalIndicator>;
