// A part of the forecasts in a form for other threads: numbers as input, a text for each series as output.
import { MODELS } from './forecast-models.ts';
import { type Cadence, knowledgeNumbers, knowledgeOf, type SeriesKnowledge } from './forecast-inputs.ts';
import type { Shelf } from './shelf.ts';
import { forecastsText } from './series-forecasts.ts';

export interface ForecastTask {
  /** As of `forecastRuns`. */
  readonly until: number;
  readonly series: readonly {
    readonly cadence: Cadence;
    readonly nature: SeriesKnowledge['nature'];
    /** The number of known values. */
    readonly count: number;
  }[];
  /** As `knowledgeNumbers` makes them. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** The forecasts of one series failed. */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  /** Its index in the task. */
  readonly index: number;
  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

export function forecastTask(series: readonly SeriesKnowledge[], until: number): ForecastTask {
  return {
    until,
    series: series.map(({ cadence, nature, knowledge }) => ({ cadence, nature, count: knowledge.length })),
    numbers: knowledgeNumbers(series),
  };
}

/** A text for each series, as input of `forecastsOf`. Throws a SeriesError. */
export function* forecastTexts(shelf: Pick<Shelf, 'get' | 'put' | 'whole'>, { until, series, numbers }: ForecastTask): Generator<string> {
  let from = 0;
  for (const [index, { cadence, nature, count }] of series.entries()) {
    try {
      yield forecastsText(shelf, { cadence, nature, knowledge: knowledgeOf(numbers, from, count) }, until, MODELS);
    } catch (error) {
      throw new SeriesError(index, error instanceof Error ? error.message : String(error));
    }
    from += count;
  }
}
