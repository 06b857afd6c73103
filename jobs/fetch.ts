// Step 1 over the network: asks each due source for the files of its plan, archives valid answers, and records the outcome of each request in
// the ledger. Publishers are asked in parallel, the sources of one publisher one after the other. A failure affects no other source.
import { createHash } from 'node:crypto';
import type { RawArchive } from '../src/archive/raw-archive.ts';
import type { Effects } from '../src/effects.ts';
import type { Fetcher, Outcome } from '../src/fetch/fetcher.ts';
import { refuseDisk } from '../src/disk/disk-error.ts';
import { lastAsked, lastReleases, lastWithoutRows, NOT_ARCHIVED, recentRequests, WITHOUT_ROWS } from '../src/lake/fetches.ts';
import type { Lake } from '../src/lake/lake.ts';
import type { Answer, Feed, Held, Request } from '../src/sources/feeds/feed.ts';
import { sources as allSources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { UpstreamError } from '../src/sources/upstream-error.ts';
import { commitEntries, type Entry, type EntryContent, type EntryKind, entryOf } from './asking/ledger.ts';
import { refuseFutureArchive } from './clock.ts';
import { heldBy, type Known, readBack, readKnown, validatorsAfter, validatorsOf } from './held.ts';
import type { SourcePlace } from './reporting/progress.ts';
import { receive, receiveMembers } from './receive.ts';
import { type InTurn, turns } from './turns.ts';
import { KnownError } from '../src/known-error.ts';

export type FetchStatus = 'done' | 'failed' | 'not due' | 'paused' | 'unfinished' | 'no feed';

export interface FetchedSource {
  readonly sourceId: string;
  readonly status: FetchStatus;
  /** The reason if it is not done; the first failure of several. */
  readonly reason: string | null;
  /** Requests of the plan, without retries. */
  readonly requests: number;
  readonly added: number;
  readonly unchanged: number;
  readonly absent: number;
  readonly failed: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Keys whose address redirects to another one. */
  readonly moved: readonly string[];
}

export interface FetchReport {
  readonly sources: readonly FetchedSource[];
  /** If any publisher was asked, and if any answered. */
  readonly hasAsked: boolean;
  readonly hasAnswers: boolean;
}

/** No publisher answered: the data stay as they are. */
export class NobodyAnsweredError extends KnownError {
  readonly report: FetchReport;

  constructor(report: FetchReport) {
    super(
      'No publisher answered, so nothing was read and the snapshot is unchanged. Check the network connection and HTTPS_PROXY. ' +
        'To read the archive without a network: npm run nightly -- --offline',
    );
    this.report = report;
  }
}

interface Desk {
  readonly archive: RawArchive;
  readonly lake: Lake;
  readonly fetcher: Fetcher;
  readonly effects: Pick<Effects, 'now' | 'log'>;
  /** Every known source, because a plan may ask for a file that another one reads. */
  readonly owners: readonly Source[];
  /** The last time of each release in the calendars. */
  readonly releases: ReadonlyMap<string, string>;
  /** The end of all requests in this run; null: never. */
  readonly until: number | null;
  /** Only one lane at a time writes the archive and the lake. */
  readonly inTurn: InTurn;
  readonly onProgress: (sourceId: string, key: string) => void;
}

/** @param source its place among the asked ones; publishers are asked in parallel */
export type OnRequest = (sourceId: string, key: string, source: SourcePlace) => void;

/** @param budget milliseconds for requests to publishers; null: until all plans are done */
export async function fetchSources(
  sources: readonly Source[],
  archive: RawArchive,
  lake: Lake,
  fetcher: Fetcher,
  effects: Pick<Effects, 'now' | 'log'>,
  onRequest: OnRequest = () => undefined,
  budget: number | null = null,
): Promise<FetchReport> {
  await refuseFutureArchive(sources, archive, effects.now());
  const sent = await recentRequests(lake, instant(effects));
  for (const publisher of new Set(sources.flatMap(({ feed }) => feed?.publisher ?? [])))
    fetcher.remember(publisher, sent.get(publisher) ?? []);
  const owners = [...sources, ...allSources.filter(({ id }) => !sources.some((source) => source.id === id))];
  const fetched = new Map<string, FetchedSource>();
  const onProgress: Desk['onProgress'] = (sourceId, key) =>
    onRequest(sourceId, key, { number: Math.min(fetched.size + 1, sources.length), of: sources.length });
  const releases = await lastReleases(lake, instant(effects));
  const desk: Desk = {
    archive,
    lake,
    fetcher,
    effects,
    owners,
    releases,
    until: budget === null ? null : effects.now() + budget,
    inTurn: turns(),
    onProgress,
  };
  const byPublisher = new Map<string, Source[]>();
  for (const source of sources) {
    const lane = source.feed?.publisher ?? source.id;
    byPublisher.set(lane, [...(byPublisher.get(lane) ?? []), source]);
  }
  const lanes = [...byPublisher.values()].map(async (lane) => {
    for (const source of lane) fetched.set(source.id, await fetchSource(source, desk));
  });
  // Wait for each lane, so that none writes after the lock is released, even if another one had an error of the disk.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const reports = sources.flatMap(({ id }) => fetched.get(id) ?? []);
  const hasAnswers = fetcher.hasAnswers();
  if (hasAnswers) await recordCollections(archive, reports, instant(effects));
  return { sources: reports, hasAsked: reports.some(({ requests }) => requests > 0), hasAnswers };
}

/** A source that was not asked was not collected. */
async function recordCollections(archive: RawArchive, reports: readonly FetchedSource[], retrievedAt: string): Promise<void> {
  for (const { sourceId, requests, failed, reason } of reports) {
    if (requests === 0) continue;
    const problem = failed === 0 ? null : `${failed} of ${requests} requests failed: ${reason}`;
    await archive.recordCollection(sourceId, { retrievedAt, problem });
  }
}

async function fetchSource(source: Source, desk: Desk): Promise<FetchedSource> {
  const idle = (status: FetchStatus, reason: string | null): FetchedSource => ({
    ...NOTHING,
    sourceId: source.id,
    status,
    reason,
  });
  const { feed } = source;
  if (feed === undefined) return idle('no feed', null);
  const paused = desk.fetcher.pausedFor(feed.publisher);
  if (paused !== null) return idle('paused', paused);
  const known = await desk.inTurn(() => readKnown(source, feed, desk.archive, desk.lake));
  const asked = await desk.inTurn(() => lastAsked(desk.lake, source.id));
  const held = heldBy(known, asked, desk.releases);
  if (!feed.isDue(instant(desk.effects), held)) return idle('not due', null);
  const withoutRows = await desk.inTurn(() => lastWithoutRows(desk.lake, source.id));
  const run: Run = { source, feed, desk, known, withoutRows, group: null, ledger: [], tally: { ...NOTHING, moved: [] } };
  const startedAt = desk.effects.now();
  const left = await followPlan(run, held);
  await desk.inTurn(() => commitEntries(desk.lake, run.ledger, instant(desk.effects)));
  const { tally } = run;
  const status: FetchStatus = tally.failed > 0 ? 'failed' : left === null ? 'done' : 'unfinished';
  const reason = tally.reason ?? left;
  if (status === 'failed') desk.effects.log.error({ source: source.id, error: reason }, 'fetching failed');
  return { ...tally, sourceId: source.id, status, reason, milliseconds: desk.effects.now() - startedAt };
}

const NOTHING = { requests: 0, added: 0, unchanged: 0, absent: 0, failed: 0, bytes: 0, milliseconds: 0, moved: [] } as const;

interface Tally {
  requests: number;
  added: number;
  unchanged: number;
  absent: number;
  failed: number;
  bytes: number;
  milliseconds: number;
  moved: string[];
  reason?: string;
}

interface Run {
  readonly source: Source;
  readonly feed: Feed;
  readonly desk: Desk;
  readonly known: Map<string, Known>;
  /** Keys whose last answer had no rows. */
  readonly withoutRows: ReadonlySet<string>;
  /** Parts that wait for the rest of their group. */
  group: { readonly name: string; readonly parts: Part[]; problem: string | null; isEmpty?: boolean } | null;
  readonly ledger: Entry[];
  readonly tally: Tally;
}

interface Part {
  readonly request: Request;
  readonly outcome: Outcome;
  readonly body: Uint8Array;
}

/** Returns the reason if the plan was stopped early; null if it reached its end. */
async function followPlan(run: Run, held: Held): Promise<string | null> {
  const { feed, desk } = run;
  const plan = feed.plan(instant(desk.effects), held);
  let left: string | null = null;
  try {
    for (let step = plan.next(); step.done !== true; ) {
      if ('giveUp' in step.value) {
        const { giveUp: why, isNotOutYet = false, isEmpty = false } = step.value;
        if (isNotOutYet) dropGroup(run, null);
        else if (isEmpty && isEmptyAgain(run)) dropGroup(run, `${WITHOUT_ROWS}: ${why}`);
        else giveUp(run, why, isEmpty);
        step = plan.next({ kind: 'absent' });
        continue;
      }
      const answer = await ask(run, step.value);
      if (answer === null) {
        left = isSpent(desk) ? SPENT : desk.fetcher.leftFor(feed.publisher);
        giveUp(run, null);
        plan.return();
        break;
      }
      step = plan.next(answer);
    }
  } catch (error) {
    refuseDisk(error);
    if (!(error instanceof UpstreamError)) throw error;
    giveUp(run, error.message);
    noteFailure(run, error.message);
  }
  await closeGroup(run);
  noteRefusals(run);
  return left;
}

/** Some servers send 403 for a missing file; if they send nothing else, they refuse the caller. */
function noteRefusals({ ledger, tally }: Run): void {
  const [first] = ledger;
  if (tally.failed > 0 || first === undefined || ledger.some(({ row }) => row['status'] !== 403)) return;
  tally.failed += 1;
  tally.reason ??= `${String(first.row['key'])}: every request was refused (403). Check the address, and set ASOF_CONTACT`;
}

const SPENT = 'the time of this run is over; the next run continues';

const isSpent = ({ until, effects }: Desk): boolean => until !== null && effects.now() >= until;

/** Null if this run asks the publisher no further. */
async function ask(run: Run, request: Request): Promise<Answer | null> {
  const { feed, desk, known, tally } = run;
  if (run.group !== null && run.group.name !== request.group) await closeGroup(run);
  if (isSpent(desk)) return null;
  const before = known.get(request.key) ?? null;
  desk.onProgress(run.source.id, request.key);
  const sent = await desk.fetcher.fetch(feed.publisher, request, validatorsOf(before));
  const confirmed = sent.kind === 'unchanged' && before !== null ? await readBack(desk.archive, before.payload) : null;
  if (confirmed !== null) return settle(run, { request, outcome: sent, body: confirmed });
  // If the archive has lost the content that the publisher would confirm, the request is unconditional.
  const outcome = sent.kind === 'unchanged' ? await desk.fetcher.fetch(feed.publisher, request, null) : sent;
  if (outcome.kind === 'failed' && outcome.attempts === 0) return null;
  if (outcome.received?.body != null) return settle(run, { request, outcome, body: outcome.received.body });
  tally.requests += 1;
  noteMove(run, request, outcome);
  if (outcome.kind === 'absent') {
    tally.absent += 1;
    record(run, request, outcome, 'absent', null, null);
    return { kind: 'absent' };
  }
  return fail(run, request, outcome);
}

function noteMove({ tally }: Run, { key }: Request, { movedTo }: Outcome): void {
  if (movedTo !== null) tally.moved.push(`${key} → ${movedTo}`);
}

function fail(run: Run, request: Request, outcome: Outcome): Answer {
  const problem = `${request.key}: ${outcome.problem ?? 'answered "not modified" for a file that was never received'}`;
  noteFailure(run, problem);
  if (run.group !== null) run.group.problem = problem;
  else if (request.group !== undefined) run.group = { name: request.group, parts: [], problem };
  record(run, request, outcome, 'failed', null, problem);
  return { kind: 'failed', error: new UpstreamError(run.source.id, problem, { retriable: outcome.isRetriable }) };
}

/** Archives a valid answer, or holds it until its group is complete. */
async function settle(run: Run, received: Part): Promise<Answer> {
  if (received.request.isIndex === true) return readIndex(run, received);
  const part = { ...received, body: (await heldInstead(run, received)) ?? received.body };
  const { request, outcome, body } = part;
  run.tally.requests += 1;
  noteMove(run, request, outcome);
  const retrievedAt = new Date(outcome.finishedAt).toISOString();
  const isSame = run.known.get(request.key)?.payload.sha256 === sha256Of(body);
  if (request.group === undefined) await store(run, part);
  else if (run.group === null) run.group = { name: request.group, parts: [part], problem: null };
  else run.group.parts.push(part);
  return { kind: isSame ? 'same' : 'new', body, retrievedAt };
}

/** A page of links is only for the plan. */
function readIndex(run: Run, { request, outcome, body }: Part): Answer {
  run.tally.requests += 1;
  run.tally.unchanged += 1;
  noteMove(run, request, outcome);
  record(run, request, outcome, 'same', null, null);
  return { kind: 'same', body, retrievedAt: new Date(outcome.finishedAt).toISOString() };
}

/** The archived content if the answer differs from it only in its timestamp. */
async function heldInstead({ feed, desk, known }: Run, { request, body }: Part): Promise<Uint8Array | null> {
  const payload = known.get(request.key)?.payload;
  if (feed.essence === undefined || payload === undefined) return null;
  const held = await readBack(desk.archive, payload);
  return held !== null && (await feed.essence(held)) === (await feed.essence(body)) ? held : null;
}

async function store(run: Run, { request, outcome, body }: Part): Promise<void> {
  const { desk, known, tally } = run;
  const owner = desk.owners.find((source) => source.owns(request.key));
  if (owner === undefined && (await storeMembers(run, { request, outcome, body }))) return;
  if (owner === undefined) throw new Error(`no source owns ${request.key}, which the plan of ${run.source.id} asks for`);
  const retrievedAt = new Date(outcome.finishedAt).toISOString();
  const isConfirmed = outcome.kind === 'unchanged';
  const validators = validatorsAfter(outcome, isConfirmed ? (known.get(request.key)?.answer ?? null) : null);
  const arrival = { key: request.key, body, retrievedAt, url: request.url, httpStatus: outcome.status, ...validators };
  const { payload, isNew } = await desk.inTurn(() => receive(owner, desk.archive, arrival));
  known.set(request.key, { payload, answer: { sha256: payload.sha256, ...validators, checkedAt: retrievedAt } });
  const bytes = isConfirmed ? 0 : body.length;
  tally.added += Number(isNew);
  tally.unchanged += Number(!isNew);
  tally.bytes += bytes;
  record(run, request, outcome, isNew ? 'new' : 'same', { sha256: payload.sha256, bytes, ...validators }, null);
}

/** Archives the members of a zip whose files the publisher also offers one by one, without those already held. */
async function storeMembers(run: Run, { request, outcome, body }: Part): Promise<boolean> {
  const { desk, tally, known } = run;
  const holder = desk.owners.find((source) => source.container?.(request.key) !== undefined);
  if (holder === undefined) return false;
  const retrievedAt = new Date(outcome.finishedAt).toISOString();
  const zip = { key: request.key, body, retrievedAt, url: request.url, httpStatus: outcome.status, etag: null, lastModified: null };
  const added = await desk.inTurn(() => receiveMembers(holder, desk.archive, zip, (key) => known.has(key)));
  [tally.added, tally.bytes] = [tally.added + added, tally.bytes + body.length];
  record(run, request, outcome, added > 0 ? 'new' : 'same', null, null);
  return true;
}

function giveUp(run: Run, why: string | null, isEmpty = false): void {
  if (run.group === null) return;
  run.group.isEmpty ??= isEmpty;
  run.group.problem ??= why ?? 'the rest was not requested';
  if (why !== null) noteFailure(run, why);
}

/** True if nothing was ever archived under these keys and their last answers had no rows either, so no data were lost. */
function isEmptyAgain({ group, known, withoutRows }: Run): boolean {
  return group !== null && group.problem === null && group.parts.every(({ request: { key } }) => !known.has(key) && withoutRows.has(key));
}

/** True while the group has no content yet. */
function dropGroup(run: Run, note: string | null): void {
  for (const { request, outcome } of run.group?.parts ?? []) {
    run.tally.absent += 1;
    record(run, request, outcome, 'absent', null, note);
  }
  run.group = null;
}

/** Archives all of a group, or nothing. */
async function closeGroup(run: Run): Promise<void> {
  const { group } = run;
  run.group = null;
  const why = group?.isEmpty === true ? WITHOUT_ROWS : `${NOT_ARCHIVED} the answer is incomplete`;
  for (const part of group?.parts ?? []) {
    if (group?.problem == null) await store(run, part);
    else record(run, part.request, part.outcome, 'failed', null, `${why}: ${group.problem}`);
  }
}

function noteFailure(run: Run, problem: string): void {
  run.tally.failed += 1;
  run.tally.reason ??= problem;
}

function record(
  { desk, feed, source, ledger }: Run,
  request: Request,
  outcome: Outcome,
  kind: EntryKind,
  content: EntryContent | null,
  error: string | null,
): void {
  const owner = desk.owners.find((one) => one.owns(request.key))?.id ?? source.id;
  ledger.push(entryOf(owner, feed.publisher, request, outcome, kind, content, error));
}

const sha256Of = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

function instant({ now }: Pick<Effects, 'now'>): string {
  return new Date(now()).toISOString();
}
