// The known values of the series to forecast: forecasts.forecast_inputs, read in parts per data set, so that memory does not grow with their number.
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { z } from 'zod';
import { ofDataset } from '../db/datasets.ts';
import type { SeriesNature } from '../stats/comb-theta-damped.ts';
import { CADENCES } from './baseline-forecast.ts';
import type { Knowledge } from './forecast-runs.ts';

export const Cadences = z.enum(['monthly', 'quarterly', 'annual']);
export type Cadence = z.infer<typeof Cadences>;

export interface SeriesKnowledge {
  readonly seriesNo: number;
  readonly cadence: Cadence;
  readonly nature: SeriesNature;
  readonly knowledge: readonly Knowledge[];
}

/** The number of series of a data set with results on one shelf. */
export interface KnownPart {
  readonly shelf: string;
  /** The shelves of their results while the data set had fewer series. */
  readonly earlierShelves: readonly string[];
  /** In the order of their numbers. */
  readonly series: readonly SeriesKnowledge[];
}

/** A part has on average half of this to all of it. */
const SERIES_PER_GROUP = 16;
/** Groups with the same number modulo this are one part, so memory grows with parts of many series, not the number of files. */
const MOST_PARTS = 16;

export async function datasetNos(connection: DuckDBConnection): Promise<readonly number[]> {
  const result = await connection.runAndReadAll('select distinct series_no >> 20 from forecasts.forecast_inputs order by all');
  return result.getRows().map(([datasetNo]) => Number(datasetNo));
}

/**
 * The series of a data set in groups, whose number is a power of two so that a new series seldom moves another. The group follows a hash of the series'
 * permanent name, because numbers move when other series come between. If the groups double, each is cut in two.
 */
export async function seriesGroups(connection: DuckDBConnection, datasetNo: number): Promise<readonly (readonly number[])[]> {
  const result = await connection.runAndReadAll(`
    with named as (
      select series_no, md5(source_id || '|' || indicator_id || '|' || frequency) as name
      from derived.all_series
      where ${ofDataset(datasetNo)} and series_no in (select distinct series_no from forecasts.forecast_inputs where ${ofDataset(datasetNo)})
    )
    select series_no, ('0x' || name[:8])::bigint from named order by name`);
  const found = result.getRows().map(([seriesNo, hash]) => ({ seriesNo: Number(seriesNo), hash: Number(hash) }));
  const count = 2 ** Math.max(0, Math.ceil(Math.log2(found.length / SERIES_PER_GROUP)));
  const groups: number[][] = Array.from({ length: count }, () => []);
  for (const { seriesNo, hash } of found) groups[hash % count]?.push(seriesNo);
  return groups;
}

/** The known values of a data set in parts, each read when its turn comes. */
export async function* knownParts(
  connection: DuckDBConnection,
  datasetNo: number,
  groups: readonly (readonly number[])[],
): AsyncGenerator<KnownPart> {
  const count = Math.min(groups.length, MOST_PARTS);
  const partOf = groups.flatMap((group, groupNo) => group.map((seriesNo) => `(${seriesNo}, ${groupNo % count})`));
  if (partOf.length === 0) return;
  // Sorted once for all parts: selecting one part from all of the data set would read it once per part.
  await connection.run(`
    create or replace temp table known_of_dataset as
    select part_no, series_no, frequency, is_level, is_unadjusted, period_no, epoch_ms(observed_at)::double as known_ms, value
    from forecasts.forecast_inputs
    inner join (values ${partOf.join(', ')}) as parts (series_no, part_no) using (series_no)
    where ${ofDataset(datasetNo)}
    order by part_no, series_no, observed_at, period_no, release_no`);
  for (let partNo = 0; partNo < count; partNo += 1) {
    const earlierShelves: string[] = [];
    for (let fewer = count / 2; fewer >= 1; fewer /= 2) earlierShelves.push(shelfName(datasetNo, partNo, fewer));
    yield { shelf: shelfName(datasetNo, partNo, count), earlierShelves, series: await readPart(connection, partNo) };
  }
  await connection.run('drop table known_of_dataset');
}

function shelfName(datasetNo: number, partNo: number, count: number): string {
  return count === 1 ? `forecasts-${datasetNo}` : `forecasts-${datasetNo}-${(partNo % count) + 1}of${count}`;
}

/** In chunks: between two of them the thread answers requests. */
async function readPart(connection: DuckDBConnection, partNo: number): Promise<SeriesKnowledge[]> {
  const result = await connection.stream(`
    select series_no, frequency, is_level, is_unadjusted, period_no, known_ms, value
    from known_of_dataset
    where part_no = ${partNo}
    order by rowid`);
  const found: (SeriesKnowledge & { readonly knowledge: Knowledge[] })[] = [];
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [seriesNo, frequency, isLevel, isUnadjusted, period, observedAt, value = null] of chunk.getRows()) {
      let series = found.at(-1);
      if (series?.seriesNo !== Number(seriesNo)) {
        series = { ...natureOf(frequency, isLevel === true, isUnadjusted === true), seriesNo: Number(seriesNo), knowledge: [] };
        found.push(series);
      }
      series.knowledge.push({ period: Number(period), observedAt: Number(observedAt), value: toNumber(value) });
    }
  }
  return found;
}

function natureOf(frequency: unknown, isLevel: boolean, isUnadjusted: boolean): Pick<SeriesKnowledge, 'cadence' | 'nature'> {
  const cadence = Cadences.parse(frequency);
  const { periodsPerYear } = CADENCES[cadence];
  return { cadence, nature: { isLevel, seasonalPeriod: isUnadjusted && periodsPerYear > 1 ? periodsPerYear : null } };
}

const toNumber = (value: DuckDBValue) => (value === null ? null : Number(value));

const NUMBERS = 3;

/** Period, moment and value of each known value; NaN for a withdrawn one. */
export function knowledgeNumbers(series: readonly Pick<SeriesKnowledge, 'knowledge'>[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(NUMBERS * series.reduce((sum, { knowledge }) => sum + knowledge.length, 0));
  let at = 0;
  for (const { knowledge } of series) {
    for (const { period, observedAt, value } of knowledge) {
      numbers[at] = period;
      numbers[at + 1] = observedAt;
      numbers[at + 2] = value ?? Number.NaN;
      at += NUMBERS;
    }
  }
  return numbers;
}

/** Decodes this many values from the output of `knowledgeNumbers`, starting with number `from`. */
export function knowledgeOf(numbers: Float64Array, from: number, count: number): Knowledge[] {
  return Array.from({ length: count }, (_, index) => {
    const at = NUMBERS * (from + index);
    const [period = Number.NaN, observedAt = Number.NaN, value = Number.NaN] = numbers.subarray(at, at + NUMBERS);
    return { period, observedAt, value: Number.isNaN(value) ? null : value };
  });
}
