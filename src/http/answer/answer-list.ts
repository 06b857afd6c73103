// Answers a list: one page in the list envelope, or many as a bulk form.
import { type Asked, begin, isHeld, limitedHistory, questionOf, sendNotModified, tagFor, cacheHeaders } from './asked.ts';
import { etag, matchedEtag } from './conditional.ts';
import { listHead } from './envelope.ts';
import { ApiError } from '../errors.ts';
import { mapInTurns } from '../../db/turns.ts';
import { type Column, columnsNamed, columnsOf, narrowed } from '../forms/columns.ts';
import { fileNameOf } from '../forms/file-name.ts';
import { bulkCoding, sendBulk, sendKept, sendWritten } from '../forms/formats.ts';
import { checkLimit } from '../forms/negotiation.ts';
import { type RenderedAnswer, renderedAnswer } from './response-cache.ts';
import {
  type AnyListRoute,
  type CursorKey,
  type Format,
  narrowsColumns,
  type Page,
  type PageRequest,
  type PinnedSnapshot,
  type WriteRows,
} from '../route.ts';
import { walkPages } from './walk.ts';

/** One question to a list route, with the snapshot to read. */
interface Reading<R extends PinnedSnapshot> {
  readonly route: AnyListRoute<R>;
  readonly asked: Asked<R>;
  readonly snapshot: R;
  readonly request: PageRequest;
  readonly format: Format;
  readonly tag: string;
  readonly ask: (request: PageRequest) => Promise<Page<unknown>>;
  /** Null if the answer is made of rows. */
  readonly writer: (() => Promise<WriteRows | null>) | null;
  readonly cursorAt: (key: CursorKey | null) => string | null;
}

/** Resolves with the page to send, or with null if the answer has been sent. */
export async function answerList<R extends PinnedSnapshot>(
  route: AnyListRoute<R>,
  asked: Asked<R>,
  current: R,
): Promise<RenderedAnswer | null> {
  const { serving, parameters, client, now, format } = asked;
  const { order } = parameters.values;
  const sort = sortOf(route, parameters);
  const ofBulk = format === 'json' || parameters.texts.has('limit') ? null : route.wholeBulk;
  const limit = ofBulk ?? Number(parameters.values['limit']);
  checkLimit(limit, format);
  const question = questionOf(route, asked.path, parameters.texts, { sort, order: String(order), tier: client.tier });
  const { after, snapshot, context, walk: begun, release } = await begin(asked, question, current);
  try {
    const tag = tagFor(asked, route, snapshot, format);
    if (isHeld(asked, tag)) return null;
    const walk = route.isResumable ? null : begun;
    const bounds = { limit, after };
    const reading: Reading<R> = {
      route,
      asked,
      snapshot,
      request: {
        ...bounds,
        sort,
        order: order === 'desc' ? 'desc' : 'asc',
        answer: bounds,
        isBulk: format !== 'json',
      },
      format,
      tag,
      ask: (request) => route.list(parameters.values, request, context, asked.path),
      writer: isWhole(asked, format) && route.writer !== null ? async () => route.writer?.(parameters.values, context) ?? null : null,
      cursorAt: (key) => (key === null ? null : serving.cursors.encode(question, { key, walk }, now)),
    };
    // An unknown column is refused before anything is read.
    const columns = narrowing(reading);
    if (format === 'json') return await readPage(reading, columns);
    if (!(await isAnyHeld(reading, format))) await sendPages(reading, format, columns);
    return null;
  } finally {
    release();
  }
}

/** Answers 304 to `If-None-Match: *`. It reads one row first, because a missing resource is refused while reading. */
async function isAnyHeld<R extends PinnedSnapshot>(
  { asked: { serving, request, response, coding }, ask, request: page, tag }: Reading<R>,
  format: Exclude<Format, 'json'>,
): Promise<boolean> {
  const held = matchedEtag(request.headers['if-none-match'], tag, coding, bulkCoding(format, coding));
  if (held === null) return false;
  await ask({ ...page, limit: 1 });
  sendNotModified(serving, response, held);
  return true;
}

/** True if the answer is one Parquet file with all rows. */
const isWhole = ({ parameters: { texts } }: Pick<Asked<never>, 'parameters'>, format: Format) =>
  format === 'parquet' && !texts.has('limit') && !texts.has('cursor');

function sortOf({ bestFirst }: Pick<AnyListRoute<never>, 'bestFirst'>, { values, texts }: Asked<never>['parameters']): string {
  return bestFirst !== null && texts.has('q') && !texts.has('sort') ? bestFirst : String(values['sort']);
}

async function readPage<R extends PinnedSnapshot>(
  { route, asked, request, tag, ask, cursorAt }: Reading<R>,
  columns: readonly Column[] | null,
): Promise<RenderedAnswer> {
  const page = await ask(request);
  const next = cursorAt(page.nextKey);
  const cursor = asked.parameters.texts.get('cursor') ?? null;
  const pagination = { limit: request.limit, cursor, next_cursor: next, has_more: next !== null };
  const resume = route.isResumable ? { resume_cursor: cursorAt(page.lastKey ?? page.nextKey) ?? cursor } : {};
  const rows = await jsonOf(page, columns?.map(({ name }) => name) ?? null);
  const head = listHead(rows, pagination, { ...page.meta, ...resume, ...limitedHistory(route, asked.client) });
  return renderedAnswer(head, tag, page.rows.length, asked.now);
}

async function jsonOf({ rows }: Page<unknown>, columns: readonly string[] | null): Promise<string | Buffer> {
  if ('json' in rows && rows.json !== undefined) return rows.json(columns);
  return rowsAs(rows, columns === null ? JSON.stringify : narrowed(columns));
}

async function rowsAs(rows: Page<unknown>['rows'], toText: (row: unknown) => string): Promise<string> {
  const texts: string[] = [];
  const parts = 'parts' in rows ? rows.parts(Math.max(1, rows.length)) : [rows];
  for await (const part of parts) texts.push(...(await mapInTurns(part, (some) => some.map((row) => toText(row)))));
  return `[${texts.join(',')}]`;
}

/** If more rows follow, x-next-cursor has the next cursor: as a header if it is known before the body, else as a trailer. */
async function sendPages<R extends PinnedSnapshot>(
  reading: Reading<R>,
  format: Exclude<Format, 'json'>,
  columns: readonly Column[] | null,
): Promise<void> {
  const { route, asked, snapshot, tag } = reading;
  const { response, serving, errand } = asked;
  const kept = { files: serving.files, key: `${tag} ${snapshot.opening ?? 0}` };
  const sent = format === 'parquet' ? await sendKept(response, { kept }) : null;
  if (sent !== null) {
    response.locals.exchange.rows = sent;
    return;
  }
  const headersAsOf = (asOf: string): Record<string, string> => ({
    ...cacheHeaders(serving.vary),
    etag: etag(tag, bulkCoding(format, asked.coding)),
    'x-as-of': asOf,
    'content-disposition': `attachment; filename="${fileNameOf(filledPath(route.path, asked.path), asked.parameters.texts, asOf, format)}"`,
  });
  const answer = {
    format,
    columns: columns ?? bulkColumns(route),
    isNarrowed: columns !== null,
    coding: asked.coding,
    scratchDir: serving.scratchDir,
    parquet: serving.parquet,
    errand,
    kept,
  };
  const write = (await reading.writer?.()) ?? null;
  const written = write === null ? null : await sendWritten(response, { ...answer, headers: headersAsOf(snapshot.knowledgeCutoff) }, write);
  if (written !== null) {
    response.locals.exchange.rows = written;
    return;
  }
  const walk = await walkPages(reading.ask, reading.request, route.rowsAQuery);
  const meant = walk.first.meta?.['as_of'];
  const headers = headersAsOf(typeof meant === 'string' ? meant : snapshot.knowledgeCutoff);
  const withNext = (use: (cursor: string) => void) => {
    const next = reading.cursorAt(walk.end());
    if (next !== null) use(next);
  };
  const inHeader = (cursor: string) => {
    headers['x-next-cursor'] = cursor;
  };
  if (walk.isShort) withNext(inHeader);
  else if (format !== 'parquet' && response.req.method === 'GET') headers['trailer'] = 'x-next-cursor';
  async function* pages() {
    yield* walk.pages;
    if (walk.isShort) return;
    // A Parquet file is complete before its first byte is sent, so the cursor fits in a header.
    withNext(format === 'parquet' ? inHeader : (cursor) => response.addTrailers({ 'x-next-cursor': cursor }));
  }
  response.locals.exchange.rows = await sendBulk(response, { ...answer, pages: pages(), headers });
}

/** The columns that the request asks for; null for all. A route may have its own parameter of that name with another meaning. */
function narrowing<R extends PinnedSnapshot>({
  route,
  asked,
  format,
}: Pick<Reading<R>, 'route' | 'asked' | 'format'>): readonly Column[] | null {
  const { columns } = asked.parameters.values;
  if (!narrowsColumns(route) || !Array.isArray(columns)) return null;
  const ofRow = columnsOf(route.row);
  const named = columnsNamed(bulkColumns(route), columns.map(String));
  const missing = format === 'json' ? named.find(({ name }) => !ofRow.some((one) => one.name === name)) : undefined;
  if (missing === undefined) return named;
  throw new ApiError(
    'bad_request',
    `Only csv, ndjson, arrow and parquet have the column ${missing.name}. Remove it, or set \`format\` to one of them.`,
    { parameter: 'columns', parameters: ['columns', 'format'], found: missing.name },
  );
}

const bulkColumns = ({ bulkRow, row, ownTexts }: AnyListRoute<never>) => columnsOf(bulkRow ?? row, ownTexts);

function filledPath(path: string, named: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? name);
}
