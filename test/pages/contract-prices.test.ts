// The prices over the positions of a contract: which one belongs to each week, and the table of contracts and their series.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static', name)).href)) as Module;

describe('the price of a week', async () => {
  interface Price {
    readonly day: string;
    readonly value: number | null;
  }
  const { pricesOf } = await load<{
    readonly pricesOf: (weeks: readonly string[], prices: readonly Price[], frequency: string) => (number | null)[];
  }>('cot/positions.js');
  const days = (...all: readonly [string, number | null][]) => all.map(([day, value]) => ({ day, value }));

  it('is that of its Tuesday, else the last one of the seven days before, and never a later one', () => {
    const prices = days(
      ['2026-01-02', 1],
      ['2026-01-06', 2],
      ['2026-01-07', 99],
      ['2026-01-12', 3],
      ['2026-01-13', null],
      ['2026-01-21', 4],
    );
    expect(pricesOf(['2026-01-06', '2026-01-13', '2026-01-20', '2026-02-10'], prices, 'daily')).toEqual([2, 3, null, null]);
    expect(pricesOf(['2026-01-01'], prices, 'daily')).toEqual([null]);
    expect(pricesOf([], prices, 'daily')).toEqual([]);
  });

  it('of a monthly average is that of its own month, or none', () => {
    const prices = days(['2026-01-31', 1], ['2026-02-28', 2]);
    expect(pricesOf(['2025-12-30', '2026-01-06', '2026-02-24', '2026-03-03'], prices, 'monthly')).toEqual([null, 1, 2, null]);
  });
});

describe('the table of prices', () => {
  const table = (name: string): readonly Readonly<Record<string, string>>[] =>
    parse(readFileSync(join(import.meta.dirname, '../../data/reference', `${name}.csv`)), { columns: true });
  const rows = table('contract_prices');

  it('names series that a source of ours has, in their frequency', () => {
    const canonical = new Map(table('canonical_indicators').map((row) => [row['canonical_id'], row]));
    const series = new Set(
      table('series').map((row) => `${row['entity_id']}_${row['canonical_id']} ${row['source_id']} ${row['frequency']}`),
    );
    const unlisted = rows.filter((row) => !series.has(`${row['indicator_id']} ${row['source_id']} ${row['frequency']}`));
    // The others are of sources whose payloads name their series.
    for (const row of unlisted) {
      const found = [...canonical.keys()].find((id) => row['indicator_id']?.endsWith(`_${id}`));
      expect([row['indicator_id'], canonical.get(found)?.['preferred_source_ids']?.split(';')]).toEqual([
        row['indicator_id'],
        expect.arrayContaining([row['source_id']]),
      ]);
    }
    expect(rows.length - unlisted.length).toBeGreaterThan(10);
  });

  it('has the choices of a contract in order, each with a label', () => {
    for (const code of new Set(rows.map((row) => row['contract_code']))) {
      const own = rows.filter((row) => row['contract_code'] === code);
      expect([code, own.map((row) => row['position'])]).toEqual([code, own.map((_, at) => String(at + 1))]);
      expect([code, own.every((row) => (row['label'] ?? '').length > 3)]).toEqual([code, true]);
    }
  });
});
