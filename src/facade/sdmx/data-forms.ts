// Writes observations as SDMX-ML 2.1, as SDMX-JSON and SDMX-CSV in both versions, a series at a time.
import { csvField } from '../../client/csv.ts';
import { escaped } from '../../xml.ts';
import type { DataSet, Observed, SeriesData } from './data.ts';
import type { DataQuestion } from './questions.ts';
import { AGENCY, DIMENSIONS, FLOW, NAMES, OBSERVATION_ATTRIBUTES, SERIES_ATTRIBUTES, STATUS_CODES, statusOf } from './structures.ts';

export interface Message {
  readonly question: DataQuestion;
  readonly sets: readonly DataSet[];
  /** Time of the answer, ISO 8601. */
  readonly prepared: string;
}

/** The parts of an answer, each written when the one before is sent. */
type Text = AsyncGenerator<string>;

const attributesOf = (one: Observed) => [statusOf(one.value, one.obsStatus), one.knownSince, one.vintage] as const;
const STATUS_PLACES = new Map<string, number>(STATUS_CODES.map(({ id }, place) => [id, place]));
const seriesAttributesOf = ({ entry }: SeriesData) => [entry.title, entry.unit] as const;
const hasAttributes = ({ detail }: DataQuestion) => detail === 'full' || detail === 'nodata';
const idOf = (prepared: string) => `ASOF${prepared.replaceAll(/\D/g, '')}`;

/** The header of an SDMX-ML message. */
export function headerXml(prepared: string, more = ''): string {
  return `<mes:Header><mes:ID>${idOf(prepared)}</mes:ID><mes:Test>false</mes:Test><mes:Prepared>${prepared}</mes:Prepared><mes:Sender id="${AGENCY}"/>${more}</mes:Header>`;
}

export async function* dataXml({ question, sets, prepared }: Message): Text {
  const isFlat = question.dimensionAtObservation === 'AllDimensions';
  const values = (names: readonly string[], own: readonly string[]) =>
    names.map((name, place) => `<gen:Value id="${name}" value="${escaped(own[place] ?? '')}"/>`).join('');
  /** An observation by itself, with its key and the attributes of its series, or within its series. */
  const observation = (one: Observed, ofSeries: SeriesData | null) => {
    const place =
      ofSeries === null
        ? `<gen:ObsDimension value="${one.period}"/>`
        : `<gen:ObsKey>${values([...DIMENSIONS, 'TIME_PERIOD'], [...ofSeries.key, one.period])}</gen:ObsKey>`;
    const value = one.value === null ? '' : `<gen:ObsValue value="${one.value}"/>`;
    const attributes = hasAttributes(question)
      ? `<gen:Attributes>${values(OBSERVATION_ATTRIBUTES, attributesOf(one))}${ofSeries === null ? '' : values(SERIES_ATTRIBUTES, seriesAttributesOf(ofSeries))}</gen:Attributes>`
      : '';
    return `<gen:Obs>${place}${value}${attributes}</gen:Obs>`;
  };
  const series = (one: SeriesData) => {
    if (isFlat) return one.observations.map((own) => observation(own, one)).join('\n');
    const attributes = hasAttributes(question)
      ? `<gen:Attributes>${values(SERIES_ATTRIBUTES, seriesAttributesOf(one))}</gen:Attributes>`
      : '';
    const own = one.observations.map((print) => observation(print, null)).join('\n');
    return `<gen:Series><gen:SeriesKey>${values(DIMENSIONS, one.key)}</gen:SeriesKey>${attributes}\n${own}</gen:Series>`;
  };
  const structure = `<mes:Structure structureID="${FLOW}" dimensionAtObservation="${question.dimensionAtObservation}"><com:StructureUsage><Ref agencyID="${AGENCY}" id="${FLOW}" version="1.0" class="Dataflow"/></com:StructureUsage></mes:Structure>`;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<mes:GenericData xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:gen="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
${headerXml(prepared, structure)}
`;
  for (const set of sets) {
    yield `<mes:DataSet action="Replace"${set.validFrom === null ? '' : ` validFromDate="${set.validFrom}"`} structureRef="${FLOW}">\n`;
    for await (const one of set.series) yield `${series(one)}\n`;
    yield '</mes:DataSet>\n';
  }
  yield '</mes:GenericData>\n';
}

/** Structure-specific: each code and attribute has the name of its component. */
export async function* dataSpecificXml({ question, sets, prepared }: Message): Text {
  const isFlat = question.dimensionAtObservation === 'AllDimensions';
  const pairs = (names: readonly string[], own: readonly string[]) =>
    names.map((name, place) => ` ${name}="${escaped(own[place] ?? '')}"`).join('');
  const ofSeries = (one: SeriesData) =>
    pairs(DIMENSIONS, one.key) + (hasAttributes(question) ? pairs(SERIES_ATTRIBUTES, seriesAttributesOf(one)) : '');
  const observation = (one: Observed, own: string) => {
    const value = one.value === null ? '' : ` OBS_VALUE="${one.value}"`;
    const attributes = hasAttributes(question) ? pairs(OBSERVATION_ATTRIBUTES, attributesOf(one)) : '';
    return `<Obs${own} TIME_PERIOD="${one.period}"${value}${attributes}/>`;
  };
  const series = (one: SeriesData) => {
    const own = ofSeries(one);
    if (isFlat) return one.observations.map((print) => observation(print, own)).join('\n');
    return `<Series${own}>\n${one.observations.map((print) => observation(print, '')).join('\n')}</Series>`;
  };
  const namespace = `urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=${AGENCY}:${FLOW}(1.0):ObsLevelDim:${question.dimensionAtObservation}`;
  const structure = `<mes:Structure structureID="${FLOW}" namespace="${namespace}" dimensionAtObservation="${question.dimensionAtObservation}"><com:StructureUsage><Ref agencyID="${AGENCY}" id="${FLOW}" version="1.0" class="Dataflow"/></com:StructureUsage></mes:Structure>`;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<mes:StructureSpecificData xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:ss="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/structurespecific" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:own="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${headerXml(prepared, structure)}
`;
  for (const set of sets) {
    const validFrom = set.validFrom === null ? '' : ` ss:validFromDate="${set.validFrom}"`;
    yield `<mes:DataSet ss:structureRef="${FLOW}" xsi:type="own:DataSetType" ss:dataScope="DataStructure" ss:action="Replace"${validFrom}>\n`;
    for await (const one of set.series) yield `${series(one)}\n`;
    yield '</mes:DataSet>\n';
  }
  yield '</mes:StructureSpecificData>\n';
}

/** Numbers values in the order of their first use. */
function places(): { readonly of: (value: string) => number; readonly all: () => readonly string[] } {
  const found = new Map<string, number>();
  return {
    of: (value) => {
      const place = found.get(value) ?? found.size;
      found.set(value, place);
      return place;
    },
    all: () => [...found.keys()],
  };
}

interface Component {
  readonly id: string;
  readonly name: string;
  readonly values: readonly { readonly id?: string; readonly name: string }[];
}

/** The values that data sets refer to by their places, in the order of their first use. */
function valuesInUse() {
  return {
    keys: DIMENSIONS.map(() => places()),
    times: places(),
    titles: places(),
    units: places(),
    since: places(),
    vintages: places(),
  };
}
type ValuesInUse = ReturnType<typeof valuesInUse>;

/** The data sets of SDMX-JSON as the items of a JSON list. The structure comes after them, because it lists the values in use. */
async function* setsJson({ question, sets }: Message, used: ValuesInUse, more: object): Text {
  const isFlat = question.dimensionAtObservation === 'AllDimensions';
  for (const [place, { validFrom, series }] of sets.entries()) {
    const head = JSON.stringify({ ...more, action: 'Replace', ...(validFrom === null ? {} : { validFrom }) });
    yield `${place === 0 ? '' : ','}${head.slice(0, -1)},${isFlat ? '"observations"' : '"series"'}:{`;
    let comma = '';
    for await (const one of series) {
      const members = isFlat ? flatMembers(one, used, question) : seriesMember(one, used, question);
      if (members === '') continue;
      yield comma + members;
      comma = ',';
    }
    yield '}}';
  }
}

const keyJson = (one: SeriesData, used: ValuesInUse) => one.key.map((code, place) => used.keys[place]?.of(code) ?? 0).join(':');

function observationJson(print: Observed, used: ValuesInUse, question: DataQuestion): readonly (number | null)[] {
  if (!hasAttributes(question)) return [print.value];
  const [status, knownSince, vintage] = attributesOf(print);
  return [print.value, STATUS_PLACES.get(status) ?? 0, used.since.of(knownSince), used.vintages.of(vintage)];
}

const seriesAttributesJson = ({ entry }: SeriesData, used: ValuesInUse, question: DataQuestion) =>
  hasAttributes(question) ? [used.titles.of(entry.title), used.units.of(entry.unit)] : [];

/** `"0:0:0:0":{…}`. */
function seriesMember(one: SeriesData, used: ValuesInUse, question: DataQuestion): string {
  const observations = Object.fromEntries(
    one.observations.map((print) => [used.times.of(print.period), observationJson(print, used, question)]),
  );
  const attributes = seriesAttributesJson(one, used, question);
  return `"${keyJson(one, used)}":${JSON.stringify({ ...(hasAttributes(question) ? { attributes } : {}), observations })}`;
}

/** `"0:0:0:0:0":[…]` for each observation. */
function flatMembers(one: SeriesData, used: ValuesInUse, question: DataQuestion): string {
  const key = keyJson(one, used);
  const attributes = seriesAttributesJson(one, used, question);
  return one.observations
    .map((print) => `"${key}:${used.times.of(print.period)}":${JSON.stringify([...observationJson(print, used, question), ...attributes])}`)
    .join(',');
}

/** Dimensions and attributes with the values in use, as in both versions of SDMX-JSON. */
function structureJsonOf(question: DataQuestion, used: ValuesInUse) {
  const isFlat = question.dimensionAtObservation === 'AllDimensions';
  const isFull = hasAttributes(question);
  const component = (id: keyof typeof NAMES, values: Component['values']): Component => ({ id, name: NAMES[id], values });
  const coded = (all: readonly string[]) => all.map((id) => ({ id, name: id }));
  const named = (all: readonly string[]) => all.map((name) => ({ name }));
  const keyed = DIMENSIONS.map((id, place) => ({ ...component(id, coded(used.keys[place]?.all() ?? [])), keyPosition: place }));
  const time = { ...component('TIME_PERIOD', coded(used.times.all())), keyPosition: DIMENSIONS.length };
  const ofSeries = [component('TITLE', named(used.titles.all())), component('UNIT', named(used.units.all()))];
  const ofObservations = [
    component('OBS_STATUS', STATUS_CODES),
    component('KNOWN_SINCE', named(used.since.all())),
    component('VINTAGE', named(used.vintages.all())),
  ];
  return {
    name: FLOW,
    dimensions: isFlat ? { dataSet: [], series: [], observation: [...keyed, time] } : { dataSet: [], series: keyed, observation: [time] },
    attributes: {
      dataSet: [],
      series: isFull && !isFlat ? ofSeries : [],
      observation: isFull ? [...ofObservations, ...(isFlat ? ofSeries : [])] : [],
    },
  };
}

/** SDMX-JSON 1.0: header, data sets and structure at the top level, as its clients read it. */
export async function* dataJson1(message: Message): Text {
  const header = { id: idOf(message.prepared), prepared: message.prepared, test: false, sender: { id: AGENCY, name: AGENCY } };
  const used = valuesInUse();
  yield `{"header":${JSON.stringify(header)},"dataSets":[`;
  yield* setsJson(message, used, {});
  yield `],"structure":${JSON.stringify(structureJsonOf(message.question, used))}}`;
}

/** The meta of an SDMX-JSON 2.0 message. Readers recognise the kind of message by `schema`, and look for it at the start. */
export function metaJson(of: 'data' | 'structure', prepared: string) {
  const schema = `https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/${of}-message/tools/schemas/2.0.0/sdmx-json-${of}-schema.json`;
  return { schema, id: idOf(prepared), prepared, test: false, sender: { id: AGENCY, name: AGENCY } };
}

/** SDMX-JSON 2.0. */
export async function* dataJson2(message: Message): Text {
  const used = valuesInUse();
  yield `{"meta":${JSON.stringify(metaJson('data', message.prepared))},"data":{"dataSets":[`;
  yield* setsJson(message, used, { structure: 0 });
  const structure = structureJsonOf(message.question, used);
  const named = (one: Component) => ({ ...one, names: { en: one.name } });
  const levels = (of: Readonly<Record<string, readonly Component[]>>) =>
    Object.fromEntries(Object.entries(of).map(([level, all]) => [level, all.map(named)]));
  const structures = [
    {
      ...structure,
      dimensions: levels(structure.dimensions),
      attributes: levels(structure.attributes),
      dataSets: message.sets.map((_, place) => place),
    },
  ];
  yield `],"structures":${JSON.stringify(structures)}}}`;
}

/** One row per observation. For a history, one row per vintage. */
export async function* dataCsv({ question, sets }: Message, version: 1 | 2): Text {
  const isFull = hasAttributes(question);
  const begin = version === 1 ? [`${AGENCY}:${FLOW}(1.0)`] : ['dataflow', `${AGENCY}:${FLOW}(1.0.0)`, 'R'];
  const head = [
    ...(version === 1 ? ['DATAFLOW'] : ['STRUCTURE', 'STRUCTURE_ID', 'ACTION']),
    ...DIMENSIONS,
    'TIME_PERIOD',
    'OBS_VALUE',
    ...(isFull ? [...OBSERVATION_ATTRIBUTES, ...SERIES_ATTRIBUTES] : []),
  ];
  const linesOf = (one: SeriesData) => {
    const of = (period: string, value: number | null, more: readonly string[]) =>
      [...begin, ...one.key, period, value, ...(isFull ? [...more, ...seriesAttributesOf(one)] : [])].map(csvField).join(',');
    if (one.observations.length === 0) return [of('', null, ['', '', ''])];
    return one.observations.map((print) => of(print.period, print.value, attributesOf(print)));
  };
  yield `${head.join(',')}\r\n`;
  for (const { series } of sets)
    for await (const one of series)
      yield linesOf(one)
        .map((line) => `${line}\r\n`)
        .join('');
}
