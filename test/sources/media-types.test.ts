// The media type under which a payload is archived is that of its own bytes, not one of all that its source publishes.
import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../src/sources/source.ts';

describe('the media type of a payload', () => {
  it.each([
    ['prices/daily_json/AAPL.json', 'text/csv', 'application/json'],
    ['fed/minutes.TXT', 'application/json', 'text/plain'],
    ['cftc/annual.txt', 'text/csv', 'text/csv'],
    ['ecb/statement.html', 'application/json', 'text/html'],
    ['calendars/bls.ics', 'application/json', 'text/calendar'],
    ['fred-md/2020-05.csv', 'application/json', 'text/csv'],
    ['feeds/list.xml', 'text/csv', 'application/xml'],
    // A name that does not say: what the source usually publishes.
    ['fred-md/2020-05', 'text/csv', 'text/csv'],
    ['a.b/2020-05', 'application/json', 'application/json'],
  ])('%s from a source that publishes %s is %s', (key, usual, expected) => {
    expect(mediaTypeOf({ mediaType: usual }, key)).toBe(expected);
  });
});
