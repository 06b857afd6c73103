// The form of an answer: the header once, the budget never exceeded, omissions reported.
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, LEAST_BUDGET, toFailure, toResult } from '../../src/mcp/answer.ts';
import { type Row, toTable } from '../../src/mcp/table.ts';
import { FORMULAS } from '../formulas.ts';
import { isLong } from '../suite.ts';

const textOf = (answer: Answer, budget = 24_000) => toResult(answer, budget).content[0].text;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('rows as text', () => {
  it('have their header once, without common values and empty columns, and an end of day as the day', () => {
    const rows: Row[] = [
      { source: 'fred_md', period: '2020-04', value: 130403, known: '2020-06-30T23:59:59.999Z', note: null },
      { source: 'fred_md', period: '2020-05', value: 132912, known: '2020-07-02T12:30:00.000Z', note: null },
    ];
    expect(toTable(rows)).toEqual({
      shared: ['source=fred_md'],
      header: 'period,value,known',
      lines: ['2020-04,130403,2020-06-30', '2020-05,132912,2020-07-02T12:30:00Z'],
    });
  });

  it('keep a comma, a quote and a line break inside their cell, and an empty cell empty', () => {
    expect(
      toTable([
        { a: 'x,y', b: 'say "no"' },
        { a: 'two\nlines', b: null },
      ]).lines,
    ).toEqual(['"x,y","say ""no"""', '"two\nlines",']);
  });

  it('escape formulas in texts and leave numbers unchanged', () => {
    const rows = FORMULAS.map((a, place) => ({ a, b: -place }));
    const read = parse(toTable(rows).lines.join('\r\n'), { record_delimiter: '\r\n' });
    expect(read).toEqual(FORMULAS.map((text, place) => [`'${text}`, String(-place)]));
  });

  it('have a column for a field that only a later row has', () => {
    expect(toTable([{ a: 1 }, { a: 2, b: 3 }])).toEqual({ shared: [], header: 'a,b', lines: ['1,', '2,3'] });
  });

  it('omit values common to all rows, not just to the first two', () => {
    expect(toTable([{ a: 1 }, { a: 1 }, { a: 2 }]).shared).toEqual([]);
  });

  it('with only one row omit nothing', () => {
    expect(toTable([{ a: 1 }])).toEqual({ shared: [], header: 'a', lines: ['1'] });
  });
});

describe('an answer', () => {
  const answer = (rows: readonly Row[], rowCount = rows.length): Answer => ({
    asOf: '2020-05-31T23:59:59.999Z',
    facts: ['a fact'],
    rows,
    rowCount,
    narrower: (held) => `series {"end":"${String(held.at(-1)?.['period'])}"}`,
  });

  it('that fits has its cutoff, its subject, its number of rows, and all rows', () => {
    expect(
      textOf(
        answer([
          { period: '2020-04', value: 1 },
          { period: '2020-03', value: 2 },
        ]),
      ),
    ).toBe('as_of: 2020-05-31T23:59:59.999Z\na fact\nrows: 2\nperiod,value\n2020-04,1\n2020-03,2');
  });

  it('that does not fit has as many rows as fit, their number, and the call for the others', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ period: String(3000 - i), value: i }));
    const result = toResult(answer(rows, 5000), 2000);
    const lines = result.content[0].text.split('\n');
    const held = lines.length - 4;
    expect(lines[2]).toBe(`rows: 5000, of which the first ${held} are here. For the others: series {"end":"${3001 - held}"}`);
    expect(lines.slice(4)).toEqual(rows.slice(0, held).map(({ period, value }) => `${period},${value}`));
    // One more would have been too many: ten characters and the escape of a line break.
    expect(bytesOf({ ...result, isError: true })).toBeGreaterThan(2000 - 12);
  });

  it('measures letters in bytes', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ name: '€'.repeat(20), value: i }));
    expect(bytesOf(toResult(answer(rows.map((row, i) => ({ ...row, name: `${row.name}${i}` }))), 3000))).toBeLessThanOrEqual(3000);
  });

  it('is never over its budget, whatever its content, and always begins with its cutoff', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.double(), fc.constant(null), fc.boolean());
    const rows = fc.array(fc.dictionary(fc.string({ maxLength: 20 }), cell, { maxKeys: 6 }), { maxLength: 60 });
    const facts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { maxLength: 4 });
    fc.assert(
      fc.property(rows, facts, fc.nat(1_000_000), fc.integer({ min: LEAST_BUDGET, max: 30_000 }), (some, said, more, budget) => {
        const result = toResult({ ...answer(some, some.length + more), facts: said }, budget);
        expect(bytesOf(result)).toBeLessThanOrEqual(budget);
        expect(result.content[0].text.startsWith('as_of: 2020-05-31')).toBe(true);
      }),
      { numRuns: isLong ? 300 : 60 },
    );
  });

  it('with an error is marked as one, within the budget, with its cutoff', () => {
    const result = toFailure('2020-05-31', 'x'.repeat(10_000), 2000);
    expect([
      result.isError,
      result.content[0].text.startsWith('as_of: 2020-05-31\nx'),
      result.content[0].text.endsWith('(cut: the answer is longer than the budget)'),
    ]).toEqual([true, true, true]);
    expect(bytesOf(result)).toBeLessThanOrEqual(2000);
  });
});
