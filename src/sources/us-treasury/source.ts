// US Treasury, daily par yield curve rates by tenor: the file of a calendar year, newest day first. Years before 2022 came as an XML feed.
import { addDays, isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { usTreasuryFeed } from './feed.ts';
import { parseNumber, readCsv } from '../readers/csv.ts';
import { readOdata } from './odata.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'us_treasury';
const FILE =
  /(?:^|\/)us[-_]treasury\/(?:\d{4}-\d{2}-\d{2}\/)?(?:(?:daily-treasury-rates|split)\.(\d{4})\.csv|DailyTreasuryYieldCurveRateData\.(\d{4})\.xml)$/;
const CENTER = 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates';

export const usTreasury: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: (path) => {
    const [, csvYear, xmlYear] = FILE.exec(path) ?? [];
    return csvYear === undefined
      ? `${CENTER}/pages/xml?data=daily_treasury_yield_curve&field_tdr_date_value=${xmlYear}`
      : `${CENTER}/daily-treasury-rates.csv/${csvYear}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${csvYear}&page&_format=csv`;
  },
  mediaType: 'text/csv',
  normalise: (payload) => observationBatches(withoutRepeats(ID, ratesOf(payload))),
  feed: usTreasuryFeed,
};

interface Curve {
  readonly day: string;
  /** By the tenor in months. */
  readonly rates: ReadonlyMap<string, number | null>;
}

function* ratesOf(payload: Payload): Generator<ObservationRecord> {
  const year = yearOf(payload.key);
  const curves = (payload.key.endsWith('.csv') ? tableCurves(payload) : feedCurves(payload)).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  if (curves.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  checkDays(
    curves.map(({ day }) => day),
    year,
  );
  const tenors = new Set(curves.flatMap(({ rates }) => [...rates.keys()]));
  for (const tenor of tenors) {
    let isQuoted = false;
    for (const { day, rates } of curves) {
      const value = rates.get(tenor) ?? null;
      // A tenor that begins within the year has empty cells before its start.
      isQuoted ||= value !== null;
      if (isQuoted)
        yield {
          seriesCode: `BC_${tenor}`,
          frequency: 'daily',
          ...periodOf('daily', day),
          value,
          observedAt: knownOn(day, payload.retrievedAt),
        };
    }
  }
}

function yearOf(key: string): string {
  const [, csvYear, xmlYear] = FILE.exec(key) ?? [];
  return csvYear ?? xmlYear ?? '';
}

/** Gaps of more than ten days do not exist: a longer gap, or another year, means that the file is truncated or wrong. */
function checkDays(days: readonly string[], year: string): void {
  const odd = days.find((day) => !day.startsWith(year));
  if (odd !== undefined) throw new UpstreamError(ID, `expected days of ${year}, found ${odd}`);
  const begun = [`${Number(year) - 1}-12-31`, ...days];
  for (const [index, day] of days.entries()) {
    const before = begun[index] ?? day;
    if (addDays(before, 10) < day) throw new UpstreamError(ID, `${day} follows ${before}: days are missing, the file may be truncated`);
  }
}

/** `10 Yr`, `1.5 Month`, `3 Mo`. */
const COLUMN = /^(\d+(?:\.5)?) (Mo(?:nth)?|Yr)$/;

function tableCurves({ body }: Payload): Curve[] {
  const table = readCsv(body, { sourceId: ID, required: ['Date', '3 Mo', '1 Yr', '10 Yr'], trim: true, mayLackFinalLineEnd: true });
  const date = table.text('Date');
  const columns = table.columns.flatMap((column) => {
    if (column === 'Date' || column === '') return [];
    const [, count, unit] = COLUMN.exec(column) ?? [];
    if (count === undefined) throw new UpstreamError(ID, `expected tenors in the header, found ${excerpt(column)}`);
    return [{ tenor: tenorOf(count, unit === 'Yr' ? 'YEAR' : 'MONTH'), rate: table.number(column) }];
  });
  return table.rows.map((row) => {
    // Other people's copies have ISO days.
    const day = date(row).replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2');
    return { day: checkDay(day, date(row)), rates: new Map(columns.map(({ tenor, rate }) => [tenor, rate(row)])) };
  });
}

/** While there was no 30-year rate, the feed showed another number in its place. */
const PROPERTY = /^BC_(\d+(?:_5)?)(MONTH|YEAR)$/;

function feedCurves({ body }: Payload): Curve[] {
  return readOdata(ID, body).map((properties) => {
    const stated = properties.get('NEW_DATE') ?? '';
    const rates = new Map<string, number | null>();
    for (const [name, text] of properties) {
      const [, count, unit] = PROPERTY.exec(name) ?? [];
      if (count !== undefined) rates.set(tenorOf(count.replace('_', '.'), unit === 'YEAR' ? 'YEAR' : 'MONTH'), rateOf(name, text));
    }
    if (!rates.has(tenorOf('10', 'YEAR'))) throw new UpstreamError(ID, `expected BC_10YEAR for ${excerpt(stated)}`);
    return { day: checkDay(stated.slice(0, 10), stated), rates };
  });
}

function rateOf(name: string, text: string | null): number | null {
  if (text === null || text === '') return null;
  const value = parseNumber(text);
  if (value === null) throw new UpstreamError(ID, `expected a number in ${name}, found ${excerpt(text)}`);
  return value;
}

const tenorOf = (count: string, unit: 'MONTH' | 'YEAR'): string => `${count.replace('.', '_')}${unit}`;

function checkDay(day: string, stated: string): string {
  if (!isDay(day)) throw new UpstreamError(ID, `expected a day, found ${excerpt(stated)}`);
  return day;
}
