// European Central Bank, euro foreign exchange reference rates: units of a currency per euro, one column per currency.
import { Temporal } from 'temporal-polyfill';
import { isDay } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { ecbFxFeed } from './fx-feed.ts';
import { readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import { readUnpacked } from '../readers/zip.ts';
import type { ObservationRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'ecb_fx';

export const ecbFx: Source = {
  id: ID,
  version: 1,
  owns: (path) => /(?:^|\/)(?:ecb-eurofxref|ecb_fx)\/eurofxref(?:-hist)?[^/]*\.(?:csv|zip)$/.test(path),
  address: (path) => `https://www.ecb.europa.eu/stats/eurofxref/eurofxref${/-hist(?:-90d)?/.exec(path)?.[0] ?? ''}.zip`,
  mediaType: 'text/csv',
  normalise: (payload) => readUnpacked(ID, payload, (file) => observationBatches(ratesOf(file))),
  feed: ecbFxFeed,
};

function* ratesOf({ body, retrievedAt }: Payload): Generator<ObservationRecord> {
  const table = readCsv(body, { sourceId: ID, required: ['Date', 'USD'], trim: true, missing: ['N/A'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  const date = table.text('Date');
  const rows = table.rows.map((row) => ({ row, day: dayOf(date(row)) })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const repeated = rows.find(({ day }, index) => rows[index + 1]?.day === day);
  if (repeated !== undefined) throw new UpstreamError(ID, `${repeated.day} stands twice in the file`);
  const publishedAt = new Map(rows.map(({ day }) => [day, publicationOf(day, retrievedAt)]));

  for (const currency of currenciesOf(table.columns)) {
    const rate = table.number(currency);
    let isQuoted = false;
    for (const { row, day } of rows) {
      const value = rate(row);
      if (value !== null && value <= 0) throw new UpstreamError(ID, `expected a rate of ${currency} above 0 for ${day}, found ${value}`);
      isQuoted ||= value !== null;
      const instant = publishedAt.get(day);
      // N/A before the first rate means nothing: the currency had not been quoted yet.
      if (isQuoted && instant !== undefined) yield toRecord(currency, day, value, instant);
    }
  }
}

function toRecord(currency: string, day: string, value: number | null, instant: string): ObservationRecord {
  return {
    seriesCode: `EXR.D.${currency}.EUR.SP00.A`,
    canonicalId: 'ecb_reference_rate',
    entityId: `cur_${currency.toLowerCase()}`,
    frequency: 'daily',
    unit: 'national_currency_per_eur',
    period: day,
    periodStart: day,
    periodEnd: day,
    value,
    observedAt: instant,
    releasedAt: instant,
  };
}

function currenciesOf(columns: readonly string[]): string[] {
  const currencies = columns.filter((column) => column !== '' && column !== 'Date');
  const odd = currencies.find((column) => !/^[A-Z]{3}$/.test(column));
  if (odd !== undefined) throw new UpstreamError(ID, `expected currency codes in the header, found ${excerpt(odd)}`);
  return currencies;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `2026-04-13` in the history, `13 April 2026` in the file of the day. */
function dayOf(text: string): string {
  const [, day, month, year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const number = MONTHS.indexOf(month ?? '') + 1;
  const iso = day === undefined || number === 0 ? text : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isDay(iso)) throw new UpstreamError(ID, `expected a day in Date, found ${excerpt(text)}`);
  return iso;
}

/** The rates of a day appear on that day, around 16:00 in Frankfurt; rates retrieved some minutes earlier were known then. */
function publicationOf(day: string, retrievedAt: string): string {
  const instant = Temporal.ZonedDateTime.from(`${day}T16:00[Europe/Berlin]`).toInstant().toString({ smallestUnit: 'millisecond' });
  return day === retrievedAt.slice(0, 10) && instant > retrievedAt ? retrievedAt : instant;
}
