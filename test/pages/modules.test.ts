// The parts of the pages that draw nothing, as the browser reads them.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMULAS } from '../formulas.ts';

const load = async (name: string): Promise<Record<string, (...args: never[]) => unknown>> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static', name)).href)) as never;
const call = (module: Record<string, (...args: never[]) => unknown>, name: string, ...args: unknown[]) =>
  module[name]?.(...(args as never[]));

describe('the address of a view', async () => {
  const address = await load('address.js');

  it('keeps its state in both directions, whatever its values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), fc.string({ minLength: 1 })), (params) => {
        const { key: _key, ...kept } = params;
        expect(call(address, 'readAddress', call(address, 'writeAddress', 'series', params))).toEqual({ view: 'series', params: kept });
      }),
    );
  });

  it('never has the key, nor empty values', () => {
    expect(call(address, 'writeAddress', 'series', { key: 'asof_x', as_of: '', q: null, n: 1 })).toBe('#/series?n=1');
    expect(call(address, 'readAddress', '#somewhere')).toEqual({ view: '', params: {} });
  });
});

describe('the key', async () => {
  const session = await load('session.js');
  const take = (hash: string) => {
    const kept = new Map<string, string>();
    const replaced: unknown[] = [];
    Object.assign(globalThis, {
      sessionStorage: { setItem: (name: string, value: string) => kept.set(name, value), removeItem: () => kept.clear() },
    });
    call(session, 'takeKey', { hash, pathname: '/explore' }, { replaceState: (...args: unknown[]) => replaced.push(args[2]) });
    Reflect.deleteProperty(globalThis, 'sessionStorage');
    return { key: kept.get('asof.key'), replaced };
  };

  it('is removed from the address, which keeps only the view', () => {
    expect(take('#key=asof_abc')).toEqual({ key: 'asof_abc', replaced: ['/explore'] });
    expect(take('#key=asof_abc&to=/series?indicator_id=x&source_id=y')).toEqual({
      key: 'asof_abc',
      replaced: ['/explore#/series?indicator_id=x&source_id=y'],
    });
    expect(take('#key=%E0%A4%A&more')).toEqual({ key: '%E0%A4%A', replaced: ['/explore'] });
    expect(take('#/series?indicator_id=x')).toEqual({ key: undefined, replaced: [] });
  });
});

describe('a key that the service refuses', async () => {
  const session = await load('session.js');

  it('is refused for the whole page, until there is another one', () => {
    const [kept, told] = [new Map<string, string>(), { times: 0 }];
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    };
    Object.assign(globalThis, { sessionStorage: storage, localStorage: storage });
    const stop = call(session, 'onKey', () => (told.times += 1)) as () => void;
    const refusal = () => call(session, 'refusalNow');
    call(session, 'setKey', 'asof_wrong');
    expect(refusal()).toBeNull();
    for (let times = 0; times < 5; times += 1) call(session, 'refuseKey', 'asof_wrong', 'The API key is unknown.');
    expect([refusal(), told.times]).toEqual(['The API key is unknown.', 2]);
    call(session, 'setKey', 'asof_right');
    expect(refusal()).toBeNull();
    stop();
    for (const name of ['sessionStorage', 'localStorage']) Reflect.deleteProperty(globalThis, name);
  });
});

describe('CSV', async () => {
  const csv = await load('tables/csv.js');

  it('is read back as written, whatever its fields contain', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
        const columns = [0, 1].map((at) => ({ label: `c${at}`, value: (row: readonly string[]) => row[at] }));
        const shown = rows.map((row) => row.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text)));
        expect(call(csv, 'parseCsv', call(csv, 'toCsv', columns, rows))).toEqual([['c0', 'c1'], ...shown]);
      }),
    );
  });

  it('escapes formulas in texts and leaves numbers unchanged', () => {
    const columns = [{ label: 'a', value: (row: unknown) => row }];
    const written = (row: unknown) => (call(csv, 'parseCsv', call(csv, 'toCsv', columns, [row])) as string[][])[1];
    expect(FORMULAS.map(written)).toEqual(FORMULAS.map((text) => [`'${text}`]));
    expect(written(-5)).toEqual(['-5']);
  });

  it('has an empty field for an unknown value, not a zero', () => {
    expect(call(csv, 'toCsv', [{ label: 'a', value: (row: { a: number | null }) => row.a }], [{ a: null }, { a: 0 }])).toBe(
      'a\r\n\r\n0\r\n',
    );
  });
});

const PRINTS = `period,periodEnd,actual,observedAt,supersededAt,vintage,isBackfill
2020-04,2020-04-30,100,2020-05-31T23:59:59.999Z,2020-06-30T23:59:59.999Z,2020-05-31,false
2020-04,2020-04-30,90,2020-06-30T23:59:59.999Z,2020-08-31T23:59:59.999Z,2020-06-30,false
2020-04,2020-04-30,,2020-08-31T23:59:59.999Z,,2020-08-31,false
2020-05,2020-05-31,0,2020-06-30T23:59:59.999Z,,2020-06-30,false
2020-03,2020-03-31,80,2020-05-31T23:59:59.999Z,,2020-05-31,true
`;

describe('vintages', async () => {
  const vintages = await load('charts/vintages.js');
  const periods = call(vintages, 'readPrints', PRINTS);
  const known = (asOf: string | null) => call(vintages, 'asKnown', periods, call(vintages, 'momentOf', asOf));

  it('are those known at the end of a day: periods in order March, April, May', () => {
    expect(known('2020-05-30')).toEqual([null, null, null]);
    expect(known('2020-05-31')).toEqual([80, 100, null]);
    expect(known('2020-06-29')).toEqual([80, 100, null]);
    expect(known('2020-06-30')).toEqual([80, 90, 0]);
    expect(known('2020-06-30T23:59:59.998Z')).toEqual([80, 100, null]);
    expect(known('2020-07-01T01:59:59.998+02:00')).toEqual([80, 100, null]);
  });

  it('have no point for a withdrawn value, and zero for a zero', () => {
    expect(known('2020-08-31')).toEqual([80, null, 0]);
    expect(known(null)).toEqual([80, null, 0]);
  });

  it('have the days on which a value became known, in order', () => {
    expect(call(vintages, 'vintageDays', periods)).toEqual(['2020-05-31', '2020-06-30', '2020-08-31']);
  });

  it('are compared with the first print of periods that have one: only April in the first file', () => {
    const paths = call(vintages, 'revisionPaths', periods, null) as { period: string; steps: unknown; until: number }[];
    // 31 May → 30 June are 30 days, → 31 August 92; the last print ends the watch.
    expect(paths).toEqual([
      {
        period: '2020-04',
        steps: [
          [0, 0],
          [30, -10],
          [92, null],
        ],
        until: 92,
      }, // prettier-ignore
      { period: '2020-05', steps: [[0, 0]], until: 62 },
    ]);
    const then = call(vintages, 'revisionPaths', periods, '2020-06-29T23:59:59.999Z') as { steps: unknown; until: number }[];
    expect(then).toEqual([{ period: '2020-04', steps: [[0, 0]], until: 29 }]);
  });

  it('make a fan from periods with a long enough history, if there are at least five', () => {
    const path = (difference: number, until: number) => ({
      period: '',
      steps: [
        [0, 0],
        [30, difference],
      ],
      until,
    }); // prettier-ignore
    // At 30 days 1, 2, 3, 4, 10: median 3; 10 % is 1 + 0.4 · (2 - 1), 90 % is 4 + 0.6 · (10 - 4). Four are watched for 60 days.
    const paths = [path(1, 60), path(2, 60), path(3, 60), path(4, 60), path(10, 40)];
    const fan = call(vintages, 'fanOf', paths) as Record<string, (number | null)[]>;
    expect(fan['days']).toEqual([0, 30, 60]);
    expect(fan['count']).toEqual([5, 5, 4]);
    expect(fan['median']).toEqual([0, 3, null]);
    expect(fan['low']?.[1]).toBeCloseTo(1.4, 12);
    expect(fan['high']?.[1]).toBeCloseTo(7.6, 12);
    expect((call(vintages, 'fanOf', paths, 30) as { days: number[] }).days).toEqual([0, 30]);
  });

  it('are thinned evenly if there are too many, and the last one stays', () => {
    const days = Array.from({ length: 300 }, (_, at) => at);
    const drawn = call(vintages, 'evenly', days, 60) as number[];
    expect([drawn.length, new Set(drawn).size, drawn.at(-1)]).toEqual([60, 60, 299]);
    expect(call(vintages, 'evenly', [1, 2], 60)).toEqual([1, 2]);
  });
});

describe('transforms', async () => {
  const [vintages, transforms] = [await load('charts/vintages.js'), await load('series/transforms.js')];
  const read = (...lines: readonly string[]) =>
    call(vintages, 'readPrints', ['period,periodEnd,actual,observedAt,supersededAt,vintage,isBackfill', ...lines].join('\n')) as {
      periodEnd: string;
    }[];
  const months = read(
    ...['01-31,100', '02-29,110', '04-30,121'].map(
      (line) => `2024,2024-${line},2024-05-15T00:00:00Z,2024-06-15T00:00:00Z,2024-05-15,false`,
    ),
    ...['01-31,200', '02-29,210', '04-30,0'].map((line) => `2024,2024-${line},2024-06-15T00:00:00Z,,2024-06-15,false`),
    `2025,2025-01-31,150,2025-02-15T00:00:00Z,,2025-02-15,false`,
  );
  const known = (periods: unknown, transform: string, moment: string | null, frequency = 'monthly') =>
    call(
      transforms,
      'transformed',
      call(vintages, 'asKnown', periods, moment),
      call(transforms, 'baseOf', periods, transform, frequency),
      transform,
    );

  it('compare with the calendar period before, as known in the same vintage, and step over no gap', () => {
    expect(known(months, 'level', '2024-05-20T00:00:00Z')).toEqual([100, 110, 121, null]);
    expect(known(months, 'change', '2024-05-20T00:00:00Z')).toEqual([null, 10, null, null]);
    expect(known(months, 'change', null)).toEqual([null, 10, null, null]);
    expect((known(months, 'percent', '2024-05-20T00:00:00Z') as number[])[1]).toBeCloseTo(10, 10);
    expect((known(months, 'percent', null) as number[])[1]).toBeCloseTo(5, 10);
    expect(known(months, 'year', null)).toEqual([null, null, null, -25]);
    expect(known(months, 'index', null)).toEqual([100, 105, 0, 75]);
  });

  it('have no percentage of a value that is not positive', () => {
    const signs = read('a,2024-01-31,-5,2024-05-15T00:00:00Z,,x,false', 'b,2024-02-29,5,2024-05-15T00:00:00Z,,x,false');
    expect(['change', 'percent', 'index'].map((one) => known(signs, one, null))).toEqual([
      [null, 10],
      [null, null],
      [null, null],
    ]);
  });

  it('find the period before by the calendar: quarters, years, weeks, and weekdays if there are no weekends', () => {
    const base = (frequency: string, transform: string, ...days: readonly string[]) =>
      call(
        transforms,
        'baseOf',
        days.map((periodEnd) => ({ periodEnd })),
        transform,
        frequency,
      );
    expect(base('quarterly', 'change', '2023-12-31', '2024-03-31', '2024-09-30')).toEqual([-1, 0, -1]);
    expect(base('annual', 'change', '2022-12-31', '2023-12-31', '2025-12-31')).toEqual([-1, 0, -1]);
    expect(base('quarterly', 'year', '2023-02-28', '2024-02-29')).toEqual([-1, 0]);
    expect(base('weekly', 'change', '2024-01-05', '2024-01-12', '2024-01-26')).toEqual([-1, 0, -1]);
    expect(base('weekly', 'year', '2023-01-06', '2024-01-05')).toEqual([-1, 0]);
    // 5 January 2024 is a Friday.
    expect(base('daily', 'change', '2024-01-05', '2024-01-08', '2024-01-10')).toEqual([-1, 0, -1]);
    expect(base('daily', 'change', '2024-01-05', '2024-01-07', '2024-01-08')).toEqual([-1, -1, 1]);
  });

  it('of first prints use what was known at that moment, and are none without a first print', () => {
    const firsts = call(
      transforms,
      'firstPrints',
      [...months, ...read('a,2025-02-28,1,2025-03-15T00:00:00Z,,x,true')],
      call(transforms, 'baseOf', months, 'year', 'monthly'),
      'year',
    );
    expect(firsts).toEqual([null, null, null, { value: -25, from: '2025-02-15T00:00:00Z' }, null]);
  });
});

describe('the request as code', async () => {
  const snippets = await load('snippets.js');
  const hard = { q: `it's "so" $HOME \`x\``, empty: '', as_of: '2020-06-30' };
  const of = (id: string) =>
    (call(snippets, 'snippetsOf', 'http://127.0.0.1:1', '/entities', hard) as { id: string; text: string }[]).find((one) => one.id === id)
      ?.text ?? '';

  it('names only the variable of the key', () => {
    for (const id of ['curl', 'python', 'typescript']) {
      expect(of(id)).toContain('ASOF_KEY');
      expect(of(id)).not.toMatch(/asof_[A-Za-z0-9]/);
      expect(of(id)).not.toContain('empty');
    }
  });

  it('is one argument to a shell, whatever it contains', () => {
    const printed = execFileSync('sh', ['-c', of('curl').replace('curl ', `printf '%s\\n' `)], {
      env: { ASOF_KEY: 'k' },
      encoding: 'utf8',
    });
    const [flag, header, url = '', ...more] = printed.trimEnd().split('\n');
    expect([flag, header, more]).toEqual(['-H', 'x-api-key: k', []]);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ q: hard.q, as_of: hard.as_of });
  });
});

describe('the check of a file', async () => {
  const snippets = await load('snippets.js');
  const textsOf = (file: object, address: string | null) =>
    (call(snippets, 'fileChecksOf', file, address) as { text: string }[]).map(({ text }) => text);

  it('passes for the bytes with the hash, and for no others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-check-'));
    const sha256 = createHash('sha256').update('bytes').digest('hex');
    const [check = ''] = textsOf({ sha256, locator: null }, null);
    const exitOf = (bytes: string) => {
      writeFileSync(join(folder, 'FILE'), bytes);
      return spawnSync('sh', ['-c', check], { cwd: folder }).status;
    };
    expect([exitOf('bytes'), exitOf('other')]).toEqual([0, 1]);
    rmSync(folder, { recursive: true });
  });

  it('unpacks the archived file, and asks the publisher for an address whatever is in it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-check-'));
    const sha256 = createHash('sha256').update('bytes').digest('hex');
    writeFileSync(join(folder, 'a.gz'), gzipSync('bytes'));
    const [, asked = '', archived = ''] = textsOf({ sha256, locator: 'a.gz' }, "https://example.com/it's?a=$HOME");
    const printed = execFileSync('sh', ['-c', archived], { env: { ...process.env, DATA_DIR: folder }, encoding: 'utf8' });
    expect(printed).toContain(sha256);
    const echoed = execFileSync('sh', ['-c', asked.replace('curl', 'printf "%s\\n"').replace('| sha256sum', '')], { encoding: 'utf8' });
    expect(echoed.split('\n')).toContain("https://example.com/it's?a=$HOME");
    expect(textsOf({ sha256, locator: null }, 'sample/file.csv').length).toBe(1);
    rmSync(folder, { recursive: true });
  });
});

describe('the reference', async () => {
  const { exampleOnly } = await load('docs/description.js');

  it("fills in the parameters of a route's example, and nothing else", () => {
    const parameter = (name: string, more = {}) => ({
      name,
      in: 'query',
      required: false,
      description: 'D.',
      schema: { type: 'string' },
      ...more,
    });
    const description = {
      components: { parameters: { Limit: parameter('limit', { example: 2, schema: { type: 'integer', default: 100 } }) } },
      paths: {
        '/entities/{id}/x': {
          get: {
            'x-example': '/entities/us/x?limit=5',
            parameters: [
              { $ref: '#/components/parameters/Limit' },
              parameter('country', { example: 'US' }),
              parameter('entityId', { 'x-alias-of': 'entity' }),
              parameter('id', { in: 'path', example: 'de' }),
            ],
          },
        },
      },
    };
    const filled = exampleOnly?.(description as never) as typeof description;
    expect(filled.paths['/entities/{id}/x'].get.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'D. Default: 100. Example: `2`.',
        schema: { type: 'integer' },
        example: 5,
      },
      { name: 'country', in: 'query', required: false, description: 'D. Example: `US`.', schema: { type: 'string' } },
      { name: 'id', in: 'path', required: false, description: 'D. Example: `de`.', schema: { type: 'string' }, example: 'us' },
    ]);
  });
});
