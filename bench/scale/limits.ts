// The limits and the numbers of vintages that reach them: each from a constant of the code, which a test finds there, and a unit cost.
import { costNamed, fit, type UnitCosts } from './costs.ts';

export interface Limit {
  readonly what: string;
  /** The number of vintages; null if the measured sizes show no growth. */
  readonly at: number | null;
  /** The place of the constant. */
  readonly file: string;
  readonly text: string;
  readonly remedy: string;
}

/** The maximum object size of most stores. */
const OBJECT_BYTES = 5 * 2 ** 40;
const SPILL_BYTES = 50e9;
/** The engine stores at least the value and a count of each group. */
const GROUP_BYTES = 16;
/** The bytes of a vintage in a pack, by the columns of src/snapshot/packs.ts. */
const PACK_ROW_BYTES = 82;
const SERIES_OF_DATASET = 2 ** 20;
const TICK_SECONDS = 15 * 60;
const HOUR = 3600;
/** Default heap of a server's process on a machine of 16 GB and more. */
const HEAP_BYTES = 4 * 2 ** 30;
const GIGABIT = 125e6;
const CHANCE = 0.01;

export function limitsOf(costs: UnitCosts): readonly Limit[] {
  const line = (name: string) => fit(costNamed(costs, name).points);
  const reaches = (value: number, ...names: readonly string[]): number | null => {
    const [fixed, slope] = [names.reduce((sum, name) => sum + line(name).fixed, 0), names.reduce((sum, name) => sum + line(name).slope, 0)];
    return slope > 0 && value > fixed ? (value - fixed) / slope : null;
  };
  const larger = line('bytes: served copy').slope > line('bytes: packs').slope ? 'bytes: served copy' : 'bytes: packs';
  // Derived indicators have vintages of their own.
  const publishedOfVintage = line('bytes: packs').slope / PACK_ROW_BYTES;
  const vintagesOfSeries = 1 / line('series').slope;
  const limits: readonly Limit[] = [
    {
      what: 'the larger copy for servers is one object of 5 TiB, and many stores take none beyond',
      at: reaches(OBJECT_BYTES, larger),
      file: 'src/objects/s3.ts',
      text: 'Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))',
      remedy: 'a copy a data set or a range of series, so that a night sends what changed',
    },
    {
      what: 'with a chance of 1 %, two identifiers of a snapshot share their first 64 bits, and the check refuses the snapshot',
      at: Math.sqrt(2 * CHANCE * 2 ** 64) / publishedOfVintage,
      file: 'sql/checks/ids_are_unique.sql',
      text: 'select id_hash',
      remedy: 'the check and the column by 128 bits of the observationId, or by (series_no, id_hash)',
    },
    {
      what: 'the check that identifiers are unique groups all vintages, and its groups alone fill what the engine may spill',
      at: SPILL_BYTES / GROUP_BYTES / publishedOfVintage,
      file: 'jobs/workspace.ts',
      text: "tempSize: '50GB'",
      remedy: 'the check by data set or shard, and the spill as a setting',
    },
    {
      what: 'one data set has more series than its numbers, where all vintages are of one',
      at: SERIES_OF_DATASET * vintagesOfSeries,
      file: 'src/db/datasets.ts',
      text: 'datasetNo * 2 ** 20',
      remedy: 'such a source as several data sets',
    },
    {
      what: 'opening a snapshot that was copied or restored, whose files are read whole for their hashes, takes longer than the 15 minutes between two looks for news',
      at: reaches(TICK_SECONDS, 'start: core-seconds'),
      file: 'src/snapshot/serving/reader.ts',
      text: 'await verifyCopies(paths, manifest.snapshotId, isStamped)',
      remedy: 'several files read beside each other; what was fetched or written here is opened by what the disk says of it',
    },
    {
      what: 'the catalogue of all series, which each server holds, is larger than the 4 GB that Node gives a process',
      at: HEAP_BYTES / (line('memory: catalogue').slope * line('series').slope),
      file: 'src/snapshot/serving/catalogue.ts',
      text: 'read(catalogueSeriesQuery)',
      remedy: 'a larger heap (NODE_OPTIONS), then servers by ranges of series behind the balancer',
    },
    {
      what: 'the copies for servers, sent whole every night, take an hour at one gigabit a second',
      at: reaches(HOUR * GIGABIT, 'bytes: served copy', 'bytes: packs'),
      file: 'src/snapshot/server-copy.ts',
      text: 'export const COPIES_KEPT = 2;',
      remedy: '10 gigabits a second; then a copy a data set or a range of series',
    },
    {
      what: 'a night after one new vintage takes eight hours of 16 cores',
      at: reaches(8 * HOUR * 16, 'one new vintage: derive: core-seconds'),
      file: 'src/snapshot/build/build.ts',
      text: 'for (const step of steps) {',
      remedy: 'shards of series whose inputs have not changed are taken over, the others on several workers',
    },
    {
      what: 'a whole rebuild takes a week of 16 cores',
      at: reaches(7 * 24 * HOUR * 16, 'whole: derive: core-seconds'),
      file: 'src/snapshot/build/relations.ts',
      text: "table('published/forecasts')",
      remedy: 'shards on several workers: most of it are forecasts, which are of one series each',
    },
  ];
  return limits.toSorted((a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY));
}
