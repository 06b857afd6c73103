// A question means the same wherever it is asked: the routes, the tools for language models and the addresses of the FRED API.
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyPage, openServiceClient, type ServiceClient } from '../../src/client/service.ts';
import { readCatalogue, type SeriesEntry } from '../../src/facade/catalogue.ts';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { openMcpServer } from '../../src/mcp/server.ts';
import { QUESTIONS } from '../queries/searched.ts';
import { isLong } from '../suite.ts';
import { type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let client: ServiceClient;
let facade: Listening;
let tools: Client;
let catalogue: ReadonlyMap<string, SeriesEntry>;
beforeAll(async () => {
  service = await startSampleService();
  client = openServiceClient(service.url, service.keys.full);
  facade = await serveFacade(
    { url: service.url, key: service.keys.full, now: () => Date.parse(SAMPLE_TIME) },
    { host: '127.0.0.1', port: 0 },
  );
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await openMcpServer({ service: client, guides: [], budget: 20_000, version: '0' }).connect(theirs);
  tools = new Client({ name: 'test', version: '0' });
  await tools.connect(ours);
  catalogue = await readCatalogue(client, undefined);
});
afterAll(async () => {
  await tools.close();
  await facade.close();
  await service.stop();
});

const distinct = (ids: readonly unknown[]) => [...new Set(ids)];
const ofRoute = async (path: string, q: string, field: string, more: Readonly<Record<string, string>> = {}) =>
  distinct((await everyPage(client, path, { q, ...more })).data.map((row) => row[field]));

async function ofTools(q: string): Promise<readonly string[]> {
  const result = await tools.callTool({ name: 'find', arguments: { q } });
  const [{ text }] = result.content as readonly unknown[] as [{ text: string }];
  const [head = '', ...lines] = text.slice(text.indexOf('\nindicator') + 1).split('\n');
  const shared = /all rows:.*indicator=(\S+)/.exec(text)?.[1];
  const at = head.split(',').indexOf('indicator');
  // A table of one column has no comma.
  const rows = at === -1 ? [] : lines.filter((line) => (head.includes(',') ? line.includes(',') : line !== ''));
  return shared === undefined ? distinct(rows.map((line) => line.split(',')[at])).map(String) : [shared];
}

async function ofFacade(q: string): Promise<readonly string[]> {
  const asked = new URLSearchParams({ search_text: q, file_type: 'json' });
  const answer = await fetch(`http://127.0.0.1:${facade.port}/fred/series/search?${String(asked)}`);
  return ((await answer.json()) as { seriess: readonly { id: string }[] }).seriess.map(({ id }) => id);
}

/** Under the ids of the FRED API. */
const inFacade = (ids: readonly unknown[]) => distinct(ids.flatMap((id) => catalogue.get(String(id))?.id ?? []));
const asked = QUESTIONS.filter((_, index) => isLong || index % 9 === 0).map(({ question }) => question);

describe('a question', () => {
  it('has the right indicator first or second on the sample, for 95 of 100', async () => {
    const held = new Set((await everyPage(client, '/indicators', {})).data.map((row) => row['indicatorId']));
    const about = QUESTIONS.filter(({ answers }) => answers.some((id) => held.has(id)));
    const missed: string[] = [];
    for (const { question, answers } of about) {
      const { data } = await client.page('/indicators', { q: question, limit: 2 });
      if (!data.some((row) => answers.includes(String(row['indicatorId'])))) missed.push(question);
    }
    expect(about.length).toBeGreaterThan(60);
    expect(missed.slice(about.length * 0.05)).toEqual([]);
  });

  it('has the same results in the same order on every surface', async () => {
    for (const q of [...asked, 'confidnce', 'qqzzy', 'us', 'unemployment qqzzy rate us']) {
      const ids = await ofRoute('/indicators', q, 'indicatorId');
      expect([q, await ofRoute('/indicators/series', q, 'indicatorId')]).toEqual([q, ids]);
      expect([q, await ofFacade(q)]).toEqual([q, inFacade(ids)]);
      const told = await ofTools(q);
      expect([q, told]).toEqual([q, ids.slice(0, told.length)]);
      expect([q, told.length > 0]).toEqual([q, ids.length > 0]);
      const canonical = await ofRoute('/canonical-indicators', q, 'canonicalIndicatorId');
      const best = distinct((await everyPage(client, '/indicators', { q })).data.map((row) => row['canonicalIndicatorId']));
      expect([q, canonical.slice(0, best.length)]).toEqual([q, best]);
    }
  });

  it('finds nothing that was not known at the cutoff, and what was known in its order of then', async () => {
    const before = await ofRoute('/indicators', 'us payrolls', 'indicatorId', { as_of: '2020-06-30' });
    expect(before).toContain('us_nonfarm_payrolls');
    for (const as_of of ['1990-01-01', '2020-06-30']) {
      const known = new Set((await everyPage(client, '/indicators', { as_of })).data.map((row) => row['indicatorId']));
      for (const q of ['us', 'confidence', 'confidnce', 'rate qqzzy germany', 'gold'])
        expect([q, (await ofRoute('/indicators', q, 'indicatorId', { as_of })).filter((id) => !known.has(id))]).toEqual([q, []]);
    }
  });

  it('of a free key finds only series that the key sees', async () => {
    const free = openServiceClient(service.url, service.keys.free);
    const seen = new Set((await everyPage(free, '/indicators', {})).data.map((row) => row['indicatorId']));
    for (const q of ['us', 'e', 'price', 'housng', 'sample software'])
      expect([q, (await everyPage(free, '/indicators', { q })).data.filter((row) => !seen.has(row['indicatorId']))]).toEqual([q, []]);
  });

  it('walks through its results in pages of any size', async () => {
    const { data: whole } = await everyPage(client, '/indicators', { q: 'confidence' });
    const rows: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data, meta } = await client.page('/indicators', { q: 'confidence', limit: 7, cursor });
      rows.push(...data);
      const { next_cursor: next } = meta['pagination'] as { next_cursor: string | null };
      if (next === null) break;
      cursor = next;
    }
    expect(rows).toEqual(whole);
    const { meta } = await client.page('/indicators', { q: 'confidence', limit: 7 });
    const { next_cursor: next } = meta['pagination'] as { next_cursor: string };
    const other = await service.get(`/indicators?q=confidence&limit=7&sort=name&cursor=${encodeURIComponent(next)}`);
    expect(other.status).toBe(400);
  });
});
