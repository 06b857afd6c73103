// What an earlier build computed is taken over, never trusted blindly, and changes no byte.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  baselineForecast,
  CADENCES,
  type EarlierForecast,
  type ForecastModel,
  isCloserAtReleases,
} from '../../src/derived/baseline-forecast.ts';
import { dotmEtsBaseline, dotmEtsTestedBaseline, isRivalNotCloserAtReleases } from '../../src/derived/dotm-ets-baseline.ts';
import { forecastRuns, type Knowledge } from '../../src/derived/forecast-runs.ts';
import { rememberedBaseline } from '../../src/derived/remembered-baseline.ts';
import { NO_CACHE } from '../../src/derived/result-cache.ts';
import { rememberedForecasts } from '../../src/derived/series-forecasts.ts';
import type { Shelf } from '../../src/derived/shelf.ts';
import { openResultFiles } from '../../src/snapshot/build/result-files.ts';
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
  // Eight of months, and two of the means of quarters.
  const nothing = { 'documents/document_sentiments': { reused: 2, computed: 0 }, 'forecasts/forecasts': { reused: 10, computed: 0 } };

  it('are reused as a whole if nothing has changed', async () => {
    expect((await results()).lookups).toEqual(nothing);
  });

  it('change nothing: without them the snapshot is the same', async () => {
    const { snapshotId } = await pipeline.current();
    await rm(folder(), { recursive: true });
    const again = await results();
    expect(again.snapshotId).toBe(snapshotId);
    expect(again.lookups['forecasts/forecasts']).toEqual({ reused: 0, computed: 10 });
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
      lookups: { 'documents/document_sentiments': { reused: 0, computed: 2 }, 'forecasts/forecasts': { reused: 0, computed: 10 } },
    });
    expect(await readdir(folder())).toEqual(names);
    expect(await results()).toEqual({ snapshotId, lookups: nothing });
  });

  it('of a file that no set uses are deleted', async () => {
    await writeFile(join(folder(), 'of-an-older-set.results'), 'x');
    await writeFile(join(folder(), 'killed.results.partial'), 'x');
    await results();
    expect(
      (await readdir(folder())).filter((name) => !/^(?:(?:forecasts-\d+|document-sentiments)\.results|last-build\.json)$/.test(name)),
    ).toEqual([]);
  });

  it('stay if a vintage comes: only its own forecasts are computed, the earlier ones are unchanged', async () => {
    const before = await forecasts();
    await pipeline.ingest(vintage('2020-04', 1), '2021-06-02T00:00:00.000Z');
    expect((await results()).lookups).toEqual({
      'documents/document_sentiments': { reused: 2, computed: 0 },
      'forecasts/forecasts': { reused: 10, computed: 6 },
    });
    const after = await forecasts();
    expect(after.filter((row) => before.includes(row))).toEqual(before);
    expect(after).toHaveLength(16);
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

  it('returns the results that were put, and forgets those not used since', async () => {
    expect(await visit('1', ['a', 'b'])).toEqual([undefined, undefined]);
    expect(await visit('1', ['b', 'c'])).toEqual(['result of b', undefined]);
    expect(await visit('1', ['a', 'b'])).toEqual([undefined, 'result of b']);
  });

  it('returns no result of other code', async () => {
    await visit('1', ['a']);
    expect(await visit('2', ['a'])).toEqual([undefined]);
  });

  it('finds results of an earlier shelf if it has none of its own', async () => {
    await visit('1', ['a']);
    const later = async (keys: readonly string[]) => {
      const shelf = await openResultFiles(folder, '1').open('later', ['not there', 'set']);
      const found = keys.map((key) => shelf.get(key));
      await shelf.close();
      return found;
    };
    expect(await later(['a', 'b'])).toEqual(['result of a', undefined]);
    await visit('1', ['b']);
    expect(await later(['a', 'b'])).toEqual(['result of a', undefined]);
  });

  it('has no file until a result is put', async () => {
    await visit('1', []);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a whole on a shelf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-results-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  interface Night {
    readonly result: string;
    /** Parts that were asked for and not found; null where the whole was found. */
    readonly made: readonly string[] | null;
    readonly lookups: { readonly reused: number; readonly computed: number } | null;
  }

  /** One night of a set of wholes, each of parts that are named by letters; "!" is a part that stands alone. */
  async function night(
    wholes: Readonly<Record<string, string>>,
    { isStill = true, alone = '' } = {},
  ): Promise<Readonly<Record<string, Night>>> {
    const files = openResultFiles(folder, 'code');
    const shelf = await files.open('set');
    const said: Record<string, Night> = {};
    for (const [key, parts] of Object.entries(wholes)) {
      let made: string[] | null = null;
      const result = shelf.whole(
        key,
        () => isStill,
        () => {
          const own: string[] = [];
          for (const part of parts) {
            if (shelf.get(part) !== undefined) continue;
            own.push(part);
            shelf.put(part, `part ${part}`);
          }
          made = own;
          return `whole of ${parts}, with blanks`;
        },
      );
      said[key] = { result, made, lookups: files.countLookups() };
    }
    for (const part of alone) if (shelf.get(part) === undefined) shelf.put(part, `alone ${part}`);
    await shelf.close();
    return said;
  }
  const bytes = () => readFile(join(folder, 'set.results'), 'utf8');

  it('is found without reading its parts, and writes the same bytes again', async () => {
    expect(await night({ x: 'ab', y: 'c' }, { alone: 'z' })).toEqual({
      x: { result: 'whole of ab, with blanks', made: ['a', 'b'], lookups: { reused: 0, computed: 2 } },
      y: { result: 'whole of c, with blanks', made: ['c'], lookups: { reused: 0, computed: 1 } },
    });
    const before = await bytes();
    expect(await night({ y: 'c', x: 'ab' }, { alone: 'z' })).toEqual({
      x: { result: 'whole of ab, with blanks', made: null, lookups: { reused: 2, computed: 0 } },
      y: { result: 'whole of c, with blanks', made: null, lookups: { reused: 1, computed: 0 } },
    });
    expect(await bytes()).toBe(before);
  });

  it('that changed reuses the parts of the one before, however many unchanged nights lie between', async () => {
    await night({ x: 'ab', y: 'c' });
    await night({ x: 'ab', y: 'c' });
    expect((await night({ 'x, later': 'abd', y: 'c' }))['x, later']).toEqual({
      result: 'whole of abd, with blanks',
      made: ['d'],
      lookups: { reused: 2, computed: 1 },
    });
    expect((await night({ 'x, later': 'abd', y: 'c' }))['x, later']?.made).toBeNull();
  });

  it('that no longer holds is rebuilt from its parts', async () => {
    await night({ x: 'ab' });
    expect((await night({ x: 'ab' }, { isStill: false }))['x']).toMatchObject({ made: [], lookups: { reused: 2, computed: 0 } });
  });

  it('that nobody uses is forgotten with its parts', async () => {
    await night({ x: 'ab', y: 'c' });
    await night({ y: 'c' });
    expect(await night({ x: 'ab', y: 'c' })).toMatchObject({ x: { made: ['a', 'b'] }, y: { made: null } });
  });

  it('is rebuilt if a bit of the file has flipped', async () => {
    await night({ x: 'ab' });
    const whole = Buffer.from(await bytes());
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await writeFile(join(folder, 'set.results'), damaged);
      expect((await night({ x: 'ab' }))['x']?.made).toEqual(['a', 'b']);
    }
  });
});

describe('a remembered baseline', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const earlier = fc.array(fc.record({ actual: number, naive: number, combination: fc.option(number) }), { maxLength: 30 });
  const histories = fc.array(fc.oneof(number, fc.constantFrom(0, -0, 5, 1e300)), { minLength: 8, maxLength: 50 });

  it.each([
    ['comb_theta_damped_v1', baselineForecast],
    ['comb_dotm_ets_v2', dotmEtsBaseline],
    ['comb_dotm_ets_v3', dotmEtsTestedBaseline],
  ] as const)('of %s equals the computed one, bit for bit, whenever its verdict is requested', async (_, method) => {
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

describe('the remembered forecasts of a series', () => {
  const DAY = 86_400_000;
  const [START, RELEASE] = [Date.UTC(2014, 0, 20), Date.UTC(2017, 5, 1)];
  const MODELS: readonly ForecastModel[] = [
    { version: '1', releasedAt: null, method: baselineForecast, isKeptAtReleases: isCloserAtReleases },
    { version: '2', releasedAt: RELEASE, method: dotmEtsTestedBaseline, isKeptAtReleases: isRivalNotCloserAtReleases },
  ];
  /** A month's print some twenty days after it began; here and there a later one revises an earlier month, or withdraws it. */
  const knowledge = fc
    .array(
      fc.record({
        step: fc.double({ min: -3, max: 3, noNaN: true }),
        revises: fc.option(fc.integer({ min: 1, max: 30 })),
        isGone: fc.boolean(),
      }),
      {
        minLength: 4,
        maxLength: 70,
      },
    )
    .map((months) => {
      let value = 100;
      return months.flatMap(({ step, revises, isGone }, month): Knowledge[] => {
        value += step;
        const observedAt = START + month * 30 * DAY;
        const print = { period: 24_168 + month, observedAt, value };
        if (revises === null || revises > month) return [print];
        return [{ period: print.period - revises, observedAt, value: isGone && revises > 3 ? null : value / 2 }, print];
      });
    });
  const days = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 2, maxLength: 5 });

  it('equal the computed ones, bit for bit, in any order of the moments', async () => {
    const unremembered = await NO_CACHE.open('set');
    await fc.assert(
      fc.asyncProperty(knowledge, days, async (known, asked) => {
        const folder = await mkdtemp(join(tmpdir(), 'asof-results-'));
        try {
          for (const day of [...asked, ...asked]) {
            const until = START + day * DAY;
            const series = { cadence: 'monthly', nature: { isLevel: true, seasonalPeriod: null } } as const;
            const seen = { ...series, knowledge: known.filter(({ observedAt }) => observedAt <= until) };
            const shelf = await openResultFiles(folder, 'code').open('set');
            const found = rememberedForecasts(shelf, seen, until, MODELS);
            await shelf.close();
            expect(found).toStrictEqual(rememberedForecasts(unremembered, seen, until, MODELS));
            expect(found.runs).toStrictEqual(forecastRuns(seen.knowledge, series.nature, CADENCES.monthly, until, MODELS).runs);
          }
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('are not looked up one by one if there is no new vintage and no forecast is due', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-results-'));
    const known = Array.from({ length: 40 }, (_, month) => ({
      period: 24_168 + month,
      observedAt: START + month * 30 * DAY,
      value: 100 + Math.sin(month * month),
    }));
    const counted = async (until: number, more: readonly Knowledge[] = []) => {
      let isMade = false;
      const files = openResultFiles(folder, 'code');
      const shelf = await files.open('set');
      const watched: Shelf = {
        ...shelf,
        whole: (key, isStill, make) =>
          shelf.whole(key, isStill, () => {
            isMade = true;
            return make();
          }),
      };
      const nature = { isLevel: true, seasonalPeriod: null };
      rememberedForecasts(watched, { cadence: 'monthly', nature, knowledge: [...known, ...more] }, until, MODELS);
      await shelf.close();
      return { isMade, ...files.countLookups() };
    };
    try {
      const newest = START + 39 * 30 * DAY;
      expect((await counted(newest)).isMade).toBe(true);
      // One at each release from the twelfth month on.
      expect(await counted(newest + DAY)).toEqual({ isMade: false, reused: 29, computed: 0 });
      // A year after the next of them was made it is scored.
      expect(await counted(newest + 31 * DAY)).toMatchObject({ isMade: true, computed: 0 });
      expect((await counted(newest + 32 * DAY)).isMade).toBe(false);
      const print = { period: 24_168 + 40, observedAt: newest + 33 * DAY, value: 101 };
      expect(await counted(newest + 33 * DAY, [print])).toMatchObject({ isMade: true, reused: 29 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
