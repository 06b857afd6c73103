// Writes structures as SDMX-ML 2.1 and SDMX-JSON 2.0.
import { escaped } from '../../xml.ts';
import { constraintJson, constraintXml } from './constraint-forms.ts';
import { headerXml, metaJson } from './data-forms.ts';
import type { StructureKind } from './questions.ts';
import { AGENCIES, CONCEPTS, type SentStructures } from './sent.ts';
import { AGENCY, DIMENSIONS, FLOW, NAMES, OBSERVATION_ATTRIBUTES, SERIES_ATTRIBUTES } from './structures.ts';

const FLOW_NAME = 'Series as they were known';

const CODED = [...DIMENSIONS, 'OBS_STATUS'];
const ATTRIBUTES = [...SERIES_ATTRIBUTES, ...OBSERVATION_ATTRIBUTES];

export function structureXml({ kinds, stubs, codelists, concepts, availability }: SentStructures, prepared: string): string {
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
  /** With its content, unless the request asks for names alone, as with `detail=allstubs`. */
  const artefact = (tag: string, kind: StructureKind, id: string, text: string, content: () => string, isPartial = false) =>
    stubs.has(kind)
      ? `<str:${tag} id="${id}" ${own} isExternalReference="true">${name(text)}</str:${tag}>`
      : `<str:${tag} id="${id}" ${own}${isPartial ? ' isPartial="true"' : ''}>${name(text)}${content()}</str:${tag}>`;
  const agencies = () => `<str:Agency id="${AGENCY}">${name(AGENCY)}</str:Agency>`;
  const usage = () =>
    `<str:Structure><Ref id="${FLOW}" version="1.0" agencyID="${AGENCY}" package="datastructure" class="DataStructure"/></str:Structure>`;
  const components = () =>
    `<str:DataStructureComponents><str:DimensionList id="DimensionDescriptor">${DIMENSIONS.map((one, place) => `<str:Dimension id="${one}" position="${place + 1}">${concept(one)}${representation(one)}</str:Dimension>`).join('')}<str:TimeDimension id="TIME_PERIOD" position="${DIMENSIONS.length + 1}">${concept('TIME_PERIOD')}${representation('TIME_PERIOD')}</str:TimeDimension></str:DimensionList><str:AttributeList id="AttributeDescriptor">${ATTRIBUTES.map(attribute).join('')}</str:AttributeList><str:MeasureList id="MeasureDescriptor"><str:PrimaryMeasure id="OBS_VALUE">${concept('OBS_VALUE')}</str:PrimaryMeasure></str:MeasureList></str:DataStructureComponents>`;
  const parts = [
    kinds.has('agencyscheme')
      ? `<str:OrganisationSchemes>${artefact('AgencyScheme', 'agencyscheme', AGENCIES, AGENCIES, agencies)}</str:OrganisationSchemes>`
      : '',
    kinds.has('dataflow') ? `<str:Dataflows>${artefact('Dataflow', 'dataflow', FLOW, FLOW_NAME, usage)}</str:Dataflows>` : '',
    codelists.length > 0
      ? `<str:Codelists>${codelists
          .map((list) => {
            const codes = () =>
              `\n${list.codes.map((code) => `<str:Code id="${escaped(code.id)}">${name(code.name)}</str:Code>`).join('\n')}\n`;
            return artefact('Codelist', 'codelist', list.id, list.name, codes, list.isPartial);
          })
          .join('\n')}</str:Codelists>`
      : '',
    kinds.has('conceptscheme')
      ? `<str:Concepts>${artefact('ConceptScheme', 'conceptscheme', CONCEPTS, 'Concepts', () => concepts.ids.map((one) => `<str:Concept id="${one}">${name(NAMES[one])}</str:Concept>`).join('\n'), concepts.isPartial)}</str:Concepts>`
      : '',
    kinds.has('datastructure')
      ? `<str:DataStructures>${artefact('DataStructure', 'datastructure', FLOW, FLOW_NAME, components)}</str:DataStructures>`
      : '',
    availability === null ? '' : `<str:Constraints>${constraintXml(availability)}</str:Constraints>`,
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
export function structureJson({ kinds, stubs, codelists, concepts, availability }: SentStructures, prepared: string): string {
  /** With its content, unless the request asks for names alone, as with `detail=allstubs`. */
  const artefact = (kind: StructureKind, id: string, text: string, content: () => object, isPartial = false) => ({
    id,
    agencyID: AGENCY,
    // The standard fixes the version of an agency scheme.
    version: kind === 'agencyscheme' ? '1.0' : '1.0.0',
    name: text,
    names: { en: text },
    ...(stubs.has(kind) ? { isExternalReference: true } : { ...(isPartial ? { isPartial } : {}), ...content() }),
  });
  const concept = (one: string) => `urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=${AGENCY}:${CONCEPTS}(1.0.0).${one}`;
  const represented = (one: string) => ({
    id: one,
    conceptIdentity: concept(one),
    localRepresentation: CODED.includes(one)
      ? { enumeration: urn('codelist.Codelist', `CL_${one}`) }
      : { format: { dataType: one === 'TIME_PERIOD' ? 'ObservationalTimePeriod' : 'String' } },
  });
  const components = () => ({
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
          attributeRelationship: (SERIES_ATTRIBUTES as readonly string[]).includes(one) ? { dimensions: DIMENSIONS } : { observation: {} },
        })),
      },
      measureList: { id: 'MeasureDescriptor', measures: [{ id: 'OBS_VALUE', conceptIdentity: concept('OBS_VALUE') }] },
    },
  });
  const named = (items: readonly { readonly id: string; readonly name: string }[]) =>
    items.map((one) => ({ ...one, names: { en: one.name } }));
  const schemes = {
    agencySchemes: () => artefact('agencyscheme', AGENCIES, AGENCIES, () => ({ agencies: [{ id: AGENCY, name: AGENCY }] })),
    dataflows: () => artefact('dataflow', FLOW, FLOW_NAME, () => ({ structure: urn('datastructure.DataStructure', FLOW) })),
    conceptSchemes: () =>
      artefact(
        'conceptscheme',
        CONCEPTS,
        'Concepts',
        () => ({ concepts: named(concepts.ids.map((id) => ({ id, name: NAMES[id] }))) }),
        concepts.isPartial,
      ),
    dataStructures: () => artefact('datastructure', FLOW, FLOW_NAME, components),
  };
  const data = {
    ...(kinds.has('agencyscheme') ? { agencySchemes: [schemes.agencySchemes()] } : {}),
    ...(kinds.has('dataflow') ? { dataflows: [schemes.dataflows()] } : {}),
    ...(codelists.length > 0
      ? {
          codelists: codelists.map((list) =>
            artefact('codelist', list.id, list.name, () => ({ codes: named(list.codes) }), list.isPartial),
          ),
        }
      : {}),
    ...(kinds.has('conceptscheme') ? { conceptSchemes: [schemes.conceptSchemes()] } : {}),
    ...(kinds.has('datastructure') ? { dataStructures: [schemes.dataStructures()] } : {}),
    ...(availability === null ? {} : { dataConstraints: [constraintJson(availability)] }),
  };
  return JSON.stringify({ meta: metaJson('structure', prepared), data });
}
