// The macro row: an observation with the service's statistical baseline for the period that follows.
import { z } from 'zod';
import { Observation, Rights } from './observation.ts';
import { Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const number = (description: string) => z.number().nullable().describe(description);

export const Forecast = z.strictObject({
  forecast: number("The service's statistical baseline for forecastPeriod, never a consensus; null if none is published."),
  forecastMethod: text('Method of the baseline.'),
  forecastLower: number('Lower end of the interval of forecast.'),
  forecastUpper: number('Upper end of the interval of forecast.'),
  forecastLevel: number('Share of values that the interval should contain: 0.8. Null without a forecast.'),
  forecastPeriod: text('Forecast period: the one after the period of the row.'),
  forecastOrigin: instant(
    'Moment from which the forecast counts: the later of the times at which its newest period and its model became available. The forecast uses only values known then, whenever the service computed it.',
  ),
  forecastModelVersion: text('Version of the model.'),
  forecastTarget: z.literal('revised').nullable().describe('Target: the value as revised, not the first print. Null without a forecast.'),
});
export type Forecast = z.infer<typeof Forecast>;

export const NO_FORECAST: Forecast = {
  forecast: null,
  forecastMethod: null,
  forecastLower: null,
  forecastUpper: null,
  forecastLevel: null,
  forecastPeriod: null,
  forecastOrigin: null,
  forecastModelVersion: null,
  forecastTarget: null,
};

export const MacroRow = Observation.extend(Forecast.shape)
  .extend({ rights: Rights.describe('Rights under the licence.') })
  .meta({ id: 'MacroObservation' });
export type MacroRow = z.infer<typeof MacroRow>;
