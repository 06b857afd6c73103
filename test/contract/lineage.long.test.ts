// What a value was computed from is one list, whichever route and form answer the row: the indicators of its inputs and the facts of filings, or the document.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListBody, type RunningService, startSampleService } from '../service.ts';
import { BULK_FORMS, decoded, type Form, type Row } from './decoded.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

async function read(path: string, form: Form = 'json'): Promise<readonly Row[]> {
  const response = await service.get(form === 'json' ? path : `${path}&format=${form}`);
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${path}: ${body.toString('utf8').slice(0, 500)}`);
  return decoded(form, body);
}

/** CSV writes a list as JSON; Arrow gives one as a vector. */
function listOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return JSON.parse(value) as string[];
  return [...(value as Iterable<string>)];
}

interface Lineage {
  readonly slug: string;
  readonly id: string;
  readonly entityId: string;
  readonly derivedFrom: readonly string[];
  readonly metadata: Row;
}

/** Up to three rows of one entity of each derived indicator of the sample. */
async function drawn(): Promise<readonly Lineage[]> {
  const slugs = (await read('/derived-indicators?limit=500')).map((row) => String(row['slug']));
  const rows: Lineage[] = [];
  for (const slug of slugs) {
    const [first] = await read(`/derived-observations?indicator_id=${slug}&order=desc&limit=1`);
    if (first === undefined) continue;
    const entityId = String(first['entityId']);
    for (const row of await read(`/derived-observations?indicator_id=${slug}&entity=${entityId}&order=desc&limit=3`)) {
      const { id, derivedFrom, metadata } = row;
      rows.push({ slug, id: String(id), entityId, derivedFrom: listOf(derivedFrom), metadata: metadata as Row });
    }
  }
  return rows;
}

describe('derivedFrom', () => {
  let rows: readonly Lineage[];
  beforeAll(async () => {
    rows = await drawn();
  });

  it('is the document of a text, the facts and price of a multiple, the inputs of a transform', () => {
    const ofDocuments = rows.filter(({ metadata }) => metadata['documentId'] !== undefined);
    const ofFacts = rows.filter(({ metadata }) => metadata['facts'] !== undefined);
    const ofInputs = rows.filter((row) => !ofDocuments.includes(row) && !ofFacts.includes(row));
    for (const kind of [ofDocuments, ofFacts, ofInputs]) expect(kind.length).toBeGreaterThan(3);
    for (const { slug, derivedFrom, metadata } of ofDocuments) expect.soft([slug, derivedFrom]).toEqual([slug, [metadata['documentId']]]);
    for (const { slug, derivedFrom, metadata } of ofFacts) {
      const [price, ...facts] = derivedFrom;
      expect.soft([slug, facts, price]).toEqual([slug, metadata['facts'], expect.stringMatching(/_price_close$/)]);
    }
    for (const { slug, derivedFrom } of ofInputs) {
      const isEach = derivedFrom.every((one) => /^[a-z0-9]+_[a-z0-9_]+$/.test(one));
      expect.soft([slug, derivedFrom.length > 0, isEach]).toEqual([slug, true, true]);
    }
  });

  it('is the same list for the same row on every route and in every form', async () => {
    const expected = new Map(rows.map(({ id, derivedFrom }) => [id, derivedFrom]));
    const compared: Record<string, number> = {};
    const differing: unknown[] = [];
    const compare = async (path: string, form: Form) => {
      const [route = ''] = path.split('?');
      for (const row of await read(path, form)) {
        const wanted = expected.get(String(row['observationId'] ?? row['id']));
        if (wanted === undefined) continue;
        const name = `${route.replace(/entities.[^/]+/, 'entities/…')} ${form}`;
        compared[name] = (compared[name] ?? 0) + 1;
        const found = listOf(row['derivedFrom']);
        if (JSON.stringify(found) !== JSON.stringify(wanted)) differing.push({ path, form, wanted, found });
      }
    };
    const slugs = [...new Set(rows.map((row) => row.slug))];
    for (const slug of slugs) {
      const entity = rows.find((row) => row.slug === slug)?.entityId ?? '';
      const asked = `indicator_id=${slug}&order=desc&limit=10`;
      for (const route of [
        '/observations',
        '/public/observations',
        '/observations/latest',
        '/public/observations/latest',
        '/platform/macro-data',
      ])
        await compare(`${route}?${asked}&entity=${entity}`, 'json');
      await compare(`/entities/${entity}/observations?${asked}`, 'json');
    }
    // The newest of all series at once, and the latest known at a moment, which is not what stands ready.
    const all = `indicator_id=${slugs.join(',')}&start_date=2026-09-01&limit=20000`;
    const bulk = ['/derived-observations', '/observations', '/public/observations', '/entities/us/observations', '/observations/changes'];
    for (const form of BULK_FORMS) {
      for (const route of bulk) await compare(`${route}?${all}`, form);
      for (const route of ['/observations/latest', '/public/observations/latest']) {
        await compare(`${route}?${all}`, form);
        await compare(`${route}?${all}&as_of=2026-11-20T08:00:00Z`, form);
      }
    }
    await compare(`/observations/changes?indicator_id=${slugs.join(',')}&start_date=2026-09-01&limit=500`, 'json');
    expect(differing.slice(0, 5)).toEqual([]);
    // Every route in every form has some of them; the lists of full rows all that end in these months.
    expect(Object.keys(compared).length).toBe(7 + BULK_FORMS.length * (bulk.length + 2));
    expect(compared['/observations json']).toBe(rows.length);
    expect(Math.min(...Object.values(compared))).toBeGreaterThan(0);
  });

  it('names the inputs that the chain of provenance goes through', async () => {
    for (const { id, derivedFrom } of rows) {
      const { data } = (await (await service.get(`/provenance/observations/${id}`)).json()) as { data: { inputs: Row[] } };
      const nameOf = (input: Row) => String(input[['document', 'fact'].includes(String(input['role'])) ? 'observationId' : 'indicatorId']);
      const inputs = [...new Set(data.inputs.map(nameOf))].sort();
      expect.soft([id, inputs]).toEqual([id, derivedFrom.toSorted()]);
    }
  });

  it('is null for a value of a publisher', async () => {
    const { data } = (await (await service.get('/observations?indicator_id=us_nonfarm_payrolls&limit=5')).json()) as ListBody;
    expect(data.map((row) => row['derivedFrom'])).toEqual(Array(5).fill(null));
  });
});
