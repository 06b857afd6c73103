// Eurostat: unemployment, gross domestic product and harmonised consumer prices by country, as the SDMX-CSV of its API. Each row states when its data set was
// last updated, on the clocks of Luxembourg: what an answer says was known then.
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../batches.ts';
import { EUROSTAT_DATA_SETS, eurostatFeed } from '../feeds/eurostat.ts';
import { instantAt } from '../local-time.ts';
import { type CsvTable, readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { type Payload, type Source, UpstreamError } from '../source.ts';

const ID = 'eurostat';
const ANSWER = /(?:^|\/)eurostat\/([a-z0-9_]+)\.csv$/;

interface DataSet {
  readonly canonicalId: string;
  readonly unit: string;
  readonly frequency: 'monthly' | 'quarterly';
  /** What every row must be of, beside its country. */
  readonly codes: Readonly<Record<string, string>>;
}

const DATA_SETS: Readonly<Record<string, DataSet>> = {
  une_rt_m: {
    canonicalId: 'unemployment_rate',
    unit: 'percent',
    frequency: 'monthly',
    codes: { freq: 'M', s_adj: 'SA', age: 'TOTAL', unit: 'PC_ACT', sex: 'T' },
  },
  namq_10_gdp: {
    canonicalId: 'gdp_real_eur',
    unit: 'eur_millions_chained',
    frequency: 'quarterly',
    codes: { freq: 'Q', unit: 'CLV20_MEUR', s_adj: 'SCA', na_item: 'B1GQ' },
  },
  prc_hicp_minr: {
    canonicalId: 'hicp_inflation_yoy',
    unit: 'percent',
    frequency: 'monthly',
    codes: { freq: 'M', unit: 'RCH_A', coicop18: 'TOTAL' },
  },
};

export const eurostat: Source = {
  id: ID,
  version: 1,
  owns: (path) => dataSetOf(path) !== null,
  address: (path) => EUROSTAT_DATA_SETS[ANSWER.exec(path)?.[1] ?? ''] ?? null,
  mediaType: 'text/csv',
  knownAt: (payload) => updatedAt(tableOf(payload).table, payload),
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: eurostatFeed,
};

function dataSetOf(path: string): DataSet | null {
  return DATA_SETS[ANSWER.exec(path)?.[1] ?? ''] ?? null;
}

function tableOf({ key, body }: Payload): { readonly table: CsvTable; readonly dataSet: DataSet } {
  const dataSet = dataSetOf(key);
  if (dataSet === null) throw new UpstreamError(ID, `expected a data set that is read, found ${key}`);
  const required = ['LAST UPDATE', ...Object.keys(dataSet.codes), 'geo', 'TIME_PERIOD', 'OBS_VALUE'];
  const table = readCsv(body, { sourceId: ID, required, missing: [':'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  return { table, dataSet };
}

/** The one update that all rows state: `22/05/26 11:00:00`. In hand before it, by another clock, is in hand. */
function updatedAt(table: CsvTable, { retrievedAt }: Payload): string {
  const stamps = new Set(table.rows.map(table.text('LAST UPDATE')));
  const [stamp = ''] = stamps;
  const [, day, month, year, time] = /^(\d{2})\/(\d{2})\/(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(stamp) ?? [];
  const date = `20${year}-${month}-${day}`;
  if (stamps.size > 1 || time === undefined || !isDay(date))
    throw new UpstreamError(ID, `expected one day and hour in LAST UPDATE, found ${excerpt([...stamps].join(', '))}`);
  const updated = instantAt(date, time, 'Europe/Luxembourg');
  return updated < retrievedAt ? updated : retrievedAt;
}

function rowsOf(payload: Payload): ObservationRecord[] {
  const { table, dataSet } = tableOf(payload);
  const observedAt = updatedAt(table, payload);
  const codes = Object.entries(dataSet.codes).map(([name, code]) => ({ name, code, cell: table.text(name) }));
  const [geo, period, value] = [table.text('geo'), table.text('TIME_PERIOD'), table.number('OBS_VALUE')];
  const prefix = codes.map(({ code }) => code).join('.');
  return table.rows.flatMap((row) => {
    for (const { name, code, cell } of codes) {
      if (cell(row) !== code) throw new UpstreamError(ID, `expected ${code} in ${name} on line ${row.line}, found ${excerpt(cell(row))}`);
    }
    const entityId = countryOf(geo(row));
    if (entityId === null) return [];
    return [
      {
        seriesCode: `${prefix}.${geo(row)}`,
        canonicalId: dataSet.canonicalId,
        entityId,
        frequency: dataSet.frequency,
        unit: dataSet.unit,
        ...periodOf(dataSet.frequency, dayIn(period(row), dataSet.frequency, row.line)),
        value: value(row),
        observedAt,
      },
    ];
  });
}

/** ISO 3166 alpha-2 but for Greece, the United Kingdom and Kosovo. The euro area and the Union are not read: their members change under several codes. */
function countryOf(geo: string): string | null {
  const odd: Readonly<Record<string, string | null>> = { EA: null, EL: 'gr', EU: null, UK: 'gb', XK: 'region_xkx' };
  if (!/^[A-Z]{2}$/.test(geo)) return null;
  const known = odd[geo];
  return known === undefined ? geo.toLowerCase() : known;
}

function dayIn(period: string, frequency: DataSet['frequency'], line: number): string {
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period);
  const month = frequency === 'quarterly' ? quarter && `${quarter[1]}-${String(Number(quarter[2]) * 3).padStart(2, '0')}` : period;
  if (month === null || !/^\d{4}-\d{2}$/.test(month) || !isDay(`${month}-01`))
    throw new UpstreamError(ID, `expected a ${frequency} period on line ${line}, found ${excerpt(period)}`);
  return `${month}-01`;
}
