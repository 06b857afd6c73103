// The generated sample through the real steps.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSample, type SampleReport } from '../../jobs/sample/build.ts';
import { SAMPLE_FOLDER, samplePayloads } from '../../jobs/sample/index.ts';
import { openWriter } from '../../src/db/connect.ts';
import { toText, toValue, type Value } from '../../src/db/rows.ts';
import { LakeLockedError } from '../../src/lake/lake.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openWorkspace } from '../../jobs/workspace.ts';
import { sources } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';
import { SILENT } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const NOW = '2026-11-21T08:00:00.000Z';
const effectsAt = (time: string) => ({ now: () => Date.parse(time), log: SILENT });
const OPTIONS = {
  referenceDir: resolve(import.meta.dirname, '../../data/reference'),
  engineThreads: 2,
  engineMemory: '600MB',
  snapshotsKept: 5,
};

/** Sources of which the sample has something wrong on purpose, and series that stopped arriving. */
const WITH_SLIPS = ['fred_md', 'fred', 'world_bank', 'dividends', 'sec'];
const FILES_WITH_SLIPS = [
  'sample/alfred-realtime/RGDP.csv',
  'sample/prices/dividends/ZZSMB.csv',
  'sample/sec/companyfacts/CIK9999999002.json',
  'sample/world-bank/api-json/SP.POP.TOTL.json',
];
const STOPPED = [
  'fred us_dollar_index_broad',
  'fred us_exchange_rate_cny_per_usd',
  'fred us_federal_funds_rate_daily',
  'fred us_initial_jobless_claims',
];

function payloadsAt(time: string): Map<string, string | Uint8Array> {
  return new Map([...samplePayloads(Date.parse(time))].map(({ path, body }) => [path, body]));
}

async function faultsOf(source: Source, key: string, body: string | Uint8Array, time: string): Promise<string[]> {
  const payload = { key, body: typeof body === 'string' ? new TextEncoder().encode(body) : body, retrievedAt: time };
  source.bulk?.check(payload);
  const faults: string[] = [];
  for await (const batch of source.normalise(payload)) {
    if (batch.kind === 'refused') faults.push(`${key}: refused ${batch.rows[0]?.reason}`);
    if (batch.kind !== 'observations') continue;
    const early = batch.rows.find((row) => row.observedAt > time || row.periodStart > row.observedAt);
    if (early !== undefined) faults.push(`${key}: ${early.seriesCode} of ${early.period} is known at ${early.observedAt}`);
  }
  return faults;
}

/** What they bring is of kinds that others bring to the sample: test/fetch has nights of each, test/fixtures their formats. */
const WITHOUT_FILES = [
  'abs',
  'bank_of_israel',
  'bcb',
  'bcb_focus',
  'bls',
  'boc',
  'boe',
  'boj',
  'bundesbank',
  'destatis',
  'ec_forecasts',
  'ecb_data',
  'ecb_spf',
  'eurostat',
  'fed_staff',
  'ilo',
  'imf',
  'imf_weo',
  'insee',
  'norges_bank',
  'ny_fed_nowcast',
  'oecd_editions',
  'oenb',
  'ons',
  'philadelphia_rtdsm',
  'rba',
  'riksbank',
  'sec_fsds',
  'seco',
  'snb',
  'statcan',
  'us_treasury',
];

describe('the files of the sample', () => {
  const now = payloadsAt(NOW);

  it('are the same for the same moment', () => {
    expect(payloadsAt(NOW)).toEqual(now);
  });

  it('belong to one source each, and every source has some, except those in WITHOUT_FILES', () => {
    const owners = [...now.keys()].map((path) => sources.filter((source) => source.owns(path)).map(({ id }) => id));
    expect(owners.filter((claims) => claims.length !== 1)).toEqual([]);
    expect(new Set([...owners.flat(), ...WITHOUT_FILES])).toEqual(new Set(sources.map(({ id }) => id)));
    expect(owners.flat().filter((id) => WITHOUT_FILES.includes(id))).toEqual([]);
  });

  it('are in the folder for invented data, and stay under 4.5 megabytes', () => {
    expect([...now.keys()].filter((path) => !path.startsWith(SAMPLE_FOLDER))).toEqual([]);
    expect([...now.values()].reduce((sum, body) => sum + body.length, 0)).toBeLessThan(4_500_000);
  });

  it.runIf(isLong)('name a past vintage as a later sample does', () => {
    const [earlier, later] = [payloadsAt('2026-10-05T08:00:00.000Z'), now];
    const shared = [...earlier.keys()].filter((path) => /fred-md|statements/.test(path) && later.has(path));
    expect(shared.length).toBeGreaterThan(12);
    for (const path of shared) expect(later.get(path)).toBe(earlier.get(path));
  });

  const moments = ['2024-02-29T00:00:01.000Z', '2025-10-14T12:00:00.000Z', '2026-01-01T00:00:00.000Z', '2027-07-05T23:59:59.000Z'];
  it.each(isLong ? moments : moments.slice(0, 1))(
    'made at %s are read with only the intended faults, and contain no later knowledge',
    async (time) => {
      const faults: string[] = [];
      for (const [key, body] of payloadsAt(time)) {
        for (const source of sources.filter((candidate) => candidate.owns(key))) faults.push(...(await faultsOf(source, key, body, time)));
      }
      expect(faults.map((fault) => fault.split(': ')[0] ?? '').toSorted()).toEqual(FILES_WITH_SLIPS);
    },
  );
});

type Row = Readonly<Record<string, Value>>;

/** Rows of a statement on the published tables, each a view of its name. */
async function published(sampleDir: string, sql: string): Promise<Row[]> {
  const engine = await openWriter(openWorkspace({ ...OPTIONS, dataDir: sampleDir }).limits('test'));
  try {
    const paths = snapshotPaths(sampleDir);
    const manifest = await readCurrent(paths);
    for (const name of ['series', 'vintages', 'runs', 'quarantine', 'sources']) {
      const files = manifest?.resources.filter((resource) => resource.table === name).map(({ path }) => `'${join(paths.root, path)}'`);
      await engine.connection.run(`create view ${name} as from read_parquet([${files?.join(', ')}])`);
    }
    const result = await engine.connection.runAndReadAll(sql);
    const names = result.columnNames();
    return result.getRows().map((row) => Object.fromEntries(names.map((name, index) => [name, toValue(row[index] ?? null)])));
  } finally {
    engine.close();
  }
}

describe.runIf(isLong)('a built sample', () => {
  let dataDir: string;
  let report: SampleReport;
  const rows = (sql: string) => published(report.dataDir, sql);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'asof-sample-'));
    report = await buildSample(dataDir, OPTIONS, effectsAt(NOW));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('has the rows of every source, without a failure', async () => {
    expect([report.isNew, report.collect?.unclaimed]).toEqual([true, []]);
    const read = report.sources.map(({ sourceId, error, payloads }) => ({
      sourceId,
      error,
      isRead: payloads.length > 0 && payloads.every(({ status, rowsRead }) => status === 'ok' && rowsRead > 0),
      hasRefused: payloads.some(({ rowsQuarantined }) => rowsQuarantined > 0),
    }));
    expect(read).toEqual(
      sources.map(({ id }) => ({ sourceId: id, error: null, isRead: !WITHOUT_FILES.includes(id), hasRefused: WITH_SLIPS.includes(id) })),
    );
  });

  it('marks every series, observed or derived, as invented, and names no address for its payloads', async () => {
    const marked = "starts_with(attribution, 'SAMPLE DATA, generated, not real: ')";
    expect(await rows(`select indicator_id, attribution from series where not ${marked}`)).toEqual([]);
    expect(await rows('select count(*) > 0 as has from series where is_derived')).toEqual([{ has: true }]);
    expect(await rows(`select key, address from runs where not starts_with(key, '${SAMPLE_FOLDER}') or address is not null`)).toEqual([]);
  });

  it('has main series that are fresh', async () => {
    // biome-ignore format: few lines
    const main = [
      'us_nonfarm_payrolls', 'us_cpi', 'us_cpi_inflation_yoy', 'us_unemployment_rate', 'us_industrial_production', 'us_housing_starts',
      'us_building_permits', 'us_federal_funds_rate', 'us_treasury_yield_10y', 'us_money_supply_m2', 'us_gdp_real', 'us_gdp_nominal',
      'cur_usd_ecb_reference_rate', 'cftc_001602_cot_noncommercial_long', 'cftc_13874a_cot_tff_leveraged_funds_long', 'de_population',
    ];
    const found = await rows('select indicator_id, source_id, freshness_status from series order by all');
    expect(main.filter((id) => !found.some((one) => one['indicator_id'] === id && one['freshness_status'] === 'fresh'))).toEqual([]);
    // Only what stopped arriving, as it is meant to, may be older than its budget allows.
    const stale = found
      .filter((one) => one['freshness_status'] === 'stale')
      .map((one) => `${toText(one['source_id'])} ${toText(one['indicator_id'])}`);
    expect(stale).toEqual(STOPPED);
  });

  it('has vintages that revise each other', async () => {
    const payrolls = await rows(`
      select vintages.vintage, vintages.value from vintages inner join series using (series_no)
      where indicator_id = 'us_nonfarm_payrolls' and source_id = 'fred_md' and period = '2026-01' order by observed_at`);
    expect(payrolls.length).toBeGreaterThan(2);
    expect(payrolls[0]?.['vintage']).toBe('2026-02-28');
  });

  it('has one series with a file that waits for a decision, and answers the values of the others', async () => {
    const waiting = await rows(`
      select quarantine.indicator_id, runs.key, quarantine.status from quarantine inner join runs using (payload_id)
      where quarantine.rule = 'scale_jump' and quarantine.severity = 'block' and quarantine.indicator_id is not null`);
    expect(waiting).toEqual([{ indicator_id: 'us_money_supply_m1', key: 'sample/fred-md/2026-07.csv', status: 'open' }]);
    const largest = await rows(`
      select max(value) < 100000 as is_in_billions from vintages inner join series using (series_no)
      where indicator_id = 'us_money_supply_m1' and source_id = 'fred_md'`);
    expect(largest).toEqual([{ is_in_billions: true }]);
  });

  it('is unchanged by a second call', async () => {
    const before = readdirSync(join(report.dataDir, 'raw', 'payloads', 'ecb_fx'));
    const again = await buildSample(dataDir, OPTIONS, effectsAt('2026-12-01T08:00:00.000Z'));
    expect(again).toEqual({ dataDir: report.dataDir, isNew: false, isRenewed: false, collect: null, sources: [], publish: null });
    expect(readdirSync(join(report.dataDir, 'raw', 'payloads', 'ecb_fx'))).toEqual(before);
  });

  it('leaves no mirror folder', () => {
    expect(existsSync(join(report.dataDir, 'mirror'))).toBe(false);
  });

  it.runIf(isLong)('that was killed is finished by a later call, without revisions and other refusals', async () => {
    const snapshotBefore = await rows('select indicator_id, source_id, frequency, vintage_count from series order by all');
    const refusedBefore = await rows("select distinct source_id, rule from quarantine where severity = 'block' order by all");
    // As a kill before publishing leaves it, with debris of the mirror.
    rmSync(join(report.dataDir, 'current.json'));
    await mkdir(join(report.dataDir, 'mirror', 'sample', 'fred-md'), { recursive: true });
    await writeFile(join(report.dataDir, 'mirror', 'sample', 'fred-md', '2020-01.csv'), 'cut o');
    const again = await buildSample(dataDir, OPTIONS, effectsAt('2026-11-23T08:00:00.000Z'));
    expect(again.isNew).toBe(true);
    expect(again.sources.filter(({ error }) => error !== null)).toEqual([]);
    const refusedNow = await rows("select distinct source_id, rule from quarantine where severity = 'block' order by all");
    expect(refusedNow).toEqual(refusedBefore);
    const after = await rows('select indicator_id, source_id, frequency, vintage_count from series order by all');
    expect(after.map((one) => one['indicator_id'])).toEqual(snapshotBefore.map((one) => one['indicator_id']));
    const revised = await rows(`
      select indicator_id, period from vintages inner join series using (series_no)
      where is_revised and not is_derived and observed_at > timestamptz '2026-11-21 08:00:00Z'`);
    expect(revised).toEqual([]);
  });

  it('is not built while another process locks its lake', async () => {
    rmSync(join(report.dataDir, 'current.json'));
    const lake = await openWorkspace({ ...OPTIONS, dataDir: report.dataDir }).openLake();
    try {
      await expect(buildSample(dataDir, OPTIONS, effectsAt(NOW))).rejects.toThrow(LakeLockedError);
    } finally {
      await lake.close();
    }
  });
});
