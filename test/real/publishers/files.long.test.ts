// Files that publishers sent or that others recorded, beside the real payloads: every file is read or named with its reason, the values that were read by eye
// come out of the readers with the times at which they were known, and the countries are counted, in the files and in the plans of the feeds.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { leftoversOf } from '../../../jobs/leftovers.ts';
import type { Answer, Held, Request } from '../../../src/sources/feeds/feed.ts';
import { sources } from '../../../src/sources/index.ts';
import type { ObservationRecord } from '../../../src/model/record.ts';
import { REAL_DATA } from '../../pipeline.ts';
import { sourceOf } from '../../readers/second-reader.ts';
import { cell, table } from '../../reference/read-tables.ts';

const PAYLOADS = join(REAL_DATA, '../payloads');
const RECORDED = join(REAL_DATA, '../recorded');
const RETRIEVED = '2026-11-20T10:00:00.000Z';
const here = existsSync(PAYLOADS) && existsSync(RECORDED);

const filesOf = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .toSorted()
    : [];

async function problemOf(root: string, key: string): Promise<string | null> {
  const source = sources.find((one) => one.owns(key));
  if (source === undefined) return null;
  const payload = { key, retrievedAt: RETRIEVED, body: new Uint8Array(readFileSync(join(root, key))) };
  try {
    for await (const { rows } of source.normalise(payload)) if (rows.length === 0) return `${key}: no rows`;
    return null;
  } catch (error) {
    return `${key}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

describe.skipIf(!here)('every file from publishers and recordings', () => {
  it.each([PAYLOADS, RECORDED])('is read or named with its reason: %s', { timeout: 600_000 }, async (root) => {
    const files = filesOf(root);
    const unread = files.filter((path) => !sources.some((source) => source.owns(path)));
    const { unexplained } = await leftoversOf(unread, resolve('data/reference'));
    expect(unexplained).toEqual([]);
    const problems: string[] = [];
    for (const key of files) problems.push(...((await problemOf(root, key)) ?? '').split('\n').filter((line) => line !== ''));
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!here)('the sources', () => {
  it('are proven exactly if an outside file of theirs is read', { timeout: 900_000 }, async () => {
    const proven = new Set<string>();
    for (const root of [RECORDED, PAYLOADS, REAL_DATA])
      for (const key of filesOf(root)) {
        const source = sources.find((one) => one.owns(key));
        if (source === undefined || proven.has(source.id)) continue;
        if (source.bulk !== undefined || (await problemOf(root, key)) === null) proven.add(source.id);
      }
    const stated = table('files/source_evidence').filter((row) => cell(row, 'verdict') === 'proven');
    expect([...proven].toSorted()).toEqual(stated.map((row) => cell(row, 'source_id')));
  });
});

const READ =
  /^(?:bis\/2022-05\/WS_(?:CBPOL_M|LONG_CPI)_csv_col\.csv|eurostat\/.*\.csv|world-bank\/2026-04\/FP\.CPI\.TOTL\.ZG\.json|abs\/.*|ons\/timeseries\/MGSX\.json|rba\/f01d.*|statcan\/.*12-15\.csv|boe\/.*2025-12\.csv)$/;

describe.skipIf(!here)('the values and the countries of the files', () => {
  const rows: ObservationRecord[] = [];
  beforeAll(async () => {
    for (const key of filesOf(PAYLOADS).filter((path) => READ.test(path))) {
      const source = sources.find((one) => one.owns(key));
      if (source === undefined) continue;
      const payload = { key, retrievedAt: RETRIEVED, body: new Uint8Array(readFileSync(join(PAYLOADS, key))) };
      for await (const batch of source.normalise(payload)) if (batch.kind === 'observations') for (const row of batch.rows) rows.push(row);
    }
  }, 300_000);
  const told = (entity: string, indicator: string, period: string) =>
    rows
      .filter((row) => row.entityId === entity && row.canonicalId === indicator && row.period === period)
      .map(({ value, observedAt }) => [value, observedAt]);

  // The end of the month of the folder; 23:00 and 11:00 in Luxembourg in summer; the update of the database; midnight in London, a day without an hour.
  const RATES = '2022-05-31T23:59:59.999Z';
  const [LABOUR, PRICES, DATABASE] = ['2025-06-06T21:00:00.000Z', '2025-06-03T09:00:00.000Z', '2026-04-08T23:59:59.999Z'];
  it.each([
    ['gb', 'central_bank_policy_rate', '2008-10', 4.5, RATES],
    ['gb', 'central_bank_policy_rate', '2022-02', 0.5, RATES],
    ['gb', 'central_bank_policy_rate', '2022-03', 0.75, RATES],
    ['tr', 'central_bank_policy_rate', '2021-06', 19, RATES],
    ['tr', 'central_bank_policy_rate', '2021-12', 14, RATES],
    ['ea', 'central_bank_policy_rate', '2008-10', 3.75, RATES],
    ['de', 'unemployment_rate', '2025-04', 3.6, LABOUR],
    ['jp', 'unemployment_rate', '2025-04', 2.5, LABOUR],
    ['tr', 'unemployment_rate', '2025-03', 7.9, LABOUR],
    ['at', 'unemployment_rate', '2019-01', 4.9, LABOUR],
    ['de', 'hicp_inflation_yoy', '2025-05', 2.1, PRICES],
    ['tr', 'hicp_inflation_yoy', '2025-04', 37.9, PRICES],
    ['iso3:deu', 'cpi_inflation_annual', '2024', 2.2564981433876, DATABASE],
    ['iso3:tur', 'cpi_inflation_annual', '2022', 72.3088359891207, DATABASE],
    ['gb', 'unemployment_rate', '2022-08', 3.6, '2022-11-15T23:59:59.999Z'],
    ['ca', 'cpi_nsa', '2022-01', 145.3, '2025-12-15T23:59:59.999Z'],
    ['au', 'central_bank_policy_rate_daily', '2011-01-06', 4.75, '2011-01-06T23:59:59.999Z'],
  ])('have for %s of %s in %s the value found by eye', (entity, indicator, period, value, observedAt) => {
    expect(told(entity, indicator, period)).toContainEqual([value, observedAt]);
  });

  it.each([
    ['de', 'hicp_inflation_yoy', '2025-05', 'E'],
    ['al', 'hicp_inflation_yoy', '2019-01', 'D'],
    ['de', 'hicp_inflation_yoy', '2025-04', undefined],
  ])('have for %s of %s in %s the flag found by eye', (entity, indicator, period, flag) => {
    const found = rows.filter(
      (row) => row.entityId === entity && row.canonicalId === indicator && row.period === period && row.observedAt === PRICES,
    );
    expect(new Set(found.map(({ obsStatus }) => obsStatus))).toEqual(new Set([flag]));
  });

  it('have inflation of 60 countries, unemployment of 35 and growth of 25', () => {
    const countries = (of: RegExp) =>
      new Set(
        rows.flatMap(({ canonicalId, entityId, value }) =>
          value !== null && of.test(canonicalId ?? '') && /^[a-z]{2}$/.test(entityId ?? '') ? [entityId] : [],
        ),
      ).size;
    // Consumer prices of the nation give inflation on a year before.
    expect(countries(/^cpi_nsa$|^hicp_inflation_yoy$/)).toBeGreaterThanOrEqual(60);
    expect(countries(/^unemployment_rate$/)).toBeGreaterThanOrEqual(35);
    expect(countries(/^gdp_growth_(?:qoq|yoy)_published$/)).toBeGreaterThanOrEqual(25);
  });
});

// --- Plans

const NOTHING_HELD: Held = { keys: () => [], newest: () => null, askedAt: () => null, lastRelease: () => null };

/** What a plan asks for when every constraint says the same instant and every answer is empty. */
function plannedBy(id: string): Request[] {
  const plan = sourceOf(id).feed?.plan(RETRIEVED, NOTHING_HELD);
  const asked: Request[] = [];
  const constraint = `<?xml version="1.0"?><m:Structure xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:s="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure"><m:Structures><s:Constraints><s:ContentConstraint validFrom="2026-07-08T09:33:35.737Z"/></s:Constraints></m:Structures></m:Structure>`;
  for (let answer: Answer | undefined, step = plan?.next(); step !== undefined && step.done !== true; step = plan?.next(answer)) {
    if ('key' in step.value) asked.push(step.value);
    answer = { kind: 'new', body: new TextEncoder().encode(constraint), retrievedAt: RETRIEVED };
  }
  return asked;
}

/** Countries of a list of codes: those with an ISO code in the reference. */
const reference = readFileSync(resolve('data/reference/countries.csv'), 'utf8')
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));
const byIso3 = new Map(reference.map(([iso2 = '', iso3 = '']) => [iso3, iso2]));
const isoOf = (code: string): string | null => byIso3.get(code) ?? (reference.some(([iso2]) => iso2 === code) ? code : null);

describe.skipIf(!here)('the plans of the feeds', () => {
  const lines = (path: string, encoding: BufferEncoding = 'utf8') => readFileSync(join(PAYLOADS, path)).toString(encoding).split('\n');
  /** Members of the Fund, as its World Economic Outlook lists them. */
  const fund = () => new Set(lines('imf/weo/2009-10.all.xls', 'latin1').flatMap((line) => isoOf(line.split('\t')[1] ?? '') ?? []));
  const europe = () =>
    new Set(
      lines('eurostat/2025-01/une_rt_m.wide.csv').flatMap(
        (line) => isoOf((line.split(',')[5] ?? '').replace('EL', 'GR').replace('UK', 'GB')) ?? [],
      ),
    );
  const bank = () =>
    new Set(lines('bis/2022-05/WS_CBPOL_M_csv_col.csv').flatMap((line) => isoOf(/^"M:Monthly","([A-Z]{2}):/.exec(line)?.[1] ?? '') ?? []));
  const asks = (id: string, part: string) => plannedBy(id).some(({ url }) => url.includes(part));

  it('ask for inflation of 120 countries, unemployment and growth of 60, policy rates of 55', () => {
    // An empty dimension asks for every area of the list.
    expect(asks('imf', 'IMF.STA,CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M')).toBe(true);
    expect(asks('imf', 'IMF.STA,LS,9.0.0/.U.PT.M')).toBe(true);
    expect(asks('imf', 'IMF.STA,QNEA,7.0.0/.B1GQ.Q.SA.XDC.Q')).toBe(true);
    expect(asks('imf', 'IMF.STA,MFS_IR,9.0.0/.MFS166_RT_PT_A_PT.M')).toBe(true);
    expect(asks('eurostat', 'une_rt_m/M.SA.TOTAL.PC_ACT.T.?')).toBe(true);
    expect(asks('bis', 'WS_CBPOL/M./all')).toBe(true);
    const [members, areas, banks] = [fund(), europe(), bank()];
    expect([areas.size >= 30, banks.size >= 35]).toEqual([true, true]);
    expect(members.size).toBeGreaterThanOrEqual(120);
    expect(new Set([...members, ...areas]).size).toBeGreaterThanOrEqual(60);
    expect(new Set([...members, ...banks]).size).toBeGreaterThanOrEqual(55);
  });
});

async function readRows(sourceId: string, key: string, path: string, retrievedAt: string): Promise<readonly ObservationRecord[]> {
  const rows: ObservationRecord[] = [];
  const payload = { key, body: new Uint8Array(readFileSync(join(RECORDED, path))), retrievedAt };
  for await (const batch of sourceOf(sourceId).normalise(payload)) if (batch.kind === 'observations') rows.push(...batch.rows);
  return rows;
}

describe.skipIf(!here)('recorded answers', () => {
  it('of DG ECFIN have numbers as text, which are read as numbers', async () => {
    const key = 'dg-ecfin-bcs/nace2_ecfin_2405/main_indicators_sa_nace2.zip';
    const rows = await readRows('dg_ecfin', key, 'dg_ecfin/main_indicators_sa_nace2.zip', '2024-05-30T12:00:00.000Z');
    expect(rows.length).toBe(115_885);
    expect(rows.filter(({ period, value }) => period === '1985-01' && value === -5.8).length).toBeGreaterThan(0);
  });

  it('of the IMF have brackets in the names of columns', async () => {
    const rows = await readRows('imf', 'imf/CPI.CPI._T.YOY_PCH_PA_PT.M.csv', 'imf/CPI.brackets.csv', '2026-11-18T12:00:00.000Z');
    expect(rows.find(({ entityId, period }) => entityId === 'iso3:tur' && period === '2026-08')?.value).toBe(32.1);
  });

  it('of the Census Bureau have a README in the zip next to the data', async () => {
    const rows = await readRows(
      'us_census',
      'us-census/RESCONST-mf.zip',
      'us_census/RESCONST-mf.with-readme.zip',
      '2023-11-20T10:00:00.000Z',
    );
    expect(rows.length).toBeGreaterThan(80_000);
    expect(rows.find(({ seriesCode, period }) => seriesCode === 'ASTARTS.SINGLE.US.A' && period === '1959-01')?.value).toBe(1336);
  });

  it('of Eurostat have a day of update without an hour, which counts from its end', async () => {
    const rows = await readRows('eurostat', 'eurostat/une_rt_m.csv', 'eurostat/une_rt_m.date-only.csv', '2026-11-18T12:00:00.000Z');
    expect(rows.find(({ entityId, period }) => entityId === 'at' && period === '2024-01')).toMatchObject({
      value: 4.9,
      observedAt: '2026-09-22T21:59:59.999Z',
    });
  });
});
