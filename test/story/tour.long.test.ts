// docs/use/tour.md, walked: each question asked of a server over the sample, and what the page shows of its answer compared.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSampleService } from '../service.ts';

const tour = readFileSync(join(import.meta.dirname, '../../docs/use/tour.md'), 'utf8');
const blocks = [...tour.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text: text.trim() }));
const steps = blocks.flatMap(({ language, text }, index) => {
  const path = /^curl -H "x-api-key: \$KEY" 'http:\/\/127\.0\.0\.1:8080([^']+)'$/.exec(text)?.[1];
  return language === 'sh' && path !== undefined ? [{ path, answer: blocks[index + 1] }] : [];
});

const service = await startSampleService();
afterAll(() => service.stop());

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Where an answer is not as shown: it may have more fields, and more rows where the last one shown is "…". */
function differences(shown: Json, answered: Json | undefined, at = ''): readonly string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(answered)) return [`${at} is no list`];
    const isCut = shown.at(-1) === '…';
    const rows = isCut ? shown.slice(0, -1) : shown;
    const hasAsMany = isCut ? answered.length > rows.length : answered.length === rows.length;
    return [
      ...(hasAsMany ? [] : [`${at} has ${answered.length} rows`]),
      ...rows.flatMap((row: Json, index) => differences(row, answered[index] as Json, `${at}[${index}]`)),
    ];
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answered !== 'object' || answered === null) return [`${at} is no object`];
    const fields = answered as Readonly<Record<string, Json>>;
    return Object.entries(shown as Readonly<Record<string, Json>>).flatMap(([name, value]) =>
      differences(value, fields[name], `${at}.${name}`),
    );
  }
  const isSame =
    typeof shown === 'number' && typeof answered === 'number' ? Math.abs(shown - answered) <= 1e-9 * Math.abs(shown) : shown === answered;
  return isSame ? [] : [`${at} is ${JSON.stringify(answered)}, not ${JSON.stringify(shown)}`];
}

describe('the tour', () => {
  it('has only questions with their answers, and the line that sets the key', () => {
    const [key, ...others] = blocks;
    expect(key?.text).toMatch(/^KEY=asof_…/);
    expect(others.map(({ language }) => language).join(' ')).toBe(steps.map(() => 'sh json').join(' '));
    expect(steps.length).toBeGreaterThan(12);
  });

  it.each(steps)('$path has the printed answer', async ({ path, answer }) => {
    const response = await service.get(path);
    const body = (await response.json()) as Json;
    expect([response.status, differences(JSON.parse(answer?.text ?? '') as Json, body)]).toEqual([200, []]);
  });

  it('fails if an answer differs', () => {
    const shown = { data: [{ a: 1, b: 'x' }] };
    expect(differences(shown, { data: [{ a: 1, b: 'x', c: null }], meta: {} })).toEqual([]);
    expect(differences(shown, { data: [{ a: 2, b: null }] })).toEqual(['.data[0].a is 2, not 1', '.data[0].b is null, not "x"']);
    expect(differences(shown, { data: [] })).toEqual(['.data has 0 rows', '.data[0] is no object']);
    expect(differences({ data: [1, '…'] }, { data: [1] })).toEqual(['.data has 1 rows']);
  });

  it('shows every feature of the sample', () => {
    for (const word of [
      '"revised": true',
      '"collectionStatus": "ceased"',
      '"successorIndicatorId": "us_',
      '"freshnessStatus": "stale"',
      '"restated": true',
      '"priceToEarnings"',
      '"composite"',
      '"rule": "',
      'policy_statement',
      '"forecastMethod"',
      '"status": "released"',
      '"status": "scheduled"',
      '"status": "cancelled"',
    ])
      expect(tour).toContain(word);
  });
});
