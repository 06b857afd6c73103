// A published snapshot, opened for reading: its files verified, its relations standing on a locked-down engine, its catalogue in memory.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type EngineLimits, openReader, quote } from '../db/connect.ts';
import { createRelation } from '../db/layers.ts';
import { camelCase, toText, toValue, type Value } from '../db/rows.ts';
import type { Reader, StatementCache } from '../db/query.ts';
import { type Catalogue, type ReleaseEvent, type Series, toCatalogue } from '../model/catalogue.ts';
import { type Grants, NO_GRANTS } from '../model/grant.ts';
import { Frequency } from '../model/period.ts';
import { dueAt, type EventCadence, type LearnedBudgets, NOTHING_LEARNED, seriesReasons, SourceTier } from '../model/trust.ts';
import type { Manifest } from '../model/manifest.ts';
import { SCHEMA_VERSION, type SnapshotPaths } from './manifest.ts';
import { verifyFiles } from './files.ts';
import { IN_MEMORY } from './relations.ts';
import { servedFile } from './served.ts';

export interface SnapshotReader extends Reader {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  readonly manifest: Manifest;
  readonly catalogue: Catalogue;
  readonly grants: Grants;
  readonly close: () => void;
}

export interface ReaderOptions {
  readonly limits: EngineLimits;
  /** How many queries run beside each other; the others wait. */
  readonly connections: number;
}

/** Throws when a file is missing or no longer has its hash. */
export async function openSnapshot(paths: SnapshotPaths, manifest: Manifest, options: ReaderOptions): Promise<SnapshotReader> {
  if (manifest.schemaVersion !== SCHEMA_VERSION) {
    throw new Error(
      `Snapshot ${manifest.snapshotId} has schema ${manifest.schemaVersion}, this version reads ${SCHEMA_VERSION}. Run derive and publish again.`,
    );
  }
  await verifyFiles(paths, manifest.resources, `Snapshot ${manifest.snapshotId}`);
  const instance = await openReader(options.limits, [paths.files, paths.served, options.limits.tempDirectory]);
  try {
    const first = await instance.connect();
    await createRelations(first, paths, manifest);
    const catalogue = await loadCatalogue(first);
    const pool = await openPool(instance, first, options.connections);
    return {
      snapshotId: manifest.snapshotId,
      knowledgeCutoff: manifest.knowledgeCutoff,
      manifest,
      catalogue,
      grants: NO_GRANTS,
      withConnection: pool.use,
      close: () => {
        pool.close();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync(); // a server tries again each second
    throw error;
  }
}

async function createRelations(connection: DuckDBConnection, paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  await connection.run('create schema if not exists published');
  await createRelation(connection, { path: 'macros/freshness_status', as: 'macro' });
  const names = [...new Set(manifest.resources.map((resource) => resource.name))];
  const served = servedFile(paths, manifest.snapshotId);
  const isServed = existsSync(served) && (await attachServed(connection, served));
  for (const name of names) {
    const files = manifest.resources.filter((resource) => resource.name === name).map((resource) => quote(join(paths.root, resource.path)));
    const kind = IN_MEMORY.has(name) ? 'table' : 'view';
    const from = isServed && name === 'vintages' ? 'served.vintages' : `read_parquet([${files.join(', ')}])`;
    await connection.run(`create ${kind} published.${name} as select * from ${from}`);
  }
}

/** False where the copy cannot be opened: then the vintages are read where they lie. */
async function attachServed(connection: DuckDBConnection, file: string): Promise<boolean> {
  return connection.run(`attach ${quote(file)} as served (read_only)`).then(
    () => true,
    () => false,
  );
}

interface Pool {
  readonly use: Reader['withConnection'];
  readonly close: () => void;
}

async function openPool(instance: DuckDBInstance, first: DuckDBConnection, size: number): Promise<Pool> {
  interface Lane {
    readonly connection: DuckDBConnection;
    readonly statements: StatementCache;
  }
  const lanes: Lane[] = [{ connection: first, statements: new Map() }];
  for (let index = 1; index < size; index += 1) lanes.push({ connection: await instance.connect(), statements: new Map() });
  const idle = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
  const take = () => {
    const lane = idle.pop();
    return lane === undefined ? new Promise<Lane>((resolve) => waiting.push(resolve)) : lane;
  };
  const give = (lane: Lane) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(lane);
    else next(lane);
  };
  return {
    async use(work) {
      const lane = await take();
      try {
        return await work(lane.connection, lane.statements);
      } finally {
        give(lane);
      }
    },
    close: () => {
      for (const lane of lanes) {
        for (const statement of lane.statements.values()) statement.destroySync();
        lane.connection.closeSync();
      }
    },
  };
}

type Row = Readonly<Record<string, Value>>;

async function read(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  const result = await connection.runAndReadAll(sql);
  const names = result.columnNames().map(camelCase);
  return result.getRows().map((row) => Object.fromEntries(names.map((name, index) => [name, toValue(row[index] ?? null)])));
}

async function loadCatalogue(connection: DuckDBConnection): Promise<Catalogue> {
  const learned = await loadBudgets(connection);
  const events = await loadEventCadences(connection);
  const rows = await read(connection, 'from published.series order by series_no');
  const series = rows.map((row): Series => {
    const seriesNo = whole(row, 'seriesNo');
    const one = toSeries(row, learned.get(seriesNo) ?? NOTHING_LEARNED);
    return one.frequency === 'event' ? { ...one, eventCadence: events.get(seriesNo) ?? NO_EVENTS } : one;
  });
  const entityIds = new Map<string, string>();
  const countries = new Map<string, string>();
  for (const row of await read(connection, 'select entity_id, slug, iso2, iso3, name from published.entities')) {
    const entityId = text(row, 'entityId');
    for (const name of [entityId, text(row, 'slug'), optional(row, 'iso2'), optional(row, 'iso3')]) {
      if (name !== null) entityIds.set(name.toLowerCase(), entityId);
    }
  }
  for (const row of await read(connection, 'select iso2, iso3, slug, name from published.countries')) {
    for (const name of [text(row, 'iso2'), text(row, 'iso3'), text(row, 'slug'), text(row, 'name')])
      countries.set(name.toLowerCase(), text(row, 'iso2'));
  }
  const canonicalIds = new Map<string, string>();
  for (const row of await read(
    connection,
    'select canonical_id, slug, aliases from published.canonical_indicators order by canonical_id',
  )) {
    const id = text(row, 'canonicalId');
    const aliases = Array.isArray(row['aliases']) ? row['aliases'].map(String) : [];
    for (const name of [text(row, 'slug'), ...aliases]) if (!canonicalIds.has(name.toLowerCase())) canonicalIds.set(name.toLowerCase(), id);
  }
  // An id wins over another indicator's alias.
  for (const id of new Set(canonicalIds.values())) canonicalIds.set(id, id);
  const runs = await read(connection, 'select run_id, address from published.runs');
  const addresses = new Map(runs.map((row) => [text(row, 'runId'), optional(row, 'address')]));
  return toCatalogue(series, { entityIds, countries, canonicalIds, addresses, releases: await loadReleases(connection) });
}

/** By observation. */
async function loadReleases(connection: DuckDBConnection): Promise<Catalogue['releases']> {
  const rows = await read(
    connection,
    'select unnest(observation_ids) as observation_id, event_id, title, observed_at, known_to from published.events order by all',
  );
  const releases = new Map<string, ReleaseEvent[]>();
  for (const row of rows) {
    const knownTo = optional(row, 'knownTo');
    const event = {
      eventId: text(row, 'eventId'),
      title: text(row, 'title'),
      from: Date.parse(text(row, 'observedAt')),
      to: knownTo === null ? Number.POSITIVE_INFINITY : Date.parse(knownTo),
    };
    const observationId = text(row, 'observationId');
    releases.set(observationId, [...(releases.get(observationId) ?? []), event]);
  }
  return releases;
}

/** By series. */
async function loadBudgets(connection: DuckDBConnection): Promise<ReadonlyMap<number, LearnedBudgets>> {
  const rows = await read(
    connection,
    `select series_no, list(epoch_ms(known_from) order by known_from) as known_from, list(budget_days order by known_from) as days
    from published.cadence_budgets group by series_no`,
  );
  return new Map(rows.map((row) => [whole(row, 'seriesNo'), { knownFrom: numbers(row, 'knownFrom'), days: numbers(row, 'days') }]));
}

const NO_EVENTS: EventCadence = { knownFrom: [], until: [] };

/** By series. */
async function loadEventCadences(connection: DuckDBConnection): Promise<ReadonlyMap<number, EventCadence>> {
  const rows = await read(
    connection,
    `select series_no, list(epoch_ms(known_from) order by known_from) as known_from, list(latest_period_end::varchar order by known_from) as ends,
        list(budget_days order by known_from) as days
    from published.event_cadences group by series_no`,
  );
  return new Map(
    rows.map((row) => {
      const [ends, days] = [list(row, 'ends'), list(row, 'days')];
      const until = ends.map((end, index) => (end === null || days[index] == null ? null : dueAt(toText(end), Number(days[index]))));
      return [whole(row, 'seriesNo'), { knownFrom: numbers(row, 'knownFrom'), until }];
    }),
  );
}

function toSeries(row: Row, learnedBudgets: LearnedBudgets): Series {
  const sourceTier = SourceTier.parse(row['sourceTier']);
  const frequency = Frequency.parse(row['frequency']);
  const unit = optional(row, 'unit');
  const factorUnit = optional(row, 'factorUnit');
  const comparisonBasis = optional(row, 'comparisonBasis');
  return {
    seriesNo: whole(row, 'seriesNo'),
    sourceId: text(row, 'sourceId'),
    indicatorId: text(row, 'indicatorId'),
    canonicalId: text(row, 'canonicalId'),
    entityId: text(row, 'entityId'),
    entityType: text(row, 'entityType'),
    entityName: text(row, 'entityName'),
    country: optional(row, 'country'),
    seriesCode: optional(row, 'seriesCode'),
    frequency,
    unit,
    currency: optional(row, 'currency'),
    provider: text(row, 'provider'),
    sourceTier,
    isDerived: row['isDerived'] === true,
    ...limitsOf(row),
    rights: { redistributable: row['isRedistributable'] === true, license: text(row, 'license'), note: optional(row, 'rightsNote') },
    ceasedAt: instant(row, 'ceasedAt'),
    inputsCeasedAt: instant(row, 'inputsCeasedAt'),
    ceasedFinalPeriod: optional(row, 'ceasedFinalPeriod'),
    successorIndicatorId: optional(row, 'successorIndicatorId'),
    defaultBudgetDays: row['defaultBudgetDays'] === null ? null : whole(row, 'defaultBudgetDays'),
    learnedBudgets,
    eventCadence: null,
    indicatorName: text(row, 'indicatorName'),
    category: text(row, 'category'),
    subCategory: optional(row, 'subCategory'),
    factorHint: optional(row, 'factorHint'),
    factorKey: optional(row, 'factorKey'),
    factorUnit,
    comparisonBasis,
    importance: optional(row, 'importance'),
    isMonetary: row['isMonetary'] === true,
    isSeasonalAdjustmentMatch: row['isSeasonalAdjustmentMatch'] === true,
    sourceRank: row['sourceRank'] === null ? null : whole(row, 'sourceRank'),
    attribution: text(row, 'attribution'),
    sourceUrl: optional(row, 'sourceUrl'),
    firstPeriodEnd: optional(row, 'firstPeriodEnd'),
    latestPeriodEnd: optional(row, 'latestPeriodEnd'),
    observationCount: whole(row, 'observationCount'),
    vintageCount: whole(row, 'vintageCount'),
    latestObservedAt: optional(row, 'latestObservedAt'),
    reasons: seriesReasons({
      tier: sourceTier,
      frequency,
      unit,
      factorUnit,
      comparisonBasis,
      factorComparisonBasis: optional(row, 'factorComparisonBasis'),
      areInputsEligible: row['areInputsEligible'] === true,
    }),
  };
}

function limitsOf(row: Row): Pick<Series, 'licensedSourceIds' | 'isWithheld'> {
  const licensedSourceIds = row['licensedSourceIds'];
  if (!Array.isArray(licensedSourceIds)) throw new Error('published.series: licensedSourceIds is not a list');
  return { licensedSourceIds: licensedSourceIds.map(String), isWithheld: row['isDerived'] === true && row['isRedistributable'] !== true };
}

function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`published.series: ${name} is ${toText(value)}, not a text`);
  return value;
}

function optional(row: Row, name: string): string | null {
  const value = row[name];
  return value === null || value === undefined ? null : toText(value);
}

function list(row: Row, name: string): readonly Value[] {
  const value = row[name];
  if (!Array.isArray(value)) throw new Error(`${name} is ${toText(value)}, not a list`);
  return value;
}

function numbers(row: Row, name: string): number[] {
  return list(row, name).map(Number);
}

function instant(row: Row, name: string): number | null {
  const value = optional(row, name);
  return value === null ? null : Date.parse(value);
}

function whole(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw new Error(`published.series: ${name} is ${toText(value)}, not a number`);
  return value;
}
