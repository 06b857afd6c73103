// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sec } from '../../../src/sources/sec/source.ts';
import type { Batch } from '../../../src/model/record.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';

async function read(key: string) {
  expect(sec.owns(key)).toBe(true);
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  const batches: Batch[] = [];
  for await (const batch of sec.normalise({ key, body, retrievedAt: RETRIEVED_AT })) batches.push(batch);
  return {
    facts: batches.flatMap((batch) => (batch.kind === 'facts' ? batch.rows : [])),
    filings: batches.flatMap((batch) => (batch.kind === 'filings' ? batch.rows : [])),
    companies: batches.flatMap((batch) => (batch.kind === 'companies' ? batch.rows : [])),
    entities: batches.flatMap((batch) => (batch.kind === 'entities' ? batch.rows : [])),
    refused: batches.flatMap((batch) => (batch.kind === 'refused' ? batch.rows : [])),
  };
}

const tenK = async (key: string) => (await read(key)).filings.find(({ form }) => form === '10-K');

describe.skipIf(!existsSync(ROOT))('the files of EDGAR', () => {
  it.each([
    ['CIK0000002488', 23155, 'ADVANCED MICRO DEVICES, INC.'],
    ['CIK0000055785', 22958, 'KIMBERLY-CLARK CORPORATION'],
    ['CIK0000080424', 25529, 'PROCTER & GAMBLE CO'],
    ['CIK0000320193', 24579, 'Apple Inc.'],
    ['CIK0001045810', 26571, 'NVIDIA CORP'],
    ['CIK0001318605_2022', 17718, 'Tesla, Inc.'],
    ['CIK0001652044', 19836, 'ALPHABET INC.'],
    ['CIK0001997711', 768, 'Logistic Properties of the Americas'],
  ])('have every fact of %s', async (file, count, name) => {
    const { facts, entities, refused } = await read(`sec/companyfacts/${file}.json`);
    expect(facts.length).toBe(count);
    expect(refused).toEqual([]);
    expect(entities.map((entity) => [entity.entityId, entity.name])).toEqual([[`company_${file.slice(3, 13)}`, name]]);
  });

  it('have a fact once per filing that states it', async () => {
    const { facts } = await read('sec/companyfacts/CIK0000320193.json');
    const income = facts.filter(
      ({ concept, periodStart, periodEnd }) => concept === 'NetIncomeLoss' && periodStart === '2023-10-01' && periodEnd === '2024-09-28',
    );
    expect(income.map(({ value, accessionNumber, observedAt }) => [value, accessionNumber, observedAt])).toEqual([
      [93736000000, '0000320193-24-000123', '2024-11-01T23:59:59.999Z'],
      [93736000000, '0000320193-25-000079', '2025-10-31T23:59:59.999Z'],
    ]);
  });

  it.each([
    ['CIK0000002488', 1000],
    ['CIK0000055785', 1007],
    ['CIK0000080424', 1000],
    ['CIK0000320193', 1000],
    ['CIK0000789019', 1009],
    ['CIK0000820313', 1001],
    ['CIK0001018724', 1002],
    ['CIK0001045810', 1000],
    ['CIK0001318605_20221130', 1001],
    ['CIK0001652044', 1023],
  ])('have every filing of %s, accepted while EDGAR was open', async (file, count) => {
    const { filings, companies } = await read(`sec/submissions/${file}.json`);
    expect(filings.length).toBe(count);
    expect(companies.map(({ cik }) => cik)).toEqual([file.slice(3, 13)]);
    // From 22:00 to 06:00 in New York EDGAR is shut, in either half of the year from 03:00Z to 10:00Z.
    const atNight = filings.filter(({ acceptedAt, form }) => form !== 'EFFECT' && /T0[4-9]/.test(acceptedAt ?? ''));
    expect(atNight.length).toBeLessThanOrEqual(2);
  });

  it('have acceptance in UTC, whichever clock the file uses', async () => {
    // 16:42:19 in New York, written as 16:42:19Z.
    expect(await tenK('sec/submissions/CIK0001045810.json')).toMatchObject({ acceptedAt: '2026-02-25T21:42:19.000Z', filed: '2026-02-25' });
    expect(await tenK('sec/submissions/CIK0000320193.json')).toMatchObject({ acceptedAt: '2025-10-31T10:01:26.000Z', filed: '2025-10-31' });
  });

  it('are known when EDGAR disseminated them, the next business day if they were sent after half past five', async () => {
    const files = readdirSync(join(ROOT, 'sec/submissions')).filter((name) => /^CIK\d{10}(_\d+)?\.json$/.test(name));
    const filings = (await Promise.all(files.map((file) => read(`sec/submissions/${file}`)))).flatMap((found) => found.filings);
    expect(filings.length).toBe(10043);
    // Counted by another program over the same files: 287 are dated after the New York day of acceptance, 18 of them on schedules 13D and 13G and form 144.
    const held = filings.filter(({ acceptedAt, observedAt }) => observedAt !== acceptedAt);
    expect(held.length).toBe(269);
    expect(held.filter(({ form }) => /^10-[KQ](\/A)?$/.test(form)).length).toBe(76);
    expect(held.filter(({ cik, form }) => cik === '0000320193' && /^10-[KQ](\/A)?$/.test(form)).length).toBe(20);
    const hours = held.map(({ acceptedAt, observedAt }) => (Date.parse(observedAt) - Date.parse(acceptedAt ?? '')) / 3_600_000);
    hours.sort((one, other) => one - other);
    expect(hours[134]).toBeCloseTo(11.1903, 3);
    expect(hours.at(-1)).toBeCloseTo(83.963, 3);
    expect(new Set(held.map(({ observedAt }) => observedAt.slice(11)))).toEqual(new Set(['10:00:00.000Z', '11:00:00.000Z']));
    expect(held.every(({ filed, observedAt }) => observedAt.startsWith(filed))).toBe(true);
  });

  it('have the companies of the ticker list, each with all its tickers', async () => {
    const { companies, entities } = await read('sec/company_tickers.json');
    expect(companies.length).toBe(8029);
    expect(entities.length).toBe(8029);
    expect(companies.reduce((count, { tickers }) => count + tickers.length, 0)).toBe(10391);
    expect(companies.find(({ cik }) => cik === '0001652044')?.tickers).toEqual(expect.arrayContaining(['GOOGL', 'GOOG']));
  });
});
