// When a Commitments of Traders report became known.
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/model/period.ts';
import { releaseKnownAt } from '../../src/sources/cftc/cot.ts';

const LATER = '2026-11-20T10:00:00.000Z';

describe('the release of a report', () => {
  it('follows the schedule that the CFTC published for 2024', () => {
    const tuesdays = Array.from({ length: 53 }, (_, week) => addDays('2024-01-02', 7 * week)).filter((day) => day < '2024-12-25');
    const released = tuesdays.map((day) => releaseKnownAt(day, LATER).slice(0, 10));
    const delayed = released.filter((day, index) => day !== addDays(tuesdays[index] ?? '', 3));
    expect(delayed).toEqual(['2024-06-24', '2024-07-08', '2024-12-02', '2024-12-30']);
  });

  it('is at 15:30 New York time, in summer and in winter', () => {
    expect(releaseKnownAt('2024-07-09', LATER)).toBe('2024-07-12T19:30:00.000Z');
    expect(releaseKnownAt('2024-01-09', LATER)).toBe('2024-01-12T20:30:00.000Z');
  });

  it('is not later than the retrieval of a payload with it, unless that was before any possible release', () => {
    expect(releaseKnownAt('2025-11-25', '2025-12-10T00:00:00.000Z')).toBe('2025-12-10T00:00:00.000Z');
    expect(releaseKnownAt('2024-07-09', '2024-07-11T00:00:00.000Z')).toBe('2024-07-12T19:30:00.000Z');
  });

  it('is a week later while reports came out every second week, and a month later before that', () => {
    expect(releaseKnownAt('1999-03-02', LATER)).toBe('1999-03-12T20:30:00.000Z');
    expect(releaseKnownAt('2001-01-02', LATER)).toBe('2001-01-05T20:30:00.000Z');
    expect(releaseKnownAt('1990-01-15', LATER)).toBe('1990-02-15T23:59:59.999Z');
  });
});
