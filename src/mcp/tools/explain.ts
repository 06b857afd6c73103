import { z } from 'zod';
import type { ServiceClient } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import { LARGEST_PAGE, ServiceError } from '../../client/service.ts';
import { asOf, call, cell, hintsOf, indicator, say, text, type Tool } from './tool.ts';

const schema = z.strictObject({
  observation_id: text('The observationId of a row.').optional(),
  indicator_id: indicator.optional(),
  entity: text('Entity of the value.').optional(),
  source_id: text('Data set of the value.').optional(),
  period: text('YYYY, YYYY-MM or YYYY-Qn. Default: the newest period.').optional(),
  as_of: asOf,
});

type Chain = Readonly<Record<string, unknown>>;

export const explain: Tool<typeof schema> = {
  name: 'explain',
  title: 'Origin of a number, and whether it is eligible for scoring',
  description:
    'The chain from the publisher’s file (hash, retrieval time) through run and steps to the row, its inputs, all its prints, and its eligibility with reasons. Give an observation, or an indicator with entity and period.',
  input: schema,
  answer: async (input, service, keep): Promise<Answer> => {
    const chosen = input.observation_id ?? (await choose(input, service));
    if (typeof chosen !== 'string') return { asOf: chosen.asOf, facts: chosen.facts, rows: [], rowCount: 0, narrower: () => '' };
    const { data } = await service.item(`/provenance/observations/${encodeURIComponent(chosen)}`, { as_of: input.as_of });
    const inputs = data['inputs'] as readonly Chain[];
    const rows = inputs.slice(0, keep).map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, cell(value)])));
    return {
      asOf: input.as_of ?? null,
      facts: [...factsOf(data), ...(inputs.length > 0 ? ['It was computed from:'] : [])],
      rows,
      rowCount: inputs.length,
      narrower: () => call('explain', { observation_id: 'one of these', ...(input.as_of === undefined ? {} : { as_of: input.as_of }) }),
    };
  },
};

/** The requested row: the preferred one if several data sets have it; the chain then names its source. */
async function choose(
  { indicator_id, entity, source_id, period, as_of }: z.infer<typeof schema>,
  service: ServiceClient,
): Promise<string | Pick<Answer, 'asOf' | 'facts'>> {
  if (indicator_id === undefined) throw new ServiceError('bad_request', 400, 'Give an observation, or an indicator.');
  const path = period === undefined ? '/observations/latest' : '/observations';
  const { data, meta } = await service.page(path, {
    indicator_id,
    entity,
    source_id,
    period,
    as_of,
    sort: 'period_end',
    order: 'desc',
    limit: LARGEST_PAGE,
  });
  const row = data.find(({ preferredForFactor: isPreferred }) => isPreferred === true) ?? data[0];
  return row === undefined
    ? { asOf: as_of ?? null, facts: ['No such row was known then. Check the entity and period, or set a later as_of.', ...hintsOf(meta)] }
    : say(row['observationId']);
}

function factsOf(chain: Chain): string[] {
  const record = (name: string) => (chain[name] ?? {}) as Chain;
  const [source, payload, run, scoring] = [record('source'), record('rawPayload'), record('ingestionRun'), record('scoring')];
  const prints = chain['vintages'] as readonly Chain[];
  const steps = chain['transformations'] as readonly Chain[];
  const reasons = (scoring['reasons'] ?? []) as readonly string[];
  return [
    `${say(chain['indicatorId'])} of ${say(chain['entityId'])}, ${say(chain['period'])}: ${say(chain['actual'])} ${say(chain['unit'])}, vintage ${say(chain['vintage'])}, known from ${say(chain['observedAt'])} (${say(chain['observationId'])})`,
    `source: ${say(source['name'])} (${say(source['sourceId'])}), ${say(source['publisher'])}, ${say(source['sourceTier'])}; ${say(source['license']) || 'licence not stated'}`,
    ...(typeof chain['sourceUrl'] === 'string' ? [`address: ${chain['sourceUrl']}`] : []),
    ...(payload['sha256'] === undefined
      ? []
      : [
          `file: sha256 ${say(payload['sha256'])}, ${say(payload['bytes'])} bytes, ${say(payload['mediaType'])}, retrieved ${say(payload['retrievedAt'])}`,
        ]),
    ...(run['runId'] === undefined
      ? []
      : [`run: ${say(run['runId'])}, ${say(run['connectorId'])}@${say(run['connectorVersion'])}, ${say(run['finishedAt'])}`]),
    ...steps.map(({ step, name, version, params }) => `step ${say(step)}: ${say(name)} ${say(version)} ${JSON.stringify(params)}`),
    `prints of that period: ${prints.map(({ actual, observedAt }) => `${say(actual)} from ${say(observedAt)}`).join('; ')}`,
    scoring['eligible'] === true
      ? 'eligible for scoring'
      : `not eligible for scoring: ${reasons.length > 0 ? reasons.join(', ') : 'no reason stated'}`,
    `chain: ${say(chain['chainHash'])}`,
  ];
}
