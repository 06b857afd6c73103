// The facade keeps catalogues and calendars for a minute from their reading: asking often must not make them live longer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptFor } from '../../src/facade/kept.ts';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { issueKey, keyFile, revokeKey } from '../../src/keys/key-store.ts';
import { type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

const BEGIN = Date.parse(SAMPLE_TIME);

describe('a kept value', () => {
  it('expires by its reading, not by its last use', async () => {
    let now = 0;
    let reads = 0;
    const kept = keptFor<number>(60_000, 5, () => now);
    const seen: number[] = [];
    for (now = 0; now <= 150_000; now += 10_000) seen.push(await kept('a', async () => (reads += 1)));
    expect(seen).toEqual([...Array<number>(6).fill(1), ...Array<number>(6).fill(2), ...Array<number>(4).fill(3)]);
  });

  it('does not live longer on a clock that was set back', async () => {
    let now = 10_000_000;
    let reads = 0;
    const kept = keptFor<number>(60_000, 5, () => now);
    const read = async () => (reads += 1);
    await kept('a', read);
    now -= 3_600_000;
    expect(await kept('a', read)).toBe(2);
  });

  it('is read again after a failed reading, and an old failure removes no newer value', async () => {
    let now = 0;
    const kept = keptFor<number>(60_000, 5, () => now);
    await expect(kept('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    let fail = () => {};
    const slow = kept('a', () => new Promise<number>((_, reject) => (fail = () => reject(new Error('late')))));
    now += 60_000;
    expect(await kept('a', async () => 7)).toBe(7);
    fail();
    await expect(slow).rejects.toThrow('late');
    expect(await kept('a', async () => 8)).toBe(7);
  });
});

describe('a revoked key', () => {
  let service: RunningService;
  let facade: Listening;
  let now = BEGIN;
  beforeAll(async () => {
    service = await startSampleService();
    facade = await serveFacade({ url: service.url, key: null, now: () => now }, { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await facade.close();
    await service.stop();
  });

  it('reads nothing a minute later, however often it asks', async () => {
    const { key, issued } = await issueKey(keyFile(service.dataDir), { label: 'x', tier: 'full', scopes: ['data:read'] }, BEGIN, true);
    const statuses = async () => {
      const paths = ['/fred/series/search?search_text=payroll', '/fred/releases?file_type=json'];
      return Promise.all(
        paths.map(async (path) => {
          const answer = await fetch(`http://127.0.0.1:${facade.port}${path}&api_key=${key}`);
          await answer.text();
          return answer.status;
        }),
      );
    };
    expect(await statuses()).toEqual([200, 200]);
    await revokeKey(keyFile(service.dataDir), issued.keyId, now);
    const refused: number[] = [];
    for (const end = now + 120_000; now < end; now += 15_000, service.clock.now += 15_000) {
      const [search = 0, releases = 0] = await statuses();
      if (now - BEGIN >= 60_000) refused.push(search, releases);
    }
    expect(refused).toEqual(Array<number>(8).fill(400));
  });
});
