// Market quotes: daily prices and quarterly dividends of the invented companies, and the volatility index.
import { addDays } from '../../src/model/period.ts';
import { chance, rounded, valueAt } from './invent.ts';
import { businessDays, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';
import { COMPANIES, type Company } from './companies.ts';

const DAYS = 320;
const RECENT_DAYS = 66;
const UNKNOWN_DIVIDEND = 'ZZSMB';

export function* quotesFiles(now: number): Generator<SampleFile> {
  const days = businessDays(yesterdayOf(now), DAYS);
  for (const company of COMPANIES.filter(({ isListed }) => isListed)) {
    const priced = company.isRecent === true ? days.slice(-RECENT_DAYS) : [...weeksBefore(days[0] ?? '', company.weeklyFrom), ...days];
    yield { path: `${SAMPLE_FOLDER}prices/daily_json/${company.ticker}.json`, body: pricesOf(company, priced) };
    yield { path: `${SAMPLE_FOLDER}prices/dividends/${company.ticker}.csv`, body: dividendsOf(company, days) };
  }
  const lines = days.map(
    (day) =>
      `${day},${Object.values(bar('VIX', day, 18, 0.25))
        .map((value) => value.toFixed(6))
        .join(',')}`,
  );
  yield { path: `${SAMPLE_FOLDER}market/vix-daily.csv`, body: `DATE,OPEN,HIGH,LOW,CLOSE\n${lines.join('\n')}\n` };
}

/** One day a week, before the daily ones. */
function weeksBefore(first: string, from: string | undefined): string[] {
  const weeks: string[] = [];
  for (let day = from ?? first; day < first; day = addDays(day, 7)) weeks.push(day);
  return weeks;
}

function bar(name: string, day: string, base: number, swing: number) {
  const month = monthsSince2020(day);
  const close = valueAt(`quotes ${name}`, month, { base, swing, jitter: 0.012 });
  const open = close * (1 + 0.01 * (chance(name, day, 'open') - 0.5));
  const high = Math.max(open, close) * (1 + 0.01 * chance(name, day, 'high'));
  const low = Math.min(open, close) * (1 - 0.01 * chance(name, day, 'low'));
  return { open, high, low, close };
}

function pricesOf({ ticker, name, price, shares }: Company, days: readonly string[]): string {
  const prices = days.map((day) => {
    const { open, high, low, close } = bar(ticker, day, price, 0.12);
    return {
      time: day,
      open: rounded(open, 2),
      high: rounded(high, 2),
      low: rounded(low, 2),
      close: rounded(close, 2),
      volume: Math.round((shares / 150) * (0.7 + 0.6 * chance(ticker, day, 'volume'))),
    };
  });
  const marketCap = `$${(((prices.at(-1)?.close ?? 0) * shares) / 1e9).toFixed(2)}B`;
  return JSON.stringify({ symbol: ticker, name, sector: 'Sample', marketCap, updated: days.at(-1), prices });
}

/** Every 63rd business day a dividend, declared two weeks and paid a week from the ex day. */
function dividendsOf({ ticker, price }: Company, days: readonly string[]): string {
  const lines = days
    .filter((_, index) => index % 63 === 20)
    .map((day) => `${day},${addDays(day, 7)},${addDays(day, -14)},${rounded(price / 200 + 0.01 * chance(ticker, day, 'dividend'), 2)}`);
  // Vendors write 0 for an amount that they do not have.
  const unknown = days.filter((_, index) => index === 7).map((day) => `${day},${addDays(day, 7)},${addDays(day, -14)},0`);
  return `Ex,Pay,Dec,Div\n${[...(ticker === UNKNOWN_DIVIDEND ? unknown : []), ...lines].join('\n')}\n`;
}
