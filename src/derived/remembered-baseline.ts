// baselineForecast through a shelf of the result cache. Doubles are kept bit for bit.
import {
  type BaselineForecast,
  type BaselineMethod,
  type CadenceRules,
  type Candidate,
  type EarlierForecast,
  type Method,
  METHODS,
} from './baseline-forecast.ts';
import type { SeriesNature } from '../stats/comb-theta-damped.ts';
import type { Series } from '../stats/simple-exponential-smoothing.ts';
import type { Shelf } from './shelf.ts';

interface Stored {
  readonly naive: Candidate;
  readonly combination: Candidate | null;
  /** null until the first request. */
  readonly isBetterWithin: boolean | null;
}

export function rememberedBaseline(shelf: Pick<Shelf, 'get' | 'put'>, version: string, method: BaselineMethod): BaselineMethod {
  return (history, nature, rules, earlier) => {
    const compute = () => method(history, nature, rules, earlier);
    if (history.length < rules.fewest) return compute();
    const key = keyOf(version, history, nature, rules, earlier);
    const stored = shelf.get(key);
    if (stored !== undefined) return remembered(fromText(stored), compute, (one) => shelf.put(key, toText(one)));
    const made = compute();
    if (made === null) return null;
    const { naive, combination } = made;
    const withoutVerdict: Stored = { naive, combination, isBetterWithin: null };
    shelf.put(key, toText(withoutVerdict));
    return remembered(
      withoutVerdict,
      () => made,
      (one) => shelf.put(key, toText(one)),
    );
  };
}

function remembered(stored: Stored, compute: () => BaselineForecast | null, keep: (stored: Stored) => void): BaselineForecast {
  return {
    naive: stored.naive,
    combination: stored.combination,
    isBetterWithin: () => {
      if (stored.isBetterWithin !== null) return stored.isBetterWithin;
      const isBetterWithin = compute()?.isBetterWithin() ?? false;
      keep({ ...stored, isBetterWithin });
      return isBetterWithin;
    },
  };
}

function keyOf(
  version: string,
  history: Series,
  { isLevel, seasonalPeriod }: SeriesNature,
  rules: CadenceRules,
  earlier: readonly EarlierForecast[],
): Uint8Array {
  const head = [Number(isLevel), seasonalPeriod ?? 0, history.length];
  const numbers = new Float64Array(head.length + history.length + 3 * earlier.length);
  numbers.set(head);
  numbers.set(history, head.length);
  let at = head.length + history.length;
  for (const { actual, naive, combination } of earlier) {
    numbers[at] = actual;
    numbers[at + 1] = naive;
    numbers[at + 2] = combination ?? Number.NaN;
    at += 3;
  }
  return Buffer.concat([Buffer.from(`${version} ${JSON.stringify(rules)} `), Buffer.from(numbers.buffer)]);
}

const isCombination = (made: string): made is Method => made !== 'naive_v1' && METHODS.some((method) => method === made);

const BOUNDS = ['forecast', 'lower', 'upper'] as const;

function toText({ naive, combination, isBetterWithin }: Stored): string {
  const numbers = [naive, combination].flatMap((one) => BOUNDS.map((bound) => one?.[bound] ?? Number.NaN));
  const verdict = isBetterWithin === null ? '?' : isBetterWithin ? 'y' : 'n';
  return `${combination?.method ?? 'naive_v1'} ${verdict} ${Buffer.from(Float64Array.from(numbers).buffer).toString('base64')}`;
}

function fromText(text: string): Stored {
  const [made = '', verdict, encoded = ''] = text.split(' ');
  const bytes = Buffer.from(encoded, 'base64');
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
  const candidate = (method: Candidate['method'], at: number): Candidate => {
    const [forecast = Number.NaN, lower = Number.NaN, upper = Number.NaN] = numbers.subarray(at, at + BOUNDS.length);
    return { method, forecast, lower, upper };
  };
  return {
    naive: candidate('naive_v1', 0),
    combination: isCombination(made) ? candidate(made, BOUNDS.length) : null,
    isBetterWithin: verdict === '?' ? null : verdict === 'y',
  };
}
