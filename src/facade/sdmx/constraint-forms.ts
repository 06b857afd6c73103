// Writes an availability as a constraint of the dataflow: in SDMX-ML 2.1 and in SDMX-JSON 2.0.
import { escaped } from '../../xml.ts';
import type { Availability } from './availability.ts';
import { TIME } from './questions.ts';
import { AGENCY, FLOW } from './structures.ts';

const ID = 'CR_SERIES';
const NAME = 'Series with data';

/** Counts as annotations, as the standard defines them. */
const metricsOf = ({ seriesCount, observationCount }: Availability) =>
  [
    ['series_count', seriesCount],
    ['obs_count', observationCount],
  ] as const;
const METRIC = 'sdmx_metrics';

const reported = ({ codes, components }: Availability) => [...codes].filter(([id]) => components.includes(id));

export function constraintXml(availability: Availability): string {
  const { days } = availability;
  const metrics = metricsOf(availability).map(
    ([id, count]) =>
      `<com:Annotation id="${id}"><com:AnnotationTitle>${count}</com:AnnotationTitle><com:AnnotationType>${METRIC}</com:AnnotationType></com:Annotation>`,
  );
  const keyValues = reported(availability).map(
    ([id, own]) => `<com:KeyValue id="${id}">${own.map((code) => `<com:Value>${escaped(code)}</com:Value>`).join('\n')}</com:KeyValue>`,
  );
  const range =
    days === null
      ? []
      : [
          `<com:KeyValue id="${TIME}"><com:TimeRange><com:StartPeriod isInclusive="true">${days[0]}</com:StartPeriod><com:EndPeriod isInclusive="true">${days[1]}</com:EndPeriod></com:TimeRange></com:KeyValue>`,
        ];
  return `<str:ContentConstraint id="${ID}" agencyID="${AGENCY}" version="1.0" isFinal="false" type="Actual"><com:Annotations>${metrics.join('')}</com:Annotations><com:Name xml:lang="en">${NAME}</com:Name><str:ConstraintAttachment><str:Dataflow><Ref agencyID="${AGENCY}" id="${FLOW}" version="1.0" package="datastructure" class="Dataflow"/></str:Dataflow></str:ConstraintAttachment><str:CubeRegion include="true">
${[...keyValues, ...range].join('\n')}
</str:CubeRegion></str:ContentConstraint>`;
}

export function constraintJson(availability: Availability) {
  const { days } = availability;
  const period = (day: string) => ({ period: day, isInclusive: true });
  const keyValues = [
    ...reported(availability).map(([id, own]) => ({ id, values: own.map((value) => ({ value })) })),
    ...(days === null ? [] : [{ id: TIME, timeRange: { startPeriod: period(days[0]), endPeriod: period(days[1]) } }]),
  ];
  return {
    id: ID,
    agencyID: AGENCY,
    version: '1.0.0',
    name: NAME,
    names: { en: NAME },
    annotations: metricsOf(availability).map(([id, count]) => ({ id, type: METRIC, title: String(count) })),
    role: 'Actual',
    constraintAttachment: { dataflows: [`urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=${AGENCY}:${FLOW}(1.0.0)`] },
    cubeRegions: [{ include: true, keyValues }],
  };
}
