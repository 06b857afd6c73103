// The chain from an observation back to the publisher's bytes.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineQuery, run, runHeld } from '../db/query.ts';
import { type Consensus, consensusOf, type ReleaseEvent, releaseOf, type Series, addressOf, idOf, seriesOf } from '../model/catalogue.ts';
import { idHash } from '../model/observation.ts';
import type { Provenance } from '../model/provenance.ts';
import { isAssumed, isPseudo, rowReasons, SourceTier } from '../model/trust.ts';
import { DocumentRead } from './derived.ts';
import { askedOnce } from './kept.ts';
import { orAssumed } from './reads/filters.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();
const Input = z.strictObject({ seriesNo: z.int(), period: z.string(), vintage: z.string(), role: z.string() });
const Inputs = z.array(Input).nullable();

const VintageDetail = z.strictObject({
  seriesNo: z.int(),
  period: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  value: z.number().nullable(),
  valueText: nullableText,
  obsStatus: nullableText,
  metadata: nullableText,
  vintage: z.string(),
  observedAt: z.string(),
  knownTo: nullableText,
  priorObservedAt: nullableText,
  priorValue: z.number().nullable(),
  priorVintage: nullableText,
  releaseNo: z.int(),
  isRevised: z.boolean(),
  releasedAt: nullableText,
  retrievedAt: z.string(),
  ingestedAt: z.string(),
  runId: nullableText,
  sourceRunId: nullableText,
  changeSequence: z.int(),
  idHash: z.union([z.bigint(), z.number()]),
  inputs: Inputs,
  /** Set if the payload uses another code for the series than the newest one. */
  seriesCode: nullableText,
});
export type VintageDetail = z.infer<typeof VintageDetail>;

export const vintageByIdQuery = defineQuery('provenance/vintage_by_id.sql', {
  params: z.strictObject({ idHash: z.string() }),
  row: VintageDetail,
});

/** Looks among the assumed vintages, which takes longer. */
export const vintageOrAssumedByIdQuery = orAssumed(vintageByIdQuery);

export const assumedIdsQuery = defineQuery('provenance/assumed_ids.sql', {
  params: z.strictObject({}),
  row: z.strictObject({ idHash: z.union([z.bigint(), z.number()]) }),
  isBulk: true,
});

const HASHES_A_PART = 5000;

/** The identifiers of all assumed vintages, ascending. Computing these vintages takes seconds, so an unknown identifier must not do it each time. */
const assumedIds = askedOnce(async (snapshot: Snapshot): Promise<BigUint64Array> => {
  const { held } = await runHeld(snapshot, assumedIdsQuery, {}, { keyCount: 0, limit: Number.MAX_SAFE_INTEGER });
  const hashes = new BigUint64Array(held.length);
  let place = 0;
  for await (const part of held.parts(HASHES_A_PART)) for (const { idHash: hash } of part) hashes[place++] = BigInt(hash);
  return hashes;
});

function hasHash(ascending: BigUint64Array, hash: bigint): boolean {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0n) < hash) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === hash;
}

export const vintagesOfPeriodQuery = defineQuery('provenance/vintages_of_period.sql', {
  params: z.strictObject({ seriesNo: z.int(), periodEnd: z.string(), period: z.string(), asOf: nullableText }),
  row: z.strictObject({ vintage: z.string(), observedAt: z.string(), value: z.number().nullable(), runId: nullableText, inputs: Inputs }),
});

export const vintageByKeyQuery = defineQuery('provenance/vintage_by_key.sql', {
  params: z.strictObject({ seriesNo: z.int(), period: z.string(), vintage: z.string() }),
  row: VintageDetail,
});

export const runByIdQuery = defineQuery('provenance/run_by_id.sql', {
  params: z.strictObject({ runId: z.string() }),
  row: z.strictObject({
    runId: z.string(),
    sourceId: z.string(),
    payloadId: z.string(),
    key: z.string(),
    sha256: z.string(),
    bytes: z.int(),
    mediaType: z.string(),
    address: nullableText,
    httpStatus: z.int().nullable(),
    etag: nullableText,
    lastModified: nullableText,
    retrievedAt: z.string(),
    knownAt: nullableText,
    connectorVersion: z.int(),
    codeRevision: z.string(),
    startedAt: z.string(),
    finishedAt: z.string(),
    status: z.string(),
    error: nullableText,
    rowsRead: z.int(),
    rowsWritten: z.int(),
    rowsQuarantined: z.int(),
  }),
});
type RunRow = z.infer<typeof runByIdQuery.row>;

export const runCountsQuery = defineQuery('provenance/run_counts.sql', {
  params: z.strictObject({ runId: z.string(), seriesFrom: z.int(), seriesTo: z.int(), periodFrom: z.string() }),
  row: z.strictObject({ rowsWritten: z.int(), rowsQuarantined: z.int() }),
});

export const sourceByIdQuery = defineQuery('provenance/source_by_id.sql', {
  params: z.strictObject({ sourceId: z.string() }),
  row: z.strictObject({
    sourceId: z.string(),
    name: z.string(),
    provider: z.string(),
    sourceTier: z.string(),
    homepageUrl: nullableText,
    license: z.string(),
  }),
});

/** The vintage of an identifier. Null if there is none, or if its value is withheld. */
export async function findVintage(snapshot: Snapshot, observationId: string): Promise<VintageDetail | null> {
  if (!/^obs_[0-9a-v]{26}$/.test(observationId)) return null;
  const hash = idHash(observationId);
  const asked = { idHash: String(hash) };
  let [row] = await run(snapshot, vintageByIdQuery, asked);
  if (row === undefined && hasHash(await assumedIds(snapshot), hash)) [row] = await run(snapshot, vintageOrAssumedByIdQuery, asked);
  if (row === undefined) return null;
  const series = seriesOf(snapshot.catalogue, row);
  return !series.isWithheld && idOf(series, row) === observationId ? row : null;
}

export interface ProvenanceOptions {
  /** Show only facts known at this time; null: all. */
  readonly asOf: string | null;
  /** Evaluation time of the scoring gate, ms. */
  readonly at: number;
  /** True if the caller may see where the archive stores the bytes. */
  readonly showsLocator: boolean;
}

export async function provenanceOf(snapshot: Snapshot, row: VintageDetail, options: ProvenanceOptions): Promise<Provenance> {
  const series = seriesOf(snapshot.catalogue, row);
  const ingestion = row.runId === null ? null : ((await run(snapshot, runByIdQuery, { runId: row.runId }))[0] ?? null);
  const [source] = await run(snapshot, sourceByIdQuery, { sourceId: series.sourceId });
  const document = DocumentRead.safeParse(row.metadata === null ? null : JSON.parse(row.metadata)).data;
  const inputs = await inputsOf(snapshot, row, document, ingestion);
  const siblings = await run(snapshot, vintagesOfPeriodQuery, {
    seriesNo: row.seriesNo,
    periodEnd: row.periodEnd,
    period: row.period,
    asOf: options.asOf,
  });
  const reasons = rowReasons(series, row, options.at);
  return {
    observationId: idOf(series, row),
    indicatorId: series.indicatorId,
    entityId: series.entityId,
    period: row.period,
    actual: row.value,
    unit: series.unit,
    obsStatus: row.obsStatus,
    vintage: row.vintage,
    observedAt: row.observedAt,
    source: {
      sourceId: series.sourceId,
      name: source?.name ?? series.sourceId,
      publisher: source?.provider ?? series.provider,
      sourceTier: SourceTier.parse(series.sourceTier),
      homepageUrl: source?.homepageUrl ?? null,
      license: series.rights.license,
    },
    sourceUrl: document?.documentUrl ?? addressOf(snapshot.catalogue, series, row.sourceRunId),
    release: toRelease(row, releaseOf(snapshot.catalogue, idOf(series, row), options.at)),
    rawPayload: ingestion === null ? null : toPayload(ingestion, options.showsLocator),
    ingestionRun: await runOf(snapshot, ingestion),
    transformations: transformationsOf(series, row, ingestion, await fileSourceOf(snapshot, series, ingestion)),
    inputs,
    consensus: toConsensus(consensusFor(snapshot, row)),
    vintages: [...assumedOf(row), ...siblings].map((sibling) => ({
      vintage: sibling.vintage,
      observedAt: sibling.observedAt,
      actual: sibling.value,
      observationId: idOf(series, { period: row.period, vintage: sibling.vintage }),
    })),
    scoring: { eligible: reasons.length === 0, reasons },
    chainHash: chainHash(idOf(series, row), row, ingestion, inputs),
  };
}

async function runOf(snapshot: Snapshot, ingestion: RunRow | null): Promise<Provenance['ingestionRun']> {
  return ingestion === null ? null : toRun(await countedIn(snapshot, ingestion));
}

type Inputs = Provenance['inputs'];

async function inputsOf(
  snapshot: Snapshot,
  row: VintageDetail,
  document: z.infer<typeof DocumentRead> | undefined,
  ingestion: RunRow | null,
): Promise<Inputs> {
  if (document !== undefined) return [documentInput(document, ingestion)];
  const observed = await Promise.all((row.inputs ?? []).map((input) => describeInput(snapshot, input)));
  const { facts = [] } = FactsRead.safeParse(row.metadata === null ? null : JSON.parse(row.metadata)).data ?? {};
  return [...observed, ...facts.map((fact) => factInput(fact, ingestion))];
}

const payloadOf = (ingestion: RunRow | null): Inputs[number]['payloads'] =>
  ingestion === null ? [] : [{ payloadId: ingestion.payloadId, sha256: ingestion.sha256 }];

/** Facts of filings are no observations: they are named as in `derivedFrom`, such as `sec:0000320193-24-000123/us-gaap:Assets/2024-09-28`. */
const FactsRead = z.looseObject({ facts: z.array(z.string()) });

function factInput(fact: string, ingestion: RunRow | null): Inputs[number] {
  return { observationId: fact, indicatorId: fact.split('/')[1] ?? fact, role: 'fact', payloads: payloadOf(ingestion) };
}

/** A value computed from a text has one input: the document in the payload that the run read. */
function documentInput({ documentId, documentType }: z.infer<typeof DocumentRead>, ingestion: RunRow | null): Inputs[number] {
  return { observationId: documentId, indicatorId: documentType, role: 'document', payloads: payloadOf(ingestion) };
}

async function describeInput(snapshot: Snapshot, input: z.infer<typeof Input>): Promise<Inputs[number]> {
  const series = seriesOf(snapshot.catalogue, input);
  return {
    observationId: idOf(series, input),
    indicatorId: series.indicatorId,
    role: input.role,
    payloads: await payloadsBehind(snapshot, input),
  };
}

/** The raw payloads of a vintage: its own, or those of all its inputs, for periods that may be shown. */
async function payloadsBehind(snapshot: Snapshot, input: z.infer<typeof Input>): Promise<{ payloadId: string; sha256: string }[]> {
  const [row] = await run(snapshot, vintageByKeyQuery, { seriesNo: input.seriesNo, period: input.period, vintage: input.vintage });
  if (row === undefined || row.periodEnd < (snapshot.historyFrom ?? '')) return [];
  if (row.runId !== null) {
    const [ingestion] = await run(snapshot, runByIdQuery, { runId: row.runId });
    return payloadOf(ingestion ?? null);
  }
  const nested = await Promise.all((row.inputs ?? []).map((inner) => payloadsBehind(snapshot, inner)));
  const byId = new Map(nested.flat().map((payload) => [payload.payloadId, payload]));
  return [...byId.values()];
}

/**
 * The run, counting only rows that may be shown. A payload is read as a whole, so its own counts would reveal how many older periods there
 * are.
 */
async function countedIn(snapshot: Snapshot, ingestion: RunRow): Promise<RunRow> {
  const historyFrom = snapshot.historyFrom ?? null;
  if (historyFrom === null) return ingestion;
  const { runId, sourceId } = ingestion;
  const own = snapshot.catalogue.series.filter((one) => one.sourceId === sourceId).map((one) => one.seriesNo);
  const [seriesFrom, seriesTo] = [own[0] ?? 0, own.at(-1) ?? 0];
  const [seen] = await run(snapshot, runCountsQuery, { runId, seriesFrom, seriesTo, periodFrom: historyFrom });
  const { rowsWritten = 0, rowsQuarantined = 0 } = seen ?? {};
  return { ...ingestion, rowsRead: rowsWritten + rowsQuarantined, rowsWritten, rowsQuarantined };
}

function toRelease(row: VintageDetail, event: ReleaseEvent | null): Provenance['release'] {
  return { releaseEventId: event?.eventId ?? null, title: event?.title ?? null, publishedAt: row.releasedAt };
}

/** An assumed row is no sibling of others, so it is not among those of its period. */
const assumedOf = (row: VintageDetail) => (isAssumed(row.vintage) ? [row] : []);

const consensusFor = ({ catalogue }: Snapshot, row: VintageDetail) =>
  isAssumed(row.vintage) ? null : consensusOf(catalogue, row.seriesNo, row);

function toConsensus(consensus: Consensus | null): Provenance['consensus'] {
  if (consensus === null) return null;
  const { sourceId, observationId, publishedAt } = consensus;
  return { sourceId, observationId, publishedAt };
}

function toPayload(ingestion: RunRow, showsLocator: boolean): NonNullable<Provenance['rawPayload']> {
  const { payloadId, sha256, bytes, mediaType, httpStatus, etag, lastModified, retrievedAt } = ingestion;
  const locator = showsLocator ? `raw/objects/${sha256.slice(0, 2)}/${sha256}.gz` : null;
  return { payloadId, sha256, bytes, mediaType, httpStatus, etag, lastModified, retrievedAt, available: true, locator };
}

function toRun(ingestion: RunRow): NonNullable<Provenance['ingestionRun']> {
  const { runId, sourceId, connectorVersion, codeRevision, startedAt, finishedAt, status, rowsRead, rowsWritten, rowsQuarantined } =
    ingestion;
  return {
    runId,
    connectorId: sourceId,
    connectorVersion,
    codeRevision,
    startedAt,
    finishedAt,
    status,
    rowsRead,
    rowsWritten,
    rowsQuarantined,
  };
}

/** The publisher of the file if it is not that of the series: a multiple is listed under the source of its price. */
async function fileSourceOf(snapshot: Snapshot, series: Series, ingestion: RunRow | null): Promise<Readonly<Record<string, string>>> {
  if (ingestion === null || ingestion.sourceId === series.sourceId) return {};
  const [source] = await run(snapshot, sourceByIdQuery, { sourceId: ingestion.sourceId });
  return source === undefined
    ? {}
    : { sourceId: source.sourceId, source: source.name, publisher: source.provider, license: source.license };
}

function transformationsOf(
  series: Series,
  row: VintageDetail,
  ingestion: RunRow | null,
  fileSource: Readonly<Record<string, string>>,
): Provenance['transformations'] {
  if (ingestion !== null && series.isDerived) {
    // Computed from a document or from filings that the run read.
    const version = `${ingestion.sourceId}@${ingestion.connectorVersion}`;
    return [
      { step: 1, name: 'normalise', version, params: { file: ingestion.key, ...fileSource } },
      { step: 2, name: series.canonicalId, version: '1', params: {} },
    ];
  }
  if (ingestion !== null) {
    const version = `${series.sourceId}@${ingestion.connectorVersion}`;
    return [
      { name: 'normalise', version, params: { file: ingestion.key, seriesCode: row.seriesCode ?? series.seriesCode } },
      { name: 'collapse_unchanged_vintages', version: '1', params: {} },
      ...(isAsTraded(series)
        ? [
            {
              name: 'undo_split_adjustment',
              version: '1',
              params: { splitsAfter: row.periodEnd, splitsUntil: row.retrievedAt.slice(0, 10) },
            },
          ]
        : []),
      // No archive of the source shows when the value became known, or the value before.
      ...(isPseudo(row.vintage) || isAssumed(row.vintage)
        ? [{ name: 'assume_knowledge_time', version: '1', params: { observedAt: row.observedAt } }]
        : []),
    ].map((transformation, index) => ({ step: index + 1, ...transformation }));
  }
  return [{ step: 1, name: series.canonicalId, version: '1', params: { withinOneVintage: true } }];
}

/** Prices and volumes of companies. sql/series/vintages.sql reverses the vendor's adjustments of these. */
function isAsTraded({ entityId, canonicalId }: Series): boolean {
  return /^(?:company|listing)_/.test(entityId) && (canonicalId.startsWith('price_') || canonicalId === 'volume');
}

function chainHash(id: string, row: VintageDetail, ingestion: RunRow | null, inputs: Provenance['inputs']): string {
  const chain = [
    id,
    row.value,
    row.vintage,
    row.observedAt,
    ingestion?.sha256 ?? null,
    ingestion?.runId ?? null,
    inputs.map((input) => [input.observationId, input.payloads]),
  ];
  return `sha256:${createHash('sha256').update(JSON.stringify(chain)).digest('hex')}`;
}
