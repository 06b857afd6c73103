// Office for National Statistics: unemployment, consumer prices and output of the United Kingdom, one series per file. Each value states its last update: it is
// known from then, or from the end of the day if no hour is stated.
import { z } from 'zod';
import { addDays, isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { parseNumber } from '../readers/csv.ts';
import { readJson } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'ons';
const FILE = /(?:^|\/)ons\/timeseries\/([A-Z0-9]{4,6})\.json$/;

interface Series {
  readonly canonicalId: string;
  readonly unit: string;
  readonly frequency: 'monthly' | 'quarterly';
  /** The required beginning of the title. */
  readonly title: string;
  /** Units of the series per unit of ours. */
  readonly scale?: number;
}

const SERIES: Readonly<Record<string, Series>> = {
  MGSX: { canonicalId: 'unemployment_rate', unit: 'percent', frequency: 'monthly', title: 'Unemployment rate' },
  D7G7: { canonicalId: 'cpi_inflation_yoy_published', unit: 'percent', frequency: 'monthly', title: 'CPI ANNUAL RATE' },
  D7BT: { canonicalId: 'cpi_nsa', unit: 'index', frequency: 'monthly', title: 'CPI INDEX' },
  ABMI: {
    canonicalId: 'gdp_real_national_currency',
    unit: 'national_currency_billions_chained',
    frequency: 'quarterly',
    title: 'Gross Domestic Product',
    scale: 1000,
  },
  IHYQ: { canonicalId: 'gdp_growth_qoq_published', unit: 'percent', frequency: 'quarterly', title: 'Gross Domestic Product' },
  IHYR: { canonicalId: 'gdp_growth_yoy_published', unit: 'percent', frequency: 'quarterly', title: 'Gross Domestic Product' },
};

export const ons: Source = {
  id: ID,
  version: 1,
  owns: (path) => seriesOf(path) !== null,
  address: (path) => `https://www.ons.gov.uk/search?q=${FILE.exec(path)?.[1] ?? ''}`,
  mediaType: 'application/json',
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
};

function seriesOf(path: string): Series | null {
  return SERIES[FILE.exec(path)?.[1] ?? ''] ?? null;
}

const Value = z.looseObject({ date: z.string(), value: z.string(), updateDate: z.string() });
const Answer = z.looseObject({
  description: z.looseObject({ cdid: z.string(), title: z.string() }),
  months: z.array(Value),
  quarters: z.array(Value),
});

function rowsOf({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const series = seriesOf(key);
  const code = FILE.exec(key)?.[1] ?? '';
  if (series === null) throw new UpstreamError(ID, `expected a series that is read, found ${key}`);
  const data = readJson(ID, body, Answer);
  const { cdid, title } = data.description;
  if (cdid !== code || !title.toLowerCase().startsWith(series.title.toLowerCase()))
    throw new UpstreamError(ID, `expected ${code}, ${series.title}, found ${excerpt(`${cdid}, ${title}`)}`);
  const { canonicalId, unit, frequency, scale = 1 } = series;
  const values = frequency === 'monthly' ? data.months : data.quarters;
  if (values.length === 0) throw new UpstreamError(ID, `expected values of ${code}, found none`);
  return values.map(({ date, value, updateDate }) => {
    const number = value === '' ? null : parseNumber(value);
    if (value !== '' && number === null) throw new UpstreamError(ID, `expected a number in ${date}, found ${excerpt(value)}`);
    return {
      seriesCode: code,
      canonicalId,
      entityId: 'gb',
      frequency,
      unit,
      ...periodOf(frequency, dayOf(date, frequency)),
      value: number === null ? null : number / scale,
      observedAt: knownFrom(updateDate, retrievedAt),
    };
  });
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** `2022 AUG`, `2022 Q3`. A mean of three months has the label of the middle one. */
function dayOf(date: string, frequency: Series['frequency']): string {
  const [, year, part = ''] = /^(\d{4}) ([A-Z]{3}|Q[1-4])$/.exec(date) ?? [];
  const month = frequency === 'monthly' ? MONTHS.indexOf(part) + 1 : part.startsWith('Q') ? Number(part.slice(1)) * 3 : 0;
  if (year === undefined || month === 0) throw new UpstreamError(ID, `expected a ${frequency} period, found ${excerpt(date)}`);
  return `${year}-${String(month).padStart(2, '0')}-01`;
}

/** Midnight in London means a day without an hour: in summer that is 23:00 UTC of the day before. Any other instant is that of the release. */
function knownFrom(updated: string, retrievedAt: string): string {
  const [, day = '', hour = ''] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}\.\d{3})Z$/.exec(updated) ?? [];
  if (!isDay(day)) throw new UpstreamError(ID, `expected the instant of an update, found ${excerpt(updated)}`);
  if (hour === '00:00:00.000') return knownOn(day, retrievedAt);
  if (hour === '23:00:00.000') return knownOn(addDays(day, 1), retrievedAt);
  return updated;
}
