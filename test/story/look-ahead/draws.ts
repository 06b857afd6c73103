// Random questions of derived indicators as of random moments, each answered twice through the query layer: by the whole lake as of the moment,
// and by a lake that holds only what was known by then.
import { join } from 'node:path';
import * as fc from 'fast-check';
import { z } from 'zod';
import { quote } from '../../../src/db/connect.ts';
import { toValue } from '../../../src/db/rows.ts';
import type { Series } from '../../../src/model/catalogue.ts';
import { listDerivedObservations } from '../../../src/queries/derived.ts';
import { forecastsAfter } from '../../../src/queries/forecasts.ts';
import { listVintages } from '../../reads.ts';
import type { SnapshotReader } from '../../../src/snapshot/serving/reader.ts';
import { UNFILTERED, type Pipeline } from '../../pipeline.ts';

/** Of a derived indicator every entity; of the baseline forecasts every series that was ever forecast. */
export interface Target {
  readonly slug: string;
  readonly family: string;
  readonly entities: readonly string[];
  /** Moments at which something of it changed. */
  readonly instants: readonly number[];
}

export const FORECASTS = 'forecast_baseline';

export interface Draw {
  readonly slug: string;
  readonly entity: string;
  readonly cutoff: string;
}

export interface DrawnDifference extends Draw {
  /** Said as of the cutoff, but not by the lake of that time. */
  readonly tooMuch: readonly string[];
  /** Said by the lake of that time, but not as of the cutoff. */
  readonly missing: readonly string[];
}

export interface DrawReport {
  readonly differences: readonly DrawnDifference[];
  /** Rows compared, by slug: a comparison of nothing proves nothing. */
  readonly rows: Readonly<Record<string, number>>;
}

/** A random choice that the seed alone decides. */
export interface Luck {
  /** From 0 up to 1, without it. */
  readonly random: () => number;
  readonly pick: <One>(ones: readonly One[]) => One;
}

/** @param count so many numbers are there at least */
export function luckOf(seed: number, count: number): Luck {
  const numbers = fc.sample(fc.noBias(fc.nat({ max: 2 ** 30 - 1 })), { numRuns: count, seed });
  const random = () => {
    const number = numbers.pop();
    if (number === undefined) throw new Error(`more than ${count} numbers were drawn`);
    return number / 2 ** 30;
  };
  const pick = <One>(ones: readonly One[]): One => {
    const one = ones[Math.floor(random() * ones.length)];
    if (one === undefined) throw new Error('there is nothing to draw from');
    return one;
  };
  return { random, pick };
}

/** From `start` until before `next` the lake knows the same, ms. */
export interface Moment {
  readonly start: number;
  readonly next: number;
}

/**
 * Moments of which the lakes are built: the first a late one, in which every target has something to say, the second, where there are bounds, between
 * these, all others at which something of a target changed.
 */
export async function drawMoments(
  pipeline: Pipeline,
  targets: readonly Target[],
  count: number,
  { pick }: Luck,
  between: readonly [from: string, to: string] | null = null,
): Promise<readonly Moment[]> {
  const known = await knownInstants(pipeline);
  const families = [...new Set(targets.map(({ family }) => family))];
  return Array.from({ length: count }, (_, index) => {
    const start = drawStart(index);
    return { start, next: known.find((instant) => instant > start) ?? start + 1 };
  });

  function drawStart(index: number): number {
    if (index === 0) return Math.max(...targets.map(({ instants }) => instants[Math.floor(0.8 * instants.length)] ?? 0));
    if (index === 1 && between !== null) {
      const [from, to] = between.map((instant) => Date.parse(instant));
      return pick(known.filter((instant) => instant > (from ?? 0) && instant < (to ?? 0)));
    }
    const family = families[index % families.length];
    return pick(pick(targets.filter((target) => target.family === family)).instants);
  }
}

/**
 * Random questions, every target as often as the others, whatever the number of its rows, within a moment.
 * @param then over the lake of that moment
 */
export async function compareDraws(
  full: SnapshotReader,
  then: SnapshotReader,
  { start, next }: Moment,
  targets: readonly Target[],
  count: number,
  { random, pick }: Luck,
): Promise<DrawReport> {
  const differences: DrawnDifference[] = [];
  const rows: Record<string, number> = {};
  const answers = new Map<string, Promise<string[]>>();
  for (let number = 0; number < count; number += 1) {
    const target = targets[number % targets.length] ?? pick(targets);
    const cutoff = new Date(start + Math.floor(random() ** 2 * (next - start))).toISOString();
    const draw: Draw = { slug: target.slug, entity: pick(target.entities), cutoff };
    const asked = `${draw.slug} ${draw.entity}`;
    const expecting = answers.get(asked) ?? answer(then, draw, null);
    answers.set(asked, expecting);
    const [said, expected] = [await answer(full, draw, draw.cutoff), await expecting];
    rows[draw.slug] = (rows[draw.slug] ?? 0) + said.length;
    const [saidSet, expectedSet] = [new Set(said), new Set(expected)];
    const tooMuch = said.filter((row) => !expectedSet.has(row));
    const missing = expected.filter((row) => !saidSet.has(row));
    if (tooMuch.length + missing.length > 0) differences.push({ ...draw, tooMuch, missing });
  }
  return { differences, rows };
}

/** The derived indicators that have rows, and the forecasts. */
export async function targetsOf(reader: SnapshotReader): Promise<readonly Target[]> {
  return reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(`
      select canonical_id as slug, family, list(distinct entity_id order by entity_id), list(distinct epoch_ms(observed_at)::double order by 1)
      from published.vintages
      inner join published.series using (series_no)
      inner join published.derived_indicators as indicators on indicators.slug = series.canonical_id
      where series.is_derived
      group by all
      union all
      select ${quote(FORECASTS)}, 'forecast', list(distinct indicator_id || ' ' || source_id order by 1), list(distinct epoch_ms(observed_at)::double order by 1)
      from published.forecasts
      inner join published.series using (series_no)
      group by all
      order by all`);
    return result
      .getRows()
      .map((row) => Target.parse(row.map(toValue)))
      .map(([slug, family, entities, instants]) => ({ slug, family, entities, instants }));
  });
}

const Target = z.tuple([z.string(), z.string(), z.array(z.string()), z.array(z.number())]);

/** When something became known or, by the reference data, came into force; in ascending order. */
async function knownInstants(pipeline: Pipeline): Promise<number[]> {
  const reference = pipeline.workspace.referenceDir;
  const parts = ['observations', 'facts', 'filings', 'companies', 'documents', 'schedules'].map(
    (table) => `select observed_at from ${table}`,
  );
  const later = ['documents', 'ingestions'].map((table) => `select retrieved_at from ${table}`);
  const inForce = [
    `select effective_date::timestamp at time zone 'UTC' from read_csv(${quote(join(reference, 'stock_splits.csv'))}, types = {'effective_date': 'date'})`,
    `select releasedAt::timestamptz from read_json(${quote(join(reference, 'cb_lexicon/*.json'))}, columns = {'releasedAt': 'varchar'}) where releasedAt is not null`,
  ];
  const rows = await pipeline.lake(
    `select distinct epoch_ms(observed_at)::double as instant from (${[...parts, ...later, ...inForce].join(' union all ')}) order by 1`,
  );
  return rows.map((row) => Number(row['instant']));
}

/** @param asOf null: all that the reader knows */
async function answer(reader: SnapshotReader, { slug, entity, cutoff }: Draw, asOf: string | null): Promise<string[]> {
  const filters = { ...UNFILTERED, asOf };
  const page = { sort: 'period_end', order: 'asc', after: null, limit: 1_000_000 } as const;
  if (slug === FORECASTS) {
    const series = reader.catalogue.series.filter((one) => `${one.indicatorId} ${one.sourceId}` === entity);
    const { rows } = await listVintages(reader, series, filters, page);
    const forecasts = await forecastsAfter(reader, rows, asOf);
    return rows.map(({ period, value }, index) => JSON.stringify([period, value, forecasts[index]]));
  }
  const isAsked = (one: Series) => one.isDerived && one.canonicalId === slug && one.entityId === entity;
  const { rows } = await listDerivedObservations(reader, reader.catalogue.series.filter(isAsked), filters, Date.parse(cutoff), page);
  // How old it is by now, and where its publisher's newest file lies, is not said as of the cutoff.
  return (await rows.all()).map(({ freshnessStatus: _, sourceUrl: __, sourceRefs, ...row }) =>
    JSON.stringify([row, sourceRefs.map(({ sourceId, indicatorId }) => [sourceId, indicatorId])]),
  );
}
