import { baselineForecast, type ForecastModel, isCloserAtReleases } from './baseline-forecast.ts';
import { dotmEtsBaseline, dotmEtsTestedBaseline, isRivalNotCloserAtReleases } from './dotm-ets-baseline.ts';

/** In the order of their release. A model in use never changes, so that its forecasts can be computed again exactly. */
export const MODELS: readonly ForecastModel[] = [
  { version: '1.0.0', releasedAt: null, method: baselineForecast, isKeptAtReleases: isCloserAtReleases },
  { version: '2.0.0', releasedAt: Date.UTC(2026, 10, 22, 9), method: dotmEtsBaseline, isKeptAtReleases: isCloserAtReleases },
  { version: '3.0.0', releasedAt: Date.UTC(2026, 10, 26, 21), method: dotmEtsTestedBaseline, isKeptAtReleases: isRivalNotCloserAtReleases },
];
