// Bank of England, its statistical database: Bank Rate and SONIA as CSV, and notes and coin in the database's XML, in which each value states its
// last update, in London time.
import { isDay, lastDayOfMonth, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { boeFeed } from './feed.ts';
import { BOE_RATES } from './feed.ts';
import { BOE_CODES } from './feed.ts';
import { instantAt } from '../local-time.ts';
import { readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import { plainAttributes, readXml } from '../readers/xml.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { dailyRecords, expectDay, numberIn } from '../records/daily.ts';

const ID = 'boe';
const TABLE = /(?:^|\/)boe\/rates\.csv$/;
const CHANGES = /(?:^|\/)boe\/bank-rate-history\.[^/]*\.csv$/;
const MESSAGE = /(?:^|\/)central-banks\/boe-data\.xml$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const BANK_RATE = 'IUDBEDR';
const NOTES_AND_COIN = 'LPMVWYR';

export const boe: Source = {
  id: ID,
  version: 2,
  owns: (path) => [TABLE, CHANGES, MESSAGE].some((file) => file.test(path)),
  address: (path) => {
    if (CHANGES.test(path)) return 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp';
    return TABLE.test(path) ? BOE_RATES : 'https://www.bankofengland.co.uk/boeapps/database/';
  },
  mediaType: 'text/csv',
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: boeFeed,
};

function rowsOf(payload: Payload): ObservationRecord[] {
  if (CHANGES.test(payload.key)) return changeRows(payload);
  return TABLE.test(payload.key) ? tableRows(payload) : messageRows(payload);
}

/** Bank Rate on each day on which it changed, newest first. A change is announced on its day and never revised, so it is known from the end of that day. */
function changeRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const table = readCsv(body, { sourceId: ID, required: ['Rate'], mayLackFinalLineEnd: true });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the history has no rows');
  const [date, rate] = [table.text(table.has('Date') ? 'Date' : 'Date Changed'), table.number('Rate')];
  return table.rows.map((row) => {
    const day = dayOfChange(date(row), retrievedAt);
    return { seriesCode: BANK_RATE, ...periodOf('daily', day), value: rate(row), observedAt: knownOn(day, retrievedAt) };
  });
}

/** `2022-11-03`, `18-Dec-25`, `16 Dec 21`: two digits mean a year within the hundred years before the retrieval. */
function dayOfChange(text: string, retrievedAt: string): string {
  const [, date = '', month = '', year = ''] = /^(\d{1,2})[ -]([A-Z][a-z]{2})[ -](\d{2})$/.exec(text) ?? [];
  if (year === '') return expectDay(ID, BANK_RATE, text, text);
  const dayIn = (century: string): string =>
    `${century}${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${date.padStart(2, '0')}`;
  const day = dayIn('20') <= retrievedAt.slice(0, 10) ? dayIn('20') : dayIn('19');
  return expectDay(ID, BANK_RATE, day, text);
}

function tableRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const table = readCsv(body, { sourceId: ID, required: ['DATE', ...BOE_CODES], missing: ['..'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  const date = table.text('DATE');
  return BOE_CODES.flatMap((code) => {
    const value = table.number(code);
    return dailyRecords(
      code,
      table.rows.map((row) => ({ day: dayOf(code, date(row)), value: value(row) })),
      retrievedAt,
    );
  });
}

/** `02 Jan 2026`. */
function dayOf(code: string, text: string): string {
  const [, day, month = '', year] = /^(\d{2}) ([A-Z][a-z]{2}) (\d{4})$/.exec(text) ?? [];
  return expectDay(ID, code, `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}`, text);
}

/** One series in a `Cube` with its code; the inner cubes describe it or have one value each. A code that was requested twice appears twice. */
function messageRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const records = new Map<string, ObservationRecord>();
  let series = '';
  readXml(
    ID,
    body,
    { expected: 'an Envelope', isRoot: (local) => local === 'Envelope' },
    {
      open(element) {
        const attributes: Readonly<Record<string, string>> = Object.fromEntries(plainAttributes(element));
        const { SCODE, DESC, FREQ_CODE, TIME } = attributes;
        if (SCODE !== undefined) series = seriesOf(SCODE, DESC ?? '');
        if (FREQ_CODE !== undefined && FREQ_CODE !== 'M')
          throw new UpstreamError(ID, `expected months of ${series}, found ${excerpt(FREQ_CODE)}`);
        if (TIME !== undefined) addReading(records, readingOf(series, attributes, retrievedAt));
      },
    },
  );
  if (records.size === 0) throw new UpstreamError(ID, 'the answer has no rows');
  return [...records.values()];
}

function seriesOf(code: string, description: string): string {
  if (code !== NOTES_AND_COIN || !description.includes('(in sterling millions)'))
    throw new UpstreamError(ID, `expected ${NOTES_AND_COIN} in sterling millions, found ${excerpt(`${code} ${description}`, 120)}`);
  return code;
}

function readingOf(seriesCode: string, attributes: Readonly<Record<string, string>>, retrievedAt: string): ObservationRecord {
  const { TIME = '', OBS_VALUE = '', OBS_CONF, LAST_UPDATED = '' } = attributes;
  if (!isDay(TIME) || TIME !== lastDayOfMonth(TIME.slice(0, 7)))
    throw new UpstreamError(ID, `expected the last day of a month of ${seriesCode}, found ${excerpt(TIME)}`);
  if (OBS_CONF !== 'N') throw new UpstreamError(ID, `expected N in OBS_CONF for ${TIME}, found ${excerpt(OBS_CONF ?? '')}`);
  const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(LAST_UPDATED) ?? [];
  if (!isDay(day)) throw new UpstreamError(ID, `expected a day and hour in LAST_UPDATED for ${TIME}, found ${excerpt(LAST_UPDATED)}`);
  const updated = instantAt(day, time, 'Europe/London');
  const value = numberIn(ID, seriesCode, TIME, OBS_VALUE.trim());
  return { seriesCode, ...periodOf('monthly', TIME), value, observedAt: updated < retrievedAt ? updated : retrievedAt };
}

function addReading(records: Map<string, ObservationRecord>, record: ObservationRecord): void {
  const before = records.get(record.period);
  if (before !== undefined && (before.value !== record.value || before.observedAt !== record.observedAt))
    throw new UpstreamError(ID, `${record.seriesCode} stands twice for ${record.period}, otherwise each time`);
  records.set(record.period, record);
}
