import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeTurns } from '../../src/db/turns.ts';
import { arrayBytes } from '../../src/queries/row-bytes.ts';

/** Each row in one piece or in two, cut before its last character. */
const bytesOf = (rows: readonly (string | Buffer)[], cut = false) =>
  arrayBytes(rows.length, (index, put) => {
    const row = rows[index] ?? '';
    if (cut) put(row.slice(0, -1));
    put(cut ? row.slice(-1) : row);
  });

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', minLength: 1 }), fc.constant('\u{1F4C8}é'.repeat(300)));

describe('rows as bytes', () => {
  it('equal the array of JSON.stringify, from texts or from bytes', async () => {
    const rows = fc.array(fc.tuple(fc.record({ text, number: fc.double() }), fc.boolean()), { maxLength: 250 });
    await fc.assert(
      fc.asyncProperty(rows, async (drawn) => {
        const given = drawn.map(([row, isText]) => (isText ? JSON.stringify(row) : Buffer.from(JSON.stringify(row))));
        const whole = JSON.stringify(drawn.map(([row]) => row));
        expect([String(await bytesOf(given)), String(await bytesOf(given, true))]).toEqual([whole, whole]);
      }),
      { numRuns: 100 },
    );
  });

  it('stay unchanged when others are written, even if they exceed the kept buffer', async () => {
    const large = Array.from({ length: 250 }, (_, row) => ({ row, text: 'ü'.repeat(40_000) }));
    const first = await bytesOf(['1', Buffer.from('2')]);
    const many = await bytesOf(large.map((row) => JSON.stringify(row)));
    expect(many.length).toBeGreaterThan(2 * 4 * 1024 * 1024);
    expect(many.equals(Buffer.from(JSON.stringify(large)))).toBe(true);
    expect(String(await bytesOf([]))).toBe('[]');
    expect(first.toString()).toBe('[1,2]');
  });

  it('leave other requests their turn after each hundred', async () => {
    // Without a clock, which a service of another test may have set, each part has a round of its own.
    timeTurns(null);
    let isDone = false;
    let turns = 0;
    const others = () => {
      turns += 1;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    await bytesOf(Array.from({ length: 1000 }, String));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
