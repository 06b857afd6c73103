// When a fact of a filing became known: at acceptance, and otherwise not before it could have been.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toValue } from '../../src/db/rows.ts';
import { companyFacts, submissions } from './edgar.ts';
import { sec } from '../../src/sources/sec/source.ts';
import type { Payload, Source } from '../../src/sources/source.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

const CIK = 99970;
const counted = (value: number) => [['EntityCommonStockSharesOutstanding', 'shares', null, '2025-01-31', value]] as const;
const facts = (first: number) =>
  companyFacts(CIK, {
    '0000099970-25-000001': { form: '10-K', filed: '2025-02-10', facts: counted(first) },
    '0000099970-25-000002': { form: '10-K/A', filed: '2025-03-10', facts: counted(700) },
  });
const MISREAD = new TextEncoder().encode(String(Object.values(facts(599))[0]));
const listed = submissions(
  CIK,
  {},
  { '0000099970-25-000001': { form: '10-K', filed: '2025-02-10', acceptedAt: '2025-02-10T21:05:11.000Z' } },
);

const Counts = z.array(z.object({ shares: z.number(), observed_at: z.string() }));

async function countsOf(pipeline: Pipeline): Promise<[number, string][]> {
  await pipeline.publish();
  const reader = await pipeline.open();
  const text = await reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll('select to_json(list_sort(share_counts)) from published.companies');
    return toValue(result.getRows()[0]?.[0] ?? null);
  });
  return Counts.parse(JSON.parse(z.string().parse(text))).map((count) => [count.shares, count.observed_at]);
}

let factsFirst: Pipeline;
let filingsFirst: Pipeline;
beforeAll(async () => {
  factsFirst = await openPipeline();
  filingsFirst = await openPipeline();
});
afterAll(async () => {
  await factsFirst.remove();
  await filingsFirst.remove();
});

describe('a fact', () => {
  it('is known from the end of the filing day until its acceptance is known, then from that, in any order of files', async () => {
    await factsFirst.ingest(facts(600), '2025-06-01T08:00:00.000Z');
    expect(await countsOf(factsFirst)).toEqual([
      [600, '2025-02-10 23:59:59.999+00'],
      [700, '2025-03-10 23:59:59.999+00'],
    ]);
    await factsFirst.ingest(listed, '2025-06-02T08:00:00.000Z');
    await filingsFirst.ingest(listed, '2025-06-01T08:00:00.000Z');
    await filingsFirst.ingest(facts(600), '2025-06-02T08:00:00.000Z');
    const expected = [
      [600, '2025-02-10 21:05:11+00'],
      [700, '2025-03-10 23:59:59.999+00'],
    ];
    expect(await countsOf(factsFirst)).toEqual(expected);
    expect(await countsOf(filingsFirst)).toEqual(expected);
  });

  it('that a later payload changes for the same filing is known only from that payload', async () => {
    await factsFirst.ingest(facts(601), '2025-07-01T08:00:00.000Z');
    expect(await countsOf(factsFirst)).toEqual([
      [600, '2025-02-10 21:05:11+00'],
      [601, '2025-07-01 08:00:00+00'],
      [700, '2025-03-10 23:59:59.999+00'],
    ]);
  });

  it('that a later version reads differently from the same payload has the latest reading, from the filing on', async () => {
    const pipeline = await openPipeline();
    try {
      const older: Source = { ...sec, version: sec.version - 1 };
      const misread = { ...older, normalise: (payload: Payload) => sec.normalise({ ...payload, body: MISREAD }) };
      await pipeline.ingest(facts(600), '2025-06-01T08:00:00.000Z', [misread]);
      expect((await countsOf(pipeline))[0]).toEqual([599, '2025-02-10 23:59:59.999+00']);
      await pipeline.ingest(facts(600), '2025-07-01T08:00:00.000Z');
      expect((await countsOf(pipeline))[0]).toEqual([600, '2025-02-10 23:59:59.999+00']);
    } finally {
      await pipeline.remove();
    }
  });

  it('is never known later than its retrieval', async () => {
    const pipeline = await openPipeline();
    try {
      await pipeline.ingest(facts(600), '2025-02-10T21:30:00.000Z');
      await pipeline.ingest(
        submissions(CIK, {}, { '0000099970-25-000001': { form: '10-K', filed: '2025-02-10', acceptedAt: '2025-02-10T22:05:11.000Z' } }),
        '2025-02-11T08:00:00.000Z',
      );
      expect((await countsOf(pipeline))[0]).toEqual([600, '2025-02-10 21:30:00+00']);
    } finally {
      await pipeline.remove();
    }
  });
});
