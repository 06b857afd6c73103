// Hints for a free key about days before its window.
import { describe, expect, it } from 'vitest';
import { windowHint } from '../../src/queries/hints/hints.ts';

const FROM = '2024-11-01';
const [ROWS, NONE] = [{ length: 3 }, { length: 0 }];
const parameter = (
  asked: { readonly period?: string; readonly start_date?: string; readonly end_date?: string },
  rows: { readonly length: number },
  from: string | null = FROM,
) => windowHint(asked, from, rows)?.parameter ?? null;

describe('the hint about the window of a key', () => {
  it('comes with rows only if the question names a day before the window', () => {
    expect(parameter({ start_date: '2024-10-31' }, ROWS)).toBe('start_date');
    expect([parameter({}, ROWS), parameter({ end_date: '2024-12-01' }, ROWS), parameter({ start_date: FROM }, ROWS)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('of a list without rows names the bound before the window', () => {
    expect([parameter({}, NONE), parameter({ end_date: '2024-10-31' }, NONE), parameter({ end_date: FROM }, NONE)]).toEqual([
      'start_date',
      'end_date',
      'start_date',
    ]);
    expect(parameter({ start_date: FROM }, NONE)).toBeNull();
  });

  it('covers a calendar span that begins before the window', () => {
    expect([parameter({ period: '2023' }, NONE), parameter({ period: '2024-Q3' }, ROWS), parameter({ period: '2025' }, NONE)]).toEqual([
      'period',
      'period',
      null,
    ]);
  });

  it('is absent for a key that sees all periods', () => {
    expect([parameter({ start_date: '1990-01-01' }, NONE, null), parameter({}, NONE, null)]).toEqual([null, null]);
  });
});
