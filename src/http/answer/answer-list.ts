// Answers a list: one page in the list envelope, or many as a bulk form.
import { type Asked, begin, isHeld, limitedHistory, questionOf, tagFor, cacheHeaders } from './asked.ts';
import { etag } from './conditional.ts';
import { listHead } from './envelope.ts';
import { ApiError } from '../errors.ts';
import { columnsNamed, columnsOf } from '../forms/columns.ts';
import { fileNameOf } from '../forms/file-name.ts';
import { bulkCoding, sendBulk, sendKept } from '../forms/formats.ts';
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
  readonly cursorAt: (key: CursorKey | null) => string | null;
}

/** Resolves with the page to send, or with null if the answer has been sent. */
export async function answerList<R extends PinnedSnapshot>(
  route: AnyListRoute<R>,
  asked: Asked<R>,
  current: R,
): Promise<RenderedAnswer | null> {
  const { serving, parameters, client, now, format } = asked;
  const { limit, sort, order } = parameters.values;
  checkLimit(Number(limit), format);
  const question = questionOf(route, asked.path, parameters.texts, { sort: String(sort), order: String(order), tier: client.tier });
  const { after, snapshot, context, walk: begun, release } = await begin(asked, question, current);
  try {
    const tag = tagFor(asked, route, snapshot, format);
    if (isHeld(asked, tag)) return null;
    const walk = route.isResumable ? null : begun;
    const bounds = { limit: Number(limit), after };
    const reading: Reading<R> = {
      route,
      asked,
      snapshot,
      request: {
        ...bounds,
        sort: String(sort),
        order: order === 'desc' ? 'desc' : 'asc',
        answer: bounds,
        isBulk: format !== 'json',
      },
      format,
      tag,
      ask: (request) => route.list(parameters.values, request, context, asked.path),
      cursorAt: (key) => (key === null ? null : serving.cursors.encode(question, { key, walk }, now)),
    };
    narrowing(reading);
    if (format === 'json') return await readPage(reading);
    await sendPages(reading, format);
    return null;
  } finally {
    release();
  }
}

async function readPage<R extends PinnedSnapshot>({ route, asked, request, tag, ask, cursorAt }: Reading<R>): Promise<RenderedAnswer> {
  const page = await ask(request);
  const next = cursorAt(page.nextKey);
  const cursor = asked.parameters.texts.get('cursor') ?? null;
  const pagination = { limit: request.limit, cursor, next_cursor: next, has_more: next !== null };
  const resume = route.isResumable ? { resume_cursor: cursorAt(page.lastKey ?? page.nextKey) ?? cursor } : {};
  const rows = 'json' in page.rows ? await page.rows.json() : JSON.stringify(page.rows);
  const head = listHead(rows, pagination, { ...page.meta, ...resume, ...limitedHistory(route, asked.client) });
  return renderedAnswer(head, tag, page.rows.length, asked.now);
}

/** If more rows follow, x-next-cursor has the next cursor: as a header if it is known before the body, else as a trailer. */
async function sendPages<R extends PinnedSnapshot>(reading: Reading<R>, format: Exclude<Format, 'json'>): Promise<void> {
  const { route, asked, snapshot, tag } = reading;
  const { response, serving, errand } = asked;
  const kept = { files: serving.files, key: `${tag} ${snapshot.opening ?? 0}` };
  const sent = format === 'parquet' ? await sendKept(response, { kept }) : null;
  if (sent !== null) {
    response.locals.exchange.rows = sent;
    return;
  }
  const columns = columnsOf(route.bulkRow ?? route.row, route.ownTexts);
  const named = narrowing(reading);
  const answered = named === null ? columns : columnsNamed(columns, named);
  const walk = await walkPages(reading.ask, reading.request, route.isInParts);
  const meant = walk.first.meta?.['as_of'];
  const asOf = typeof meant === 'string' ? meant : snapshot.knowledgeCutoff;
  const headers: Record<string, string> = {
    ...cacheHeaders(serving.vary),
    etag: etag(tag, bulkCoding(format, asked.coding)),
    'x-as-of': asOf,
    'content-disposition': `attachment; filename="${fileNameOf(filledPath(route.path, asked.path), asked.parameters.texts, asOf, format)}"`,
  };
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
  response.locals.exchange.rows = await sendBulk(response, {
    format,
    columns: answered,
    isNarrowed: named !== null,
    coding: asked.coding,
    pages: pages(),
    headers,
    scratchDir: serving.scratchDir,
    parquet: serving.parquet,
    errand,
    kept,
  });
}

/** The columns that the request asks for; null for all. A route may have its own parameter of that name with another meaning. */
function narrowing<R extends PinnedSnapshot>({
  route,
  asked,
  format,
}: Pick<Reading<R>, 'route' | 'asked' | 'format'>): readonly string[] | null {
  const { columns } = asked.parameters.values;
  if (!narrowsColumns(route) || !Array.isArray(columns)) return null;
  if (format === 'json') {
    throw new ApiError(
      'bad_request',
      'The parameter `columns` narrows csv, ndjson, arrow and parquet. Remove it, or set `format` to one of them.',
      {
        parameter: 'columns',
        parameters: ['columns', 'format'],
      },
    );
  }
  return columns.map(String);
}

function filledPath(path: string, named: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? name);
}
