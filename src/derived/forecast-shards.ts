// The baseline forecasts by shards of series. What a shard computes depends on what became known of its series and on which models are in force, not on
// when it is asked: a night on which nothing became known of them leaves its input as it was, byte for byte.
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { CADENCES, type ForecastModel } from './baseline-forecast.ts';
import { MODELS } from './forecast-models.ts';
import { type Cadence, Cadences, datasetNos, readKnowledge, type SeriesKnowledge, shelfName } from './forecast-inputs.ts';
import { forecastRuns, type Knowledge } from './forecast-runs.ts';
import { rememberedBaseline } from './remembered-baseline.ts';
import type { Shard, Shelf } from './result-cache.ts';

/** On average from half of it to all of it: the shards of a data set are a power of two, so that a new series seldom moves another. */
const SERIES_PER_SHARD = 16;
const NUMBERS = 3;

const Head = z.strictObject({
  set: z.literal('forecasts'),
  models: z.array(z.string()),
  series: z.array(
    z.strictObject({
      cadence: Cadences,
      isLevel: z.boolean(),
      seasonalPeriod: z.int().nullable(),
      count: z.int(),
    }),
  ),
});

/** @param until as of `forecastRuns` */
export async function* forecastShards(connection: DuckDBConnection, until: number): AsyncGenerator<Shard> {
  const models = modelsInForce(until).map(({ version }) => version);
  for (const datasetNo of await datasetNos(connection)) {
    const shards = await membersOf(connection, datasetNo);
    const knowledge = new Map((await readKnowledge(connection, datasetNo)).map((one) => [one.seriesNo, one]));
    for (const [shardNo, members] of shards.entries()) {
      const series = members.flatMap((seriesNo) => knowledge.get(seriesNo) ?? []);
      if (series.length === 0) continue;
      const name = `${shelfName(datasetNo)}, part ${shardNo + 1} of ${shards.length}`;
      yield { name, shelf: shelfName(datasetNo), input: toInput(models, series) };
    }
  }
}

const modelsInForce = (until: number): readonly ForecastModel[] =>
  MODELS.filter(({ releasedAt }) => releasedAt === null || releasedAt <= until);

/** Numbers of the series of each shard: by what names a series for good, as their numbers move when others come between. */
async function membersOf(connection: DuckDBConnection, datasetNo: number): Promise<readonly (readonly number[])[]> {
  const result = await connection.runAndReadAll(`
    with named as (
      select series_no, md5(source_id || '|' || indicator_id || '|' || frequency) as name
      from derived.all_series
      where series_no >> 20 = ${datasetNo} and series_no in (select series_no from forecasts.forecast_inputs)
    )
    select series_no, ('0x' || name[:8])::bigint from named order by name`);
  const found = result.getRows().map(([seriesNo, hash]) => ({ seriesNo: Number(seriesNo), hash: Number(hash) }));
  const shards: number[][] = Array.from({ length: shardsOf(found.length) }, () => []);
  for (const { seriesNo, hash } of found) shards[hash % shards.length]?.push(seriesNo);
  return shards;
}

const shardsOf = (series: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(series / SERIES_PER_SHARD)));

/** A line that says of what the numbers are, then period, moment and value of everything that became known; NaN where a value was withdrawn. */
function toInput(models: readonly string[], series: readonly SeriesKnowledge[]): Uint8Array {
  const head: z.infer<typeof Head> = {
    set: 'forecasts',
    models: [...models],
    series: series.map(({ cadence, nature, knowledge }) => ({ cadence, ...nature, count: knowledge.length })),
  };
  const numbers = new Float64Array(NUMBERS * series.reduce((sum, { knowledge }) => sum + knowledge.length, 0));
  let at = 0;
  for (const { knowledge } of series) {
    for (const { period, observedAt, value } of knowledge) {
      numbers.set([period, observedAt, value ?? Number.NaN], at);
      at += NUMBERS;
    }
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(numbers.buffer)]);
}

interface ShardSeries {
  readonly cadence: Cadence;
  readonly nature: SeriesKnowledge['nature'];
  readonly knowledge: readonly Knowledge[];
}

function* fromInput(head: z.infer<typeof Head>, numbers: Float64Array): Generator<ShardSeries> {
  let at = 0;
  for (const { cadence, isLevel, seasonalPeriod, count } of head.series) {
    const knowledge: Knowledge[] = [];
    for (const end = at + NUMBERS * count; at < end; at += NUMBERS) {
      const [period = Number.NaN, observedAt = Number.NaN, value = Number.NaN] = numbers.subarray(at, at + NUMBERS);
      knowledge.push({ period, observedAt, value: Number.isNaN(value) ? null : value });
    }
    yield { cadence, nature: { isLevel, seasonalPeriod }, knowledge };
  }
}

/**
 * Puts all results of a shard on an empty shelf.
 * @param between called before each series: a sign of life, or what throws to break it off
 */
export async function makeForecastShard(input: Uint8Array, shelf: Shelf, between: () => Promise<void>): Promise<void> {
  const end = input.indexOf(0x0a);
  const head = Head.parse(JSON.parse(Buffer.from(input.subarray(0, end)).toString('utf8')));
  // A copy: numbers begin at a multiple of their size.
  const numbers = new Float64Array(Uint8Array.from(input.subarray(end + 1)).buffer);
  const models = MODELS.filter(({ version }) => head.models.includes(version));
  for (const { cadence, nature, knowledge } of fromInput(head, numbers)) {
    await between();
    const remembered = models.map((model) => ({ ...model, method: rememberedBaseline(shelf, model.version, model.method) }));
    forecastRuns(knowledge, nature, CADENCES[cadence], Number.POSITIVE_INFINITY, remembered);
  }
}
