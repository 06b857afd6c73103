// All prints of the shown series as one file, in the long format: a row for each print.
import { getText } from '../api.js';
import { parseCsv, writtenCsv } from '../tables/csv.js';

/** What the interface names the columns; the file has `entityId` before them. */
const COLUMNS =
  'country,instrument_id,indicator_id,indicator_name,source_id,frequency,unit,period,period_end,actual,observed_at,superseded_at,vintage,is_backfill';

/** `parts`: [{ entity, text }], the CSV of each series with the same columns → one CSV. */
export function printsFile(parts) {
  const tables = parts.map(({ entity, text }) => ({ entity, rows: parseCsv(text) }));
  const [head] = tables[0].rows;
  return writtenCsv([['entityId', ...head], ...tables.flatMap(({ entity, rows: [, ...rows] }) => rows.map((row) => [entity, ...row]))]);
}

/** `all`: the parameters of each series, as of `seriesParams`. → the file, as a promise. */
export async function askedPrints(all, startDate, limit) {
  const parts = await Promise.all(
    all.map(async (own) => {
      const params = { ...own, vintage: 'all', start_date: startDate, format: 'csv', columns: COLUMNS, limit };
      return { entity: own.entity, text: (await getText('/observations', params)).text };
    }),
  );
  return printsFile(parts);
}
