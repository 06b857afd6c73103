// Budgets learned from the lags of releases: the relation against pandas and against a naive reading of every vintage.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRelation } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import { toValue } from '../../src/db/rows.ts';
import { addDays } from '../../src/model/period.ts';
import { budgetAt, type LearnedBudgets, NOTHING_LEARNED } from '../../src/model/trust.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const Reference = z.record(
  z.string(),
  z.object({
    lagMs: z.array(z.number()),
    lags: z.array(z.number().nullable()),
    budgets: z.array(z.number().nullable()),
  }),
);
const REFERENCE = Reference.parse(JSON.parse(readFileSync('test/fixtures/stats/cadence_budgets.json', 'utf8')));
const STEP = { daily: 1, weekly: 7, monthly: 31, quarterly: 92, annual: 366 } as const;

interface Print {
  readonly periodEnd: string;
  /** ms */
  readonly observedAt: number;
  readonly isPseudo?: boolean;
  readonly isFromPseudo?: boolean;
  readonly value?: number | null;
}

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'UTC'; create schema if not exists derived; create schema reference; create schema published");
  await connection.run(`set variable reference_root = '${resolve('data/reference')}'`);
  await connection.run(`create table reference.cadence_budgets as ${sqlText('reference/cadence_budgets.sql')}`);
  await connection.run('create table derived.all_series (series_no integer, frequency varchar, canonical_id varchar)');
  await connection.run(`create table derived.all_vintages (series_no integer, period_end date, value double, vintage varchar,
    observed_at timestamptz, inputs struct(series_no bigint, period varchar, vintage varchar, "role" varchar)[], retrieved_at timestamptz)`);
  await connection.run('create table derived.ruled_series (series_no integer)');
  await connection.run(sqlText('macros/is_projection.sql'));
});

async function learn(frequency: string, prints: readonly Print[]) {
  await connection.run('delete from derived.all_vintages');
  await connection.run('delete from derived.all_series');
  await connection.run(`insert into derived.all_series values (1, '${frequency}', 'cpi')`);
  const rows = prints.map(({ periodEnd, observedAt, isPseudo = false, isFromPseudo = false, value = 1 }) => {
    const inputs = isFromPseudo ? "[{series_no: 2, period: 'x', vintage: 'pseudo:2020-01-01', role: 'input'}]" : 'null';
    const at = new Date(observedAt).toISOString();
    return `(1, '${periodEnd}', ${value}, '${isPseudo ? 'pseudo:' : ''}${at.slice(0, 10)}', '${at}', ${inputs})`;
  });
  if (rows.length > 0)
    await connection.run(
      `insert into derived.all_vintages (series_no, period_end, value, vintage, observed_at, inputs) values ${rows.join(', ')}`,
    );
  for (const path of ['derived/releases', 'published/calendar/cadence_budgets']) await createRelation(connection, { path, as: 'table' });
  const result = await connection.runAndReadAll(
    'select epoch_ms(known_from), epoch_ms(known_to), release_count, release_lag_days, budget_days from published.cadence_budgets order by known_from',
  );
  return result.getRows().map((row) => {
    const [knownFrom, knownTo, count, lagDays, budgetDays] = row.map(toValue);
    return { knownFrom: Number(knownFrom), knownTo: knownTo === null ? null : Number(knownTo), releases: count, lagDays, budgetDays };
  });
}

const repeat = (count: number, value: number) => Array.from({ length: count }, () => value);
const endOf = (day: string) => Date.parse(`${day}T00:00:00Z`) + DAY;
/** A release of each period in turn, so many hours after its end. */
function releases(step: number, lagHours: readonly number[], first = '2000-01-31'): Print[] {
  return lagHours.map((hours, index) => {
    const periodEnd = addDays(first, index * step);
    return { periodEnd, observedAt: endOf(periodEnd) + Math.round(hours * HOUR) };
  });
}

describe('learned budgets', () => {
  it.each(Object.keys(STEP) as (keyof typeof STEP)[])('of a %s series are those of pandas', async (cadence) => {
    const { lagMs, lags, budgets } = REFERENCE[cadence] ?? { lagMs: [], lags: [], budgets: [] };
    // Periods far enough apart that each is released before the next.
    const prints = releases(
      2000,
      lagMs.map((lag) => lag / HOUR),
      '0200-01-31',
    );
    const learned = await learn(cadence, prints);
    const expected = prints.map(({ observedAt }) => {
      const one = learned.findLast(({ knownFrom }) => knownFrom <= observedAt);
      return one?.budgetDays ?? null;
    });
    expect(expected).toEqual(budgets);
    for (const { knownFrom, lagDays } of learned) expect(lagDays).toBe(lags[prints.findIndex((one) => one.observedAt === knownFrom)]);
  });

  it('begin with the twelfth release, not the eleventh', async () => {
    const lags = Array.from({ length: 12 }, () => 480);
    expect(await learn('monthly', releases(31, lags.slice(1)))).toEqual([]);
    const prints = releases(31, lags);
    expect(await learn('monthly', prints)).toEqual([
      { knownFrom: prints[11]?.observedAt, knownTo: null, releases: 12, lagDays: 20, budgetDays: 31 + 20 + 10 },
    ]);
  });

  it.each([
    ['monthly', 31, 0, 43],
    ['monthly', 31, 2.1 * 24, 43.1],
    ['monthly', 31, 88 * 24, 129],
    ['monthly', 31, 87.9 * 24, 128.9],
    ['quarterly', 92, 400 * 24, 298.5],
    ['weekly', 7, -48, 8.5],
    ['weekly', 7, 24 * 7, 17],
    ['weekly', 7, 24 * 30, 25.5],
    ['daily', 1, -8, 3.67],
    ['daily', 1, 24 * 9, 9],
  ])(
    'of a %s series (every %i days) stay within half and one and a half of the default: a lag of %d hours',
    async (cadence, _, lag, budget) => {
      const learned = await learn(cadence, releases(2000, repeat(12, lag), '1900-01-31'));
      expect(learned.map((one) => one.budgetDays)).toEqual([budget]);
    },
  );

  it('do not exist for a series without cadence', async () => {
    expect(await learn('event', releases(31, repeat(20, 5)))).toEqual([]);
  });

  it('count only releases: no first download, archive, filled gap, revision, withdrawal or pseudo vintage', async () => {
    const eleven = releases(31, repeat(11, 480), '2010-01-31');
    const old = (day: string, observedAt: number, rest: Partial<Print> = {}): Print => ({ periodEnd: day, observedAt, ...rest });
    const last = endOf('2012-06-30');
    const noReleases: Print[] = [
      // A download of the past.
      old('2008-01-31', endOf('2009-12-31')),
      old('2008-02-29', endOf('2009-12-31')),
      // Two months that came at once, after the eleven.
      old('2011-05-31', last),
      old('2011-06-30', last),
      // A gap filled late.
      old('2009-06-30', last + DAY),
      // A revision, a withdrawal and a return of what was known.
      old('2010-01-31', last + 2 * DAY, { value: 2 }),
      old('2010-01-31', last + 3 * DAY, { value: null }),
      old('2010-01-31', last + 4 * DAY, { value: 3 }),
      // Months whose knowledge time is made up, one revised for real later, and one computed from such.
      old('2011-07-31', last + 5 * DAY, { isPseudo: true }),
      old('2011-07-31', last + 6 * DAY, { value: 5 }),
      old('2011-08-31', last + 7 * DAY, { isFromPseudo: true }),
    ];
    expect(await learn('monthly', [...noReleases, ...eleven])).toEqual([]);
    const twelfth: Print = { periodEnd: '2012-07-31', observedAt: endOf('2012-07-31') + 480 * HOUR };
    expect((await learn('monthly', [...noReleases, ...eleven, twelfth])).map((one) => one.releases)).toEqual([12]);
  });
});

const history = fc.array(
  fc.record({
    period: fc.integer({ min: 0, max: 45 }),
    instant: fc.integer({ min: 0, max: 20 }),
    isPseudo: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    value: fc.option(fc.constant(1), { freq: 8 }),
  }),
  { minLength: 20, maxLength: 120 },
);

/** Looks through all prints known at a moment. */
function naiveBudget(prints: readonly Print[], at: number): number | null {
  const known = prints.filter((one) => one.observedAt <= at && one.value !== null).toSorted((a, b) => a.observedAt - b.observedAt);
  const firsts = known.filter((one, index) => known.findIndex((other) => other.periodEnd === one.periodEnd) === index);
  const lags = firsts
    .filter(
      (one) =>
        one.isPseudo !== true &&
        firsts.every(
          (other) =>
            other === one ||
            (other.observedAt !== one.observedAt && (other.observedAt > one.observedAt || other.periodEnd < one.periodEnd)),
        ),
    )
    .map((one) => (one.observedAt - endOf(one.periodEnd)) / DAY)
    .sort((a, b) => a - b);
  if (lags.length < 12) return null;
  const place = 0.95 * (lags.length - 1);
  const [below = 0, above = 0] = [lags[Math.floor(place)], lags[Math.ceil(place)]];
  return Math.min(129, Math.max(43, 31 + below + (above - below) * (place - Math.floor(place)) + 10));
}

describe('a budget at a moment', () => {
  it('equals a naive reading of the knowledge at that time, whatever became known later', async () => {
    let learnedOnce = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.integer({ min: 0, max: 420 }), { minLength: 1, maxLength: 8 }), async (drawn, moments) => {
        // One print per period and instant, as in the lake.
        const prints = [...new Map(drawn.map((one) => [`${one.period} ${one.instant}`, one])).values()].map(
          ({ period, instant, isPseudo, value }): Print => ({
            periodEnd: addDays('2010-01-31', period * 7),
            // A print is known after its period, more or less in the order of the periods.
            observedAt: endOf(addDays('2010-01-31', period * 7)) + instant * 12 * HOUR,
            isPseudo,
            value,
          }),
        );
        const learned = await learn('monthly', prints);
        const budgets: LearnedBudgets = {
          knownFrom: learned.map((one) => one.knownFrom),
          days: learned.map((one) => Number(one.budgetDays)),
        };
        for (const moment of moments) {
          const at = endOf('2010-01-31') + moment * DAY;
          const expected = naiveBudget(prints, at);
          const found = budgetAt({ defaultBudgetDays: null, learnedBudgets: budgets, ceasedAt: null }, at);
          expect(found === null ? null : Math.abs(found - (expected ?? Number.NaN)) <= 0.01).toBe(expected === null ? null : true);
          learnedOnce += Number(found !== null);
          const then = await learn(
            'monthly',
            prints.filter((one) => one.observedAt <= at),
          );
          expect(then.at(-1)?.budgetDays ?? null).toBe(found);
        }
      }),
      { numRuns: 40, seed: 7 },
    );
    expect(learnedOnce).toBeGreaterThan(20);
  });

  it('is the default of the cadence before the series has learned, and applies from the instant of the release', () => {
    const cadence = { defaultBudgetDays: 86, learnedBudgets: { knownFrom: [100, 200, 300], days: [70, 60, 75.5] }, ceasedAt: null };
    expect([0, 99, 100, 199, 200, 299, 300, 1e15].map((at) => budgetAt(cadence, at))).toEqual([86, 86, 70, 70, 60, 60, 75.5, 75.5]);
    expect(budgetAt({ ...cadence, learnedBudgets: NOTHING_LEARNED }, 1e15)).toBe(86);
  });
});
