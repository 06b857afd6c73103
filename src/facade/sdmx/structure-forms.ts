// Writes structures as SDMX-ML 2.1 and SDMX-JSON 2.0. Referenced structures are included on request.
import type { SeriesEntry } from '../catalogue.ts';
import { escaped } from '../xml.ts';
import { headerXml, metaJson } from './data-forms.ts';
import { type StructureKind, SdmxError, shown } from './questions.ts';
import { AGENCY, type Codelist, codelistsOf, DIMENSIONS, FLOW, NAMES, OBSERVATION_ATTRIBUTES, SERIES_ATTRIBUTES } from './structures.ts';

const CONCEPTS = 'CONCEPTS';
const AGENCIES = 'AGENCIES';
const FLOW_NAME = 'Series as they were known';

/** The structures to send. */
interface Sent {
  readonly kinds: ReadonlySet<StructureKind>;
  readonly codelists: readonly Codelist[];
}

const BELOW: Readonly<Record<StructureKind, readonly StructureKind[]>> = {
  dataflow: ['datastructure'],
  datastructure: ['codelist', 'conceptscheme'],
  codelist: [],
  conceptscheme: [],
  agencyscheme: [],
};
const ABOVE: Readonly<Record<StructureKind, readonly StructureKind[]>> = {
  dataflow: [],
  datastructure: ['dataflow'],
  codelist: ['datastructure'],
  conceptscheme: ['datastructure'],
  agencyscheme: [],
};

/** @param id null for all of the kind */
function sentOf(entries: readonly SeriesEntry[], of: StructureKind, id: string | null, references: string): Sent {
  const lists = codelistsOf(entries);
  const known: Readonly<Record<StructureKind, readonly string[]>> = {
    dataflow: [FLOW],
    datastructure: [FLOW],
    codelist: lists.map((list) => list.id),
    conceptscheme: [CONCEPTS],
    agencyscheme: [AGENCIES],
  };
  if (id !== null && !known[of].includes(id)) throw new SdmxError(404, 100, `Unknown ${of} ${shown(id)}. Known: ${known[of].join(', ')}.`);
  const kinds = new Set<StructureKind>([of]);
  if (['parents', 'parentsandsiblings', 'all'].includes(references)) for (const kind of ABOVE[of]) kinds.add(kind);
  if (['children', 'descendants', 'all', 'parentsandsiblings'].includes(references)) for (const kind of BELOW[of]) kinds.add(kind);
  if (references === 'descendants' || references === 'all') for (const kind of kinds) for (const below of BELOW[kind]) kinds.add(below);
  return { kinds, codelists: kinds.has('codelist') ? lists.filter((list) => of !== 'codelist' || id === null || list.id === id) : [] };
}

const CODED = [...DIMENSIONS, 'OBS_STATUS'];
const ATTRIBUTES = [...SERIES_ATTRIBUTES, ...OBSERVATION_ATTRIBUTES];

export function structureXml(
  entries: readonly SeriesEntry[],
  of: StructureKind,
  id: string | null,
  references: string,
  prepared: string,
): string {
  const { kinds, codelists } = sentOf(entries, of, id, references);
  const own = `agencyID="${AGENCY}" version="1.0" isFinal="false"`;
  const name = (text: string) => `<com:Name xml:lang="en">${escaped(text)}</com:Name>`;
  const concept = (one: string) =>
    `<str:ConceptIdentity><Ref id="${one}" maintainableParentID="${CONCEPTS}" maintainableParentVersion="1.0" agencyID="${AGENCY}" package="conceptscheme" class="Concept"/></str:ConceptIdentity>`;
  const representation = (one: string) =>
    CODED.includes(one)
      ? `<str:LocalRepresentation><str:Enumeration><Ref id="CL_${one}" version="1.0" agencyID="${AGENCY}" package="codelist" class="Codelist"/></str:Enumeration></str:LocalRepresentation>`
      : `<str:LocalRepresentation><str:TextFormat textType="${one === 'TIME_PERIOD' ? 'ObservationalTimePeriod' : 'String'}"/></str:LocalRepresentation>`;
  const attribute = (one: string) => {
    const relation = (SERIES_ATTRIBUTES as readonly string[]).includes(one)
      ? DIMENSIONS.map((dimension) => `<str:Dimension><Ref id="${dimension}"/></str:Dimension>`).join('')
      : '<str:PrimaryMeasure><Ref id="OBS_VALUE"/></str:PrimaryMeasure>';
    return `<str:Attribute id="${one}" assignmentStatus="Conditional">${concept(one)}${representation(one)}<str:AttributeRelationship>${relation}</str:AttributeRelationship></str:Attribute>`;
  };
  const parts = [
    kinds.has('agencyscheme')
      ? `<str:OrganisationSchemes><str:AgencyScheme id="${AGENCIES}" ${own}>${name(AGENCIES)}<str:Agency id="${AGENCY}">${name(AGENCY)}</str:Agency></str:AgencyScheme></str:OrganisationSchemes>`
      : '',
    kinds.has('dataflow')
      ? `<str:Dataflows><str:Dataflow id="${FLOW}" ${own}>${name(FLOW_NAME)}<str:Structure><Ref id="${FLOW}" version="1.0" agencyID="${AGENCY}" package="datastructure" class="DataStructure"/></str:Structure></str:Dataflow></str:Dataflows>`
      : '',
    codelists.length > 0
      ? `<str:Codelists>${codelists
          .map(
            (list) =>
              `<str:Codelist id="${list.id}" ${own}>${name(list.name)}\n${list.codes.map((code) => `<str:Code id="${escaped(code.id)}">${name(code.name)}</str:Code>`).join('\n')}\n</str:Codelist>`,
          )
          .join('\n')}</str:Codelists>`
      : '',
    kinds.has('conceptscheme')
      ? `<str:Concepts><str:ConceptScheme id="${CONCEPTS}" ${own}>${name('Concepts')}${Object.entries(NAMES)
          .map(([one, text]) => `<str:Concept id="${one}">${name(text)}</str:Concept>`)
          .join('\n')}</str:ConceptScheme></str:Concepts>`
      : '',
    kinds.has('datastructure')
      ? `<str:DataStructures><str:DataStructure id="${FLOW}" ${own}>${name(FLOW_NAME)}<str:DataStructureComponents><str:DimensionList id="DimensionDescriptor">${DIMENSIONS.map((one, place) => `<str:Dimension id="${one}" position="${place + 1}">${concept(one)}${representation(one)}</str:Dimension>`).join('')}<str:TimeDimension id="TIME_PERIOD" position="${DIMENSIONS.length + 1}">${concept('TIME_PERIOD')}${representation('TIME_PERIOD')}</str:TimeDimension></str:DimensionList><str:AttributeList id="AttributeDescriptor">${ATTRIBUTES.map(attribute).join('')}</str:AttributeList><str:MeasureList id="MeasureDescriptor"><str:PrimaryMeasure id="OBS_VALUE">${concept('OBS_VALUE')}</str:PrimaryMeasure></str:MeasureList></str:DataStructureComponents></str:DataStructure></str:DataStructures>`
      : '',
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<mes:Structure xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:str="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
${headerXml(prepared)}
<mes:Structures>
${parts.filter((part) => part !== '').join('\n')}
</mes:Structures>
</mes:Structure>
`;
}

const urn = (of: string, id: string) => `urn:sdmx:org.sdmx.infomodel.${of}=${AGENCY}:${id}(1.0.0)`;

/** SDMX-JSON 2.0, for version 3.0. */
export function structureJson(
  entries: readonly SeriesEntry[],
  of: StructureKind,
  id: string | null,
  references: string,
  prepared: string,
): string {
  const { kinds, codelists } = sentOf(entries, of, id, references);
  const own = (one: string, text: string) => ({ id: one, agencyID: AGENCY, version: '1.0.0', name: text, names: { en: text } });
  const concept = (one: string) => `urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=${AGENCY}:${CONCEPTS}(1.0.0).${one}`;
  const represented = (one: string) => ({
    id: one,
    conceptIdentity: concept(one),
    localRepresentation: CODED.includes(one)
      ? { enumeration: urn('codelist.Codelist', `CL_${one}`) }
      : { format: { dataType: one === 'TIME_PERIOD' ? 'ObservationalTimePeriod' : 'String' } },
  });
  const data = {
    ...(kinds.has('agencyscheme') ? { agencySchemes: [{ ...own(AGENCIES, AGENCIES), agencies: [{ id: AGENCY, name: AGENCY }] }] } : {}),
    ...(kinds.has('dataflow') ? { dataflows: [{ ...own(FLOW, FLOW_NAME), structure: urn('datastructure.DataStructure', FLOW) }] } : {}),
    ...(codelists.length > 0
      ? {
          codelists: codelists.map((list) => ({
            ...own(list.id, list.name),
            codes: list.codes.map((code) => ({ ...code, names: { en: code.name } })),
          })),
        }
      : {}),
    ...(kinds.has('conceptscheme')
      ? {
          conceptSchemes: [
            {
              ...own(CONCEPTS, 'Concepts'),
              concepts: Object.entries(NAMES).map(([one, text]) => ({ id: one, name: text, names: { en: text } })),
            },
          ],
        }
      : {}),
    ...(kinds.has('datastructure')
      ? {
          dataStructures: [
            {
              ...own(FLOW, FLOW_NAME),
              dataStructureComponents: {
                dimensionList: {
                  id: 'DimensionDescriptor',
                  dimensions: DIMENSIONS.map((one, position) => ({ ...represented(one), position })),
                  timeDimension: represented('TIME_PERIOD'),
                },
                attributeList: {
                  id: 'AttributeDescriptor',
                  attributes: ATTRIBUTES.map((one) => ({
                    ...represented(one),
                    usage: 'optional',
                    attributeRelationship: (SERIES_ATTRIBUTES as readonly string[]).includes(one)
                      ? { dimensions: DIMENSIONS }
                      : { observation: {} },
                  })),
                },
                measureList: { id: 'MeasureDescriptor', measures: [{ id: 'OBS_VALUE', conceptIdentity: concept('OBS_VALUE') }] },
              },
            },
          ],
        }
      : {}),
  };
  return JSON.stringify({ meta: metaJson('structure', prepared), data });
}
