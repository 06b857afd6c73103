// SDMX-ML 2.1 data messages, generic and structure-specific, in whichever way they are laid out (time series, cross-section, flat) → one reading at a time.
// A message that is cut, carries a document type, is a test, or says that it is no answer is refused.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { UpstreamError } from '../source.ts';
import { parseNumber } from './csv.ts';
import { decodeText, excerpt } from './text.ts';

export interface SdmxReading {
  /** Dimensions and attributes by component id, those of the data set and the series included; not those of groups. */
  readonly components: ReadonlyMap<string, string>;
  /** Id of the data structure or data flow that the data set names. */
  readonly structure: string;
  /** TIME_PERIOD as it stands. */
  readonly period: string;
  /** null: none, or marked as missing. */
  readonly value: number | null;
  /** The message takes back what was stated for the period; it states no value. */
  readonly isRetraction: boolean;
}

const ROOTS = new Set(['GenericData', 'GenericTimeSeriesData', 'StructureSpecificData', 'StructureSpecificTimeSeriesData']);
/** Of a data set, and no components. */
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
/** Characters that are given to the parser at once. */
const PIECE = 64 * 1024;

export function* readSdmxMl(sourceId: string, body: Uint8Array): Generator<SdmxReading> {
  const text = decodeText(sourceId, body);
  const message = new Message(sourceId, text);
  for (let at = 0; at < text.length; at += PIECE) {
    message.parser.write(text.slice(at, at + PIECE));
    yield* message.taken();
  }
  message.parser.close();
  yield* message.taken();
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

/** What an answer says without its header and the time at which it was put together. */
export function withoutClock(body: Uint8Array): string {
  const text = new TextDecoder().decode(body);
  return text.replace(/<(\w+):Header\b.*?<\/\1:Header>/s, '').replace(/ validFromDate="[^"]*"/g, '');
}

type Components = Map<string, string>;

/** The parser and what it has read until now. */
class Message {
  readonly parser = new SaxesParser({ xmlns: true });
  readonly #sourceId: string;
  readonly #open: string[] = [];
  readonly #structures = new Map<string, string>();
  /** Of the data set, the series, the observation. */
  readonly #levels: Components[] = [];
  #readings: SdmxReading[] = [];
  #structureId = '';
  #headerAction = '';
  #action = '';
  #structure = '';
  #dimensionAtObservation = 'TIME_PERIOD';
  #problem: { code: string; severity: string; text: string } | null = null;
  #hasData = false;
  #isBare = false;
  #text = '';

  constructor(sourceId: string, start: string) {
    this.#sourceId = sourceId;
    this.parser.on('opentag', (tag) => {
      if (this.#open.length === 0) this.#checkRoot(tag.local, start);
      this.#open.push(tag.local);
      this.#text = '';
      this.#opened(tag);
    });
    this.parser.on('text', (piece) => {
      this.#text += piece;
    });
    this.parser.on('closetag', ({ local }) => {
      this.#open.pop();
      this.#closed(local);
    });
    this.parser.on('doctype', () => this.#refuse('the message declares a document type'));
    this.parser.on('error', (cause) => {
      throw new UpstreamError(sourceId, `the XML is malformed or truncated: ${cause.message}`, { cause });
    });
  }

  taken(): SdmxReading[] {
    const readings = this.#readings;
    this.#readings = [];
    return readings;
  }

  #refuse(problem: string): never {
    throw new UpstreamError(this.#sourceId, problem);
  }

  #checkRoot(local: string, start: string): void {
    if (local !== 'Error' && !ROOTS.has(local)) this.#refuse(`expected an SDMX data message, found ${excerpt(start)}`);
  }

  #opened(tag: SaxesTagNS): void {
    const { local } = tag;
    if (local === 'Structure' && this.#open.at(-2) === 'Header') {
      this.#structureId = attributeOf(tag, 'structureID') ?? '';
      this.#dimensionAtObservation = attributeOf(tag, 'dimensionAtObservation') ?? 'TIME_PERIOD';
    } else if (local === 'Ref' && this.#open.includes('Header')) {
      this.#structures.set(this.#structureId, attributeOf(tag, 'id') ?? this.#structureId);
    } else if (local === 'DataSet') this.#openDataSet(tag);
    else if (local === 'Series') {
      this.#levels.splice(1, 2, plainAttributes(tag), new Map());
      this.#isBare = true;
    } else if (local === 'Obs') this.#levels.splice(2, 1, plainAttributes(tag));
    else if (local === 'Message' || local === 'ErrorMessage')
      this.#problem = { code: attributeOf(tag, 'code') ?? '', severity: attributeOf(tag, 'severity') ?? 'Error', text: '' };
    else if (!this.#open.includes('Group')) this.#openGeneric(tag);
  }

  #openDataSet(tag: SaxesTagNS): void {
    this.#hasData = true;
    const attributes = plainAttributes(tag);
    this.#action = attributeOf(tag, 'action') ?? this.#headerAction;
    const reference = attributeOf(tag, 'structureRef') ?? this.#structureId;
    this.#structure = this.#structures.get(reference) ?? reference;
    for (const name of OF_THE_MESSAGE) attributes.delete(name);
    this.#levels.splice(0, 3, attributes, new Map(), new Map());
  }

  /** `SeriesKey`, `ObsKey` and `Attributes` hold `Value`s; an observation its own dimension and value. */
  #openGeneric(tag: SaxesTagNS): void {
    const value = attributeOf(tag, 'value');
    if (value === undefined) return;
    const [level] = this.#levels.slice(this.#levelNow());
    if (tag.local === 'Value') level?.set(attributeOf(tag, 'id') ?? '', value);
    else if (tag.local === 'ObsDimension') level?.set(attributeOf(tag, 'id') ?? this.#dimensionAtObservation, value);
    else if (tag.local === 'ObsValue') level?.set('OBS_VALUE', value);
  }

  #levelNow(): number {
    return this.#open.includes('Obs') ? 2 : this.#open.includes('Series') ? 1 : 0;
  }

  #closed(local: string): void {
    if (local === 'Test' && this.#text.trim() === 'true') this.#refuse('the message says that it is a test');
    if (local === 'URN' && this.#open.includes('Header'))
      this.#structures.set(this.#structureId, /[:=]([^:=]+?)\([^()]*\)$/.exec(this.#text.trim())?.[1] ?? this.#structureId);
    if (local === 'DataSetAction') this.#headerAction = this.#text.trim();
    if (local === 'Text' && this.#problem !== null) this.#problem.text += `${this.#problem.text === '' ? '' : ' '}${this.#text.trim()}`;
    if (local === 'Obs') this.#take();
    if (local === 'Series') this.#closeSeries();
    if (this.#open.length === 0) this.#checkEnd();
  }

  #closeSeries(): void {
    if (this.#isBare && this.#action === 'Delete') this.#refuse('the message takes back a series without naming periods');
    this.#levels.splice(1, 2, new Map(), new Map());
  }

  #take(): void {
    this.#isBare = false;
    const components = new Map(this.#levels.flatMap((level) => [...level]));
    const period = components.get('TIME_PERIOD');
    if (period === undefined) this.#refuse(`expected TIME_PERIOD, found ${excerpt([...components.keys()].join(', '), 200)}`);
    const stated = (components.get('OBS_VALUE') ?? '').trim();
    const number = MISSING.has(stated) ? null : parseNumber(stated);
    if (number === null && !MISSING.has(stated)) this.#refuse(`expected a number for ${excerpt(period)}, found ${excerpt(stated)}`);
    components.delete('OBS_VALUE');
    components.delete('TIME_PERIOD');
    const isRetraction = this.#action === 'Delete';
    this.#readings.push({ components, structure: this.#structure, period, value: isRetraction ? null : number, isRetraction });
    this.#levels.splice(2, 1, new Map());
  }

  /** Servers say in a footer, or in a message of errors, that there is no answer, or none yet. */
  #checkEnd(): void {
    const problem = this.#problem;
    if (problem === null) {
      if (!this.#hasData) this.#refuse('the message has no data set');
      return;
    }
    const isError = !this.#hasData || Number(problem.code) >= 400 || /error/i.test(problem.severity);
    if (!isError) return;
    const what = problem.code === '413' ? 'the answer is too large to be given at once (413)' : `the message says error ${problem.code}`;
    this.#refuse(`${what}: ${excerpt(problem.text, 200)}`);
  }
}

function attributeOf(tag: SaxesTagNS, local: string): string | undefined {
  return Object.values(tag.attributes).find((attribute) => attribute.local === local)?.value;
}

/** Those without a prefix: components of structure-specific messages. */
function plainAttributes(tag: SaxesTagNS): Components {
  return new Map(
    Object.values(tag.attributes).flatMap(({ prefix, local, value }) => (prefix === '' && local !== 'xmlns' ? [[local, value]] : [])),
  );
}
