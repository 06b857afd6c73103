// `asof probe`: one small real request per source, to check that its publisher answers as its reader expects. Nothing is archived or stored.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWriter, patternOf } from '../../src/db/connect.ts';
import { sqlText } from '../../src/db/query.ts';
import { refuseDisk } from '../../src/disk/disk-error.ts';
import { onInterruption } from '../../src/disk/interruption.ts';
import type { Effects } from '../../src/effects.ts';
import type { Fetcher, Outcome } from '../../src/fetch/fetcher.ts';
import type { Sent } from '../../src/fetch/publisher-state.ts';
import { recentRequests } from '../../src/lake/fetches.ts';
import { lakePaths } from '../../src/lake/layout.ts';
import { namesIn } from '../../src/disk/if-there.ts';
import type { Batch } from '../../src/model/record.ts';
import type { Answer, Feed, GiveUp, Held, Plan, Request } from '../../src/sources/feeds/feed.ts';
import { sources as allSources } from '../../src/sources/index.ts';
import { membersOf } from '../../src/sources/readers/zip.ts';
import { mediaTypeOf, type Payload, type Source } from '../../src/sources/source.ts';
import { UpstreamError } from '../../src/sources/upstream-error.ts';
import type { PayloadReader } from '../reading/payload-reader.ts';
import { toTable } from '../reporting/report.ts';
import { type InTurn, turns } from '../turns.ts';

export interface Probed {
  readonly sourceId: string;
  /** not asked: nothing to ask for, or a key is missing. */
  readonly verdict: 'ok' | 'FAILED' | 'not asked';
  /** The last requested address, without secrets. */
  readonly address: string | null;
  readonly status: number | null;
  readonly mediaType: string | null;
  readonly bytes: number | null;
  /** The first row from the reader of the source. */
  readonly row: string | null;
  readonly rows: number;
  /** The unexpected parts. */
  readonly differs: readonly string[];
}

interface Desk {
  readonly fetcher: Fetcher;
  readonly reader: PayloadReader;
  /** The thread reads one payload at a time. */
  readonly inTurn: InTurn;
  readonly now: () => number;
}

/** A list leads to a document, a missing new file to the previous one. */
const MOST_REQUESTS = 6;
const NOTHING_HELD: Held = { keys: () => [], newest: () => null, askedAt: () => null, lastRelease: () => null };

/**
 * @param sent requests of the last day, by publisher, which count towards its budgets
 * @returns one line for each source, in their order
 */
export async function probe(
  sources: readonly Source[],
  fetcher: Fetcher,
  reader: PayloadReader,
  { now }: Pick<Effects, 'now'>,
  sent: ReadonlyMap<string, readonly Sent[]> = new Map(),
  onProbed: (sourceId: string, done: number) => void = () => undefined,
): Promise<Probed[]> {
  for (const publisher of new Set(sources.flatMap(({ feed }) => feed?.publisher ?? [])))
    fetcher.remember(publisher, sent.get(publisher) ?? []);
  const desk: Desk = { fetcher, reader, inTurn: turns(), now };
  let done = 0;
  const lanes = new Map<string, Source[]>();
  for (const source of sources) {
    const lane = source.feed?.publisher ?? source.id;
    lanes.set(lane, [...(lanes.get(lane) ?? []), source]);
  }
  const found = new Map<string, Probed>();
  // Publishers in parallel; the sources of one publisher one after the other.
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const source of lane) {
        found.set(source.id, await probeSource(source, desk));
        done += 1;
        onProbed(source.id, done);
      }
    }),
  );
  return sources.flatMap(({ id }) => found.get(id) ?? []);
}

export const hasFailed = (probed: readonly Probed[]): boolean => probed.some(({ verdict }) => verdict === 'FAILED');

/** The ledger of the last day, read without the lock of the lake, because a run may be writing. */
export async function recentlySent(dataDir: string, now: string): Promise<ReadonlyMap<string, readonly Sent[]>> {
  const paths = lakePaths(join(dataDir, 'lake'));
  const isThere = (await namesIn(join(paths.root, 'fetches'))).length > 0;
  if (!isThere) return new Map();
  return withEngine(({ connection }) => recentRequests({ connection, paths }, now));
}

async function withEngine<Result>(
  use: (engine: Awaited<ReturnType<typeof openWriter>> & { readonly folder: string }) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'asof-probe-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterruption(remove);
  const engine = await openWriter({ threads: 1, memory: '400MB', tempDirectory: folder, tempSize: '1GB' });
  try {
    return await use({ ...engine, folder });
  } finally {
    engine.close();
    forget();
    remove();
  }
}

// --- One source

/** The findings so far. */
interface Sight {
  request: Request | null;
  outcome: Outcome | null;
  readonly differs: string[];
}

async function probeSource(source: Source, desk: Desk): Promise<Probed> {
  const { feed } = source;
  if (feed === undefined) return ended(source, 'not asked', sightOf('it has no feed: its files come from folders'));
  const paused = desk.fetcher.pausedFor(feed.publisher);
  if (paused !== null) return ended(source, 'not asked', sightOf(paused));
  const now = new Date(desk.now()).toISOString();
  const sight = sightOf();
  try {
    // If the small request has no answer, the plan may have one.
    const small = feed.probe === undefined ? null : await follow(source, feed, feed.probe(now), sight, desk);
    const found = small ?? (await follow(source, feed, feed.plan(now, NOTHING_HELD), sight, desk));
    return found ?? ended(source, 'FAILED', sight);
  } catch (error) {
    refuseDisk(error);
    const message = error instanceof Error ? error.message : String(error);
    sight.differs.push(message.replace(`${source.id}: `, ''));
    return ended(source, 'FAILED', sight);
  }
}

const sightOf = (...differs: string[]): Sight => ({ request: null, outcome: null, differs });

type Step = IteratorResult<Request | GiveUp, unknown>;

/** Another address of the same file may answer. */
const isForSameFile = (step: Step, { key }: Request): boolean => step.done !== true && !('giveUp' in step.value) && step.value.key === key;

/** Ends a probe once a payload has a row, or if its source has only lists. */
async function firstRowOf(source: Source, feed: Feed, payload: Payload, sight: Sight, desk: Desk): Promise<Probed | null> {
  const read = await desk.inTurn(() => readPayload(payload, desk.reader));
  if (read.refused !== null) sight.differs.push(read.refused);
  if (read.row !== null) return { ...ended(source, 'ok', sight), row: read.row, rows: read.rows };
  return feed.isOfListsAlone === true ? { ...ended(source, 'ok', sight), rows: 0 } : null;
}

/** One request, with notes on its answer. */
async function ask(feed: Feed, request: Request, sight: Sight, desk: Desk): Promise<Outcome> {
  const outcome = await desk.fetcher.fetch(feed.publisher, request, null);
  [sight.request, sight.outcome] = [request, outcome];
  if (outcome.movedTo !== null) sight.differs.push(`the publisher redirects to ${outcome.movedTo}`);
  if (outcome.received?.body == null) sight.differs.push(`${placeOf(request)}: ${outcome.problem ?? `answered ${outcome.status}`}`);
  return outcome;
}

interface Question {
  readonly source: Source;
  readonly feed: Feed;
  readonly plan: Plan;
  readonly sight: Sight;
  readonly desk: Desk;
}

/** Asks for a file, and the plan for the next one. Returns the end of the probe if the answer ends it. */
async function take(request: Request, { source, feed, plan, sight, desk }: Question): Promise<{ next: Step; end: Probed | null }> {
  const outcome = await ask(feed, request, sight, desk);
  const { received } = outcome;
  if (received?.body == null) {
    const next = plan.next(outcome.kind === 'absent' ? { kind: 'absent' } : failed(source, outcome));
    const isOver = outcome.kind === 'failed' && !isForSameFile(next, request);
    return { next, end: isOver ? ended(source, 'FAILED', sight) : null };
  }
  const payload: Payload = { key: request.key, body: received.body, retrievedAt: new Date(outcome.finishedAt).toISOString() };
  const next = plan.next({ kind: 'new', body: payload.body, retrievedAt: payload.retrievedAt });
  // Only the plan recognises an answer that is not ready yet, or an error that looks like an answer.
  if (next.done !== true && 'giveUp' in next.value) return { next, end: null };
  noteType(source, request, received.mediaType, sight);
  return { next, end: request.isIndex === true ? null : await firstRowOf(source, feed, payload, sight, desk) };
}

/** Follows the plan until a row is read. Null if none of its files is there. */
async function follow(source: Source, feed: Feed, plan: Plan, sight: Sight, desk: Desk): Promise<Probed | null> {
  let step: Step = plan.next();
  for (let asked = 0; asked < MOST_REQUESTS && step.done !== true; ) {
    if ('giveUp' in step.value) {
      sight.differs.push(step.value.giveUp);
      if (step.value.isNotOutYet !== true) return ended(source, 'FAILED', sight);
      step = plan.next({ kind: 'absent' });
      continue;
    }
    asked += 1;
    const { next, end } = await take(step.value, { source, feed, plan, sight, desk });
    if (end !== null) return end;
    step = next;
  }
  if (sight.outcome?.received?.body == null) return null;
  sight.differs.push('no row could be read');
  return ended(source, 'FAILED', sight);
}

function failed({ id }: Source, { problem, isRetriable }: Outcome): Answer {
  return { kind: 'failed', error: new UpstreamError(id, problem ?? '', { retriable: isRetriable }) };
}

function ended({ id }: Source, verdict: Probed['verdict'], { request, outcome, differs }: Sight): Probed {
  const { status = null, mediaType = null, bytes = null } = outcome ?? {};
  return { sourceId: id, verdict, address: request?.url ?? null, status, mediaType, bytes, row: null, rows: 0, differs };
}

const placeOf = ({ url }: Request): string => cut(url.replace('https://', ''), MOST_ADDRESS);

/** By extension of the key: words, one of which must be in its media type. */
const TYPE_WORDS: Readonly<Record<string, readonly string[]>> = { csv: ['csv'], ics: ['calendar'], idx: ['plain'], txt: ['plain'] };

function noteType(source: Source, { key }: Request, mediaType: string, { differs }: Sight): void {
  const ending = /\.([a-z]+)$/.exec(key)?.[1] ?? '';
  const words = TYPE_WORDS[ending] ?? [ending];
  if (mediaType !== '' && words.some((word) => mediaType.toLowerCase().includes(word))) return;
  const expected = mediaTypeOf(source, key);
  differs.push(mediaType === '' ? `the answer states no type, not ${expected}` : `its type is not ${expected}`);
}

// --- The reader's result

interface Read {
  readonly row: string | null;
  readonly rows: number;
  /** The number of refused rows, and the reason of the first; null if there are none. */
  readonly refused: string | null;
}

/** Throws an UpstreamError like the reader. */
async function readPayload(payload: Payload, reader: PayloadReader): Promise<Read> {
  const owner = allSources.find((source) => source.owns(payload.key));
  if (owner === undefined) return readMembers(payload, reader);
  await reader.knownAt(owner, { ...payload, body: payload.body.slice() });
  return owner.bulk === undefined ? readBatches(owner, payload, reader) : readBulk(owner, owner.bulk, payload, reader);
}

async function readMembers(payload: Payload, reader: PayloadReader): Promise<Read> {
  const holder = allSources.find((source) => source.container?.(payload.key) !== undefined);
  const keyOf = holder?.container?.(payload.key);
  if (holder === undefined || keyOf === undefined) throw new Error(`no source reads ${payload.key}`);
  for (const member of (await membersOf(holder.id, payload.body, undefined, Number.POSITIVE_INFINITY)).toReversed()) {
    const key = keyOf(member.name);
    if (key !== null) return readPayload({ ...payload, key, body: await member.read() }, reader);
  }
  throw new UpstreamError(holder.id, 'the zip file has no file that this version reads');
}

async function readBatches(owner: Source, payload: Payload, reader: PayloadReader): Promise<Read> {
  let row: string | null = null;
  let rows = 0;
  let refused = 0;
  let reason = '';
  for await (const batch of reader.batches(owner, { ...payload, body: payload.body.slice() })) {
    if (batch.kind === 'refused') {
      refused += batch.rows.length;
      reason ||= batch.rows[0]?.reason ?? '';
    } else {
      rows += batch.rows.length;
      row ??= rowText(batch);
    }
  }
  return { row, rows, refused: refused === 0 ? null : `${refused} of ${rows + refused} rows are refused: ${reason}` };
}

async function readBulk(owner: Source, bulk: NonNullable<Source['bulk']>, payload: Payload, reader: PayloadReader): Promise<Read> {
  await reader.check(owner, { ...payload, body: payload.body.slice() });
  return withEngine(async ({ connection, folder }) => {
    const file = join(folder, 'payload');
    await writeFile(file, payload.body);
    const statement = await connection.prepare(
      `select series_code, period, value, count(*) over () from (${sqlText(bulk.sql)}) where value is not null limit 1`,
    );
    statement.bind({ ...bulk.parameters(payload), file: patternOf(file) });
    const [first] = (await statement.runAndReadAll()).getRows();
    if (first === undefined) return { row: null, rows: 0, refused: null };
    const [code, period, value, rows] = first;
    return { row: `${String(code)} ${String(period)} = ${String(value)}`, rows: Number(rows), refused: null };
  });
}

type Rows = Exclude<Batch, { readonly kind: 'refused' }>;
const TEXTS: { readonly [Kind in Rows['kind']]: (row: Extract<Rows, { readonly kind: Kind }>['rows'][number]) => string } = {
  observations: ({ seriesCode, period, value }) => `${seriesCode} ${period} = ${value}`,
  facts: ({ cik, concept, periodEnd, value }) => `${cik} ${concept} ${periodEnd} = ${value}`,
  statement_numbers: ({ cik, concept, monthEnd, value }) => `${cik} ${concept} ${monthEnd} = ${value}`,
  filings: ({ cik, form, filed }) => `${cik} ${form} ${filed}`,
  companies: ({ cik, name }) => `${cik} ${name}`,
  documents: ({ documentType, eventDate, title }) => `${documentType} ${eventDate} ${title}`,
  schedules: ({ releaseCode, scheduledAt }) => `${releaseCode} ${scheduledAt}`,
  entities: ({ entityId, name }) => `${entityId} ${name}`,
};

/** The first row; for observations the first with a value. */
function rowText(batch: Rows): string | null {
  const row = batch.kind === 'observations' ? (batch.rows.find(({ value }) => value !== null) ?? batch.rows[0]) : batch.rows[0];
  return row === undefined ? null : (TEXTS[batch.kind] as (of: typeof row) => string)(row);
}

// --- The table

const MOST_ADDRESS = 90;
const MOST_ROW = 60;

export function probeText(probed: readonly Probed[]): string {
  const rows = probed.map(({ sourceId, verdict, address, status, mediaType, bytes, row, differs }) => [
    sourceId,
    verdict,
    cut(address?.replace('https://', '') ?? '', MOST_ADDRESS),
    String(status ?? ''),
    mediaType?.split(';')[0] ?? '',
    bytes === null ? '' : bytes.toLocaleString('en-US'),
    cut(row ?? '', MOST_ROW),
    differs.join('; ').replaceAll(/\s+/g, ' '),
  ]);
  const count = (verdict: Probed['verdict']) => probed.filter((one) => one.verdict === verdict).length;
  const sums = [`${count('ok')} answer as expected`, `${count('FAILED')} do not`, `${count('not asked')} were not asked`].join(', ');
  return [
    toTable(['source', 'answer', 'address', 'status', 'type', 'bytes', 'first row', 'differs'], rows),
    `${probed.length} sources: ${sums}. Nothing was archived.`,
  ].join('\n');
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
