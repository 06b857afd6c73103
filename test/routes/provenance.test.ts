// The chain of a number that was computed from filings and a price.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provenance } from '../../src/model/provenance.ts';
import { type RunningService, startSampleService } from '../service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

async function get<Data>(path: string): Promise<Data> {
  const response = await service.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return ((await response.json()) as { data: Data }).data;
}

interface Row {
  readonly observationId: string;
  readonly derivedFrom: readonly string[];
}

describe('the provenance of a multiple', () => {
  it('has the price and each fact of the filings as inputs, with the files that they are in', async () => {
    const [row] = await get<Row[]>('/observations/latest?entity=ZZSMA&indicator_id=price_to_earnings');
    const chain = await get<Provenance>(`/provenance/observations/${row?.observationId}`);
    const facts = row?.derivedFrom.filter((one) => one.startsWith('sec:')) ?? [];
    expect(facts.length).toBeGreaterThan(1);
    expect(chain.inputs.map(({ role }) => role)).toEqual(['price', ...facts.map(() => 'fact')]);
    expect(chain.inputs.slice(1).map((one) => one.observationId)).toEqual(facts);
    expect(chain.inputs[1]).toMatchObject({
      indicatorId: 'us-gaap:EarningsPerShareDiluted',
      payloads: [{ payloadId: chain.rawPayload?.payloadId, sha256: chain.rawPayload?.sha256 }],
    });
    expect(chain.inputs[0]?.payloads[0]?.sha256).not.toBe(chain.rawPayload?.sha256);
  });

  it('names the reader of the file that it was computed from, and not that of the price', async () => {
    const [row] = await get<Row[]>('/observations/latest?entity=ZZSMA&indicator_id=price_to_earnings');
    const { transformations, ingestionRun } = await get<Provenance>(`/provenance/observations/${row?.observationId}`);
    expect(ingestionRun?.connectorId).toBe('sec');
    expect(transformations[0]).toMatchObject({ name: 'normalise', version: `sec@${ingestionRun?.connectorVersion}` });
    expect(transformations[0]?.params).toMatchObject({ sourceId: 'sec', publisher: 'US Securities and Exchange Commission' });
  });
});
