// Facts that several places must state, because a document, a page or a client cannot import them: each has one place, and the others
// are equal to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import * as client from '../../src/client/service.ts';
import { readConfig } from '../../src/config.ts';
import { camelCase } from '../../src/db/rows.ts';
import { CAPACITY } from '../../src/http/admission/gate.ts';
import { LIMITS } from '../../src/http/admission/rate-limit.ts';
import { FREE_TIER_MONTHS, LARGEST_BULK_PAGE, LARGEST_PAGE } from '../../src/http/route.ts';
import { Company } from '../../src/model/company.ts';
import { MOST_CHARACTERS, MOST_TERMS } from '../../src/model/screener-dsl.ts';
import { type News, releaseText } from '../../src/snapshot/build/feeds/news.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const rowsOf = (file: string): readonly Readonly<Record<string, string>>[] => parse(textOf(file), { columns: true });
const written = (count: number) => count.toLocaleString('en');
/** A document as one line, because its paragraphs break anywhere. */
const wordsOf = (file: string) => textOf(file).replaceAll(/\s+/g, ' ');

describe('the lags of data/reference/cadence_budgets.csv', () => {
  it('are those of the macro that assumes when a value was known', () => {
    const lags = [...textOf('sql/assumed/assumed_vintages.sql').matchAll(/when '(\w+)' then (\d+)/g)].map(([, cadence, days]) => [
      cadence,
      days,
    ]);
    expect(lags).toEqual(
      rowsOf('data/reference/cadence_budgets.csv').flatMap(({ cadence, lag_days: days }) => (days === '' ? [] : [[cadence, days]])),
    );
  });
});

describe('the multiples of data/reference/derived_indicators.csv', () => {
  const slugs = rowsOf('data/reference/derived_indicators.csv').flatMap(({ slug = '', family }) => (family === 'valuation' ? [slug] : []));
  const fields = slugs.map(camelCase);

  it('are 13', () => {
    expect(slugs.length).toBe(13);
  });

  it('are the fields of a company, in this order', () => {
    expect(Object.keys(Company.shape.multiples.shape)).toEqual(fields);
  });

  it('are the columns that SQL makes of them', () => {
    const columns = [
      ...textOf('sql/macros/companies/multiples_by_name.sql').matchAll(/^ {4}(\w+): max\(value\) filter \(where slug = '(\w+)'\)/gm),
    ];
    expect(columns.map(([, column, slug]) => [column, slug])).toEqual(slugs.map((slug) => [slug, slug]));
    const described = rowsOf('sql/published/columns.csv').filter(
      ({ table, null_means: isNull }) => table === 'multiples' && isNull === 'see reason.',
    );
    expect(described.map(({ column }) => column)).toEqual(slugs);
  });

  it('are derived canonical indicators', () => {
    const indicators = rowsOf('data/reference/canonical_indicators.csv');
    const own = indicators.filter(({ category }) => category === 'valuation').map(({ canonical_id: id = '' }) => id);
    expect(new Set(own)).toEqual(new Set(slugs));
  });

  it('are on the page of a company', () => {
    const listed = [...textOf('src/pages/static/company/multiples.js').matchAll(/^ {2}(\w+): \['(\w+)', '[^']+'\],$/gm)];
    expect(listed.map(([, field, slug]) => [field, slug])).toEqual(slugs.map((slug, at) => [fields[at], slug]));
  });

  it('are in the document of methods', () => {
    const [, after = ''] = textOf('docs/reference/company-methods.md').split('\n## Valuation multiples\n');
    const [section = ''] = after.split('\n## ');
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, slug]) => slug)).toEqual(slugs);
  });
});

describe('the limits of src/http/admission', () => {
  const { lookup, screen, bulk } = CAPACITY;

  it('of requests at once are in the documents', () => {
    const metrics = textOf('docs/run/metrics.md');
    for (const [name, { perKey, inAll }] of Object.entries({ 'look-up': lookup, screen, bulk }))
      expect(metrics).toMatch(new RegExp(`^\\| ${name} \\| [^|]+ \\| ${perKey} \\| ${inAll} \\|`, 'm'));
    const guide = wordsOf('docs/use/guides/errors.md');
    expect(guide).toContain(`A key may have ${lookup.perKey} look-ups, ${screen.perKey} screens and ${bulk.perKey} bulk answers at once`);
    expect(guide).toContain(`the whole server ${lookup.inAll}, ${screen.inAll} and ${bulk.inAll}.`);
  });

  it('of requests in a minute are in the documents', () => {
    const table = [...textOf('docs/run/configure.md').matchAll(/^\| an? (?:key|IP)[^|]* \| ([\d,]+) \|$/gm)].map(([, count]) => count);
    expect(table).toEqual(Object.values(LIMITS).map(written));
    const { 'data:read': data, 'ops:read': ops, admin, discovery, unauthenticated } = LIMITS;
    const guide = [...textOf('docs/use/guides/errors.md').matchAll(/^\| to [^|]+ \| (?:key|IP address) \| ([\d,]*\d)[^|]* \|$/gm)];
    expect(guide.map(([, count]) => count)).toEqual([data, ops, admin, unauthenticated, discovery].map(written));
    const reference = wordsOf('docs/reference/errors.md');
    expect(reference).toContain(`After ${unauthenticated} requests without a valid key`);
    expect(reference).toContain(`After ${discovery} requests to open or unknown routes`);
  });

  it('of time are the defaults in the document of settings', () => {
    const { querySeconds, bulkLifetimeSeconds } = readConfig({});
    const settings = textOf('docs/run/configure.md');
    const ofSetting = (name: string) => /^Default `(\d+)`/m.exec(settings.split(new RegExp(`^### ${name}$`, 'm'))[1] ?? '')?.[1];
    expect(['LOOKUP_SECONDS', 'SCREEN_SECONDS', 'BULK_SECONDS', 'BULK_LIFETIME_SECONDS'].map(ofSetting)).toEqual(
      [querySeconds.lookup, querySeconds.screen, querySeconds.bulk, bulkLifetimeSeconds].map(String),
    );
  });
});

describe('the sizes of src/http/route.ts', () => {
  it('of pages are the same in every client', () => {
    expect([client.LARGEST_PAGE, client.LARGEST_BULK_PAGE]).toEqual([LARGEST_PAGE, LARGEST_BULK_PAGE]);
    const pages = ['api.js', 'views/company.js', 'views/cot.js'].flatMap((name) => [
      ...textOf(`src/pages/static/${name}`).matchAll(/limit: (\d+)/g),
    ]);
    expect(Math.max(...pages.map(([, limit]) => Number(limit)))).toBe(LARGEST_PAGE);
    expect(textOf('clients/typescript/src/index.ts')).toContain(`query: { limit: ${LARGEST_PAGE}, `);
    expect(Number(/^_BULK_ROWS = ([\d_]+)$/m.exec(textOf('clients/python/src/asof_client/_client.py'))?.[1]?.replaceAll('_', ''))).toBe(
      LARGEST_BULK_PAGE,
    );
    for (const file of ['docs/reference/contract.md', 'docs/use/recipes/README.md'])
      expect(wordsOf(file)).toContain(`up to ${written(LARGEST_BULK_PAGE)} rows`);
  });

  it('of the history of a free key are in every text', () => {
    const texts = [
      'docs/reference/contract.md',
      'docs/run/keys.md',
      'docs/use/guides/errors.md',
      'docs/use/guides/rights.md',
      'src/pages/static/components.js',
      'clients/python/src/asof_client/_client.py',
    ];
    for (const file of texts) expect([file, /(\d+) months/.exec(wordsOf(file))?.[1]]).toEqual([file, String(FREE_TIER_MONTHS)]);
  });

  it('of a filter are in the contract', () => {
    expect(wordsOf('docs/reference/contract-data.md')).toContain(
      `A filter has at most ${MOST_TERMS} terms and ${written(MOST_CHARACTERS)} characters.`,
    );
  });
});

describe('the words of a unit, which the feeds and the pages write', () => {
  const units = new Set(
    ['canonical_indicators', 'derived_indicators', 'series'].flatMap((table) =>
      rowsOf(`data/reference/${table}.csv`).flatMap(({ unit = '' }) => (unit === '' ? [] : [unit])),
    ),
  );
  const news: News = {
    sourceId: 'fred',
    indicatorId: 'us_x',
    indicatorName: 'X',
    entityId: 'us',
    entityName: 'United States',
    country: 'US',
    frequency: 'monthly',
    unit: null,
    attribution: 'A',
    period: '2020-04',
    periodEnd: '2020-04-30',
    value: 1,
    priorValue: null,
    previousPeriod: null,
    previous: null,
    periods: 1,
    observedAt: '2020-05-08T12:30:00.000Z',
    vintage: '2020-05-08',
  };

  it('are the same in both', async () => {
    const address = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/numbers.js')).href;
    const { unitText } = (await import(address)) as { readonly unitText: (unit: string) => string };
    // The feeds write a percentage with its sign, and what counts nothing in brackets.
    const counted = [...units].filter((unit) => !['percent', 'index', 'balance', 'ratio'].includes(unit));
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.map((unit) => releaseText({ ...news, unit }).title)).toEqual(
      counted.map((unit) => `X, United States: 1 ${unitText(unit)} in 2020-04`),
    );
  });
});
