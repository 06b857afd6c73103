// Whatever the order in which payloads arrive, and however the arrival is split over runs, the lake says at every cutoff what the newest
// statement by then says.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfDay, lastDayOfMonth } from '../../src/model/period.ts';
import { type Files, fredMdFile, openPipeline, type Row } from '../pipeline.ts';
import { type Stated, stated, statedFile } from './stated.ts';
import { isLong } from '../suite.ts';

const CODES = ['PAYEMS', 'INDPRO', 'UNRATE', 'CPIAUCSL', 'HOUST', 'M2SL', 'FEDFUNDS', 'GS10', 'RPI', 'W875RX1', 'IPFINAL', 'CUMFNS'];
const MONTHS = ['2020-01', '2020-02', '2020-03', '2020-04', '2020-05', '2020-06'];
const VINTAGES = ['2020-02', '2020-03', '2020-04', '2020-05', '2020-06', '2020-07'];
const DAYS = ['2020-08-01', '2020-08-02', '2020-08-03', '2020-08-04', '2020-08-05', '2020-08-06'];

/** Few values, so that many revisions restate a value that held before. */
const cell = fc.constantFrom(1, 2, 3, null);

interface Statement {
  readonly code: string;
  readonly period: string;
  readonly observedAt: string;
  readonly value: number | null;
}

/** The value of the newest statement at or before the cutoff, by series and period; missing and withdrawn are the same here. */
function asOf(statements: readonly Statement[], cutoff: string): Record<string, number> {
  const known = statements.filter(({ observedAt }) => observedAt <= cutoff).toSorted((a, b) => (a.observedAt < b.observedAt ? -1 : 1));
  const newest = new Map(known.map(({ code, period, value }) => [`${code} ${period}`, value]));
  return Object.fromEntries([...newest].filter((entry): entry is [string, number] => entry[1] !== null));
}

function asStatements(rows: readonly Row[]): Statement[] {
  return rows.map((row) => ({
    code: String(row['series_code']),
    period: String(row['period']),
    observedAt: String(row['observed_at']),
    value: row['value'] === null ? null : Number(row['value']),
  }));
}

const LAKE_ROWS = 'select series_code, period, observed_at, value from observations';

/** An order of arrival, and after which arrivals a run takes place. */
const arrivalOf = (count: number) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
    cuts: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
  });

function toRuns<Item>(items: readonly Item[], arrival: { readonly order: readonly number[]; readonly cuts: readonly boolean[] }): Item[][] {
  const runs: Item[][] = [[]];
  for (const [position, index] of arrival.order.entries()) {
    const item = items[index];
    if (item !== undefined) runs.at(-1)?.push(item);
    if (arrival.cuts[position] === true) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

describe('the order of arrival', () => {
  it.runIf(isLong)('of whole vintages changes no as-of answer', async () => {
    const column = fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 6, maxLength: 6 });
    const matrices = fc.array(column, { minLength: CODES.length, maxLength: CODES.length });
    await fc.assert(
      fc.asyncProperty(matrices, arrivalOf(VINTAGES.length), async (matrix, arrival) => {
        const statements: Statement[] = [];
        const files = VINTAGES.map((vintage, v) => {
          const columns = CODES.map((code, c) => {
            const values = MONTHS.slice(0, v + 1).map((month, m) => [month, matrix[c]?.[v]?.[m] ?? null] as const);
            for (const [period, value] of values) statements.push({ code, period, value, observedAt: endOfDay(lastDayOfMonth(vintage)) });
            return [code, Object.fromEntries(values)] as const;
          });
          return fredMdFile(vintage, Object.fromEntries(columns));
        });
        const cutoffs = VINTAGES.map((vintage) => endOfDay(lastDayOfMonth(vintage)));
        const rows = await arrive(toRuns(files, arrival));
        expect(cutoffs.map((cutoff) => asOf(rows, cutoff))).toEqual(cutoffs.map((cutoff) => asOf(statements, cutoff)));
      }),
      { numRuns: 6, seed: 1, endOnFailure: true },
    );
  });

  it.runIf(isLong)('of payloads whose rows are dated one by one changes no as-of answer', async () => {
    const truth = fc.array(fc.array(cell, { minLength: DAYS.length, maxLength: DAYS.length }), { minLength: 60, maxLength: 60 });
    const parts = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: DAYS.length, maxLength: DAYS.length }), {
      minLength: 60,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(truth, parts, arrivalOf(4), async (values, assigned, arrival) => {
        const rows: Stated[][] = [[], [], [], []];
        const statements: Statement[] = [];
        for (const [index, ofPeriod] of values.entries()) {
          const period = `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
          for (const [d, day] of DAYS.entries()) {
            const value = ofPeriod[d] ?? null;
            rows[assigned[index]?.[d] ?? 0]?.push([period, day, value]);
            statements.push({ code: 'PAYEMS', period, value, observedAt: endOfDay(day) });
          }
        }
        const files = rows.map((ofPayload, index) => statedFile(`part-${index}`, ofPayload));
        const cutoffs = DAYS.map(endOfDay);
        const answers = await arrive(toRuns(files, arrival));
        expect(cutoffs.map((cutoff) => asOf(answers, cutoff))).toEqual(cutoffs.map((cutoff) => asOf(statements, cutoff)));
      }),
      { numRuns: 6, seed: 2, endOnFailure: true },
    );
  });
});

async function arrive(runs: readonly (readonly Files[])[]): Promise<Statement[]> {
  const pipeline = await openPipeline();
  try {
    for (const [index, files] of runs.entries()) {
      const together = Object.assign({}, ...files) as Files;
      const only = Object.keys(together)[0]?.startsWith('stated/') === true ? [stated] : undefined;
      await pipeline.ingest(together, `2021-01-0${index + 1}T00:00:00.000Z`, only);
    }
    return asStatements(await pipeline.lake(LAKE_ROWS));
  } finally {
    await pipeline.remove();
  }
}
