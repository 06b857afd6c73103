// Statistics Canada: consumer prices, as the download of its table viewer. The table states the day of its release: it is known from the end of that day.
import { parse } from 'csv-parse/sync';
import { isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { parseNumber } from '../readers/csv.ts';
import { decodeText, excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'statcan';
const FILE = /(?:^|\/)statcan\/(1810000401)-eng\.\d{4}-\d{2}-\d{2}\.csv$/;
const ROW = 'All-items';

export const statcan: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: (path) => `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${FILE.exec(path)?.[1] ?? ''}`,
  mediaType: 'text/csv',
  knownAt: (payload) => knownOn(tableOf(payload).released, payload.retrievedAt),
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
};

interface Table {
  readonly released: string;
  readonly months: readonly string[];
  readonly values: readonly string[];
}

function tableOf({ body }: Payload): Table {
  const lines = linesOf(decodeText(ID, body));
  const released =
    /^Release date: (\d{4}-\d{2}-\d{2})$/.exec(lines.find(([first]) => first?.startsWith('Release date:'))?.[0] ?? '')?.[1] ?? '';
  const geography = lines.find(([first]) => first === 'Geography');
  const header = lines.findIndex(([first]) => first?.startsWith('Products and product groups') === true);
  if (!isDay(released) || geography?.[1] !== 'Canada' || header === -1)
    throw new UpstreamError(ID, 'expected a day of release, Canada and a row of months, found another table');
  const unit = lines[header + 1]?.[1] ?? '';
  if (!/^\d{4}=100$/.test(unit)) throw new UpstreamError(ID, `expected an index with its base, found ${excerpt(unit)}`);
  const values = lines.slice(header + 2).find(([first]) => first === ROW);
  if (values === undefined) throw new UpstreamError(ID, `expected the row ${ROW}, found none`);
  return { released, months: (lines[header] ?? []).slice(1), values: values.slice(1) };
}

/** Titles have one cell, data rows one per month; the footnotes end the table. */
function linesOf(text: string): string[][] {
  try {
    return parse(text.split(/\r?\nFootnotes:/, 1)[0] ?? '', { relax_column_count: true, skip_empty_lines: true, bom: true });
  } catch (cause) {
    throw new UpstreamError(ID, `the CSV is malformed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function rowsOf(payload: Payload): ObservationRecord[] {
  const { released, months, values } = tableOf(payload);
  if (months.length === 0 || values.length !== months.length)
    throw new UpstreamError(ID, `expected a value for each of ${months.length} months, found ${values.length}`);
  return months.map((month, index) => {
    const [, name = '', year] = /^([A-Z][a-z]+) (\d{4})$/.exec(month) ?? [];
    const place = MONTHS.indexOf(name) + 1;
    const cell = values[index] ?? '';
    const value = parseNumber(cell);
    if (year === undefined || place === 0) throw new UpstreamError(ID, `expected a month, found ${excerpt(month)}`);
    if (value === null && cell !== '..') throw new UpstreamError(ID, `expected a number in ${month}, found ${excerpt(cell)}`);
    return {
      seriesCode: `18-10-0004-01.${ROW}`,
      canonicalId: 'cpi_nsa',
      entityId: 'ca',
      frequency: 'monthly',
      unit: 'index',
      ...periodOf('monthly', `${year}-${String(place).padStart(2, '0')}-01`),
      value,
      observedAt: knownOn(released, payload.retrievedAt),
    };
  });
}
