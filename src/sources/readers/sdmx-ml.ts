// SDMX-ML 2.1 data messages, generic and structure-specific, in any layout (time series, cross-section, flat) → one reading at a time.
// A message is refused if it is truncated, has a document type, is a test, or states that it is not an answer.
import { UpstreamError } from '../upstream-error.ts';
import { parseNumber } from './csv.ts';
import { excerpt } from './text.ts';
import { attributeOf, parseXml, plainAttributes, type XmlElement, type XmlHandlers } from './xml.ts';

export interface SdmxReading {
  /** Dimensions and attributes by component id, including those of the data set and the series, but not of groups. */
  readonly components: ReadonlyMap<string, string>;
  /** Id of the data structure or data flow in the data set. */
  readonly structure: string;
  /** TIME_PERIOD, unchanged. */
  readonly period: string;
  /** null: none, or marked as missing. */
  readonly value: number | null;
  /** The message withdraws the value of the period; it states none. */
  readonly isRetraction: boolean;
}

const ROOTS = new Set(['GenericData', 'GenericTimeSeriesData', 'StructureSpecificData', 'StructureSpecificTimeSeriesData']);
/** Attributes of a data set that are not components. */
const OF_THE_MESSAGE = new Set([
  'action',
  'structureRef',
  'setID',
  'validFromDate',
  'validToDate',
  'reportingBeginDate',
  'reportingEndDate',
]);
const MISSING = new Set(['', 'NaN', '.', '-', ':']);

export function* readSdmxMl(sourceId: string, body: Uint8Array): Generator<SdmxReading> {
  const message = messageOf(sourceId);
  const root = { expected: 'an SDMX data message', isRoot: (local: string) => local === 'Error' || ROOTS.has(local) };
  const parsing = parseXml(sourceId, body, root, handlersOf(message));
  while (parsing.next().done !== true) yield* message.readings.splice(0);
  yield* message.readings.splice(0);
}

/**
 * The codes of a reading, joined by dots as the publisher writes the key of a series.
 * @param dimensions component ids in the order of the structure
 */
export function seriesKeyOf(sourceId: string, { components }: SdmxReading, dimensions: readonly string[]): string {
  return dimensions
    .map((id) => {
      const code = components.get(id);
      if (code === undefined)
        throw new UpstreamError(sourceId, `expected the component ${id}, found ${excerpt([...components.keys()].join(', '), 200)}`);
      return code;
    })
    .join('.');
}

/** An answer without its header and its time of preparation. */
export function withoutClock(body: Uint8Array): string {
  const text = new TextDecoder().decode(body);
  const header = /<(\w+):Header\b/.exec(text);
  const mark = `</${header?.[1]}:Header>`;
  const end = header === null ? -1 : text.indexOf(mark, header.index);
  const content = header === null || end === -1 ? text : `${text.slice(0, header.index)}${text.slice(end + mark.length)}`;
  return content.replace(/ validFromDate="[^"]*"/g, '');
}

type Components = Map<string, string>;

/** The parts read so far. */
interface Message {
  readonly refuse: (problem: string) => never;
  readonly open: string[];
  /** Id of a structure within the message → the publisher's id. */
  readonly structures: Map<string, string>;
  /** Attributes of the data set, the series, the observation. */
  readonly levels: Components[];
  readonly readings: SdmxReading[];
  structureId: string;
  headerAction: string;
  action: string;
  structure: string;
  dimensionAtObservation: string;
  problem: { readonly code: string; readonly severity: string; text: string } | null;
  hasData: boolean;
  /** The open series has no observation yet. */
  isBare: boolean;
  text: string;
}

function messageOf(sourceId: string): Message {
  return {
    refuse: (problem) => {
      throw new UpstreamError(sourceId, problem);
    },
    open: [],
    structures: new Map(),
    levels: [],
    readings: [],
    structureId: '',
    headerAction: '',
    action: '',
    structure: '',
    dimensionAtObservation: 'TIME_PERIOD',
    problem: null,
    hasData: false,
    isBare: false,
    text: '',
  };
}

function handlersOf(message: Message): XmlHandlers {
  return {
    open(tag) {
      message.open.push(tag.local);
      message.text = '';
      opened(message, tag);
    },
    text(piece) {
      message.text += piece;
    },
    close(local) {
      message.open.pop();
      closed(message, local);
    },
  };
}

function opened(message: Message, tag: XmlElement): void {
  if (message.open.includes('Header')) openHeader(message, tag);
  else if (tag.local === 'DataSet') openDataSet(message, tag);
  else if (tag.local === 'Series') {
    message.levels.splice(1, 2, plainAttributes(tag), new Map());
    message.isBare = true;
  } else if (tag.local === 'Obs') message.levels.splice(2, 1, plainAttributes(tag));
  else if (tag.local === 'Message' || tag.local === 'ErrorMessage')
    message.problem = { code: attributeOf(tag, 'code') ?? '', severity: attributeOf(tag, 'severity') ?? 'Error', text: '' };
  else if (!message.open.includes('Group')) openGeneric(message, tag);
}

function openHeader(message: Message, tag: XmlElement): void {
  if (tag.local === 'Structure' && message.open.at(-2) === 'Header') {
    message.structureId = attributeOf(tag, 'structureID') ?? '';
    message.dimensionAtObservation = attributeOf(tag, 'dimensionAtObservation') ?? 'TIME_PERIOD';
  } else if (tag.local === 'Ref') message.structures.set(message.structureId, attributeOf(tag, 'id') ?? message.structureId);
}

function openDataSet(message: Message, tag: XmlElement): void {
  message.hasData = true;
  const attributes = plainAttributes(tag);
  message.action = attributeOf(tag, 'action') ?? message.headerAction;
  const reference = attributeOf(tag, 'structureRef') ?? message.structureId;
  message.structure = message.structures.get(reference) ?? reference;
  for (const name of OF_THE_MESSAGE) attributes.delete(name);
  message.levels.splice(0, 3, attributes, new Map(), new Map());
}

/** `SeriesKey`, `ObsKey` and `Attributes` hold `Value`s; an observation its own dimension and value. */
function openGeneric(message: Message, tag: XmlElement): void {
  const value = attributeOf(tag, 'value');
  if (value === undefined) return;
  const [level] = message.levels.slice(levelNow(message));
  if (tag.local === 'Value') level?.set(attributeOf(tag, 'id') ?? '', value);
  else if (tag.local === 'ObsDimension') level?.set(attributeOf(tag, 'id') ?? message.dimensionAtObservation, value);
  else if (tag.local === 'ObsValue') level?.set('OBS_VALUE', value);
}

function levelNow(message: Message): number {
  return message.open.includes('Obs') ? 2 : message.open.includes('Series') ? 1 : 0;
}

function closed(message: Message, local: string): void {
  if (message.open.includes('Header')) closeHeader(message, local, message.text.trim());
  else if (local === 'Text' && message.problem !== null)
    message.problem.text += `${message.problem.text === '' ? '' : ' '}${message.text.trim()}`;
  else if (local === 'Obs') take(message);
  else if (local === 'Series' && message.isBare && message.action === 'Delete')
    message.refuse('the message takes back a series without naming periods');
  if (message.open.length === 0) checkEnd(message);
}

function closeHeader(message: Message, local: string, text: string): void {
  if (local === 'Test' && text === 'true') message.refuse('the message says that it is a test');
  if (local === 'URN') message.structures.set(message.structureId, /[:=]([^:=]+?)\([^()]*\)$/.exec(text)?.[1] ?? message.structureId);
  if (local === 'DataSetAction') message.headerAction = text;
}

function take(message: Message): void {
  message.isBare = false;
  const components = new Map(message.levels.flatMap((level) => [...level]));
  const period = components.get('TIME_PERIOD');
  if (period === undefined) message.refuse(`expected TIME_PERIOD, found ${excerpt([...components.keys()].join(', '), 200)}`);
  const stated = (components.get('OBS_VALUE') ?? '').trim();
  const number = MISSING.has(stated) ? null : parseNumber(stated);
  if (number === null && !MISSING.has(stated)) message.refuse(`expected a number for ${excerpt(period)}, found ${excerpt(stated)}`);
  components.delete('OBS_VALUE');
  components.delete('TIME_PERIOD');
  const isRetraction = message.action === 'Delete';
  message.readings.push({ components, structure: message.structure, period, value: isRetraction ? null : number, isRetraction });
}

/** In a footer, or in an error message, servers state that there is no answer, or none yet. */
function checkEnd(message: Message): void {
  const problem = message.problem;
  if (problem === null) {
    if (!message.hasData) message.refuse('the message has no data set');
    return;
  }
  const isError = !message.hasData || Number(problem.code) >= 400 || /error/i.test(problem.severity);
  if (!isError) return;
  const what = problem.code === '413' ? 'the answer is too large to be given at once (413)' : `the message says error ${problem.code}`;
  message.refuse(`${what}: ${excerpt(problem.text, 200)}`);
}
