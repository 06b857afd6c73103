// Writes observations as generic SDMX-ML 2.1, as SDMX-JSON and SDMX-CSV in both versions.
import { csvField } from '../../client/csv.ts';
import { escaped } from '../xml.ts';
import { type Observed, type SeriesData, setsOf } from './data.ts';
import type { DataQuestion } from './questions.ts';
import { AGENCY, DIMENSIONS, FLOW, NAMES, OBSERVATION_ATTRIBUTES, SERIES_ATTRIBUTES, STATUS_CODES, statusOf } from './structures.ts';

export interface Message {
  readonly question: DataQuestion;
  readonly data: readonly SeriesData[];
  /** Time of the answer, ISO 8601. */
  readonly prepared: string;
}

const attributesOf = (one: Observed) => [statusOf(one.value, one.obsStatus), one.knownSince, one.vintage] as const;
const STATUS_PLACES = new Map<string, number>(STATUS_CODES.map(({ id }, place) => [id, place]));
const seriesAttributesOf = ({ entry }: SeriesData) => [entry.title, entry.unit] as const;
const hasAttributes = ({ detail }: DataQuestion) => detail === 'full' || detail === 'nodata';
const idOf = (prepared: string) => `ASOF${prepared.replaceAll(/\D/g, '')}`;

/** The header of an SDMX-ML message. */
export function headerXml(prepared: string, more = ''): string {
  return `<mes:Header><mes:ID>${idOf(prepared)}</mes:ID><mes:Test>false</mes:Test><mes:Prepared>${prepared}</mes:Prepared><mes:Sender id="${AGENCY}"/>${more}</mes:Header>`;
}

export function dataXml({ question, data, prepared }: Message): string {
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
  const sets = setsOf(data, question.includeHistory).map(
    ({ validFrom, series: own }) =>
      `<mes:DataSet action="Replace"${validFrom === null ? '' : ` validFromDate="${validFrom}"`} structureRef="${FLOW}">\n${own.map(series).join('\n')}\n</mes:DataSet>`,
  );
  const structure = `<mes:Structure structureID="${FLOW}" dimensionAtObservation="${question.dimensionAtObservation}"><com:StructureUsage><Ref agencyID="${AGENCY}" id="${FLOW}" version="1.0" class="Dataflow"/></com:StructureUsage></mes:Structure>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<mes:GenericData xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:gen="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
${headerXml(prepared, structure)}
${sets.join('\n')}
</mes:GenericData>
`;
}

/** Structure-specific: each code and attribute has the name of its component. */
export function dataSpecificXml({ question, data, prepared }: Message): string {
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
  const sets = setsOf(data, question.includeHistory).map(
    ({ validFrom, series: own }) =>
      `<mes:DataSet ss:structureRef="${FLOW}" xsi:type="own:DataSetType" ss:dataScope="DataStructure" ss:action="Replace"${validFrom === null ? '' : ` ss:validFromDate="${validFrom}"`}>\n${own.map(series).join('\n')}\n</mes:DataSet>`,
  );
  const namespace = `urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=${AGENCY}:${FLOW}(1.0):ObsLevelDim:${question.dimensionAtObservation}`;
  const structure = `<mes:Structure structureID="${FLOW}" namespace="${namespace}" dimensionAtObservation="${question.dimensionAtObservation}"><com:StructureUsage><Ref agencyID="${AGENCY}" id="${FLOW}" version="1.0" class="Dataflow"/></com:StructureUsage></mes:Structure>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<mes:StructureSpecificData xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:ss="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/structurespecific" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:own="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${headerXml(prepared, structure)}
${sets.join('\n')}
</mes:StructureSpecificData>
`;
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

/** Structure and data sets, as in both versions of SDMX-JSON. */
function jsonParts({ question, data }: Message) {
  const isFlat = question.dimensionAtObservation === 'AllDimensions';
  const isFull = hasAttributes(question);
  const keyPlaces = DIMENSIONS.map(() => places());
  const [times, titles, units, since, vintages] = [places(), places(), places(), places(), places()];
  const sets = setsOf(data, question.includeHistory).map(({ validFrom, series }) => {
    const own: Record<string, object> = {};
    const bare: Record<string, readonly (number | null)[]> = {};
    for (const one of series) {
      const key = one.key.map((code, place) => keyPlaces[place]?.of(code) ?? 0).join(':');
      const seriesAttributes = [titles.of(one.entry.title), units.of(one.entry.unit)];
      const observations: Record<string, readonly (number | null)[]> = {};
      for (const print of one.observations) {
        const at = `${times.of(print.period)}`;
        const [status, knownSince, vintage] = attributesOf(print);
        const attributes = isFull ? [STATUS_PLACES.get(status) ?? 0, since.of(knownSince), vintages.of(vintage)] : [];
        if (isFlat) bare[`${key}:${at}`] = [print.value, ...attributes, ...(isFull ? seriesAttributes : [])];
        else observations[at] = [print.value, ...attributes];
      }
      if (!isFlat) own[key] = { ...(isFull ? { attributes: seriesAttributes } : {}), observations };
    }
    return { action: 'Replace', ...(validFrom === null ? {} : { validFrom }), ...(isFlat ? { observations: bare } : { series: own }) };
  });
  const component = (id: keyof typeof NAMES, values: Component['values']): Component => ({ id, name: NAMES[id], values });
  const coded = (all: readonly string[]) => all.map((id) => ({ id, name: id }));
  const named = (all: readonly string[]) => all.map((name) => ({ name }));
  const keyed = DIMENSIONS.map((id, place) => ({ ...component(id, coded(keyPlaces[place]?.all() ?? [])), keyPosition: place }));
  const time = { ...component('TIME_PERIOD', coded(times.all())), keyPosition: DIMENSIONS.length };
  const ofSeries = [component('TITLE', named(titles.all())), component('UNIT', named(units.all()))];
  const ofObservations = [
    component('OBS_STATUS', STATUS_CODES),
    component('KNOWN_SINCE', named(since.all())),
    component('VINTAGE', named(vintages.all())),
  ];
  const structure = {
    name: FLOW,
    dimensions: isFlat ? { dataSet: [], series: [], observation: [...keyed, time] } : { dataSet: [], series: keyed, observation: [time] },
    attributes: {
      dataSet: [],
      series: isFull && !isFlat ? ofSeries : [],
      observation: isFull ? [...ofObservations, ...(isFlat ? ofSeries : [])] : [],
    },
  };
  return { structure, sets };
}

/** SDMX-JSON 1.0: header, structure and data sets at the top level, as its clients read it. */
export function dataJson1(message: Message): string {
  const { structure, sets } = jsonParts(message);
  const header = { id: idOf(message.prepared), prepared: message.prepared, test: false, sender: { id: AGENCY, name: AGENCY } };
  return JSON.stringify({ header, structure, dataSets: sets });
}

/** The meta of an SDMX-JSON 2.0 message. Readers recognise the kind of message by `schema`, and look for it at the start. */
export function metaJson(of: 'data' | 'structure', prepared: string) {
  const schema = `https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/${of}-message/tools/schemas/2.0.0/sdmx-json-${of}-schema.json`;
  return { schema, id: idOf(prepared), prepared, test: false, sender: { id: AGENCY, name: AGENCY } };
}

/** SDMX-JSON 2.0. */
export function dataJson2(message: Message): string {
  const { structure, sets } = jsonParts(message);
  const named = (one: Component) => ({ ...one, names: { en: one.name } });
  const levels = (of: Readonly<Record<string, readonly Component[]>>) =>
    Object.fromEntries(Object.entries(of).map(([level, all]) => [level, all.map(named)]));
  const structures = [
    {
      ...structure,
      dimensions: levels(structure.dimensions),
      attributes: levels(structure.attributes),
      dataSets: sets.map((_, place) => place),
    },
  ];
  const meta = metaJson('data', message.prepared);
  return JSON.stringify({ meta, data: { structures, dataSets: sets.map((set) => ({ structure: 0, ...set })) } });
}

/** One row per observation. For a history, one row per vintage. */
export function dataCsv({ question, data }: Message, version: 1 | 2): string {
  const isFull = hasAttributes(question);
  const begin = version === 1 ? [`${AGENCY}:${FLOW}(1.0)`] : ['dataflow', `${AGENCY}:${FLOW}(1.0.0)`, 'R'];
  const head = [
    ...(version === 1 ? ['DATAFLOW'] : ['STRUCTURE', 'STRUCTURE_ID', 'ACTION']),
    ...DIMENSIONS,
    'TIME_PERIOD',
    'OBS_VALUE',
    ...(isFull ? [...OBSERVATION_ATTRIBUTES, ...SERIES_ATTRIBUTES] : []),
  ];
  const lines = data.flatMap((one) => {
    const of = (period: string, value: number | null, more: readonly string[]) =>
      [...begin, ...one.key, period, value, ...(isFull ? [...more, ...seriesAttributesOf(one)] : [])].map(csvField).join(',');
    if (one.observations.length === 0) return [of('', null, ['', '', ''])];
    return one.observations.map((print) => of(print.period, print.value, attributesOf(print)));
  });
  return `${[head.join(','), ...lines].join('\r\n')}\r\n`;
}
