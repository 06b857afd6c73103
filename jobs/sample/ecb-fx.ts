// Euro reference rates: the history, with the columns of currencies that have gone, and the file of the newest day.
import { chance, valueAt } from './invent.ts';
import { businessDays, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';

const DAYS = 200;

/** Currencies in the order of the history's columns, with units for one euro and decimals; those without are N/A throughout. */
const RATES: readonly (readonly [string, number, number] | readonly [string])[] = [
  ...([['USD', 1.1, 4], ['JPY', 150, 2], ['BGN'], ['CYP'], ['CZK', 25, 3], ['DKK', 7.45, 4], ['EEK'], ['GBP', 0.87, 5]] as const),
  ...([['HUF', 385, 2], ['LTL'], ['LVL'], ['MTL'], ['PLN', 4.35, 4], ['ROL'], ['RON', 4.9, 4], ['SEK', 11.2, 4]] as const),
  ...([['SIT'], ['SKK'], ['CHF', 0.96, 4], ['ISK', 146, 2], ['NOK', 11.4, 4], ['HRK'], ['RUB'], ['TRL'], ['TRY', 38, 4]] as const),
  ...([
    ['AUD', 1.68, 4],
    ['BRL', 5.8, 4],
    ['CAD', 1.5, 4],
    ['CNY', 7.7, 4],
    ['HKD', 8.6, 4],
    ['IDR', 17_500, 2],
  ] as const),
  ...([
    ['ILS', 3.9, 4],
    ['INR', 94, 4],
    ['KRW', 1500, 2],
    ['MXN', 20, 4],
    ['MYR', 4.8, 4],
    ['NZD', 1.84, 4],
  ] as const),
  ...([
    ['PHP', 63, 3],
    ['SGD', 1.46, 4],
    ['THB', 38, 3],
    ['ZAR', 20, 4],
  ] as const),
];

export function* ecbFxFiles(now: number): Generator<SampleFile> {
  const days = businessDays(yesterdayOf(now), DAYS);
  yield { path: `${SAMPLE_FOLDER}ecb-eurofxref/eurofxref-hist.csv`, body: history(days.toReversed()) };
  yield { path: `${SAMPLE_FOLDER}ecb-eurofxref/eurofxref.csv`, body: ofDay(days.at(-1) ?? '') };
}

function rate([currency, base, decimals]: (typeof RATES)[number], day: string): string | null {
  if (base === undefined || decimals === undefined) return null;
  const swing = currency === 'DKK' ? 0.001 : 0.04 + 0.04 * chance('swing', currency);
  return valueAt(`ecb ${currency}`, monthsSince2020(day), { base, swing, jitter: swing / 20 }).toFixed(decimals);
}

/** Newest first; every line ends in a comma. */
function history(days: readonly string[]): string {
  const lines = days.map((day) => `${day},${RATES.map((entry) => rate(entry, day) ?? 'N/A').join(',')},`);
  return `Date,${RATES.map(([currency]) => currency).join(',')},\n${lines.join('\n')}\n`;
}

function ofDay(day: string): string {
  const quoted = RATES.flatMap((entry) => {
    const value = rate(entry, day);
    return value === null ? [] : [{ currency: entry[0], value }];
  });
  const date = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
  return `${line(['Date', ...quoted.map(({ currency }) => currency)])}\n${line([date, ...quoted.map(({ value }) => value)])}\n`;
}

/** Blanks after the commas, and a comma at the end. */
function line(cells: readonly string[]): string {
  return `${cells.join(', ')}, `;
}
