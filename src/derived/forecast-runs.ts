// Every forecast of one series, each made from the knowledge of its time when a new newest period became known, or a new model was released; and the errors of the
// newest model, including the forecasts that it would have made before its release.
import type { SeriesNature } from '../stats/comb-theta-damped.ts';
import type { Outcome } from '../stats/forecast-accuracy.ts';
import type { Series } from '../stats/simple-exponential-smoothing.ts';
import { type BaselineForecast, type CadenceRules, type Candidate, type EarlierForecast, type ForecastModel } from './baseline-forecast.ts';
import { MODELS } from './forecast-models.ts';

/** A value that became known: its period (numbered without gaps) and time (milliseconds since 1970); null withdraws it. */
export interface Knowledge {
  readonly period: number;
  readonly observedAt: number;
  readonly value: number | null;
}

export interface ForecastRun extends Candidate {
  readonly basePeriod: number;
  readonly origin: number;
  readonly modelVersion: string;
}

/** The errors of a forecast a year after it was made: of the published one, and of the combination even if it was not published. */
export interface ScoredRun {
  readonly run: ForecastRun;
  readonly published: Outcome;
  readonly combination: Outcome | null;
}

interface Made {
  readonly run: ForecastRun;
  readonly naive: Candidate;
  readonly combination: Candidate | null;
  readonly scale: number;
  /** Older values of the history, which reveal a later change of base. */
  readonly older: ReadonlyMap<number, number>;
  readonly dueAt: number;
}

const SCORED_AFTER_MONTHS = 12;
/** After one year the next annual value is often still missing. */
const ANNUAL_SCORED_AFTER_MONTHS = 24;

export interface Backtest {
  readonly runs: readonly ForecastRun[];
  readonly scored: readonly ScoredRun[];
  /** Any moment in this range gives the same result as `until`, as long as the same models are in force. */
  readonly holds: Period;
}

/** From the first moment on and before the second, milliseconds. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

/**
 * @param knowledge in the order in which it became known; for one period at one moment the last one counts
 * @param until forecasts due by then are scored, models released by then in force
 * @returns the forecasts of each model while in force, and the backtest of the newest: its runs at all releases, also before its own
 */
export function forecastRuns(
  knowledge: readonly Knowledge[],
  nature: SeriesNature,
  rules: CadenceRules,
  until: number,
  models: readonly ForecastModel[] = MODELS,
): { readonly runs: readonly ForecastRun[]; readonly backtest: Backtest } {
  const inForce = modelsInForce(models, until);
  const runs: ForecastRun[] = [];
  let backtest: Backtest = { runs: [], scored: [], holds: { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY } };
  for (const [index, model] of inForce.entries()) {
    const next = inForce[index + 1]?.releasedAt ?? null;
    const seen = next === null ? knowledge : knowledge.filter(({ observedAt }) => observedAt < next);
    backtest = backtestOf(model, seen, nature, rules, until);
    runs.push(...backtest.runs.filter(({ origin }) => model.releasedAt === null || origin >= model.releasedAt));
  }
  return { runs, backtest };
}

export const modelsInForce = (models: readonly ForecastModel[], until: number): readonly ForecastModel[] =>
  models.filter(({ releasedAt }) => releasedAt === null || releasedAt <= until);

/** The forecasts of one model at each moment with a new newest period, and at its own release. */
function backtestOf(
  model: ForecastModel,
  knowledge: readonly Knowledge[],
  nature: SeriesNature,
  rules: CadenceRules,
  until: number,
): Backtest {
  const known = new Map<number, number>();
  const made: Made[] = [];
  const scored: ScoredRun[] = [];
  /** Those of the combination, whether published or not. */
  const outcomes: Outcome[] = [];
  let scoredUntil = 0;
  let newest = -Infinity;

  const scoreDue = (before: number) => {
    for (let one = made[scoredUntil]; one !== undefined && one.dueAt < before; one = made[scoredUntil]) {
      scoredUntil += 1;
      const actual = actualOf(one, known);
      if (actual === null) continue;
      const run = scoredRun(one, actual);
      scored.push(run);
      if (run.combination !== null) outcomes.push(run.combination);
    }
  };

  for (const { observedAt, changes } of withRelease(moments(knowledge), model.releasedAt)) {
    scoreDue(observedAt);
    learn(known, changes);
    const last = changes.reduce((most, { period, value }) => (value === null ? most : Math.max(most, period)), newest);
    if (last === newest && observedAt !== model.releasedAt) continue;
    newest = last;
    // The forecast actually made for this newest period replaces the one that would have been made.
    if (made.length > scoredUntil && made.at(-1)?.run.basePeriod === last) made.pop();
    const history = historyUpTo(last, known);
    const earlier = earlierForecasts(made.slice(-rules.mostErrors), known);
    const baseline = model.method(history, nature, rules, earlier);
    if (baseline === null) continue;
    const { naive, combination } = baseline;
    const chosen = chosenOf(baseline, outcomes, rules, model);
    // A level so wild that its interval is infinite gets no forecast.
    if (!Number.isFinite(chosen.lower) || !Number.isFinite(chosen.upper)) continue;
    made.push({
      run: { ...chosen, basePeriod: last, origin: observedAt, modelVersion: model.version },
      naive,
      combination,
      scale: naiveScale(history, nature),
      older: olderOf(history, last),
      dueAt: monthsLater(observedAt, rules.periodsPerYear === 1 ? ANNUAL_SCORED_AFTER_MONTHS : SCORED_AFTER_MONTHS),
    });
  }
  scoreDue(until + 1);
  const holds = {
    from: made.slice(0, scoredUntil).reduce((latest, { dueAt }) => Math.max(latest, dueAt), Number.NEGATIVE_INFINITY),
    before: made[scoredUntil]?.dueAt ?? Number.POSITIVE_INFINITY,
  };
  return { runs: made.map(({ run }) => run), scored, holds };
}

function learn(known: Map<number, number>, changes: readonly Knowledge[]): void {
  for (const { period, value } of changes) {
    if (value === null) known.delete(period);
    else known.set(period, value);
  }
}

function chosenOf(baseline: BaselineForecast, outcomes: readonly Outcome[], rules: CadenceRules, model: ForecastModel): Candidate {
  const isCombination = isKeptAtReleases(outcomes, rules, model) ?? baseline.isBetterWithin();
  return isCombination && baseline.combination !== null ? baseline.combination : baseline.naive;
}

function scoredRun({ run, naive, combination, scale }: Made, actual: number): ScoredRun {
  const outcome = (of: Candidate): Outcome => ({
    actual,
    naive: naive.forecast,
    scale,
    forecast: of.forecast,
    lower: of.lower,
    upper: of.upper,
  });
  return { run, published: outcome(run), combination: combination === null ? null : outcome(combination) };
}

/** True if the combination is published, judged by the releases scored so far; null while they are too few for a verdict. */
function isKeptAtReleases(outcomes: readonly Outcome[], rules: CadenceRules, model: ForecastModel): boolean | null {
  return outcomes.length < rules.fewestErrors ? null : model.isKeptAtReleases(outcomes);
}

function earlierForecasts(made: readonly Made[], known: ReadonlyMap<number, number>): EarlierForecast[] {
  return made.flatMap((one) => {
    const actual = actualOf(one, known);
    return actual === null ? [] : [{ actual, naive: one.naive.forecast, combination: one.combination?.forecast ?? null }];
  });
}

interface Moment {
  readonly observedAt: number;
  readonly changes: readonly Knowledge[];
}

/** Adds the release as a moment of its own if no value became known at it. */
function* withRelease(known: Iterable<Moment>, releasedAt: number | null): Generator<Moment> {
  let waiting = releasedAt;
  for (const moment of known) {
    if (waiting !== null && waiting < moment.observedAt) yield { observedAt: waiting, changes: [] };
    if (waiting !== null && waiting <= moment.observedAt) waiting = null;
    yield moment;
  }
  if (waiting !== null) yield { observedAt: waiting, changes: [] };
}

function* moments(knowledge: Iterable<Knowledge>): Generator<Moment> {
  let changes: Knowledge[] = [];
  for (const change of knowledge) {
    const [first] = changes;
    if (first !== undefined && first.observedAt !== change.observedAt) {
      yield { observedAt: first.observedAt, changes };
      changes = [];
    }
    changes.push(change);
  }
  const [first] = changes;
  if (first !== undefined) yield { observedAt: first.observedAt, changes };
}

/** The unbroken stretch that ends with the given period; the mean of its neighbours fills a single missing period. */
export function historyUpTo(last: number, known: ReadonlyMap<number, number>): Series {
  const backwards: number[] = [];
  for (let period = last; ; period -= 1) {
    const value = known.get(period);
    if (value !== undefined) {
      backwards.push(value);
      continue;
    }
    const [after, before] = [known.get(period + 1), known.get(period - 1)];
    if (after === undefined || before === undefined) break;
    backwards.push((after + before) / 2);
  }
  return Float64Array.from(backwards.reverse());
}

// A change of base moves all past values alike; among revisions only a comprehensive one reaches back three years.
const REBASED_BEYOND = 0.01;
const OLDER_FROM = 36;
const OLDER_COUNT = 9;

/** Up to nine values that are three years old, or the oldest ones. */
function olderOf(history: Series, last: number): ReadonlyMap<number, number> {
  const end = Math.max(Math.min(OLDER_COUNT, history.length), history.length - OLDER_FROM);
  const start = Math.max(0, end - OLDER_COUNT);
  const first = last - history.length + 1;
  return new Map([...history.subarray(start, end)].map((value, index) => [first + start + index, value]));
}

/** The actual value of the forecast period, as known now, on the base of the history at that time; null while unknown. */
function actualOf({ run, older }: Made, known: ReadonlyMap<number, number>): number | null {
  const actual = known.get(run.basePeriod + 1);
  if (actual === undefined) return null;
  const ratios: number[] = [];
  for (const [period, then] of older) {
    const now = known.get(period);
    if (now !== undefined && now > 0 && then > 0) ratios.push(now / then);
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1;
  return Math.abs(ratio - 1) > REBASED_BEYOND ? actual / ratio : actual;
}

function naiveScale(history: Series, { seasonalPeriod }: SeriesNature): number {
  const lag = seasonalPeriod !== null && history.length > seasonalPeriod ? seasonalPeriod : 1;
  const later = history.subarray(lag);
  return later.reduce((sum, value, index) => sum + Math.abs(value - (history[index] ?? Number.NaN)), 0) / later.length;
}

function monthsLater(instant: number, months: number): number {
  const date = new Date(instant);
  return date.setUTCMonth(date.getUTCMonth() + months);
}
