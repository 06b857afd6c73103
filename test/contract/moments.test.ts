// Which texts are an instant, by RFC 3339: hours end at 23, minutes and seconds at 59.
import { describe, expect, it } from 'vitest';
import { moment } from '../../src/routes/parameters.ts';

const read = (text: string) => moment('end', 'A moment.').safeParse(text).data ?? 'refused';

describe('a moment', () => {
  it.each([
    ['2020-02-29', '2020-02-29T23:59:59.999Z'],
    ['2020-02-28T23:59:59Z', '2020-02-28T23:59:59.000Z'],
    ['2020-02-28T23:59+23:59', '2020-02-28T00:00:00.000Z'],
    ['2020-02-28T24:00:00Z', 'refused'],
    ['2020-02-28T24:00Z', 'refused'],
    ['2020-02-28T23:60:00Z', 'refused'],
    ['2020-02-28T23:59:60Z', 'refused'],
    ['2020-02-28T00:00:00+24:00', 'refused'],
    ['2020-02-28T00:00:00+00:60', 'refused'],
    ['2020-02-30T00:00:00Z', 'refused'],
  ])('%s is %s', (text, instant) => {
    expect(read(text)).toBe(instant);
  });
});
