// Reads SDMX addresses and parameters of versions 2.1 and 3.0. Unknown ones are refused by name.
import { z } from 'zod';
import { Truth } from '../asked.ts';
import { daysOf, nextDay } from './periods.ts';
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

export const TIME = 'TIME_PERIOD';
export type ComponentId = DimensionId | typeof TIME;

export type Asked =
  | { readonly kind: 'structure'; readonly asked: StructuresAsked }
  | { readonly kind: 'availability'; readonly asked: AvailabilityAsked }
  | { readonly kind: 'data'; readonly key: Key; readonly question: DataQuestion };

export interface StructuresAsked {
  readonly of: readonly StructureKind[];
  /** Null for all of these kinds. */
  readonly ids: readonly string[] | null;
  readonly question: StructureQuestion;
}

export interface AvailabilityAsked {
  readonly key: Key;
  readonly question: AvailabilityQuestion;
  /** The dimensions to report, in their order, the time last. */
  readonly components: readonly ComponentId[];
}

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

const period = z.string().refine((text) => daysOf(text) !== null, 'is not an SDMX period');

/** Parameters that choose observations, and those of every request. */
const chosen = {
  startPeriod: period.optional(),
  endPeriod: period.optional(),
  updatedAfter: instant.optional(),
  // A day means its end, as for as_of of the service and /at/<day>.
  asOf: z
    .string()
    .transform((text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text))
    .pipe(instant)
    .optional(),
  format: z.string().optional(),
  api_key: z.string().optional(),
};

const DataQuestion = z.strictObject({
  ...chosen,
  firstNObservations: count.optional(),
  lastNObservations: count.optional(),
  includeHistory: flag.default(false),
  detail: z
    .enum(['full', 'dataonly', 'serieskeysonly', 'nodata'], { error: 'must be full, dataonly, serieskeysonly or nodata' })
    .default('full'),
  dimensionAtObservation: z
    .enum(['TIME_PERIOD', 'AllDimensions'], { error: 'must be TIME_PERIOD or AllDimensions' })
    .default('TIME_PERIOD'),
});
export type DataQuestion = z.infer<typeof DataQuestion>;
export const hasObservations = ({ detail }: DataQuestion): boolean => detail === 'full' || detail === 'dataonly';

/** Names separated by commas. */
const namesOf = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .default('none')
    .transform((text) => text.split(',') as Names[number][])
    .refine((given) => given.every((name) => names.includes(name)), `must be ${listed(names)}`);
const listed = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const DETAILS = ['full', 'allstubs', 'referencestubs', 'allcompletestubs', 'referencecompletestubs', 'referencepartial', 'raw'] as const;
const StructureQuestion = z.strictObject({
  detail: z.enum(DETAILS, { error: `must be ${listed(DETAILS)}` }).default('full'),
  references: namesOf(['none', 'parents', 'parentsandsiblings', 'ancestors', 'children', 'descendants', 'all', ...STRUCTURES]),
  format: z.string().optional(),
  api_key: z.string().optional(),
});
export type StructureQuestion = z.infer<typeof StructureQuestion>;

const MODES = ['exact', 'available'] as const;
const AvailabilityQuestion = z.strictObject({
  ...chosen,
  mode: z.enum(MODES, { error: `must be ${listed(MODES)}` }).default('exact'),
  references: namesOf(['none', 'all', 'dataflow', 'datastructure', 'codelist', 'conceptscheme', 'dataproviderscheme', 'valuelist']),
});
export type AvailabilityQuestion = z.infer<typeof AvailabilityQuestion>;

/** @param path after `/sdmx/2.1` or `/sdmx/3.0` */
export function readAsked(version: Version, path: string, query: URLSearchParams): Asked {
  const [resource = '', ...rest] = path.split('/').slice(1).map(decoded);
  if (version === '2.1') {
    if (resource === 'data') return dataAsked(rest, query, NO_FILTERS);
    if (resource === 'availableconstraint') return availabilityAsked(rest, query, NO_FILTERS);
    return structureAsked(resource, rest, query);
  }
  if (resource === 'structure') return structureAsked(rest[0] ?? '*', rest.slice(1), query);
  if (resource !== 'data' && resource !== 'availability')
    throw new SdmxError(501, 501, `Not implemented: ${shown(resource)}. Use structure, data or availability.`);
  const [flow, key, ...more] = flowAsked(rest);
  const filters = filtersOf(query);
  if (resource === 'data') return dataAsked([flow, key, 'all', ...more], query, filters);
  return availabilityAsked([flow, key, 'all', ...more], query, filters);
}

/** Refuses parts of an address that nobody reads. */
function checkParts(parts: readonly string[], most: number, form: string): void {
  if (parts.length > most) throw new SdmxError(400, 140, `The address has too many parts. Write ${form}.`);
}

const ANY: ReadonlySet<string> = new Set(['', '*', '+', '~']);

/** `dataflow/ASOF/SERIES/1.0.0/M.us.*.*` of version 3.0 as 2.1 writes it: `ASOF,SERIES,1.0.0` and the key. More parts follow. */
function flowAsked(parts: readonly string[]): readonly [flow: string, key: string, ...more: string[]] {
  const [context = '*', agency = '', id = '', wanted = '', key = '', ...more] = parts;
  if (context !== 'dataflow' && context !== '*')
    throw new SdmxError(501, 501, `Not implemented: data of a ${shown(context)}. Use dataflow/${AGENCY}/${FLOW}/*.`);
  return [[agency, id, wanted].map((part) => (ANY.has(part) ? 'all' : part)).join(','), key, ...more];
}

interface Filters {
  readonly codes: ReadonlyMap<DimensionId, readonly string[]>;
  readonly time: Pick<DataQuestion, 'startPeriod' | 'endPeriod'>;
}
const NO_FILTERS: Filters = { codes: new Map(), time: {} };

/** `c[ENTITY]=us,de` and `c[TIME_PERIOD]=ge:2020-01+le:2020-12`, in version 3.0. */
function filtersOf(query: URLSearchParams): Filters {
  const codes = new Map<DimensionId, readonly string[]>();
  let time: Filters['time'] = {};
  for (const name of new Set(query.keys())) {
    const of = /^c\[([^\]]*)\]$/.exec(name)?.[1];
    if (of === undefined) continue;
    const dimension = DIMENSIONS.find((one) => one === of);
    if (dimension === undefined && of !== TIME)
      throw new SdmxError(400, 150, `You cannot filter by ${shown(of)}. The dimensions are ${[...DIMENSIONS, TIME].join(', ')}.`);
    if (query.getAll(name).length > 1) throw new SdmxError(400, 140, `${name} was sent more than once. Send it once.`);
    const given = query.get(name) ?? '';
    query.delete(name);
    if (dimension === undefined) {
      time = timeFilterOf(name, given);
      continue;
    }
    const values = given.split(',').map((value) => value.replace(/^eq:/, ''));
    if (values.some((value) => !CODE.test(value)))
      throw new SdmxError(400, 150, `${name} takes codes separated by commas, and only the operator eq.`);
    codes.set(dimension, values);
  }
  return { codes, time };
}

/** The days between which periods end. A `+` that was not encoded arrives as a space. */
function timeFilterOf(name: string, given: string): Filters['time'] {
  const bounds: { startPeriod?: string; endPeriod?: string } = {};
  for (const part of given.split(/[+ ]/)) {
    const [, operator = '', text = ''] = /^(ge|gt|le|lt):(.+)$/.exec(part) ?? [];
    const side = operator.startsWith('g') ? 'startPeriod' : 'endPeriod';
    const day = boundOf(operator, daysOf(text));
    if (day === null || bounds[side] !== undefined)
      throw new SdmxError(
        400,
        150,
        `${name} takes one range of periods, with the operators ge or gt, and le or lt: ge:2020-01+le:2020-12.`,
      );
    bounds[side] = day;
  }
  return bounds;
}

/** The first or last day that an operator admits, beside the days of its period. Null if there is none. */
function boundOf(operator: string, days: readonly [first: string, last: string] | null): string | null {
  if (days === null) return null;
  const [first, last] = days;
  if (operator === 'ge') return first;
  if (operator === 'le') return last;
  return operator === 'gt' ? nextDay(last, 1) : nextDay(first, -1);
}

const CODE = /^[A-Za-z0-9_@$-]{1,200}$/;

/** @param parts flow, key and provider */
function dataAsked(parts: readonly string[], query: URLSearchParams, filters: Filters): Asked {
  checkParts(parts, 3, 'data/<flow>/<key>/<provider>, or in 3.0 data/dataflow/<agency>/<flow>/<version>/<key>');
  const key = placesOf(parts, filters);
  const question = withTime(readQuestion(DataQuestion, query), filters);
  const hasCount = question.firstNObservations !== undefined || question.lastNObservations !== undefined;
  if (question.includeHistory && hasCount)
    throw new SdmxError(400, 150, 'firstNObservations and lastNObservations cannot be combined with includeHistory. Remove one of them.');
  if (question.dimensionAtObservation === 'AllDimensions' && !hasObservations(question))
    throw new SdmxError(400, 150, `A flat answer cannot have detail ${question.detail}. Use dimensionAtObservation=TIME_PERIOD.`);
  return { kind: 'data', key, question };
}

/** @param parts flow, key, provider and components. Clients that send no provider send the component third. */
function availabilityAsked(parts: readonly string[], query: URLSearchParams, filters: Filters): Asked {
  checkParts(
    parts,
    4,
    'availableconstraint/<flow>/<key>/<provider>/<dimension>, or in 3.0 availability/dataflow/<agency>/<flow>/<version>/<key>/<dimension>',
  );
  const [flow = '', key = '', third = 'all', fourth] = parts;
  const isComponent = fourth === undefined && COMPONENTS.some((one) => one === third);
  const components = componentsOf(isComponent ? third : (fourth ?? 'all'));
  const places = placesOf([flow, key, isComponent ? 'all' : third], filters);
  const question = withTime(readQuestion(AvailabilityQuestion, query), filters);
  const unknown = question.references.find((one) => one === 'dataproviderscheme' || one === 'valuelist');
  if (unknown !== undefined)
    throw new SdmxError(501, 501, `Not implemented: references=${unknown}. This service has none. Use codelist, conceptscheme or all.`);
  return { kind: 'availability', asked: { key: places, question, components } };
}

const COMPONENTS: readonly ComponentId[] = [...DIMENSIONS, TIME];

function componentsOf(text: string): readonly ComponentId[] {
  if (ALL.has(text)) return COMPONENTS;
  const names = text.split(',');
  const unknown = names.find((name) => !COMPONENTS.some((one) => one === name));
  if (unknown !== undefined)
    throw new SdmxError(400, 150, `Unknown dimension ${shown(unknown)}. The dimensions are ${COMPONENTS.join(', ')}.`);
  return COMPONENTS.filter((one) => names.includes(one));
}

/** The key of `[flow, key, provider]`, narrowed by the filters. */
function placesOf([flow = '', key = '', provider = 'all']: readonly string[], { codes: filters }: Filters): Key {
  checkFlow(flow);
  if (provider !== 'all' && provider !== AGENCY) throw new SdmxError(404, 100, `Unknown provider ${shown(provider)}. Use ${AGENCY}.`);
  return readKey(key).map((codes, place) => {
    const filter = filters.get(DIMENSIONS[place] ?? 'FREQ');
    return filter === undefined ? codes : codes === null ? filter : codes.filter((code) => filter.includes(code));
  });
}

function withTime<Question extends Filters['time']>(question: Question, { time }: Filters): Question {
  const isTwice = Object.keys(time).length > 0 && (question.startPeriod !== undefined || question.endPeriod !== undefined);
  if (isTwice) throw new SdmxError(400, 150, `c[${TIME}] cannot be combined with startPeriod and endPeriod. Remove one of them.`);
  const asked = { ...question, ...time };
  const [first, last] = [daysOf(asked.startPeriod ?? '')?.[0], daysOf(asked.endPeriod ?? '')?.[1]];
  if (first !== undefined && last !== undefined && first > last)
    throw new SdmxError(400, 150, 'startPeriod is after endPeriod. Swap them.');
  return asked;
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
  if (ALL.has(key)) return DIMENSIONS.map(() => null);
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
  const kinds = of === 'structure' || of === '*' ? STRUCTURES : STRUCTURES.filter((one) => one === of);
  if (kinds.length === 0) throw new SdmxError(501, 501, `Not implemented: ${shown(of)}. Use one of ${STRUCTURES.join(', ')}.`);
  checkParts(rest, 4, `${kinds[0]}/<agency>/<id>/<version>`);
  const [agency = 'all', id = 'all', version = 'latest', item = 'all'] = rest;
  checkMaintained(kinds, agency, version);
  if (!ALL.has(item)) throw new SdmxError(501, 501, `Not implemented: ${shown(item)} by itself. Leave out the item.`);
  const question = readQuestion(StructureQuestion, query);
  // Several ids are separated by + in 2.1, by a comma in 3.0.
  return { kind: 'structure', asked: { of: kinds, ids: ALL.has(id) ? null : id.split(/[+,]/), question } };
}

const ALL: ReadonlySet<string> = new Set(['all', '*', '']);

function checkMaintained(kinds: readonly StructureKind[], agency: string, version: string): void {
  const isOurs = ALL.has(agency) || agency === AGENCY || (kinds.includes('agencyscheme') && agency === 'SDMX');
  if (!isOurs) throw new SdmxError(404, 100, `Unknown agency ${shown(agency)}. Use ${AGENCY}.`);
  if (!ALL.has(version) && !['latest', '+', '~', '1.0', '1.0.0'].includes(version))
    throw new SdmxError(404, 100, `Unknown version ${shown(version)}. Use 1.0.`);
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
