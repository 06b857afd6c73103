// The newest print of every series, as columns in memory, read when a snapshot opens. Lists of newest prints are cut from them.
import type { DuckDBConnection } from '@duckdb/node-api';
import { coded } from '../../db/coded.ts';
import type { NewestPrints } from '../../model/pack.ts';
import { EXPRESSIONS } from '../packs.ts';

/** Numbers have the same form as in packs. Texts stay as they are, because each row has its own. */
const SELECTED = {
  seriesNo: EXPRESSIONS.seriesNo,
  value: EXPRESSIONS.value,
  observedAt: EXPRESSIONS.observedAt,
  releasedAt: EXPRESSIONS.releasedAt,
  retrievedAt: EXPRESSIONS.retrievedAt,
  hashHigh: EXPRESSIONS.hashHigh,
  hashLow: EXPRESSIONS.hashLow,
  periodEnd: EXPRESSIONS.periodEnd,
  releaseNo: EXPRESSIONS.releaseNo,
  hasValue: EXPRESSIONS.hasValue,
  isRevised: EXPRESSIONS.isRevised,
  isBackfill: EXPRESSIONS.isBackfill,
  obsStatus: EXPRESSIONS.obsStatus,
  previous: "coalesce(previous, 'nan')",
  revisedPrevious: "coalesce(revised_previous, 'nan')",
  previousPeriodEnd: "coalesce((previous_period_end - date '1970-01-01')::double, 'nan')",
  period: 'period',
  vintage: 'vintage',
  run: 'source_run_id',
  derivedFrom: 'to_json(derived_from)::varchar',
} as const;
type Name = keyof typeof SELECTED;

export async function readNewest(connection: DuckDBConnection): Promise<NewestPrints> {
  const result = await connection.runAndReadAll(`select ${Object.values(SELECTED).join(', ')} from published.latest order by series_no`);
  const columns = result.getColumns();
  const names = Object.keys(SELECTED);
  const column = (name: Name) => columns[names.indexOf(name)] ?? [];
  const numbers = (name: Name) => column(name) as readonly number[];
  const texts = (name: Name) => coded(column(name) as readonly (string | null)[]);
  const [period, vintage, run, derivedFrom] = [texts('period'), texts('vintage'), texts('run'), texts('derivedFrom')];
  const seriesNo = Int32Array.from(numbers('seriesNo'));
  return {
    rows: seriesNo.length,
    seriesNo,
    rowOf: new Map(Array.from(seriesNo, (one, row) => [one, row])),
    value: Float64Array.from(numbers('value')),
    observedAt: Float64Array.from(numbers('observedAt')),
    releasedAt: Float64Array.from(numbers('releasedAt')),
    retrievedAt: Float64Array.from(numbers('retrievedAt')),
    hashHigh: Uint32Array.from(numbers('hashHigh')),
    hashLow: Uint32Array.from(numbers('hashLow')),
    periodEnd: Int32Array.from(numbers('periodEnd')),
    releaseNo: Int32Array.from(numbers('releaseNo')),
    hasValue: Uint8Array.from(numbers('hasValue')),
    isRevised: Uint8Array.from(numbers('isRevised')),
    isBackfill: Uint8Array.from(numbers('isBackfill')),
    obsStatus: Uint8Array.from(numbers('obsStatus')),
    previous: Float64Array.from(numbers('previous')),
    revisedPrevious: Float64Array.from(numbers('revisedPrevious')),
    previousPeriodEnd: Float64Array.from(numbers('previousPeriodEnd')),
    period: period.places,
    vintage: vintage.places,
    // 0 means null.
    run: run.places.map((place) => place + 1),
    derivedFrom: derivedFrom.places.map((place) => place + 1),
    texts: {
      periods: period.texts,
      vintages: vintage.texts,
      runs: run.texts,
      derivedFrom: derivedFrom.texts.map((text) => JSON.parse(text) as string[]),
    },
  };
}
