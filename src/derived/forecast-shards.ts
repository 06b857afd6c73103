// The baseline forecasts in shards of series. A shard's result depends on the knowledge of its series and the models in force, not on
// the time of the request: a night without new knowledge of them leaves its input unchanged, byte for byte.
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { CADENCES } from './baseline-forecast.ts';
import { MODELS } from './forecast-models.ts';
import {
  type Cadence,
  Cadences,
  datasetNos,
  knowledgeNumbers,
  knowledgeOf,
  knownParts,
  seriesGroups,
  type SeriesKnowledge,
} from './forecast-inputs.ts';
import { forecastRuns, type Knowledge, modelsInForce } from './forecast-runs.ts';
import { rememberedBaseline } from './remembered-baseline.ts';
import type { Shard } from './result-cache.ts';
import type { Shelf } from './shelf.ts';

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
  const models = modelsInForce(MODELS, until).map(({ version }) => version);
  for (const datasetNo of await datasetNos(connection)) {
    const shards = await seriesGroups(connection, datasetNo);
    for await (const { shelf, series: known } of knownParts(connection, datasetNo, shards)) {
      const knowledge = new Map(known.map((one) => [one.seriesNo, one]));
      for (const [shardNo, members] of shards.entries()) {
        const series = members.flatMap((seriesNo) => knowledge.get(seriesNo) ?? []);
        if (series.length === 0) continue;
        yield { name: `forecasts-${datasetNo}, part ${shardNo + 1} of ${shards.length}`, shelf, input: toInput(models, series) };
      }
    }
  }
}

/** A line that describes the numbers, then the numbers of all known values. */
function toInput(models: readonly string[], series: readonly SeriesKnowledge[]): Uint8Array {
  const head: z.infer<typeof Head> = {
    set: 'forecasts',
    models: [...models],
    series: series.map(({ cadence, nature, knowledge }) => ({ cadence, ...nature, count: knowledge.length })),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(knowledgeNumbers(series).buffer)]);
}

interface ShardSeries {
  readonly cadence: Cadence;
  readonly nature: SeriesKnowledge['nature'];
  readonly knowledge: readonly Knowledge[];
}

function* fromInput(head: z.infer<typeof Head>, numbers: Float64Array): Generator<ShardSeries> {
  let from = 0;
  for (const { cadence, isLevel, seasonalPeriod, count } of head.series) {
    yield { cadence, nature: { isLevel, seasonalPeriod }, knowledge: knowledgeOf(numbers, from, count) };
    from += count;
  }
}

/**
 * Puts all results of a shard on an empty shelf.
 * @param between called before each series: reports progress, or throws to abort
 */
export async function makeForecastShard(input: Uint8Array, shelf: Shelf, between: () => Promise<void>): Promise<void> {
  const end = input.indexOf(0x0a);
  const head = Head.parse(JSON.parse(Buffer.from(input.subarray(0, end)).toString('utf8')));
  // A copy, because the numbers must begin at a multiple of their size.
  const numbers = new Float64Array(Uint8Array.from(input.subarray(end + 1)).buffer);
  const models = MODELS.filter(({ version }) => head.models.includes(version));
  for (const { cadence, nature, knowledge } of fromInput(head, numbers)) {
    await between();
    const remembered = models.map((model) => ({ ...model, method: rememberedBaseline(shelf, model.version, model.method) }));
    forecastRuns(knowledge, nature, CADENCES[cadence], Number.POSITIVE_INFINITY, remembered);
  }
}
