// Answers an SDMX question in the form that its address and Accept header ask for.
import { type ServiceClient, ServiceError } from '../../client/service.ts';
import type { SeriesEntry } from '../catalogue.ts';
import { failureOf } from '../failure.ts';
import type { Sent } from '../exchange.ts';
import type { Standing } from '../standing.ts';
import { escaped } from '../../xml.ts';
import { availabilityOf } from './availability.ts';
import { begun, checkHeld, chosen, held, readData, setsOfHistory } from './data.ts';
import { dataCsv, dataJson1, dataJson2, dataSpecificXml, dataXml } from './data-forms.ts';
import { readAsked, SdmxError, type Version } from './questions.ts';
import { type SentStructures, sentOf, sentWith } from './sent.ts';
import { structureJson, structureXml } from './structure-forms.ts';

interface SdmxStanding {
  readonly service: ServiceClient;
  readonly catalogue: ReadonlyMap<string, SeriesEntry>;
  /** The cutoff of a clock that stands at a day. */
  readonly asOf: string | undefined;
  /** Now, ISO 8601. */
  readonly now: string;
}

type SdmxAnswer = Omit<Sent, 'status'>;

const ML = {
  structure: 'application/vnd.sdmx.structure+xml;version=2.1',
  data: 'application/vnd.sdmx.genericdata+xml;version=2.1',
  specific: 'application/vnd.sdmx.structurespecificdata+xml;version=2.1',
} as const;
const JSON_TYPES = {
  '2.1': 'application/vnd.sdmx.data+json;version=1.0.0',
  '3.0': 'application/vnd.sdmx.data+json;version=2.0.0',
} as const;
const CSV_TYPES = { '2.1': 'application/vnd.sdmx.data+csv;version=1.0.0', '3.0': 'application/vnd.sdmx.data+csv;version=2.0.0' } as const;
const STRUCTURE_JSON = 'application/vnd.sdmx.structure+json;version=2.0.0';

export interface SdmxPlace {
  readonly version: Version;
  /** After the version. */
  readonly path: string;
}

export function sdmxPlaceOf(path: string): SdmxPlace | null {
  const [, version, rest] = /^\/sdmx\/(2\.1|3\.0)(\/.*)?$/.exec(path) ?? [];
  return version === undefined ? null : { version: version as Version, path: rest ?? '/' };
}

interface SdmxRequest {
  readonly query: URLSearchParams;
  readonly accept: string;
  /** Of a clock that stands at a day. */
  readonly day: string | undefined;
  /** Now, ISO 8601. */
  readonly now: string;
}

/** @param openStanding called after the question is checked, with its cutoff, if any */
export async function answerSdmx(
  { version, path }: SdmxPlace,
  { query, accept, day, now }: SdmxRequest,
  openStanding: (cutoff: string | undefined) => Promise<Standing>,
): Promise<Sent> {
  try {
    const { type, body } = await answerQuestion(version, path, query, accept, async (asOf) => {
      // If the clock stands at a day, a later cutoff is reduced to that day.
      const cutoff = asOf === undefined ? day : day !== undefined && endOf(day) < asOf ? day : asOf;
      return { ...(await openStanding(cutoff)), now };
    });
    return { status: 200, type, body };
  } catch (error) {
    const { status, code, message } = sdmxFailureOf(error);
    return { status, ...sdmxError(version, { code, message }) };
  }
}

const endOf = (day: string) => `${day}T23:59:59.999Z`;

function sdmxFailureOf(error: unknown): { readonly status: number; readonly code: number; readonly message: string } {
  if (error instanceof SdmxError) return error;
  const { status, message } = failureOf(error);
  // Unlike FRED, SDMX distinguishes a wrong key from a wrong question.
  if (error instanceof ServiceError && (error.status === 401 || error.status === 403))
    return { status: 401, code: 110, message: error.message };
  return { status, code: status === 400 ? 150 : status === 429 ? 510 : 500, message };
}

async function answerQuestion(
  version: Version,
  path: string,
  query: URLSearchParams,
  accept: string,
  openStanding: (asOf: string | undefined) => Promise<SdmxStanding>,
): Promise<SdmxAnswer> {
  const format = formOf(query.get('format') ?? accept, version);
  const asked = readAsked(version, path, new URLSearchParams(query));
  switch (asked.kind) {
    case 'structure':
      return answerStructures(version, format, async () => {
        const { catalogue, now } = await openStanding(undefined);
        return { sent: sentOf(seriesIn(catalogue), asked.asked), now };
      });
    case 'availability':
      checkAsOf(version, asked.asked.question);
      return answerStructures(version, format, async () => {
        const { service, catalogue, asOf, now } = await openStanding(asked.asked.question.asOf);
        const entries = seriesIn(catalogue);
        return { sent: sentWith(entries, await availabilityOf(service, entries, asked.asked, asOf), asked.asked.question.references), now };
      });
    case 'data':
      checkAsOf(version, asked.question);
      return answerData(version, asked, format, openStanding);
  }
}

type Asked = ReturnType<typeof readAsked>;

function checkAsOf(version: Version, { asOf }: { readonly asOf?: string | undefined }): void {
  if (asOf !== undefined && version === '2.1')
    throw new SdmxError(400, 140, 'asOf belongs to version 3.0. In 2.1, put the day into the path: /at/<day>/sdmx/2.1.');
}

/** @param read called if the requested form is one that we write */
async function answerStructures(
  version: Version,
  format: Form | null,
  read: () => Promise<{ readonly sent: SentStructures; readonly now: string }>,
): Promise<SdmxAnswer> {
  const [only, write, type] =
    version === '2.1' ? (['xml', structureXml, ML.structure] as const) : (['json', structureJson, STRUCTURE_JSON] as const);
  if (format !== null && format !== only)
    throw notAcceptable(`version ${version} answers structures as ${version === '2.1' ? 'SDMX-ML' : 'SDMX-JSON'}`);
  const { sent, now } = await read();
  return { type, body: write(sent, now) };
}

async function answerData(
  version: Version,
  { key, question }: Asked & { readonly kind: 'data' },
  format: Form | null,
  openStanding: (asOf: string | undefined) => Promise<SdmxStanding>,
): Promise<SdmxAnswer> {
  if (version === '3.0' && (format === 'xml' || format === 'specific'))
    throw notAcceptable('version 3.0 answers data as SDMX-JSON or SDMX-CSV');
  const { service, catalogue, asOf, now } = await openStanding(question.asOf);
  const entries = chosen(seriesIn(catalogue), key);
  // Other forms sort a history by the times of its prints.
  const isHeld = question.includeHistory && format !== 'csv';
  if (isHeld) checkHeld(entries);
  const data = await begun(readData(service, entries, question, asOf));
  const sets = isHeld ? setsOfHistory(await held(data)) : [{ validFrom: null, series: data }];
  const message = { question, sets, prepared: now };
  if (format === 'csv') return { type: CSV_TYPES[version], body: dataCsv(message, version === '2.1' ? 1 : 2) };
  if (version === '3.0') return { type: JSON_TYPES[version], body: dataJson2(message) };
  if (format === 'specific') return { type: ML.specific, body: dataSpecificXml(message) };
  return format === 'json' ? { type: JSON_TYPES[version], body: dataJson1(message) } : { type: ML.data, body: dataXml(message) };
}

/** `specific` is SDMX-ML whose elements depend on the structure. */
type Form = 'xml' | 'specific' | 'json' | 'csv';
/** The start of each version number that we can write. */
const WRITTEN = {
  '2.1': { xml: '2.1', specific: '2.1', json: '1.', csv: '1.' },
  '3.0': { xml: '3.', specific: '3.', json: '2.', csv: '2.' },
} as const;

/** Without the variants for time series only and for metadata. */
const SPECIFIC = /structurespecificdata(?:\+xml)?$/;
/** Forms that we cannot write in any version. */
const UNWRITTEN = /structurespecific(?!data)|metadata/;

/** The first accepted form that we can write. Null if any form is accepted. Throws if we can write none. */
function formOf(accept: string, version: Version): Form | null {
  const named = accept
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([type]) => type !== '');
  if (named.length === 0) return null;
  for (const [type = '', ...parameters] of named) {
    if (type === '*/*' || type === 'application/*') return null;
    if (UNWRITTEN.test(type)) continue;
    const wanted = parameters.find((one) => one.startsWith('version='))?.slice('version='.length) ?? null;
    const form = SPECIFIC.test(type) ? 'specific' : (['json', 'csv', 'xml'] as const).find((one) => type.includes(one));
    if (form !== undefined && (wanted === null || wanted.startsWith(WRITTEN[version][form]))) return form;
  }
  throw notAcceptable('this service writes SDMX-ML, SDMX-JSON and SDMX-CSV');
}

const notAcceptable = (what: string) => new SdmxError(406, 140, `Not acceptable: ${what}. Change the header Accept.`);

/** Each series once, under its own source. */
function seriesIn(catalogue: ReadonlyMap<string, SeriesEntry>): readonly SeriesEntry[] {
  const found = new Map<string, SeriesEntry>();
  for (const entry of catalogue.values()) {
    const key = `${entry.indicatorId} ${entry.sourceId} ${entry.frequency}`;
    if (!found.has(key)) found.set(key, entry);
  }
  return [...found.values()];
}

/** An error in the version's form: SDMX-ML for 2.1, SDMX-JSON for 3.0. */
function sdmxError(version: Version, { code, message }: { readonly code: number; readonly message: string }): SdmxAnswer {
  if (version === '3.0')
    return {
      type: 'application/vnd.sdmx.data+json;version=2.0.0',
      body: JSON.stringify({ errors: [{ code, title: message, titles: { en: message } }] }),
    };
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<mes:Error xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"><mes:ErrorMessage code="${code}"><com:Text xml:lang="en">${escaped(message)}</com:Text></mes:ErrorMessage></mes:Error>
`;
  return { type: 'application/xml', body };
}
