import { baselineForecast, type ForecastModel } from './baseline-forecast.ts';
import { dotmEtsBaseline } from './dotm-ets-baseline.ts';

/** In the order of their release. A model is never changed once it was in use: what was forecast with it is computed again, the same. */
export const MODELS: readonly ForecastModel[] = [
  { version: '1.0.0', releasedAt: null, method: baselineForecast },
  { version: '2.0.0', releasedAt: Date.UTC(2026, 10, 22, 9), method: dotmEtsBaseline },
];
