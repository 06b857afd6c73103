import { describe, expect, it } from 'vitest';
import { redact } from '../../src/model/redaction.ts';

describe('a public error message', () => {
  it.each([
    ["ENOENT: no such file or directory, open '/srv/my data/raw/ab.gz'", "ENOENT: no such file or directory, open '[path]'"],
    ['cannot read /var/lib/asof/lake/part-1.parquet: truncated', 'cannot read [path]: truncated'],
    ['cannot read ~/asof/x.csv or C:\\asof\\x.csv', 'cannot read [path] or [path]'],
    ['IO Error: raw/objects/ab/abcdef.gz is missing', 'IO Error: [path] is missing'],
    ['see file:///home/me/x.csv', 'see [path]'],
  ])('has no path: %s', (message, told) => {
    expect(redact(message)).toBe(told);
  });

  it.each([
    ['GET https://user:pa55@api.example.org/v1/obs?api_key=abc123&x=1 answered 403', 'GET https://api.example.org/[redacted] answered 403'],
    ['redis://:hunter2@cache:6379/0 refused', 'redis://cache:6379/[redacted] refused'],
    ['api_key=abcdef0123 is not registered', 'api_key=[redacted] is not registered'],
    ['FRED_API_KEY: "abcdef0123" is not registered', 'FRED_API_KEY: [redacted]" is not registered'],
    ['Authorization: Bearer eyJhbGciOi was refused', 'Authorization: [redacted] was refused'],
    ['sent Bearer eyJhbGciOiJIUzI1', 'sent Bearer [redacted]'],
    ['0123456789abcdef0123456789abcdef is not a registered key', '[redacted] is not a registered key'],
  ])('has no secret: %s', (message, told) => {
    expect(redact(message)).toBe(told);
  });

  it.each([
    '1 of 2 payloads failed: fred_md: the header names 5190/520 columns, expected sasdate and/or date',
    'us_census: answered text/html instead of text/csv',
    'fred-md/2020-05.csv: row 12 has 3 fields, expected 4',
  ])('keeps other words: %s', (message) => {
    expect(redact(message)).toBe(message);
  });
});
