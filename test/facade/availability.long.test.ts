// SDMX availability over the sample: what the data of the same key have, counted from their answer, for any clock and every kind of key.
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { COMPUTED, type LicensedLake, NOW, openLicensedLake, WINDOW_START } from '../contract/licensed-lake.ts';
import { type RunningService, SAMPLE_TIME, startSampleService, startService } from '../service.ts';
import { isLong } from '../suite.ts';

const DIMENSIONS = ['FREQ', 'ENTITY', 'INDICATOR', 'SOURCE'] as const;
const LOCAL = { host: '127.0.0.1', port: 0 };

let service: RunningService;
let facade: Listening;
beforeAll(async () => {
  service = await startSampleService();
  facade = await serveFacade({ url: service.url, key: service.keys.full, now: () => Date.parse(SAMPLE_TIME) }, LOCAL);
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

interface Asking {
  readonly accept?: string;
  readonly at?: Listening;
  readonly key?: string;
}
async function ask(path: string, { accept = '*/*', at = facade, key }: Asking = {}) {
  const headers = { accept, ...(key === undefined ? {} : { 'x-api-key': key }) };
  const answer = await fetch(`http://127.0.0.1:${at.port}${path}`, { headers });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', body: await answer.text() };
}

/** What a constraint says. */
interface Said {
  readonly codes: Readonly<Record<string, readonly string[]>>;
  readonly days: readonly string[] | null;
  readonly counts: Readonly<Record<string, string>>;
}

function saidInXml(xml: string): Said {
  const [codes, counts]: [Record<string, string[]>, Record<string, string>] = [{}, {}];
  const days: string[] = [];
  let [component, text] = ['', ''];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    text = '';
    if (name === 'com:KeyValue' || name === 'com:Annotation') component = attributes['id'] ?? '';
    if (name === 'com:KeyValue' && component !== 'TIME_PERIOD') codes[component] = [];
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'com:Value') codes[component]?.push(text);
    if (name === 'com:StartPeriod' || name === 'com:EndPeriod') days.push(text);
    if (name === 'com:AnnotationTitle') counts[component] = text;
  });
  parser.write(xml).close();
  return { codes, days: days.length === 0 ? null : days, counts };
}

interface Constraint {
  readonly role: string;
  readonly annotations: readonly { readonly id: string; readonly type: string; readonly title: string }[];
  readonly constraintAttachment: object;
  readonly cubeRegions: readonly [
    {
      readonly keyValues: readonly {
        readonly id: string;
        readonly values?: readonly { readonly value: string }[];
        readonly timeRange?: { readonly startPeriod: { readonly period: string }; readonly endPeriod: { readonly period: string } };
      }[];
    },
  ];
}

function saidInJson(text: string): Said {
  const { data } = JSON.parse(text) as { readonly data: { readonly dataConstraints: readonly [Constraint] } };
  const [{ annotations, cubeRegions }] = data.dataConstraints;
  const { keyValues } = cubeRegions[0];
  const range = keyValues.find(({ id }) => id === 'TIME_PERIOD')?.timeRange;
  return {
    codes: Object.fromEntries(
      keyValues.flatMap(({ id, values }) => (values === undefined ? [] : [[id, values.map(({ value }) => value)]])),
    ),
    days: range === undefined ? null : [range.startPeriod.period, range.endPeriod.period],
    counts: Object.fromEntries(annotations.map(({ id, title }) => [id, title])),
  };
}

const VERSIONS = [
  ['2.1', '/sdmx/2.1/availableconstraint/SERIES', '/sdmx/2.1/data/SERIES', saidInXml],
  ['3.0', '/sdmx/3.0/availability/dataflow/ASOF/SERIES/1.0.0', '/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0', saidInJson],
] as const;

type DataRow = Readonly<Record<string, string>>;

/** The rows of a data answer, none if no series has data. */
async function dataOf(path: string, asking: Asking = {}): Promise<readonly DataRow[]> {
  const { status, body } = await ask(path, { ...asking, accept: 'text/csv' });
  expect([200, 404]).toContain(status);
  return status === 404 ? [] : parse<Record<string, string>>(body, { columns: true });
}

const joined = (row: DataRow) => DIMENSIONS.map((dimension) => row[dimension]).join('.');
const distinct = (all: readonly string[]) => [...new Set(all)].toSorted();

/** The first or last day of a period, by the calendar. */
function dayOf(period: string, end: boolean): string {
  const quarter = /^(\d{4})-Q(\d)$/.exec(period);
  const [year, month] = quarter === null ? period.split('-') : [quarter[1], String(Number(quarter[2]) * 3 - (end ? 0 : 2))];
  if (/^\d{4}-\d\d-\d\d$/.test(period)) return period;
  if (!end) return `${year}-${(month ?? '1').padStart(2, '0')}-01`;
  return new Date(Date.UTC(Number(year), Number(month ?? 12), 0)).toISOString().slice(0, 10);
}

/** What a constraint says of these rows. Days only if no row is weekly, and there is a value: the label of a week does not say on which day it ends. */
function saidOf(rows: readonly DataRow[]): Said {
  const isWeekly = rows.some((row) => row['FREQ'] === 'W');
  const periods = isWeekly ? [] : rows.filter((row) => row['OBS_VALUE'] !== '').map((row) => row['TIME_PERIOD'] ?? '');
  const firsts = periods.map((period) => dayOf(period, false)).toSorted();
  const lasts = periods.map((period) => dayOf(period, true)).toSorted();
  return {
    codes: Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, distinct(rows.map((row) => row[dimension] ?? ''))])),
    days: periods.length === 0 ? null : [firsts[0] ?? '', lasts.at(-1) ?? ''],
    counts: { series_count: String(new Set(rows.map(joined)).size), obs_count: String(rows.length) },
  };
}

/** If the rows do not show the days, those that were found. */
function expectedOf(rows: readonly DataRow[], found: Said | null): Said {
  const expected = saidOf(rows);
  return { ...expected, days: expected.days ?? found?.days ?? null };
}

const PAYROLLS = 'M.us.nonfarm_payrolls.fred_md';

describe.each(VERSIONS)('availability in version %s', (_, root, data, read) => {
  async function said(path: string, asking: Asking = {}): Promise<Said> {
    const { status, body } = await ask(path, asking);
    expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, '']);
    return read(body);
  }

  it.each([
    [PAYROLLS, ''],
    ['*.us.*.*', ''],
    ['M.us+de.*.*', ''],
    ['A+Q.*.*.*', '?endPeriod=2010'],
    ['*', ''],
    ['*', '?startPeriod=2026-06'],
    [PAYROLLS, '?startPeriod=2020-02&endPeriod=2020-04'],
    ['*.us.*.*', '?updatedAfter=2026-06-01'],
    ['D.*.*.*', '?startPeriod=2026-01-05&endPeriod=2026-02'],
  ])('has the codes, days and counts of the data of the same key: %s%s', async (key, query) => {
    for (const clock of ['', '/at/2020-06-15', '/at/2026-03-31']) {
      const rows = await dataOf(`${clock}${data}/${key}${query}`);
      const { status, body } = await ask(`${clock}${root}/${key}${query}`);
      expect([clock, status]).toEqual([clock, rows.length === 0 ? 404 : 200]);
      const found = status === 200 ? read(body) : null;
      expect([clock, found]).toEqual([clock, rows.length === 0 ? null : expectedOf(rows, found)]);
    }
  });

  it('has the days between which a data query loses nothing, also of weeks', async () => {
    for (const key of ['W.*.*.*', PAYROLLS, 'A.*.*.*']) {
      const whole = await dataOf(`${data}/${key}`);
      const { days } = await said(`${root}/${key}`);
      const [first = '', last = ''] = days ?? [];
      const between = (from: string, to: string) => dataOf(`${data}/${key}?startPeriod=${from}&endPeriod=${to}`);
      const valued = (rows: readonly DataRow[]) => rows.filter((row) => row['OBS_VALUE'] !== '').length;
      expect([key, valued(await between(first, last))]).toEqual([key, valued(whole)]);
      const before = new Date(Date.parse(last) - 86_400_000).toISOString().slice(0, 10);
      expect(valued(await between(first, before))).toBeLessThan(valued(whole));
    }
  });

  it('in mode available has each code that gives data with the rest of the key, and no other', async () => {
    const every = (await dataOf(`${data}/*?detail=serieskeysonly`)).map((row) => DIMENSIONS.map((dimension) => row[dimension] ?? ''));
    for (const key of [PAYROLLS, 'M.us.*.fred_md', '*.us+de.consumer_confidence.*', '*.*.nonfarm_payrolls+cpi.*', '*']) {
      const wanted = key === '*' ? DIMENSIONS.map(() => '*') : key.split('.');
      const fits = (series: readonly string[], but: number) =>
        wanted.every((part, place) => place === but || part === '*' || part.split('+').includes(series[place] ?? ''));
      const { codes, counts, days } = await said(`${root}/${key}?mode=available`);
      for (const [place, dimension] of DIMENSIONS.entries())
        expect([key, codes[dimension]]).toEqual([key, distinct(every.filter((one) => fits(one, place)).map((one) => one[place] ?? ''))]);
      expect(counts['series_count']).toBe(String(every.filter((one) => fits(one, -1)).length));
      const exact = await said(`${root}/${key}`);
      expect([counts, days]).toEqual([exact.counts, exact.days]);
    }
  });

  it('in mode available keeps the bounds for codes and counts, and has the days without them', async () => {
    const bounds = 'startPeriod=2020-02&endPeriod=2020-04';
    const key = 'M.us.*.fred_md';
    const rows = await dataOf(`${data}/*.*.*.*?${bounds}`);
    const found = await said(`${root}/${key}?${bounds}&mode=available`);
    const entities = rows.filter((row) => row['FREQ'] === 'M' && row['SOURCE'] === 'fred_md').map((row) => row['ENTITY'] ?? '');
    expect(found.codes['ENTITY']).toEqual(distinct(entities));
    const exact = await said(`${root}/${key}?${bounds}`);
    expect(exact.days).toEqual(['2020-02-01', '2020-04-30']);
    expect(found.counts).toEqual(exact.counts);
    expect(found.days).toEqual((await said(`${root}/${key}`)).days);
  });

  it('has only the requested dimensions', async () => {
    const provider = root.includes('2.1') ? '/all' : '';
    const whole = await said(`${root}/M.us.*.*`);
    for (const dimension of DIMENSIONS) {
      const { codes, days, counts } = await said(`${root}/M.us.*.*${provider}/${dimension}`);
      expect([codes, days, counts]).toEqual([{ [dimension]: whole.codes[dimension] }, null, whole.counts]);
    }
    expect(await said(`${root}/M.us.*.*${provider}/TIME_PERIOD`)).toEqual({ ...whole, codes: {} });
    const two = await said(`${root}/M.us.*.*${provider}/SOURCE,ENTITY`);
    expect(Object.entries(two.codes)).toEqual([
      ['ENTITY', whole.codes['ENTITY']],
      ['SOURCE', whole.codes['SOURCE']],
    ]);
    // sdmx1 sends no provider.
    expect(await said(`${root}/M.us.*.*/SOURCE`)).toEqual({ ...two, codes: { SOURCE: whole.codes['SOURCE'] } });
  });

  it('comes with its references: only the codes in it, and the concepts of its dimensions', async () => {
    const path = `${root}/M.us.*.fred_md`;
    const { codes } = await said(path);
    const form = root.includes('2.1') ? 'xml' : 'json';
    const listed = async (more: string) => {
      const { body } = await ask(`${path}${more}`);
      return form === 'xml' ? listsInXml(body) : listsInJson(body);
    };
    const codelists = Object.fromEntries(Object.entries(codes).map(([id, own]) => [`CL_${id}`, own]));
    expect(await listed('?references=none')).toEqual({});
    expect(await listed('?references=codelist')).toEqual(codelists);
    const concepts = [...DIMENSIONS, 'TIME_PERIOD'];
    expect(await listed('?references=conceptscheme')).toEqual({ CONCEPTS: concepts });
    expect(await listed('?references=codelist,dataflow')).toEqual({ ...codelists, SERIES: [] });
    const all = await listed('?references=all');
    // Readers resolve the codelists and concepts of the data structure.
    const resolved = {
      CL_OBS_STATUS: expect.arrayContaining(['A', 'O']),
      CONCEPTS: expect.arrayContaining([...concepts, 'OBS_STATUS', 'UNIT']),
    };
    expect(all).toEqual({ ...codelists, SERIES: [], ...resolved });
    const provider = root.includes('2.1') ? '/all' : '';
    expect(await listed(`${provider}/SOURCE?references=all`)).toEqual(all);
    const single = await listed(
      root.includes('2.1') ? '/all/SOURCE?references=codelist,conceptscheme' : '/SOURCE?references=codelist,conceptscheme',
    );
    expect(single).toEqual({ CL_SOURCE: codes['SOURCE'], CONCEPTS: ['SOURCE'] });
    const { body } = await ask(`${path}?references=codelist`);
    // Of five frequencies one is left. Every other list is cut too.
    expect(body.match(form === 'xml' ? /isPartial="true"/g : /"isPartial":true/g)).toHaveLength(4);
    expect((await ask(`${root}?references=codelist`)).body).not.toContain('isPartial');
  });

  it(`equals the data for random keys, days and bounds (${isLong ? 120 : 20})`, async () => {
    const series = (await dataOf(`${data}/*?detail=serieskeysonly`)).map((row) => DIMENSIONS.map((dimension) => row[dimension] ?? ''));
    const key = fc
      .tuple(
        fc.constantFrom(...series),
        fc.constantFrom(...series),
        fc.array(fc.constantFrom('any', 'own', 'both', 'own'), { minLength: 4, maxLength: 4 }),
      )
      .map(([one, other, kinds]) =>
        kinds
          .map((kind, place) => (kind === 'any' ? '*' : kind === 'own' ? one[place] : [...new Set([one[place], other[place]])].join('+')))
          .join('.'),
      );
    const day = fc.integer({ min: Date.parse('2019-06-01') / 86_400_000, max: Date.parse('2026-11-20') / 86_400_000 });
    const text = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
    const query = fc.record(
      {
        startPeriod: fc.integer({ min: 2018, max: 2025 }).map((year) => `${year}-Q4`),
        endPeriod: fc.constantFrom('2026', '2026-03', '2026-W20', '2026-08-15'),
        updatedAfter: day.map(text),
      },
      { requiredKeys: [] },
    );
    let withRows = 0;
    await fc.assert(
      fc.asyncProperty(key, fc.option(day.map(text)), query, async (wanted, clock, bounds) => {
        const more = `${wanted}?${new URLSearchParams(bounds as Record<string, string>).toString()}`;
        const at = clock === null ? '' : `/at/${clock}`;
        const rows = await dataOf(`${at}${data}/${more}`);
        const answer = await ask(`${at}${root}/${more}`);
        expect(answer.status).toBe(rows.length === 0 ? 404 : 200);
        if (rows.length === 0) return;
        withRows += 1;
        const found = read(answer.body);
        expect(found).toEqual(expectedOf(rows, found));
      }),
      { numRuns: isLong ? 120 : 20 },
    );
    expect(withRows).toBeGreaterThan(isLong ? 10 : 0);
  });
});

function listsInXml(xml: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  let last: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const id = attributes['id'] ?? '';
    // A constraint refers to its dataflow by an element without an id.
    if (/^str:(Codelist|ConceptScheme|Dataflow|DataStructure)$/.test(name) && id !== '') found[id] = last = [];
    if (name === 'str:Code' || name === 'str:Concept') last.push(id);
  });
  parser.write(xml).close();
  return found;
}

interface Named {
  readonly id: string;
  readonly codes?: readonly Named[];
  readonly concepts?: readonly Named[];
}
function listsInJson(text: string): Readonly<Record<string, readonly string[]>> {
  const { dataConstraints: _, ...data } = (JSON.parse(text) as { data: Readonly<Record<string, readonly Named[]>> }).data;
  return Object.fromEntries(
    Object.values(data).flatMap((all) => all.map(({ id, codes, concepts }) => [id, (codes ?? concepts ?? []).map((one) => one.id)])),
  );
}

describe('a constraint', () => {
  it('is of the data that exist, for the dataflow', async () => {
    const { type, body } = await ask(`/sdmx/2.1/availableconstraint/SERIES/${PAYROLLS}`);
    expect(type).toBe('application/vnd.sdmx.structure+xml;version=2.1');
    expect(body).toContain('<str:ContentConstraint id="CR_SERIES" agencyID="ASOF" version="1.0" isFinal="false" type="Actual">');
    expect(body).toContain('<com:AnnotationType>sdmx_metrics</com:AnnotationType>');
    const json = await ask(`/sdmx/3.0/availability/dataflow/ASOF/SERIES/1.0.0/${PAYROLLS}`);
    expect(json.type).toBe('application/vnd.sdmx.structure+json;version=2.0.0');
    const [constraint] = (JSON.parse(json.body) as { data: { dataConstraints: readonly [Constraint] } }).data.dataConstraints;
    expect(constraint).toMatchObject({
      role: 'Actual',
      constraintAttachment: { dataflows: ['urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=ASOF:SERIES(1.0.0)'] },
      annotations: [{ type: 'sdmx_metrics' }, { type: 'sdmx_metrics' }],
    });
  });

  it('takes in version 3.0 asOf, filters and wildcards, as data do', async () => {
    const root = '/sdmx/3.0/availability/dataflow/ASOF/SERIES';
    const said = async (path: string) => {
      const { status, body } = await ask(path);
      expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, '']);
      return saidInJson(body);
    };
    const then = await said(`/at/2020-06-15${root}/*/*.us.*.*`);
    expect(await said(`${root}/*/*.us.*.*?asOf=2020-06-15`)).toEqual(then);
    expect(await said(`/at/2020-06-15${root}/*/*.us.*.*?asOf=2024-01-01`)).toEqual(then);
    expect(then.counts).not.toEqual((await said(`${root}/*/*.us.*.*`)).counts);
    expect(await said(`${root}/+/*?c%5BENTITY%5D=us,de&c%5BFREQ%5D=M`)).toEqual(await said(`${root}/~/M.us+de.*.*`));
    expect(await said(`${root}/*/M.us.*.*?c%5BTIME_PERIOD%5D=ge:2020-02+le:2020-04`)).toEqual(
      await said(`${root}/*/M.us.*.*?startPeriod=2020-02&endPeriod=2020-04`),
    );
    for (const path of ['/sdmx/3.0/availability', '/sdmx/3.0/availability/*/*/*/*/*/*', root])
      expect(await said(path)).toEqual(await said(`${root}/1.0.0/*`));
  });

  it.each([
    ['/sdmx/2.1/availableconstraint/NOPE', 404, 'Unknown dataflow NOPE'],
    ['/sdmx/2.1/availableconstraint/SERIES/M.us', 400, 'has 2 places. Write 4'],
    ['/sdmx/2.1/availableconstraint/SERIES/M.us.nope.', 404, 'No series has this key'],
    [`/sdmx/2.1/availableconstraint/SERIES/${PAYROLLS}?startPeriod=2090`, 404, 'no observation in the time'],
    [`/sdmx/2.1/availableconstraint/SERIES/${PAYROLLS}?startPeriod=2020-Q2&endPeriod=2020-03`, 400, 'startPeriod is after endPeriod'],
    ['/sdmx/3.0/availability/*/*/*/*/*?c%5BTIME_PERIOD%5D=ge:2020%2Blt:2020', 400, 'startPeriod is after endPeriod'],
    ['/sdmx/2.1/availableconstraint/SERIES/all/NOPE', 404, 'Unknown provider NOPE'],
    ['/sdmx/2.1/availableconstraint/SERIES/all/all/NOPE', 400, 'Unknown dimension NOPE. The dimensions are FREQ, ENTITY'],
    ['/sdmx/2.1/availableconstraint/SERIES/all/ASOF/FREQ/more', 400, 'The address has too many parts'],
    ['/sdmx/3.0/availability/dataflow/ASOF/SERIES/*/*/FREQ/more', 400, 'The address has too many parts'],
    ['/sdmx/3.0/availability/datastructure/ASOF/SERIES', 501, 'Not implemented: data of a datastructure'],
    ['/sdmx/2.1/availableconstraint/SERIES?mode=some', 400, 'The parameter mode must be exact or available'],
    ['/sdmx/2.1/availableconstraint/SERIES?references=parents', 400, 'The parameter references must be none, all, dataflow'],
    ['/sdmx/2.1/availableconstraint/SERIES?references=dataproviderscheme', 501, 'Not implemented: references=dataproviderscheme'],
    ['/sdmx/3.0/availability/dataflow/ASOF/SERIES?references=codelist,valuelist', 501, 'Not implemented: references=valuelist'],
    ['/sdmx/2.1/availableconstraint/SERIES?detail=full', 400, 'Unknown parameter detail'],
    ['/sdmx/2.1/availableconstraint/SERIES?c%5BFREQ%5D=M', 400, 'Unknown parameter c[FREQ]'],
    ['/sdmx/3.0/availability/dataflow/ASOF/SERIES?reportingYearStartDay=--07-01', 400, 'Unknown parameter reportingYearStartDay'],
    ['/sdmx/2.1/availableconstraint/SERIES?mode=exact&mode=exact', 400, 'more than once'],
    ['/sdmx/2.1/availableconstraint/SERIES?asOf=2020-01-01', 400, 'asOf belongs to version 3.0'],
    ['/sdmx/2.1/availableconstraint/SERIES?format=csv', 406, 'version 2.1 answers structures as SDMX-ML'],
    ['/sdmx/3.0/availability/dataflow/ASOF/SERIES?format=xml', 406, 'version 3.0 answers structures as SDMX-JSON'],
    ['/sdmx/2.1/availableconstraint/SERIES?api_key=asof_none', 401, ''],
    ['/sdmx/2.1/availability/dataflow/ASOF/SERIES', 501, 'Not implemented: availability'],
  ])('is refused with the reason: %s: %i, %s', async (path, status, message) => {
    const answer = await ask(path);
    expect([answer.status, answer.body.includes(message) ? message : answer.body]).toEqual([status, message]);
    expect(answer.type).toContain(path.includes('/3.0/') ? 'json' : 'xml');
  });
});

describe('rights', () => {
  let lake: LicensedLake;
  let licensed: RunningService;
  let keyless: Listening;
  beforeAll(async () => {
    lake = await openLicensedLake();
    licensed = await startService(lake.pipeline.dataDir, { now: Date.parse(NOW) });
    keyless = await serveFacade({ url: licensed.url, key: null, now: () => Date.parse(NOW) }, LOCAL);
  });
  afterAll(async () => {
    await keyless.close();
    await licensed.stop();
    await lake.remove();
  });

  it.each(VERSIONS)(
    'hold in version %s: a key finds the codes, days and counts of its own data, and no others',
    async (_, root, data, read) => {
      const saidTo = async (name: 'full' | 'free', query: string) => {
        const asking = { at: keyless, key: licensed.keys[name] };
        const rows = await dataOf(`${data}/*?${query.startsWith('mode') ? '' : query}`, asking);
        const { body } = await ask(`${root}/*?${query}`, asking);
        const [found, expected] = [read(body), saidOf(rows)];
        expect(found).toEqual({ ...expected, days: expected.days ?? found.days });
        return { found, references: (await ask(`${root}/*?references=all&${query}`, asking)).body };
      };
      for (const query of ['', 'startPeriod=2023-06', 'mode=available']) {
        const [full, free] = [await saidTo('full', query), await saidTo('free', query)];
        expect(Number(full.found.counts['obs_count'])).toBeGreaterThan(Number(free.found.counts['obs_count']));
        // Without a grant, nothing computed from a vendor's prices is shown.
        for (const { found, references } of [full, free]) {
          expect(COMPUTED.filter((id) => found.codes['INDICATOR']?.includes(id) === true)).toEqual([]);
          expect(COMPUTED.filter((id) => references.includes(`"${id}"`))).toEqual([]);
        }
        expect(full.references).toContain('"nonfarm_payrolls"');
        const [first = ''] = free.found.days ?? [];
        // The first visible period may have begun before the window: it ends in it.
        expect(first >= `${Number(WINDOW_START.slice(0, 4)) - 1}${WINDOW_START.slice(4)}`).toBe(true);
        expect(first > (full.found.days?.[0] ?? '')).toBe(true);
      }
    },
  );
});
