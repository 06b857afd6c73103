// An answer of the service as an Excel workbook: its rows, and a sheet with the files that they came from.
import writeExcelFile, { type Row, type SheetData } from 'write-excel-file/node';
import { openServiceClient, type Parameters, PATIENT, type ServiceClient, ServiceError } from '../../client/service.ts';
import { KnownError } from '../../known-error.ts';
import { type AnswerRow, cellOf, flatRow, type Sheet, sheetData } from './cells.ts';
import { openOrigins, type Origin, type OriginFile } from './origins.ts';

export const WORKBOOK_ROUTES = { panels: 'Panel', observations: 'Observations' } as const;
export type WorkbookRoute = keyof typeof WORKBOOK_ROUTES;

/** The rows of a sheet in Excel, with the header. */
const SHEET_ROWS = 1_048_576;
/** A bulk answer of observations has no more. */
const MOST_ROWS = { panels: SHEET_ROWS - 1, observations: 1_000_000 } as const;
/** The library holds the whole workbook in memory, about 350 bytes a cell. */
const MOST_CELLS = 2_000_000;
/** Each is a request, and a key has 1,000 of them a minute by default. */
const MOST_TRACED = 10_000;

const NARROWER = 'Narrow it by indicator, country or dates, or keep fewer columns (columns=date,entityId,value)';

export interface WorkbookAsked {
  readonly route: WorkbookRoute;
  /** As the route takes them. */
  readonly parameters: Readonly<Record<string, string>>;
  /** False: the second sheet names sources, without their files. */
  readonly hasFiles: boolean;
  readonly mostCells?: number;
  readonly onProgress?: (detail: string, done: number, total: number) => void;
}

export interface Workbook {
  readonly bytes: Uint8Array;
  readonly snapshotId: string;
  readonly rows: number;
  readonly files: number;
}

/** Throws a KnownError if the answer is empty, too large or refused. */
export async function workbookOf({ url, key }: { readonly url: string; readonly key: string }, asked: WorkbookAsked): Promise<Workbook> {
  try {
    return await workbookFrom(openServiceClient(url, key, PATIENT), asked);
  } catch (error) {
    if (error instanceof ServiceError) throw new KnownError(error.message);
    throw error;
  }
}

async function workbookFrom(service: ServiceClient, asked: WorkbookAsked): Promise<Workbook> {
  const served = await servedBy(service);
  const answer = await readAnswer(service, asked);
  if (answer.rows.length === 0) throw new KnownError(await whyEmpty(service, asked));
  const traced = await trace(service, answer.sources, asked);
  if ((await servedBy(service)).snapshotId !== served.snapshotId)
    throw new KnownError('The service published a new snapshot meanwhile. Nothing was written. Run the command again.');
  const { sheet, files } = originSheet(traced, { request: requestOf(asked), asOf: answer.asOf, ...served });
  const rows = { name: WORKBOOK_ROUTES[asked.route], columns: answer.columns, rows: answer.rows };
  const bytes = await writeExcelFile([sheetData(rows), sheetData(sheet)]).toBuffer();
  return { bytes, snapshotId: served.snapshotId, rows: answer.rows.length, files };
}

interface Served {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
}

async function servedBy(service: ServiceClient): Promise<Served> {
  const { snapshotId, knowledgeCutoff } = (await service.item('/ready')).data;
  return { snapshotId: String(snapshotId), knowledgeCutoff: String(knowledgeCutoff) };
}

/** Of one row. */
interface RowSource {
  readonly observationId: string;
  readonly series: string;
}

interface Answer {
  readonly asOf: string | null;
  readonly columns: readonly string[];
  readonly rows: SheetData;
  readonly sources: readonly RowSource[];
}

/** Fields that the second sheet needs of each row, with their names in requests. */
const NEEDED = { observationId: 'observation_id', indicatorId: 'indicator_id', sourceId: 'source_id' } as const;

async function readAnswer(service: ServiceClient, { route, parameters, mostCells = MOST_CELLS }: WorkbookAsked): Promise<Answer> {
  const named = parameters['columns']?.split(',').map((name) => name.trim()) ?? null;
  const hidden = new Set(
    Object.entries(NEEDED).flatMap(([name, asSent]) => (named === null || named.includes(name) || named.includes(asSent) ? [] : [name])),
  );
  const columnsAsked: Parameters = named === null ? {} : { columns: [...named, ...hidden].join(',') };
  const most = MOST_ROWS[route];
  const answer = await service.rows(`/${route}`, { ...parameters, ...columnsAsked, limit: most });
  if (answer.hasMore) throw new KnownError(`The answer has more than ${most.toLocaleString('en')} rows, the most that fit. ${NARROWER}.`);
  const [rows, sources]: [Row[], RowSource[]] = [[], []];
  let columns: readonly string[] = [];
  for await (const row of answer.rows) {
    const flat = flatRow(row);
    if (rows.length === 0) columns = Object.keys(flat).filter((name) => !hidden.has(name));
    if ((rows.length + 1) * columns.length > mostCells) throw new KnownError(tooManyCells(mostCells));
    rows.push(columns.map((name) => cellOf(name, flat[name])));
    sources.push({ observationId: String(row['observationId']), series: `${String(row['sourceId'])} ${String(row['indicatorId'])}` });
  }
  return { asOf: answer.asOf === '' ? null : answer.asOf, columns, rows, sources };
}

const tooManyCells = (most: number) =>
  `The answer has more than ${most.toLocaleString('en')} cells, the most that fit. ${NARROWER}. Or ask the route itself with format=parquet.`;

/** The service explains an empty list in its JSON form. */
async function whyEmpty(service: ServiceClient, { route, parameters }: WorkbookAsked): Promise<string> {
  const { meta } = await service.page(`/${route}`, { ...parameters, limit: 1 });
  const hints = (meta['hints'] ?? []) as readonly { readonly parameter: string; readonly message: string }[];
  const reasons = hints.map(({ parameter, message }) => ` ${parameter}: ${message}`);
  return `The answer has no rows, so nothing was written.${reasons.join('')}`;
}

interface Traced {
  readonly origin: Origin;
  readonly rows: number;
}

/** The origin of each observation. Without files, one observation stands for its series. */
async function trace(service: ServiceClient, sources: readonly RowSource[], asked: WorkbookAsked): Promise<readonly Traced[]> {
  const counted = new Map<string, { readonly observationId: string; rows: number }>();
  for (const { observationId, series } of sources) {
    const key = asked.hasFiles ? observationId : series;
    const one = counted.get(key);
    if (one === undefined) counted.set(key, { observationId, rows: 1 });
    else one.rows += 1;
  }
  if (counted.size > MOST_TRACED) throw new KnownError(tooManyTraced(counted.size));
  const ids = [...counted.values()].map(({ observationId }) => observationId);
  const origins = await openOrigins(service).of(ids, asked.hasFiles, (done) => asked.onProgress?.('observations', done, ids.length));
  return [...counted.values()].map(({ rows }, index) => ({ origin: originAt(origins, index), rows }));
}

const tooManyTraced = (count: number) =>
  `The answer has ${count.toLocaleString('en')} observations. The second sheet names the files of at most ${MOST_TRACED.toLocaleString('en')}, because each takes a request. ${NARROWER}. Or add --no-files.`;

function originAt(origins: readonly Origin[], index: number): Origin {
  const origin = origins[index];
  if (origin === undefined) throw new RangeError(`no origin ${index}`);
  return origin;
}

/** The route with its parameters, as a caller would send them. */
const requestOf = ({ route, parameters }: WorkbookAsked) =>
  `/${route}?${new URLSearchParams(parameters).toString().replaceAll('%2C', ',')}`;

interface Shared extends Served {
  readonly request: string;
  readonly asOf: string | null;
}

/** One line for each indicator and file. */
function originSheet(traced: readonly Traced[], shared: Shared): { readonly sheet: Sheet; readonly files: number } {
  const lines = new Map<string, { rows: number; readonly line: AnswerRow }>();
  const payloads = new Set<string>();
  for (const { origin, rows } of traced) {
    for (const file of origin.files.length === 0 ? [null] : origin.files) {
      if (file !== null) payloads.add(file.payloadId);
      const key = `${origin.indicatorId} ${file?.payloadId ?? origin.sourceId}`;
      const one = lines.get(key);
      if (one === undefined) lines.set(key, { rows, line: lineOf(origin, file) });
      else one.rows += rows;
    }
  }
  const all = [...lines.values()].map(({ rows, line }): AnswerRow => ({ ...line, rows, ...shared }));
  return {
    sheet: { name: 'Provenance', columns: ORIGIN_COLUMNS, rows: all.map((line) => ORIGIN_COLUMNS.map((name) => cellOf(name, line[name]))) },
    files: payloads.size,
  };
}

const ORIGIN_COLUMNS = [
  'indicatorId',
  'publisher',
  'sourceId',
  'source',
  'license',
  'rows',
  'file',
  'address',
  'sha256',
  'bytes',
  'retrievedAt',
  'request',
  'asOf',
  'snapshotId',
  'knowledgeCutoff',
];

function lineOf({ indicatorId, files: _, ...own }: Origin, file: OriginFile | null): AnswerRow {
  return { indicatorId, ...own, ...file };
}
