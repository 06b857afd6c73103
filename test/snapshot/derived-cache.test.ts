// What an earlier build computed is taken over, never trusted blindly, and changes no byte.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { baselineForecast, CADENCES, type EarlierForecast } from '../../src/derived/baseline-forecast.ts';
import { dotmEtsBaseline } from '../../src/derived/dotm-ets-baseline.ts';
import { rememberedBaseline } from '../../src/derived/remembered-baseline.ts';
import { openResultFiles } from '../../src/snapshot/result-files.ts';
import { fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const MONTHS = [...Array(64).keys()].map((index) => `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);

function vintage(name: string, revision: number) {
  const until = MONTHS.filter((month) => month < name);
  const column = (value: (index: number) => number) => Object.fromEntries(until.map((month, index) => [month, value(index)]));
  const wobble = (index: number) => Math.sin(index * index * 12.9898);
  return fredMdFile(name, {
    CPIAUCSL: column((index) => 240 + index + (index > 40 ? revision : 0)),
    UNRATE: column((index) => 5 + wobble(index)),
  });
}

const STATEMENT = {
  'central-bank-text/ecb/statements/20180125.json': JSON.stringify({
    bank_id: 'ecb',
    doc_type: 'statement',
    title: 'A title',
    source_url: 'https://www.ecb.europa.eu/x',
    language: 'en',
    text: 'STATEMENT\nFrankfurt am Main, 25 January 2018\nJump to the transcript of the questions and answers\nInflation has risen. Demand is weak.\n* * *\nA question.',
  }),
};

describe('the results of an earlier build', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run({ ...vintage('2020-02', 0), ...vintage('2020-03', 0.5), ...STATEMENT }, '2021-06-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  const folder = () => join(pipeline.dataDir, 'derived-cache');
  const results = async () => {
    const { derive } = await pipeline.publish();
    const found = derive.derived.filter((table) => table.results !== null);
    return { snapshotId: derive.snapshotId, lookups: Object.fromEntries(found.map(({ name, results: counts }) => [name, counts])) };
  };
  const nothing = { 'documents/document_sentiments': { reused: 2, computed: 0 }, 'forecasts/forecasts': { reused: 8, computed: 0 } };

  it('are taken over as a whole when nothing has changed', async () => {
    expect((await results()).lookups).toEqual(nothing);
  });

  it('make no difference: without them the snapshot is the same', async () => {
    const { snapshotId } = await pipeline.current();
    await rm(folder(), { recursive: true });
    const again = await results();
    expect(again.snapshotId).toBe(snapshotId);
    expect(again.lookups['forecasts/forecasts']).toEqual({ reused: 0, computed: 8 });
    expect(await results()).toEqual({ snapshotId, lookups: nothing });
  });

  it.each([
    ['a changed digit', (bytes: Buffer) => bytes.fill((bytes.at(-9) ?? 0) ^ 1, bytes.length - 9, bytes.length - 8)],
    ['a lost end', (bytes: Buffer) => bytes.subarray(0, -40)],
  ])('with %s in their file are computed again', async (_, damage) => {
    const { snapshotId } = await pipeline.current();
    const names = await readdir(folder());
    for (const name of names) await writeFile(join(folder(), name), damage(await readFile(join(folder(), name))));
    expect(await results()).toEqual({
      snapshotId,
      lookups: { 'documents/document_sentiments': { reused: 0, computed: 2 }, 'forecasts/forecasts': { reused: 0, computed: 8 } },
    });
    expect(await readdir(folder())).toEqual(names);
    expect(await results()).toEqual({ snapshotId, lookups: nothing });
  });

  it('of a file that no set asks for are removed', async () => {
    await writeFile(join(folder(), 'of-an-older-set.results'), 'x');
    await writeFile(join(folder(), 'killed.results.partial'), 'x');
    await results();
    expect((await readdir(folder())).filter((name) => !/^(?:forecasts-\d+|document-sentiments)\.results$/.test(name))).toEqual([]);
  });

  it('stay when a vintage comes: only its own forecasts are computed, and the earlier ones are as they were', async () => {
    const before = await forecasts();
    await pipeline.ingest(vintage('2020-04', 1), '2021-06-02T00:00:00.000Z');
    expect((await results()).lookups).toEqual({
      'documents/document_sentiments': { reused: 2, computed: 0 },
      'forecasts/forecasts': { reused: 8, computed: 4 },
    });
    const after = await forecasts();
    expect(after.filter((row) => before.includes(row))).toEqual(before);
    expect(after).toHaveLength(12);
  });

  async function forecasts(): Promise<string[]> {
    const snapshot = await pipeline.open();
    return snapshot.withConnection(async (connection) => {
      const rows = await connection.runAndReadAll('from published.forecasts order by all');
      return rows.getRows().map((row) => row.map(String).join(' '));
    });
  }
});

describe('a shelf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-results-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  async function visit(code: string, keys: readonly string[]): Promise<(string | undefined)[]> {
    const shelf = await openResultFiles(folder, code).open('set');
    const found = keys.map((key) => shelf.get(key));
    for (const key of keys) shelf.put(key, `result of ${key}`);
    await shelf.close();
    return found;
  }

  it('gives back what was put there, and forgets what was not asked for since', async () => {
    expect(await visit('1', ['a', 'b'])).toEqual([undefined, undefined]);
    expect(await visit('1', ['b', 'c'])).toEqual(['result of b', undefined]);
    expect(await visit('1', ['a', 'b'])).toEqual([undefined, 'result of b']);
  });

  it('gives nothing that other code has put there', async () => {
    await visit('1', ['a']);
    expect(await visit('2', ['a'])).toEqual([undefined]);
  });
});

describe('a remembered baseline', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const earlier = fc.array(fc.record({ actual: number, naive: number, combination: fc.option(number) }), { maxLength: 30 });
  const histories = fc.array(fc.oneof(number, fc.constantFrom(0, -0, 5, 1e300)), { minLength: 8, maxLength: 50 });

  it.each([
    ['comb_theta_damped_v1', baselineForecast],
    ['comb_dotm_ets_v2', dotmEtsBaseline],
  ] as const)('of %s is the computed one, bit for bit, whenever its verdict is asked for', async (_, method) => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-results-'));
    try {
      await fc.assert(
        fc.asyncProperty(
          histories,
          earlier,
          fc.boolean(),
          fc.boolean(),
          async (values, made: readonly EarlierForecast[], isLevel, asks) => {
            const history = Float64Array.from(values);
            const nature = { isLevel, seasonalPeriod: null };
            const expected = method(history, nature, CADENCES.monthly, made);
            for (const isAsked of [asks, true, true]) {
              const shelf = await openResultFiles(folder, 'code').open('set');
              const found = rememberedBaseline(shelf, '1', method)(history, nature, CADENCES.monthly, made);
              const said = (one: typeof expected) => [one?.naive, one?.combination, isAsked && one?.isBetterWithin()];
              expect(said(found)).toStrictEqual(said(expected));
              await shelf.close();
            }
          },
        ),
        { numRuns: 60, seed: 5 },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
