// Reads SDMX addresses and parameters of versions 2.1 and 3.0. Unknown ones are refused by name.
import { z } from 'zod';
import { Truth } from '../asked.ts';
import { DIMENSIONS, type DimensionId, AGENCY, FLOW } from './structures.ts';

/**
 * An error for the client, with its status and SDMX code: 100 nothing found, 140 syntax, 150 semantics, 501 not implemented, 510 too much.
 */
export class SdmxError extends Error {
  override readonly name = 'SdmxError';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type Version = '2.1' | '3.0';

/** The requested codes of each dimension; null for any. */
export type Key = readonly (readonly string[] | null)[];

export const STRUCTURES = ['dataflow', 'datastructure', 'codelist', 'conceptscheme', 'agencyscheme'] as const;
export type StructureKind = (typeof STRUCTURES)[number];

export type Asked =
  | { readonly kind: 'structure'; readonly of: StructureKind; readonly id: string | null; readonly references: string }
  | { readonly kind: 'data'; readonly key: Key; readonly question: DataQuestion };

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)
  .pipe(z.int().min(1, 'is less than 1'));
const flag = Truth.transform((text) => text === 'true');
const instant = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text)),
    'is not a day or instant',
  )
  .transform((text) => new Date(/T.*\d$/.test(text) && !/[+-]\d\d:\d\d$/.test(text) ? `${text}Z` : text).toISOString());

/** Months of a period letter, as in 2020-Q2. A year alone has twelve. */
const MONTHS: Readonly<Record<string, number>> = { A: 12, S: 6, Q: 3, M: 1, '': 1 };

/** First and last day of an SDMX period: 2020, 2020-Q1, 2020-S1, 2020-05 or 2020-M05, 2020-W20, 2020-05-31, or a moment of a day. */
export function daysOf(period: string): readonly [first: string, last: string] | null {
  const day = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.exec(period)?.[1];
  if (day !== undefined) return isDay(day) ? [day, day] : null;
  const [, year, kind = '', number] = /^(\d{4})(?:-([AQSWM]?)(\d{1,2}))?$/.exec(period) ?? [];
  if (year === undefined) return null;
  if (number === undefined) return monthsOf(Number(year), 0, 12);
  const place = Number(number);
  if (kind === 'W') {
    const week = weekOf(Number(year), place);
    // A week belongs to the year of its Thursday. Few years have 53.
    return place >= 1 && dayText(Date.parse(week[1]) - 3 * DAY_MS).startsWith(year) ? week : null;
  }
  const months = MONTHS[kind] ?? 12;
  return place >= 1 && place <= 12 / months ? monthsOf(Number(year), (place - 1) * months, months) : null;
}

const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day;
const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

const monthsOf = (year: number, from: number, months: number): readonly [string, string] => [
  dayText(Date.UTC(year, from, 1)),
  dayText(Date.UTC(year, from + months, 1) - DAY_MS),
];

/** Weeks of ISO 8601: the first contains 4 January. */
function weekOf(year: number, week: number): readonly [string, string] {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  return [dayText(monday), dayText(monday + 6 * DAY_MS)];
}

const period = z.string().refine((text) => daysOf(text) !== null, 'is not an SDMX period');

const DataQuestion = z.strictObject({
  startPeriod: period.optional(),
  endPeriod: period.optional(),
  updatedAfter: instant.optional(),
  firstNObservations: count.optional(),
  lastNObservations: count.optional(),
  includeHistory: flag.default(false),
  detail: z
    .enum(['full', 'dataonly', 'serieskeysonly', 'nodata'], { error: 'must be full, dataonly, serieskeysonly or nodata' })
    .default('full'),
  dimensionAtObservation: z
    .enum(['TIME_PERIOD', 'AllDimensions'], { error: 'must be TIME_PERIOD or AllDimensions' })
    .default('TIME_PERIOD'),
  // A day means its end, as for as_of of the service and /at/<day>.
  asOf: z
    .string()
    .transform((text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text))
    .pipe(instant)
    .optional(),
  format: z.string().optional(),
  api_key: z.string().optional(),
});
export type DataQuestion = z.infer<typeof DataQuestion>;
export const hasObservations = ({ detail }: DataQuestion): boolean => detail === 'full' || detail === 'dataonly';

const StructureQuestion = z.strictObject({
  detail: z
    .enum(['full', 'allstubs', 'referencestubs', 'allcompletestubs', 'referencecompletestubs', 'referencepartial', 'raw'])
    .default('full'),
  references: z.enum(['none', 'parents', 'parentsandsiblings', 'children', 'descendants', 'all']).default('none'),
  format: z.string().optional(),
  api_key: z.string().optional(),
});

/** @param path after `/sdmx/2.1` or `/sdmx/3.0` */
export function readAsked(version: Version, path: string, query: URLSearchParams): Asked {
  const [resource = '', ...rest] = path.split('/').slice(1).map(decoded);
  if (version === '2.1') {
    if (resource === 'data') return dataAsked(rest[0] ?? '', rest[1] ?? 'all', rest[2] ?? 'all', query, new Map());
    return structureAsked(resource, rest, query);
  }
  if (resource === 'structure') return structureAsked(rest[0] ?? '', rest.slice(1), query);
  if (resource !== 'data') throw new SdmxError(501, 501, `Not implemented: ${shown(resource)}. Use structure or data.`);
  return dataAsked3(rest, query);
}

const ANY: ReadonlySet<string> = new Set(['', '*', '+', '~']);

/** For example `dataflow/ASOF/SERIES/1.0.0/M.us.*.*`. */
function dataAsked3([context = '', agency = '', id = '', wanted = '*', key = '*']: readonly string[], query: URLSearchParams): Asked {
  if (context !== 'dataflow' && context !== '*')
    throw new SdmxError(501, 501, `Not implemented: data of a ${shown(context)}. Use data/dataflow/${AGENCY}/${FLOW}/*.`);
  const flow = [agency, id, wanted].map((part) => (ANY.has(part) ? 'all' : part)).join(',');
  return dataAsked(flow, key === '*' ? 'all' : key, 'all', query, filtersOf(query));
}

/** `c[ENTITY]=us,de`, in version 3.0. */
function filtersOf(query: URLSearchParams): ReadonlyMap<DimensionId, readonly string[]> {
  const filters = new Map<DimensionId, readonly string[]>();
  for (const name of new Set(query.keys())) {
    const of = /^c\[([^\]]*)\]$/.exec(name)?.[1];
    if (of === undefined) continue;
    const dimension = DIMENSIONS.find((one) => one === of);
    if (dimension === undefined)
      throw new SdmxError(
        400,
        150,
        `You cannot filter by ${shown(of)}. The dimensions are ${DIMENSIONS.join(', ')}. For periods, use startPeriod and endPeriod.`,
      );
    if (query.getAll(name).length > 1) throw new SdmxError(400, 140, `${name} was sent more than once. Send it once.`);
    const values = (query.get(name) ?? '').split(',').map((value) => value.replace(/^eq:/, ''));
    if (values.some((value) => !CODE.test(value)))
      throw new SdmxError(400, 150, `${name} takes codes separated by commas, and only the operator eq.`);
    filters.set(dimension, values);
    query.delete(name);
  }
  return filters;
}

const CODE = /^[A-Za-z0-9_@$-]{1,200}$/;

function dataAsked(
  flow: string,
  key: string,
  provider: string,
  query: URLSearchParams,
  filters: ReadonlyMap<DimensionId, readonly string[]>,
): Asked {
  checkFlow(flow);
  if (provider !== 'all' && provider !== AGENCY) throw new SdmxError(404, 100, `Unknown provider ${shown(provider)}. Use ${AGENCY}.`);
  const question = readQuestion(DataQuestion, query);
  const hasCount = question.firstNObservations !== undefined || question.lastNObservations !== undefined;
  if (question.includeHistory && hasCount)
    throw new SdmxError(400, 150, 'firstNObservations and lastNObservations cannot be combined with includeHistory. Remove one of them.');
  if (question.dimensionAtObservation === 'AllDimensions' && !hasObservations(question))
    throw new SdmxError(400, 150, `A flat answer cannot have detail ${question.detail}. Use dimensionAtObservation=TIME_PERIOD.`);
  const places = readKey(key).map((codes, place) => {
    const filter = filters.get(DIMENSIONS[place] ?? 'FREQ');
    return filter === undefined ? codes : codes === null ? filter : codes.filter((code) => filter.includes(code));
  });
  return { kind: 'data', key: places, question };
}

/** `SERIES`, `ASOF,SERIES`, `ASOF,SERIES,1.0`. `all` means any. */
function checkFlow(flow: string): void {
  const parts = flow.split(',');
  const [agency = '', id = '', version = 'all', ...more] = parts.length === 1 ? ['all', ...parts] : parts;
  const isOurs = [AGENCY, 'all'].includes(agency) && [FLOW, 'all'].includes(id);
  const isHere = isOurs && ['all', 'latest', '1.0', '1.0.0'].includes(version) && more.length === 0;
  if (!isHere) throw new SdmxError(404, 100, `Unknown dataflow ${shown(flow)}. Use ${AGENCY},${FLOW},1.0.`);
}

/** Codes by the position of their dimension: `M.us+de..fred`. Empty or `*` means any. */
function readKey(key: string): Key {
  if (key === 'all') return DIMENSIONS.map(() => null);
  const parts = key.split('.');
  if (parts.length !== DIMENSIONS.length)
    throw new SdmxError(400, 140, `The key ${shown(key)} has ${parts.length} places. Write ${DIMENSIONS.length}: ${DIMENSIONS.join('.')}.`);
  return parts.map((part) => {
    if (part === '' || part === '*') return null;
    const codes = part.split('+');
    if (!codes.every((code) => CODE.test(code))) throw new SdmxError(400, 140, `The key ${shown(key)} has an invalid code.`);
    return codes;
  });
}

function structureAsked(of: string, rest: readonly string[], query: URLSearchParams): Asked {
  const kind = STRUCTURES.find((one) => one === of);
  if (kind === undefined) throw new SdmxError(501, 501, `Not implemented: ${shown(of)}. Use one of ${STRUCTURES.join(', ')}.`);
  const [agency = 'all', id = 'all', version = 'latest'] = rest;
  const any = ['all', '*', ''];
  const isOurs = any.includes(agency) || agency === AGENCY || (kind === 'agencyscheme' && agency === 'SDMX');
  if (!isOurs) throw new SdmxError(404, 100, `Unknown agency ${shown(agency)}. Use ${AGENCY}.`);
  if (![...any, 'latest', '+', '~', '1.0', '1.0.0'].includes(version))
    throw new SdmxError(404, 100, `Unknown version ${shown(version)}. Use 1.0.`);
  const { references, detail } = readQuestion(StructureQuestion, query);
  if (detail !== 'full') throw new SdmxError(501, 501, `Not implemented: structures in detail ${detail}. Use detail=full.`);
  return { kind: 'structure', of: kind, id: any.includes(id) ? null : id, references };
}

function readQuestion<Question extends z.ZodObject>(question: Question, query: URLSearchParams): z.infer<Question> {
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    if (given.has(name)) throw new SdmxError(400, 140, `The parameter ${shown(name)} was sent more than once. Send it once.`);
    given.set(name, value);
  }
  const parsed = question.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw new SdmxError(
      400,
      140,
      `Unknown parameter ${shown(issue.keys.join(', '))}. The parameters are ${Object.keys(question.shape).join(', ')}.`,
    );
  throw new SdmxError(400, 140, `The parameter ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be used'}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SdmxError(400, 140, 'The address is not valid percent-encoded UTF-8.');
  }
}

export const shown = (text: string) => text.slice(0, 80);
