// Every filter and path knows a country, currency area or company by each name that /entities/resolve knows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineQuery, run } from '../../src/db/query.ts';
import { countryNamed } from '../../src/model/catalogue.ts';
import { matchAliases } from '../../src/queries/entities.ts';
import { routes } from '../../src/routes/index.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { type RunningService, sampleLake, startSampleService } from '../service.ts';

let service: RunningService;
let snapshot: SnapshotReader;
let folder: string;
beforeAll(async () => {
  service = await startSampleService();
  folder = await mkdtemp(join(tmpdir(), 'asof-names-'));
  const paths = snapshotPaths(await sampleLake());
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('the sample has no snapshot');
  const limits = { threads: 2, memory: '400MB', tempDirectory: folder, tempSize: '1GB' };
  snapshot = await openSnapshot(paths, manifest, { limits, connections: 1 });
});
afterAll(async () => {
  snapshot.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

interface Body {
  readonly data: unknown;
  readonly meta?: { readonly hints?: readonly { readonly message: string }[] };
}

const ask = async (path: string): Promise<Body> => {
  const response = await service.get(path, { key: 'admin' });
  const body = (await response.json()) as Body;
  expect([path, response.status]).toEqual([path, 200]);
  return body;
};

/** As it was sent, and the code that the rows have. */
const COUNTRIES = [
  ['UK', 'GB'],
  ['united kingdom', 'GB'],
  ['826', 'GB'],
  ['EL', 'GR'],
  ['Korea', 'KR'],
  ['Korea, Rep.', 'KR'],
  ['U.S.', 'US'],
  ['United States of America', 'US'],
  ['Deutschland', 'DE'],
  ['Euro Area', 'EA'],
  ['EA20', 'EA'],
] as const;

/** What a route requires besides. */
const PANELS = 'factor=consumer_confidence&from=2020-06-30&to=2020-12-31&';
const REQUIRED: Readonly<Record<string, string>> = { '/panels': PANELS, '/public/panels': PANELS };

const withCountry = routes.filter((route) => 'country' in route.query && !route.path.includes(':')).map((route) => route.path);

describe('a country', () => {
  it('is a filter of these routes', () => {
    expect(withCountry).toEqual(
      expect.arrayContaining([
        '/observations',
        '/observations/latest',
        '/observations/changes',
        '/public/observations',
        '/platform/macro-data',
        '/derived-observations',
        '/indicators',
        '/entities',
        '/countries/available-indicators',
        '/public/screener',
        '/public/companies',
        '/events',
        '/economic-calendar',
      ]),
    );
  });

  it.each(COUNTRIES.filter(([sent]) => !sent.includes(',')))('selects the same for %s in each filter as for %s', async (sent, code) => {
    let rows = 0;
    for (const path of withCountry) {
      const [byName, byCode] = [
        await ask(`${path}?${REQUIRED[path] ?? ''}limit=3&country=${encodeURIComponent(sent)}`),
        await ask(`${path}?${REQUIRED[path] ?? ''}limit=3&country=${code}`),
      ];
      expect([path, byName.data]).toEqual([path, byCode.data]);
      // What is said of an empty list is of something else than the name.
      expect(byName.meta?.hints?.filter((hint) => hint.message.startsWith('There is no'))).toEqual(
        byName.meta?.hints === undefined ? undefined : [],
      );
      rows += (byName.data as readonly unknown[]).length;
    }
    expect(rows).toBeGreaterThan(0);
  });

  it.each(COUNTRIES)('is found by the path of %s: %s', async (sent, code) => {
    expect((await ask(`/countries/${encodeURIComponent(sent)}`)).data).toMatchObject({ countryId: code });
    expect((await ask(`/entities/${encodeURIComponent(sent)}`)).data).toMatchObject({ entityId: code.toLowerCase() });
  });

  it('is selected by each of its names in a screen', async () => {
    const screened = async (filter: string) =>
      (
        (await ask(`/public/screener?eligible_only=false&filter=${encodeURIComponent(filter)}`)).data as readonly { entityId: string }[]
      ).map((row) => row.entityId);
    expect(await screened('country:eq:UK')).toEqual(['gb']);
    expect((await screened('country:in:EL,Korea')).toSorted()).toEqual(['gr', 'kr']);
    const { data, meta } = await ask('/public/screener?filter=country:eq:germny');
    expect([data, meta?.hints?.[0]]).toEqual([
      [],
      { parameter: 'filter', message: 'There is no country germny. Did you mean germany?', nearest: 'germany' },
    ]);
  });

  it('is known by every name and code that is only its own, and by none that several share', async () => {
    const nationalAliases = defineQuery('names/aliases.sql', { params: z.strictObject({}), row: z.strictObject({ name: z.string() }) });
    const names = (await run(snapshot, nationalAliases, {})).map(({ name }) => name);
    const matches = await matchAliases(snapshot, names, null, '2026-11-21');
    const { countries } = snapshot.catalogue;
    const byEntity = new Map([...countries.values()].map((code) => [code.toLowerCase(), code]));
    const other: unknown[] = [];
    let national = 0;
    for (const [place, name] of names.entries()) {
      const [match, ...more] = matches[place] ?? [];
      const code = match === undefined || more.length > 0 ? undefined : byEntity.get(match.alias.entityId);
      if (code !== undefined) national += 1;
      if (code !== undefined && countryNamed(snapshot.catalogue, name) !== code)
        other.push([name, code, countryNamed(snapshot.catalogue, name)]);
    }
    expect([other, national > 1000]).toEqual([[], true]);
  });
});

describe('an entity', () => {
  it.each([
    ['UK', 'gb'],
    ['zzsmb', 'company_9999999002'],
    ['Sample Software Inc', 'company_9999999002'],
  ])('is selected by %s in filters and paths', async (sent, entityId) => {
    const text = encodeURIComponent(sent);
    for (const path of ['/observations', '/observations/latest', '/derived-observations', '/indicators'])
      expect([path, (await ask(`${path}?limit=3&entity=${text}`)).data]).toEqual([
        path,
        (await ask(`${path}?limit=3&entity=${entityId}`)).data,
      ]);
    expect((await ask(`/entities/${text}`)).data).toMatchObject({ entityId });
    expect((await ask(`/entities/${text}/observations?limit=3`)).data).toEqual(
      (await ask(`/entities/${entityId}/observations?limit=3`)).data,
    );
    expect((await ask(`/quarantine?entity_id=${text}`)).data).toEqual((await ask(`/quarantine?entity_id=${entityId}`)).data);
  });

  it('that is a company has its statements under its name and its ticker', async () => {
    for (const lookup of ['zzsmb', 'Sample Software Inc'])
      expect((await ask(`/companies/${encodeURIComponent(lookup)}/financials?limit=1`)).data).toMatchObject([
        { companyId: 'company_9999999002' },
      ]);
  });
});

it('the calendar finds an indicator by slug and alias, as lists of observations do', async () => {
  const [byId, bySlug] = [
    await ask('/economic-calendar?indicator_id=nonfarm_payrolls&limit=3'),
    await ask('/economic-calendar?indicator_id=nonfarm-payrolls&limit=3'),
  ];
  expect([bySlug.data, (byId.data as readonly unknown[]).length > 0]).toEqual([byId.data, true]);
});
