// Market quotes: vendor quotes of US listings, futures and the S&P 500 (adjusted for later splits, futures for later rolls), Cboe's VIX,
// EIA spot prices, gold, and the Federal Reserve's exchange rates.
import { z } from 'zod';
import { addDays, dayNumber, endOfDay, type Frequency, isDay, periodOf } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { instantAt } from '../local-time.ts';
import { type CsvTable, readCsv } from '../readers/csv.ts';
import { readJson } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'quotes';
const LISTING = /(?:^|\/)prices\/daily_json\/([^/]+)\.json$/;
const FUTURE = /(?:^|\/)prices\/futures_json\/([^/]+)\.json$/;
const SP500 = /(?:^|\/)prices\/GSPC_daily_[^/]*\.csv$/;
const TABLES: readonly { readonly file: RegExp; readonly read: (payload: Payload) => Iterable<Batch>; readonly address: string | null }[] =
  [
    { file: LISTING, read: readListing, address: null },
    { file: FUTURE, read: readFuture, address: null },
    { file: SP500, read: (payload) => readBars(payload, 'date', SP500_INDEX), address: null },
    {
      file: /(?:^|\/)market\/vix-daily\.csv$/,
      read: (payload) => readBars(payload, 'DATE', VIX_INDEX),
      address: 'https://cdn.cboe.com/api/global/us_indices/daily_prices/VIX_History.csv',
    },
    {
      file: /(?:^|\/)market\/brent-daily\.csv$/,
      read: (payload) => readSpot(payload, BRENT),
      address: 'https://www.eia.gov/dnav/pet/hist_xls/RBRTEd.xls',
    },
    {
      file: /(?:^|\/)market\/wti-daily\.csv$/,
      read: (payload) => readSpot(payload, WTI),
      address: 'https://www.eia.gov/dnav/pet/hist_xls/RWTCd.xls',
    },
    { file: /(?:^|\/)market\/gold-monthly\.csv$/, read: (payload) => readSpot(payload, GOLD), address: null },
    { file: /(?:^|\/)market\/fx-daily-h10[^/]*\.csv$/, read: readH10, address: 'https://www.federalreserve.gov/releases/h10/hist/' },
    { file: /(?:^|\/)market\/fx-monthly\.csv$/, read: readMonthlyRates, address: 'https://www.federalreserve.gov/releases/g5/' },
  ];

export const quotes: Source = {
  id: ID,
  version: 1,
  owns: (path) => TABLES.some(({ file }) => file.test(path)),
  address: (path) => TABLES.find(({ file }) => file.test(path))?.address ?? null,
  mediaType: 'text/csv',
  normalise: (payload) => {
    const table = TABLES.find(({ file }) => file.test(payload.key));
    if (table === undefined) throw new UpstreamError(ID, `${payload.key} is not a file of quotes`);
    return table.read(payload);
  },
};

// --- Bars: open, high, low, close of a day at an exchange

interface Instrument {
  readonly symbol: string;
  readonly entityId: string;
  readonly unit: string;
  readonly volumeUnit: string;
  /** When the day's last price is final, in New York. An early close is earlier still. */
  readonly close: string;
  /** A futures price can be negative (2020-04-20); that of a share or an index cannot. */
  readonly isSigned?: boolean;
  readonly isPseudo?: boolean;
}

const SP500_INDEX: Instrument = { symbol: 'GSPC', entityId: 'index_sp500', unit: 'index', volumeUnit: 'shares', close: '16:00' };
const VIX_INDEX: Instrument = { symbol: 'VIX', entityId: 'index_vix', unit: 'index', volumeUnit: 'contracts', close: '16:15' };

const PRICES = ['open', 'high', 'low', 'close'] as const;

interface Bar extends Readonly<Record<(typeof PRICES)[number], number | null>> {
  readonly day: string;
  /** Absent if the publisher has none. */
  readonly volume?: number | null;
}

const Quotes = z.looseObject({
  symbol: z.string(),
  unit: z.string().optional(),
  prices: z
    .array(
      z.looseObject({
        time: z.string().refine(isDay, 'expected a day'),
        open: z.number().nullable(),
        high: z.number().nullable(),
        low: z.number().nullable(),
        close: z.number().nullable(),
        volume: z.number().nonnegative().nullable(),
      }),
    )
    .min(1),
});

function readListing({ key, body }: Payload): Iterable<Batch> {
  const { symbol, prices } = readJson(ID, body, Quotes);
  requireSymbol(symbol, LISTING.exec(key)?.[1]);
  // The payload has no filer: the symbol is resolved through the SEC's list of tickers.
  const listing = { symbol, entityId: `ticker:${symbol.toLowerCase()}`, unit: 'usd', volumeUnit: 'shares', close: '16:00' };
  return barBatches(
    prices.map((bar) => ({ ...bar, day: bar.time })),
    listing,
  );
}

function readFuture({ key, body }: Payload): Iterable<Batch> {
  const { symbol, unit, prices } = readJson(ID, body, Quotes);
  requireSymbol(symbol.replace('=', '-'), FUTURE.exec(key)?.[1]);
  if (unit?.startsWith('USD/') !== true) throw new UpstreamError(ID, `expected ${symbol} in US dollars, found ${excerpt(unit ?? '')}`);
  const future: Instrument = {
    symbol,
    entityId: `future_${symbol.toLowerCase().replace('=f', '')}`,
    unit: 'usd',
    volumeUnit: 'contracts',
    close: '17:00',
    isSigned: true,
    // The front contract's history is rescaled at each later roll: the contract closed at −37.63 on 2020-04-20, not at the file's value.
    isPseudo: true,
  };
  return barBatches(
    prices.map((bar) => ({ ...bar, day: bar.time })),
    future,
  );
}

function requireSymbol(symbol: string, named: string | undefined): void {
  if (symbol !== named) throw new UpstreamError(ID, `expected quotes of ${named}, found ${excerpt(symbol)}`);
}

function readBars({ body }: Payload, dateColumn: 'date' | 'DATE', instrument: Instrument): Iterable<Batch> {
  const name = (column: string) => (dateColumn === 'DATE' ? column.toUpperCase() : column);
  const table = readCsv(body, { sourceId: ID, required: [dateColumn, ...PRICES.map(name)] });
  const day = table.text(dateColumn);
  const [open, high, low, close] = [
    table.number(name('open')),
    table.number(name('high')),
    table.number(name('low')),
    table.number(name('close')),
  ];
  const volume = table.has(name('volume')) ? table.number(name('volume')) : null;
  const bars = table.rows.map((row): Bar => {
    const prices = { day: requireDay(day(row), row.line), open: open(row), high: high(row), low: low(row), close: close(row) };
    return volume === null ? prices : { ...prices, volume: volume(row) };
  });
  return barBatches(bars, instrument);
}

function* barBatches(bars: readonly Bar[], instrument: Instrument): Generator<Batch> {
  requireOrder(bars.map(({ day }) => day));
  const faults = new Map(bars.map((bar) => [bar.day, faultOf(bar, instrument)]));
  yield* observationBatches(barRecords(bars, instrument, faults));
  const refused = [...faults.values()].filter((fault) => fault !== null);
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

/** A bar whose range excludes its own open and close keeps only its close; one that is not positive keeps nothing. */
function faultOf(bar: Bar, { symbol, entityId, isSigned = false }: Instrument): RefusedRecord | null {
  const { day, open, high, low, close } = bar;
  const refuse = (field: string, value: string, reason: string): RefusedRecord => ({
    rule: 'out_of_range',
    seriesCode: `${symbol}.${field}`,
    entityId,
    period: day,
    fieldPath: field,
    observedValue: value,
    reason,
  });
  for (const field of PRICES) {
    if (!isSigned && (bar[field] ?? 1) <= 0) return refuse(field, String(bar[field]), 'the price of a share or an index is above 0');
  }
  if (open === null || high === null || low === null || close === null) return null;
  const rounding = 1e-6 * Math.abs(close);
  const isHeld = low <= Math.min(open, close) + rounding && high >= Math.max(open, close) - rounding;
  return isHeld ? null : refuse('range', `${low}/${high}`, `open ${open} and close ${close} do not lie between low and high`);
}

function* barRecords(
  bars: readonly Bar[],
  instrument: Instrument,
  faults: ReadonlyMap<string, RefusedRecord | null>,
): Generator<ObservationRecord> {
  const { symbol, entityId, unit, volumeUnit, close, isPseudo } = instrument;
  for (const bar of bars) {
    const fault = faults.get(bar.day) ?? null;
    if (fault !== null && fault.fieldPath !== 'range') continue;
    const common = {
      entityId,
      frequency: 'daily' as const,
      ...periodOf('daily', bar.day),
      observedAt: instantAt(bar.day, close, 'America/New_York'),
      ...(isPseudo === true ? { isPseudo } : {}),
    };
    for (const field of fault === null ? PRICES : (['close'] as const)) {
      yield { seriesCode: `${symbol}.${field}`, canonicalId: `price_${field}`, unit, value: bar[field], ...common };
    }
    if (bar.volume === undefined) continue;
    // Vendors write 0 for a missing volume.
    yield {
      seriesCode: `${symbol}.volume`,
      canonicalId: 'volume',
      unit: volumeUnit,
      value: bar.volume === 0 ? null : bar.volume,
      ...common,
    };
  }
}

// --- Prices and rates without vintages: known at the usual lag after the period

interface Pseudo {
  readonly entityId: string;
  readonly canonicalId: 'spot_price' | 'exchange_rate_h10' | 'exchange_rate_monthly';
  readonly frequency: Frequency;
  readonly unit: string;
  readonly lagDays: number;
}

const spot = (entityId: string, frequency: Frequency, lagDays: number): Pseudo => ({
  entityId,
  canonicalId: 'spot_price',
  frequency,
  unit: 'usd',
  lagDays,
});
const BRENT = spot('commodity_brent', 'daily', 7);
const WTI = spot('commodity_wti', 'daily', 7);
const GOLD = spot('commodity_gold', 'monthly', 5);
const rate = (currency: string, canonicalId: 'exchange_rate_h10' | 'exchange_rate_monthly'): Pseudo => ({
  entityId: `cur_${currency}`,
  canonicalId,
  // The files have every rate as units of the currency per dollar, even those that the Federal Reserve quotes the other way.
  unit: 'national_currency_per_usd',
  ...(canonicalId === 'exchange_rate_h10' ? { frequency: 'daily', lagDays: 7 } : { frequency: 'monthly', lagDays: 5 }),
});

function pseudoRecord(series: Pseudo, day: string, value: number | null, retrievedAt: string): ObservationRecord {
  const { entityId, canonicalId, frequency, unit, lagDays } = series;
  const period = periodOf(frequency, day);
  const usual = endOfDay(addDays(period.periodEnd, lagDays));
  const isOver = endOfDay(period.periodEnd) <= retrievedAt;
  const observedAt = usual > retrievedAt && isOver ? retrievedAt : usual;
  return { seriesCode: `${entityId}.${canonicalId}`, canonicalId, entityId, frequency, unit, ...period, value, observedAt, isPseudo: true };
}

function readSpot({ body, retrievedAt }: Payload, series: Pseudo): Iterable<Batch> {
  const table = readCsv(body, { sourceId: ID, required: ['Date', 'Price'] });
  const [date, price] = [table.text('Date'), table.number('Price')];
  const dayOf = (text: string) => (series.frequency === 'monthly' ? `${text}-01` : text);
  const rows = table.rows.map((row) => ({ day: requireDay(dayOf(date(row)), row.line), value: price(row) }));
  requireOrder(rows.map(({ day }) => day));
  return observationBatches(rows.map(({ day, value }) => pseudoRecord(series, day, value, retrievedAt)));
}

// The files name the country of the currency; the euro has its own column.
const CURRENCIES: Readonly<Record<string, string>> = {
  Australia: 'aud',
  Austria: 'ats',
  Belgium: 'bef',
  Brazil: 'brl',
  Canada: 'cad',
  China: 'cny',
  Denmark: 'dkk',
  Euro: 'eur',
  Finland: 'fim',
  France: 'frf',
  Germany: 'dem',
  Greece: 'grd',
  'Hong Kong': 'hkd',
  India: 'inr',
  Ireland: 'iep',
  Italy: 'itl',
  Japan: 'jpy',
  Malaysia: 'myr',
  Mexico: 'mxn',
  Netherlands: 'nlg',
  'New Zealand': 'nzd',
  Norway: 'nok',
  Portugal: 'pte',
  Singapore: 'sgd',
  'South Africa': 'zar',
  'South Korea': 'krw',
  Spain: 'esp',
  'Sri Lanka': 'lkr',
  Sweden: 'sek',
  Switzerland: 'chf',
  Taiwan: 'twd',
  Thailand: 'thb',
  'United Kingdom': 'gbp',
  Venezuela: 'ves',
};

function* readH10({ body, retrievedAt }: Payload): Generator<Batch> {
  const table = readCsv(body, { sourceId: ID, required: ['Data', 'United Kingdom'] });
  const days = table.rows.map((row) => requireDay(table.text('Data')(row), row.line));
  requireOrder(days);
  const refused: RefusedRecord[] = [];
  for (const country of table.columns.filter((column) => column !== 'Data' && column !== '')) {
    const values = valuesOf(table, country);
    // Currencies that the euro replaced have a column without rates.
    if (values.every((value) => value === null)) continue;
    const currency = CURRENCIES[country];
    if (currency === undefined) {
      refused.push(unknownCountry(country, null, null));
      continue;
    }
    values.forEach((value) => requireDirection(country, value));
    yield* observationBatches(
      values.map((value, index) => pseudoRecord(rate(currency, 'exchange_rate_h10'), days[index] ?? '', value, retrievedAt)),
    );
  }
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function valuesOf(table: CsvTable, column: string): (number | null)[] {
  const value = table.number(column);
  return table.rows.map((row) => value(row));
}

function* readMonthlyRates({ body, retrievedAt }: Payload): Generator<Batch> {
  const table = readCsv(body, { sourceId: ID, required: ['Date', 'Country', 'Exchange rate'] });
  const [date, country, value] = [table.text('Date'), table.text('Country'), table.number('Exchange rate')];
  const records: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  const daysOf = new Map<string, string[]>();
  for (const row of table.rows) {
    const [name, day, number] = [country(row), requireDay(date(row), row.line), value(row)];
    const currency = CURRENCIES[name];
    requireDirection(name, number);
    daysOf.set(name, [...(daysOf.get(name) ?? []).slice(-1), day]);
    requireOrder(daysOf.get(name) ?? []);
    if (currency === undefined) refused.push(unknownCountry(name, day.slice(0, 7), number));
    else records.push(pseudoRecord(rate(currency, 'exchange_rate_monthly'), day, number, retrievedAt));
  }
  yield* observationBatches(records);
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

/** A pound has always been worth more than a dollar: above 1 the file is inverted. */
function requireDirection(country: string, value: number | null): void {
  if (value !== null && value <= 0) throw new UpstreamError(ID, `the rate of ${country} is ${value}, not above 0`);
  if (country === 'United Kingdom' && (value ?? 0) >= 1)
    throw new UpstreamError(ID, `expected pounds for a dollar, below 1, found ${value}`);
}

function unknownCountry(country: string, period: string | null, value: number | null): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: country,
    entityId: null,
    period,
    fieldPath: 'Country',
    observedValue: value === null ? null : String(value),
    reason: `the currency meant by ${country} is not known`,
  };
}

// --- Days

function requireDay(text: string, line: number): string {
  if (!isDay(text)) throw new UpstreamError(ID, `expected a day on line ${line}, found ${excerpt(text)}`);
  return text;
}

function requireOrder(days: readonly string[]): void {
  days.forEach((day, index) => {
    const before = days[index - 1];
    if (before !== undefined && dayNumber(before) >= dayNumber(day)) throw new UpstreamError(ID, `${day} does not follow ${before}`);
  });
}
