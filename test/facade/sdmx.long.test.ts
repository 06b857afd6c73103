// SDMX over the sample: every form says the service's values, as of any clock, and structures name every code that data have.
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { Readable } from 'node:stream';
import { text as wholeOf } from 'node:stream/consumers';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyPage, openServiceClient } from '../../src/client/service.ts';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { dataCsv, dataJson1, dataJson2, dataSpecificXml, dataXml } from '../../src/facade/sdmx/data-forms.ts';
import type { SeriesData } from '../../src/facade/sdmx/data.ts';
import { daysOf } from '../../src/facade/sdmx/periods.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { FORMULAS } from '../formulas.ts';
import { isLong } from '../suite.ts';
import { type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let facade: Listening;
let key: string;
beforeAll(async () => {
  service = await startSampleService();
  key = (await issueKey(keyFile(service.dataDir), { label: 'sdmx', tier: 'full', scopes: ['data:read'] }, Date.parse(SAMPLE_TIME))).key;
  facade = await serveFacade({ url: service.url, key, now: () => Date.parse(SAMPLE_TIME) }, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

async function ask(path: string, accept = '*/*') {
  const answer = await fetch(`http://127.0.0.1:${facade.port}${path}`, { headers: { accept } });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', body: await answer.text() };
}

async function told(path: string, accept?: string): Promise<string> {
  const { status, body } = await ask(path, accept);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body;
}

/** [period, value, known since] of each observation. */
type Triple = readonly [period: string, value: number | null, knownSince: string];

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsOf(xml: string): readonly Element[] {
  const found: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }));
  parser.write(xml).close();
  return found;
}

function ofXml(xml: string): readonly Triple[] {
  const found: { period: string; value: number | null; since: string }[] = [];
  for (const { name, attributes } of elementsOf(xml)) {
    if (name === 'gen:Obs') found.push({ period: '', value: null, since: '' });
    const last = found.at(-1);
    if (last === undefined) continue;
    if (name === 'gen:ObsDimension') last.period = attributes['value'] ?? '';
    if (name === 'gen:ObsValue') last.value = Number(attributes['value']);
    if (name === 'gen:Value' && attributes['id'] === 'TIME_PERIOD') last.period = attributes['value'] ?? '';
    if (name === 'gen:Value' && attributes['id'] === 'KNOWN_SINCE') last.since = attributes['value'] ?? '';
  }
  return found.map(({ period, value, since }) => [period, value, since]);
}

interface Json {
  readonly structure: {
    readonly dimensions: { readonly observation: readonly { readonly id: string; readonly values: readonly { readonly id: string }[] }[] };
    readonly attributes: {
      readonly observation: readonly { readonly id: string; readonly values: readonly { readonly name: string }[] }[];
    };
  };
  readonly dataSets: readonly {
    readonly validFrom?: string;
    readonly series?: Readonly<Record<string, { readonly observations: Readonly<Record<string, readonly (number | null)[]>> }>>;
    readonly observations?: Readonly<Record<string, readonly (number | null)[]>>;
  }[];
}

function ofJson(text: string): readonly Triple[] {
  const parsed = JSON.parse(text) as Json & {
    readonly data?: { readonly structures: readonly Json['structure'][]; readonly dataSets: Json['dataSets'] };
  };
  const structure = parsed.data?.structures[0] ?? parsed.structure;
  const times = structure.dimensions.observation.find(({ id }) => id === 'TIME_PERIOD')?.values ?? [];
  const since = structure.attributes.observation.findIndex(({ id }) => id === 'KNOWN_SINCE');
  return (parsed.data?.dataSets ?? parsed.dataSets).flatMap((set) =>
    [...Object.values(set.series ?? {}).map(({ observations }) => observations), set.observations ?? {}].flatMap((observations) =>
      Object.entries(observations).map(
        ([at, [value = null, ...attributes]]): Triple => [
          times[Number(at.split(':').at(-1))]?.id ?? '',
          value,
          structure.attributes.observation[since]?.values[attributes[since] ?? -1]?.name ?? '',
        ],
      ),
    ),
  );
}

function ofCsv(text: string): readonly Triple[] {
  const rows = parse<Record<string, string>>(text, { columns: true });
  return rows.map((row) => [row['TIME_PERIOD'] ?? '', row['OBS_VALUE'] === '' ? null : Number(row['OBS_VALUE']), row['KNOWN_SINCE'] ?? '']);
}

const FORMS: readonly (readonly [name: string, root: string, accept: string, read: (text: string) => readonly Triple[]])[] = [
  ['SDMX-ML 2.1', '/sdmx/2.1/data/SERIES', 'application/xml', ofXml],
  ['SDMX-JSON 1.0', '/sdmx/2.1/data/SERIES', 'application/vnd.sdmx.data+json;version=1.0.0', ofJson],
  ['SDMX-CSV 1.0', '/sdmx/2.1/data/SERIES', 'application/vnd.sdmx.data+csv', ofCsv],
  ['SDMX-JSON 2.0', '/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0', 'application/vnd.sdmx.data+json;version=2.0.0', ofJson],
  ['SDMX-CSV 2.0', '/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0', 'text/csv', ofCsv],
];
const PAYROLLS = 'M.us.nonfarm_payrolls.fred_md';
const SPRING = 'startPeriod=2020-04&endPeriod=2020-04';

describe.each(FORMS)('%s', (_, root, accept, read) => {
  it('has the value in force, and as of a day the value known then', async () => {
    const path = `${root}/${PAYROLLS}?${SPRING}`;
    expect(read(await told(path, accept))).toEqual([['2020-04', 132660, '2025-09-30T23:59:59.999Z']]);
    const june = ['2020-04', 133983, '2020-05-31T23:59:59.999Z'];
    expect(read(await told(`/at/2020-06-15${path}`, accept))).toEqual([june]);
    expect((await ask(`/at/2020-05-30${path}`, accept)).status).toBe(404);
  });

  it('has every print of a history, in the order of knowledge', async () => {
    const found = read(await told(`${root}/${PAYROLLS}?${SPRING}&includeHistory=true`, accept));
    expect(found.map(([, value]) => value)).toEqual([133983, 133589, 132660]);
  });

  it('has the rows of the service, also in a flat answer', async () => {
    const expected = await rowsOf('us_nonfarm_payrolls', 'fred_md');
    expect(expected.length).toBeGreaterThan(50);
    expect(read(await told(`${root}/${PAYROLLS}`, accept))).toEqual(expected);
    expect(read(await told(`${root}/${PAYROLLS}?dimensionAtObservation=AllDimensions`, accept))).toEqual(expected);
    const some = [...expected.slice(0, 2), ...expected.slice(-3)];
    expect(read(await told(`${root}/${PAYROLLS}?firstNObservations=2&lastNObservations=3`, accept))).toEqual(some);
    const since = expected.map(([, , known]) => known).toSorted()[Math.floor(expected.length / 2)] ?? '';
    const newer = expected.filter(([, , known]) => known > since);
    expect(newer.length).toBeGreaterThan(0);
    expect(read(await told(`${root}/${PAYROLLS}?updatedAfter=${since}`, accept))).toEqual(newer);
  });
});

async function rowsOf(indicatorId: string, sourceId: string, more = ''): Promise<readonly Triple[]> {
  const path = `/observations?indicator_id=${indicatorId}&source_id=${sourceId}&sort=period_end&limit=500${more}`;
  const { data } = (await (await service.get(path)).json()) as {
    data: { period: string; actual: number | null; observedAt: string }[];
  };
  return data.map(({ period, actual, observedAt }) => [period, actual, observedAt]);
}

describe('version 3.0', () => {
  const path = '/sdmx/3.0/data/dataflow/ASOF/SERIES/+';
  it('takes asOf, filters of dimensions, and `*` for a place of the key', async () => {
    const at = (asOf: string) => told(`${path}/${PAYROLLS}?${SPRING}&asOf=${asOf}`).then(ofJson);
    expect(await at('2020-05-31T23:59:59.999Z')).toEqual([['2020-04', 133983, '2020-05-31T23:59:59.999Z']]);
    expect(await at('2020-06-29')).toEqual([['2020-04', 133983, '2020-05-31T23:59:59.999Z']]);
    expect(await at('2020-06-30T12:00:00Z')).toEqual([['2020-04', 133983, '2020-05-31T23:59:59.999Z']]);
    // A day is its end, as under as_of and /at.
    expect(await at('2020-06-30')).toEqual([['2020-04', 133589, '2020-06-30T23:59:59.999Z']]);
    expect(ofJson(await told(`/at/2020-06-30${path}/${PAYROLLS}?${SPRING}`))).toEqual(await at('2020-06-30'));
    // A clock that stands at a day is not put forward.
    const held = ofJson(await told(`/at/2020-06-15${path}/${PAYROLLS}?${SPRING}&asOf=2024-01-01`));
    expect(held).toEqual([['2020-04', 133983, '2020-05-31T23:59:59.999Z']]);
    const filtered = `${path}/*.*.nonfarm_payrolls.*?${SPRING}&c%5BENTITY%5D=us,de&c%5BSOURCE%5D=fred_md`;
    expect(ofJson(await told(filtered))).toEqual([['2020-04', 132660, '2025-09-30T23:59:59.999Z']]);
    expect((await ask(`${path}/M.de.nonfarm_payrolls.*?c%5BENTITY%5D=us`)).status).toBe(404);
    const during = (query: string) => told(`${path}/${PAYROLLS}?${query}`, 'text/csv').then(ofCsv);
    const some = await during('startPeriod=2020-02&endPeriod=2020-04');
    expect(some.map(([period]) => period)).toEqual(['2020-02', '2020-03', '2020-04']);
    for (const range of [
      'ge:2020-02%2Ble:2020-04',
      'ge:2020-02+le:2020-04',
      'gt:2020-01+lt:2020-05',
      'lt:2020-05-01T00:00:00+gt:2020-01-31',
    ])
      expect([range, await during(`c%5BTIME_PERIOD%5D=${range}`)]).toEqual([range, some]);
    expect(await during('c%5BTIME_PERIOD%5D=ge:2020-02')).toEqual(await during('startPeriod=2020-02'));
    const entities = async (query: string) => {
      const text = await told(`${path}/M.*.consumer_confidence.*?detail=serieskeysonly${query}`, 'text/csv');
      return parse<Record<string, string>>(text, { columns: true }).map((row) => row['ENTITY'] ?? '');
    };
    const [first = '', ...others] = [...new Set(await entities(''))];
    expect(others.length).toBeGreaterThan(1);
    expect(new Set(await entities(`&c%5BENTITY%5D=${first},${others[1] ?? ''}`))).toEqual(new Set([first, others[1]]));
  });
});

describe('a clock that stands at a day', () => {
  it(`gives the same as as_of of that day, for random days and series (${isLong ? 1000 : 25})`, async () => {
    const listed = await everyPage(openServiceClient(service.url, key), '/indicators', { as_of: '2026-11-20' });
    const data = listed.data as unknown as readonly Readonly<
      Record<'indicatorId' | 'canonicalIndicatorId' | 'entityId' | 'sourceId' | 'frequency', string>
    >[];
    const letters: Readonly<Record<string, string>> = { daily: 'D', weekly: 'W', monthly: 'M', quarterly: 'Q', annual: 'A' };
    const known = data.filter(({ frequency }) => frequency in letters);
    const day = fc
      .integer({ min: Date.parse('2020-05-01') / 86_400_000, max: Date.parse('2026-11-20') / 86_400_000 })
      .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
    let withRows = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...known), day, fc.constantFrom(...FORMS), async (one, on, [, root, accept, read]) => {
        const its = `${letters[one.frequency] ?? ''}.${one.entityId}.${one.canonicalIndicatorId}.${one.sourceId}`;
        const { status, body } = await ask(`/at/${on}${root}/${its}?endPeriod=2026`, accept);
        const seen = status === 404 ? [] : read(body);
        expect([200, 404]).toContain(status);
        const query = `indicator_id=${one.indicatorId}&source_id=${one.sourceId}&as_of=${on}&sort=period_end&limit=1000000&format=ndjson`;
        const lines = (await (await service.get(`/observations?${query}`)).text()).split('\n').filter(Boolean);
        const rows = lines.map((line) => JSON.parse(line) as { period: string; actual: number | null; observedAt: string });
        // A series of which no value is known yet is none to a client.
        const isNone = status === 404 && rows.every(({ actual }) => actual === null);
        expect(seen).toEqual(isNone ? [] : rows.map(({ period, actual, observedAt }): Triple => [period, actual, observedAt]));
        if (seen.length > 0) withRows += 1;
      }),
      { numRuns: isLong ? 1000 : 25 },
    );
    expect(withRows).toBeGreaterThan(isLong ? 200 : 1);
  });
});

describe('series without their observations', () => {
  const keysOf = async (query: string, at = '') =>
    elementsOf(await told(`${at}/sdmx/2.1/data/SERIES/${PAYROLLS}?detail=serieskeysonly${query}`)).filter(
      ({ name }) => name === 'gen:SeriesKey',
    ).length;

  it('are returned for a history too', async () => {
    expect([await keysOf(''), await keysOf('&includeHistory=true')]).toEqual([1, 1]);
  });

  it('are only those with data in the requested time', async () => {
    expect(await keysOf('&startPeriod=2020&updatedAfter=2020-01-01')).toBe(1);
    for (const query of ['startPeriod=2090', 'endPeriod=1990', 'updatedAfter=2026-11-20'])
      expect((await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}?detail=nodata&${query}`)).status).toBe(404);
    expect((await ask(`/at/2020-06-15/sdmx/2.1/data/SERIES/${PAYROLLS}?detail=nodata&startPeriod=2020-05`)).status).toBe(404);
  });

  it('are refused in a flat answer, with the reason', async () => {
    for (const detail of ['serieskeysonly', 'nodata']) {
      const { status, body } = await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}?dimensionAtObservation=AllDimensions&detail=${detail}`);
      expect([status, body]).toEqual([400, expect.stringContaining(`A flat answer cannot have detail ${detail}`)]);
    }
  });
});

describe('data shaped by their structure', () => {
  const SPECIFIC = 'application/vnd.sdmx.structurespecificdata+xml;version=2.1';
  /** Of each observation its key, its attributes and the first moment at which its set was valid. */
  function observationsOf(xml: string, isFlat: boolean): readonly Readonly<Record<string, string>>[] {
    let [series, from]: [Readonly<Record<string, string>>, string] = [{}, ''];
    return elementsOf(xml).flatMap(({ name, attributes }) => {
      if (name === 'mes:DataSet') from = attributes['ss:validFromDate'] ?? '';
      if (name === 'Series') series = attributes;
      return name === 'Obs' ? [{ ...(isFlat ? {} : series), ...attributes, from }] : [];
    });
  }

  it.each(['', '&includeHistory=true', '&dimensionAtObservation=AllDimensions', '&lastNObservations=2'])(
    'equals SDMX-CSV for the same question%s',
    async (more) => {
      const path = `/sdmx/2.1/data/SERIES/M.us.nonfarm_payrolls.?${SPRING}${more}`;
      const { status, type, body } = await ask(path, SPECIFIC);
      expect([status, type]).toEqual([200, SPECIFIC]);
      const isFlat = more.includes('AllDimensions');
      const found = observationsOf(body, isFlat).map(({ from: _, ...one }) => one);
      const rows = parse<Record<string, string>>(await told(path, 'application/vnd.sdmx.data+csv;version=1.0.0'), { columns: true });
      const expected = rows.map(({ DATAFLOW: _, OBS_VALUE: value = '', ...row }) => ({
        ...row,
        ...(value === '' ? {} : { OBS_VALUE: value }),
      }));
      const inOrder = (all: readonly object[]) =>
        all.map((one) => JSON.stringify(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
      expect(inOrder(found)).toEqual(inOrder(expected));
      expect(found.length).toBeGreaterThan(0);
    },
  );

  it('has the time at which each set of a history became known', async () => {
    const { body } = await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}?${SPRING}&includeHistory=true`, SPECIFIC);
    const found = observationsOf(body, false);
    expect(found.map((one) => one['from'])).toEqual(found.map((one) => one['KNOWN_SINCE']));
  });

  it('are not written in version 3.0', async () => {
    expect((await ask(`/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/${PAYROLLS}`, SPECIFIC)).status).toBe(406);
  });
});

describe('input of clients', () => {
  it('may have the key in either header, for each protocol', async () => {
    const keyless = await serveFacade({ url: service.url, key: null, now: () => Date.parse(SAMPLE_TIME) }, { host: '127.0.0.1', port: 0 });
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await fetch(`http://127.0.0.1:${keyless.port}${path}`, { headers })).status;
    for (const [path, refused] of [
      ['/fred/series?series_id=PAYEMS&file_type=json', 400],
      ['/graph/fredgraph.csv?id=PAYEMS', 400],
      [`/sdmx/2.1/data/SERIES/${PAYROLLS}`, 401],
      [`/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/${PAYROLLS}`, 401],
      ['/openbb/calendar?limit=1', 400],
    ] as const) {
      const sent = [
        {},
        { 'x-api-key': key },
        { authorization: `Bearer ${key}` },
        { authorization: 'Bearer asof_none' },
        { authorization: 'Basic YTpi' },
      ];
      expect([path, await Promise.all(sent.map((headers) => statusOf(path, headers)))]).toEqual([
        path,
        [refused, 200, 200, refused, refused],
      ]);
    }
    await keyless.close();
  });

  it('is True and False as Python writes them', async () => {
    const asked = (flag: string) => told(`/sdmx/2.1/data/SERIES/${PAYROLLS}?${SPRING}&includeHistory=${flag}&format=csv`);
    expect([await asked('True'), await asked('False')]).toEqual([await asked('true'), await asked('false')]);
    expect((await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}?includeHistory=yes`)).status).toBe(400);
    const dates = (flag: string) => told(`/fred/release/dates?release_id=50&include_release_dates_with_no_data=${flag}`);
    expect(await dates('True')).toBe(await dates('true'));
  });

  it('may ask for all series by an empty key, and gets each with its values', async () => {
    const keys = elementsOf(await told('/sdmx/2.1/data/SERIES?detail=serieskeysonly')).filter(({ name }) => name === 'gen:SeriesKey');
    expect(keys.length).toBeGreaterThan(500);
    const listed = await everyPage(openServiceClient(service.url, key), '/indicators', {});
    const counts = new Map(listed.data.map((row) => [`${String(row['indicatorId'])} ${String(row['sourceId'])}`, row['observationCount']]));
    const seen = new Map<string, number>();
    for (const path of [
      '/sdmx/2.1/data/SERIES',
      '/sdmx/2.1/data/SERIES/all',
      '/sdmx/2.1/data/SERIES/...',
      '/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*',
    ]) {
      const rows = parse<Record<string, string>>(await told(path, 'text/csv'), { columns: true });
      seen.clear();
      for (const { ENTITY, INDICATOR, SOURCE } of rows) {
        const of = `${ENTITY}_${INDICATOR} ${SOURCE}`;
        seen.set(of, (seen.get(of) ?? 0) + 1);
      }
      expect([path, seen.size]).toEqual([path, keys.length]);
      for (const [of, count] of seen) expect([of, count]).toEqual([of, counts.get(of)]);
    }
    const recent = await told('/sdmx/2.1/data/SERIES?detail=serieskeysonly&startPeriod=2026-06');
    const then = elementsOf(recent).filter(({ name }) => name === 'gen:SeriesKey').length;
    const since = await everyPage(openServiceClient(service.url, key), '/indicators', {});
    expect(then).toBeGreaterThan(100);
    expect(then).toBeLessThan(keys.length);
    expect(then).toBeLessThanOrEqual(since.data.filter((row) => String(row['latestPeriodEnd']) >= '2026-06-01').length);
    // Every form has them all.
    const triples = ofCsv(await told('/sdmx/2.1/data/SERIES?startPeriod=2026-06', 'text/csv'));
    for (const [, root, accept, read] of FORMS)
      for (const flat of ['', '&dimensionAtObservation=AllDimensions']) {
        const found = read(await told(`${root}/${root.includes('3.0') ? '*' : 'all'}?startPeriod=2026-06${flat}`, accept));
        expect([accept, found.length]).toEqual([accept, triples.length]);
        // The order of columns in SDMX-JSON is that of the values in use.
        const inOrder = (all: readonly Triple[]) => all.map((one) => one.join(' ')).toSorted();
        expect(inOrder(found)).toEqual(inOrder(triples));
      }
  });

  it('gets a history of all series as CSV, and is told so for forms that sort it', async () => {
    const rows = ofCsv(await told('/sdmx/2.1/data/SERIES?includeHistory=true&startPeriod=2026-06', 'text/csv'));
    expect(rows.length).toBeGreaterThan(ofCsv(await told('/sdmx/2.1/data/SERIES?startPeriod=2026-06', 'text/csv')).length);
    const { status, body } = await ask('/sdmx/2.1/data/SERIES/all?includeHistory=true');
    expect([status, body]).toEqual([
      413,
      expect.stringContaining('the limit of a history is 500. Fill more places of the key, or use format=csv'),
    ]);
  });

  it('gets no body for HEAD, and can leave an answer midway', async () => {
    const address = `http://127.0.0.1:${facade.port}/sdmx/2.1/data/SERIES`;
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (let i = 0; i < 3; i++) {
      const leaving = new AbortController();
      const answer = await fetch(address, { signal: leaving.signal });
      await answer.body?.getReader().read();
      leaving.abort();
    }
    expect((await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}`)).status).toBe(200);
  });
});

describe('structures', () => {
  it('and data of SDMX-JSON 2.0 begin with the schema, which readers check', async () => {
    for (const [path, of] of [
      ['/sdmx/3.0/structure/dataflow/ASOF/SERIES', 'structure'],
      [`/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/${PAYROLLS}`, 'data'],
    ] as const)
      expect((await told(path)).slice(0, 350)).toContain(`2.0.0/sdmx-json-${of}-schema.json"`);
  });

  it('name each code of each key once, in both versions', async () => {
    const xml = elementsOf(await told('/sdmx/2.1/dataflow/ASOF/SERIES/latest?references=descendants'));
    const inXml = xml.filter(({ name }) => name === 'str:Code').map(({ attributes }) => attributes['id']);
    const { data } = JSON.parse(await told('/sdmx/3.0/structure/dataflow/ASOF/SERIES/1.0.0?references=all')) as {
      data: {
        dataflows: { id: string }[];
        dataStructures: { dataStructureComponents: { dimensionList: { dimensions: { id: string }[] } } }[];
        codelists: { id: string; codes: { id: string }[] }[];
      };
    };
    expect(data.codelists.flatMap(({ codes }) => codes.map(({ id }) => id))).toEqual(inXml);
    expect(data.dataflows.map(({ id }) => id)).toEqual(['SERIES']);
    expect(data.dataStructures[0]?.dataStructureComponents.dimensionList.dimensions.map(({ id }) => id)).toEqual([
      'FREQ',
      'ENTITY',
      'INDICATOR',
      'SOURCE',
    ]);
    for (const [place, id] of ['M', 'us', 'nonfarm_payrolls', 'fred_md'].entries()) {
      const codes = data.codelists[place]?.codes.map((code) => code.id) ?? [];
      expect(codes.filter((code) => code === id)).toEqual([id]);
      expect(codes).toEqual([...new Set(codes)]);
    }
  });

  it('are only the requested ones', async () => {
    const lists = elementsOf(await told('/sdmx/2.1/codelist/ASOF/CL_FREQ')).filter(({ name }) => name === 'str:Codelist');
    expect(lists.map(({ attributes }) => attributes['id'])).toEqual(['CL_FREQ']);
  });

  it('can be several of a kind, or all of every kind', async () => {
    const names = async (path: string) =>
      elementsOf(await told(path)).flatMap(({ name, attributes }) => (name.startsWith('str:') ? [attributes['id']] : []));
    const two = await names('/sdmx/2.1/codelist/ASOF/CL_FREQ+CL_SOURCE');
    expect(two.filter((id) => id?.startsWith('CL_'))).toEqual(['CL_FREQ', 'CL_SOURCE']);
    const data = async (path: string) =>
      (JSON.parse(await told(path)) as { data: Readonly<Record<string, readonly { id: string }[]>> }).data;
    expect((await data('/sdmx/3.0/structure/codelist/ASOF/CL_FREQ,CL_SOURCE'))['codelists']?.map(({ id }) => id)).toEqual([
      'CL_FREQ',
      'CL_SOURCE',
    ]);
    const all = ['agencySchemes', 'dataflows', 'codelists', 'conceptSchemes', 'dataStructures'];
    for (const path of ['structure/*/*/*/*', 'structure']) expect(Object.keys(await data(`/sdmx/3.0/${path}`))).toEqual(all);
    expect(Object.keys(await data('/sdmx/3.0/structure/*/ASOF/SERIES'))).toEqual(['dataflows', 'dataStructures']);
    // The schema fixes this version.
    expect((await data('/sdmx/3.0/structure/agencyscheme'))['agencySchemes']).toMatchObject([{ version: '1.0' }]);
    expect(new Set(await names('/sdmx/2.1/structure/all/all'))).toEqual(
      new Set(['AGENCIES', 'ASOF', ...(await names('/sdmx/2.1/dataflow?references=descendants'))]),
    );
  });

  it.each([
    ['codelist/ASOF/CL_FREQ', 'none', []],
    ['codelist/ASOF/CL_FREQ', 'parents', ['dataStructures']],
    ['codelist/ASOF/CL_FREQ', 'ancestors', ['dataflows', 'dataStructures']],
    ['codelist/ASOF/CL_FREQ', 'parentsandsiblings', ['conceptSchemes', 'dataStructures']],
    ['dataflow/ASOF/SERIES', 'children', ['dataStructures']],
    ['dataflow/ASOF/SERIES', 'conceptscheme', ['conceptSchemes']],
    ['dataflow/ASOF/SERIES', 'conceptscheme,codelist', ['codelists', 'conceptSchemes']],
    ['datastructure/ASOF/SERIES', 'all', ['dataflows', 'codelists', 'conceptSchemes']],
    ['datastructure/ASOF/SERIES', 'agencyscheme', []],
  ])('come with their references: %s, %s', async (path, references, others) => {
    const { data } = JSON.parse(await told(`/sdmx/3.0/structure/${path}?references=${references}`)) as { data: object };
    const own = { codelist: 'codelists', dataflow: 'dataflows', datastructure: 'dataStructures' }[path.split('/')[0] ?? ''];
    expect(new Set(Object.keys(data))).toEqual(new Set([own, ...others]));
  });

  it('are stubs on request: all, or only the referenced ones', async () => {
    const path = '/sdmx/2.1/datastructure/ASOF/SERIES?references=all';
    const bare = (xml: string) =>
      elementsOf(xml).flatMap(({ name, attributes }) =>
        attributes['isExternalReference'] === 'true' ? [`${name} ${attributes['id']}`] : [],
      );
    const lists = ['FREQ', 'ENTITY', 'INDICATOR', 'SOURCE', 'OBS_STATUS'].map((id) => `str:Codelist CL_${id}`);
    const others = ['str:Dataflow SERIES', ...lists, 'str:ConceptScheme CONCEPTS'];
    expect(bare(await told(path))).toEqual([]);
    for (const detail of ['allstubs', 'allcompletestubs']) {
      const xml = await told(`${path}&detail=${detail}`);
      expect(bare(xml)).toEqual([...others, 'str:DataStructure SERIES']);
      expect(xml).not.toMatch(/<str:(Code|Concept|Dimension|Structure) /);
    }
    for (const detail of ['referencestubs', 'referencecompletestubs']) {
      const xml = await told(`${path}&detail=${detail}`);
      expect(bare(xml)).toEqual(others);
      expect(xml).toMatch(/<str:Dimension /);
    }
    // Every code and concept is in use, and no codelist extends another.
    for (const detail of ['full', 'referencepartial', 'raw']) expect(await told(`${path}&detail=${detail}`)).toBe(await told(path));
    const { data } = JSON.parse(await told('/sdmx/3.0/structure/dataflow?detail=allcompletestubs')) as { data: { dataflows: object[] } };
    expect(data.dataflows).toEqual([
      {
        id: 'SERIES',
        agencyID: 'ASOF',
        version: '1.0.0',
        name: expect.any(String),
        names: { en: expect.any(String) },
        isExternalReference: true,
      },
    ]);
  });

  it('show as of a day the codes of that time', async () => {
    const sources = async (at: string) =>
      elementsOf(await told(`${at}/sdmx/2.1/codelist/ASOF/CL_INDICATOR`)).filter(({ name }) => name === 'str:Code').length;
    expect(await sources('/at/2000-01-31')).toBeLessThan(await sources(''));
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    ['/sdmx/2.1/data/NOPE/all', 404, 'Unknown dataflow NOPE'],
    ['/sdmx/2.1/data/SERIES/M.us', 400, 'has 2 places. Write 4: FREQ.ENTITY.INDICATOR.SOURCE'],
    ['/sdmx/2.1/data/SERIES/M.us.nope.', 404, 'No series has this key'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?startperiod=2020`, 400, 'Unknown parameter startperiod'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?startPeriod=2020-13`, 400, 'startPeriod is not an SDMX period'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?asOf=2020-01-01`, 400, 'asOf belongs to version 3.0'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?includeHistory=true&lastNObservations=1`, 400, 'cannot be combined with includeHistory'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?lastNObservations=1&lastNObservations=2`, 400, 'more than once'],
    ['/sdmx/2.1/data/SERIES/all?includeHistory=true', 413, 'the limit of a history is 500'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BOBS_STATUS%5D=A', 400, 'You cannot filter by OBS_STATUS'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BTIME_PERIOD%5D=2020', 400, 'takes one range of periods'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BTIME_PERIOD%5D=ge:2020,ge:2021', 400, 'takes one range of periods'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BTIME_PERIOD%5D=ge:2020%2Bgt:2021', 400, 'takes one range of periods'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BTIME_PERIOD%5D=gt:9999', 400, 'takes one range of periods'],
    ['/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/*?c%5BTIME_PERIOD%5D=ge:2020&endPeriod=2021', 400, 'cannot be combined with startPeriod'],
    ['/sdmx/3.0/data/provisionagreement/ASOF/SERIES/1.0.0/*', 501, 'Not implemented'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}/ASOF/more`, 400, 'The address has too many parts'],
    ['/sdmx/2.1/hierarchicalcodelist/ASOF', 501, 'Not implemented'],
    ['/sdmx/3.0/schema/dataflow/ASOF/SERIES', 501, 'Use structure, data or availability'],
    ['/sdmx/2.1/codelist/ASOF?detail=some', 400, 'The parameter detail must be full, allstubs'],
    ['/sdmx/2.1/codelist/ASOF?references=categorisation', 400, 'The parameter references must be none, parents'],
    ['/sdmx/2.1/codelist/ASOF/CL_FREQ/1.0/M', 501, 'Not implemented: M by itself'],
    ['/sdmx/2.1/codelist/ASOF/CL_FREQ/1.0/all/more', 400, 'The address has too many parts'],
    ['/sdmx/2.1/codelist/ASOF/CL_NOPE', 404, 'Unknown codelist CL_NOPE'],
    ['/sdmx/2.1/codelist/ASOF/CL_FREQ+CL_NOPE', 404, 'Unknown codelist CL_NOPE'],
    ['/sdmx/3.0/structure/*/ASOF/NOPE', 404, 'Unknown structure NOPE'],
    [`/sdmx/2.1/data/SERIES/${PAYROLLS}?format=pdf`, 406, 'Not acceptable'],
  ])('%s: %i, %s', async (path, status, message) => {
    const answer = await ask(path);
    expect([answer.status, answer.body.includes(message) ? message : answer.body]).toEqual([status, message]);
    expect(answer.type).toContain(path.includes('/3.0/') ? 'json' : 'xml');
  });

  it('gets its error in the requested form', async () => {
    const shaped = 'application/vnd.sdmx.structurespecifictimeseriesdata+xml;version=2.1';
    const path = `/sdmx/2.1/data/SERIES/${PAYROLLS}?${SPRING}`;
    const alone = await ask(path, shaped);
    expect([alone.status, alone.body]).toEqual([406, expect.stringContaining('Not acceptable')]);
    expect((await ask(path, `${shaped}, application/vnd.sdmx.genericdata+xml;version=2.1`)).type).toContain('genericdata+xml');
    expect((await ask(path, `${shaped}, */*;q=0.1`)).status).toBe(200);
  });

  it('gets its error in the requested version of a form', async () => {
    const [two, three] = [`/sdmx/2.1/data/SERIES/${PAYROLLS}?${SPRING}`, `/sdmx/3.0/data/dataflow/ASOF/SERIES/1.0.0/${PAYROLLS}?${SPRING}`];
    const form = (name: string, version: string) => `application/vnd.sdmx.${name};version=${version}`;
    for (const [path, name, version, status] of [
      [two, 'data+json', '1.0.0', 200],
      [two, 'data+json', '2.0.0', 406],
      [two, 'data+csv', '1.0.0', 200],
      [two, 'data+csv', '2.0.0', 406],
      [two, 'genericdata+xml', '2.1', 200],
      [two, 'genericdata+xml', '2.0', 406],
      [three, 'data+json', '2.0.0', 200],
      [three, 'data+json', '1.0.0', 406],
      [three, 'data+csv', '2.0.0', 200],
      [three, 'data+csv', '1.0.0', 406],
    ] as const) {
      const answer = await ask(path, form(name, version));
      expect([name, version, answer.status, answer.type.startsWith(form(name, version))]).toEqual([name, version, status, status === 200]);
    }
    expect((await ask(two, `${form('data+json', '2.0.0')}, ${form('data+csv', '1.0.0')};q=0.5`)).type).toContain('data+csv');
  });

  it('reports a wrong key', async () => {
    expect((await ask(`/sdmx/2.1/data/SERIES/${PAYROLLS}?api_key=asof_none`)).status).toBe(401);
  });

  it(`is never an internal error of the facade (${isLong ? 2000 : 200} questions)`, async () => {
    const part = fc.constantFrom(
      '',
      'all',
      '*',
      'M',
      'us',
      'us+de',
      'nonfarm_payrolls',
      'fred',
      '..',
      '%00',
      '%FF',
      "'",
      'ä',
      'x'.repeat(300),
    );
    const name = fc.constantFrom(
      'startPeriod',
      'endPeriod',
      'updatedAfter',
      'firstNObservations',
      'detail',
      'references',
      'asOf',
      'format',
      'mode',
      'c%5BFREQ%5D',
      'c%5BTIME_PERIOD%5D',
      'c%5B%5D',
      'includeHistory',
      'dimensionAtObservation',
      '__proto__',
    );
    const value = fc.constantFrom(
      '',
      '2020',
      '2020-W53',
      '0000',
      '-1',
      'true',
      'full',
      'AllDimensions',
      'serieskeysonly',
      'available',
      'ge:2020',
      'csv',
      'json',
      'xml',
      '%00',
      '9'.repeat(40),
      '2020-01-01T00:00:00+25:00',
    );
    const asked = fc.record({
      at: fc.constantFrom('', '', '/at/2020-06-15'),
      root: fc.constantFrom(
        '/sdmx/2.1/data/SERIES',
        '/sdmx/2.1/data',
        '/sdmx/3.0/data/dataflow/ASOF/SERIES/*',
        '/sdmx/2.1/availableconstraint/SERIES',
        '/sdmx/3.0/availability/dataflow/ASOF/SERIES/*',
        '/sdmx/2.1/codelist',
        '/sdmx/3.0/structure/dataflow',
        '/sdmx/3.0',
        '/sdmx/2.1',
      ),
      key: fc.oneof(
        fc.constant(PAYROLLS),
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
      ),
      query: fc.array(fc.tuple(name, value), { maxLength: 3 }),
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(asked, async ({ at, root, key: wanted, query }) => {
        const path = `${at}${root}/${wanted}?${query.map(([one, given]) => `${one}=${given}`).join('&')}`;
        const { status, body } = await fetch(`http://127.0.0.1:${facade.port}${path}`);
        // An empty key means every series.
        await body?.cancel();
        statuses.add(status);
        expect(status === 501 || status < 500).toBe(true);
      }),
      { numRuns: isLong ? 2000 : 200, seed: 20_261_123 },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  });
});

describe('a value that was withdrawn', () => {
  const entry = {
    id: 'x',
    indicatorId: 'x',
    canonicalId: 'x',
    entityId: 'us',
    sourceId: 's',
    title: 'Prices, "all" <urban> & rural',
    frequency: 'monthly',
    unit: 'index',
    seasonalAdjustment: '',
    category: 'prices',
    subCategory: null,
    firstPeriodEnd: '',
    latestPeriodEnd: '',
    notes: '',
    observationCount: 2,
    vintageCount: 2,
  } as const;
  const observations = [
    {
      period: '2020-01',
      periodEnd: '2020-01-31',
      value: null,
      knownSince: '2020-02-01T00:00:00.000Z',
      vintage: '2020-02-01',
      obsStatus: null,
    },
    {
      period: '2020-02',
      periodEnd: '2020-02-29',
      value: 0,
      knownSince: '2020-03-01T00:00:00.000Z',
      vintage: 'pseudo:2020-03-01',
      obsStatus: null,
    },
  ];
  const question = { includeHistory: false, detail: 'full', dimensionAtObservation: 'TIME_PERIOD' } as const;
  const messageOf = (series: readonly SeriesData[]) => ({ question, sets: [{ validFrom: null, series }], prepared: SAMPLE_TIME });
  const message = messageOf([{ entry, key: ['M', 'us', 'x', 's'], observations }]);
  const whole = (parts: AsyncIterable<string>) => wholeOf(Readable.from(parts));
  const expected = observations.map(({ period, value, knownSince }): Triple => [period, value, knownSince]);

  it('is missing in every form, and never zero', async () => {
    expect([
      ofXml(await whole(dataXml(message))),
      ofJson(await whole(dataJson1(message))),
      ofJson(await whole(dataJson2(message))),
    ]).toEqual([expected, expected, expected]);
    expect([ofCsv(await whole(dataCsv(message, 1))), ofCsv(await whole(dataCsv(message, 2)))]).toEqual([expected, expected]);
    const statuses = elementsOf(await whole(dataXml(message))).filter(({ attributes }) => attributes['id'] === 'OBS_STATUS');
    expect(statuses.map(({ attributes }) => attributes['value'])).toEqual(['O', 'A']);
    const rows = parse<Record<string, string>>(await whole(dataCsv(message, 2)), { columns: true });
    expect(rows.map((row) => [row['OBS_STATUS'], row['TITLE'], row['VINTAGE']])).toEqual([
      ['O', entry.title, '2020-02-01'],
      ['A', entry.title, 'pseudo:2020-03-01'],
    ]);
  });

  it('has the flag of its publisher as OBS_STATUS in every form, or a flag for missing values', async () => {
    const flagged = [
      { ...observations[1], period: '2020-03', value: 1, obsStatus: 'P' },
      { ...observations[1], period: '2020-04', value: null, obsStatus: 'Q' },
      { ...observations[1], period: '2020-05', value: null, obsStatus: 'P' },
      { ...observations[1], period: '2020-06', value: 2, obsStatus: 'B' },
    ].map((one) => ({ periodEnd: '2020-06-30', knownSince: '2020-07-01T00:00:00.000Z', vintage: '2020-07-01', ...one }));
    const own = messageOf([{ entry, key: ['M', 'us', 'x', 's'], observations: flagged }]);
    const wanted = ['P', 'Q', 'O', 'B'];
    for (const version of [1, 2] as const) {
      const rows = parse<Record<string, string>>(await whole(dataCsv(own, version)), { columns: true });
      expect(rows.map((row) => row['OBS_STATUS'])).toEqual(wanted);
    }
    const generic = elementsOf(await whole(dataXml(own))).filter(({ attributes }) => attributes['id'] === 'OBS_STATUS');
    expect(generic.map(({ attributes }) => attributes['value'])).toEqual(wanted);
    const specific = elementsOf(await whole(dataSpecificXml(own))).filter(({ name }) => name === 'Obs');
    expect(specific.map(({ attributes }) => attributes['OBS_STATUS'])).toEqual(wanted);
    for (const write of [dataJson1, dataJson2]) {
      const parsed = JSON.parse(await whole(write(own))) as Json & {
        data?: { structures: readonly Json['structure'][]; dataSets: Json['dataSets'] };
      };
      const { attributes } = parsed.data?.structures[0] ?? parsed.structure;
      const place = attributes.observation.findIndex(({ id }) => id === 'OBS_STATUS');
      const codes = attributes.observation[place]?.values as readonly { readonly id?: string }[];
      const found = (parsed.data?.dataSets ?? parsed.dataSets).flatMap(({ series = {} }) =>
        Object.values(series).flatMap(({ observations: all }) => Object.values(all).map((one) => codes[one[place + 1] ?? -1]?.id)),
      );
      expect(found).toEqual(wanted);
    }
  });

  it('leaves no formula in SDMX-CSV, only numbers', async () => {
    for (const version of [1, 2] as const) {
      const titled = FORMULAS.map((title) => ({ entry: { ...entry, title, unit: title }, key: ['M', 'us', 'x', 's'], observations }));
      const lost = [
        {
          period: '2020-01',
          periodEnd: '2020-01-31',
          value: -5,
          knownSince: '2020-02-01T00:00:00.000Z',
          vintage: '2020-02-01',
          obsStatus: null,
        },
      ];
      const text = await whole(dataCsv(messageOf([...titled, { entry, key: ['M', 'us', 'x', 's'], observations: lost }]), version));
      const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
      expect(rows.slice(0, -1).map((row) => [row['TITLE'], row['UNIT']])).toEqual(
        FORMULAS.flatMap((one) => observations.map(() => [`'${one}`, `'${one}`])),
      );
      expect(rows.at(-1)?.['OBS_VALUE']).toBe('-5');
    }
  });

  it('has title and unit in a flat answer too', async () => {
    const flat = { ...message, question: { ...question, dimensionAtObservation: 'AllDimensions' } as const };
    const given = elementsOf(await whole(dataXml(flat))).filter(
      ({ attributes }) => attributes['id'] === 'UNIT' || attributes['id'] === 'TITLE',
    );
    expect(given.map(({ attributes }) => attributes['value'])).toEqual([entry.title, 'index', entry.title, 'index']);
    for (const write of [dataJson1, dataJson2]) {
      const parsed = JSON.parse(await whole(write(flat))) as Json & {
        data?: { structures: readonly Json['structure'][]; dataSets: Json['dataSets'] };
      };
      const { attributes } = parsed.data?.structures[0] ?? parsed.structure;
      const [set] = parsed.data?.dataSets ?? parsed.dataSets;
      for (const [id, value] of [
        ['UNIT', 'index'],
        ['TITLE', entry.title],
      ] as const) {
        const place = attributes.observation.findIndex((one) => one.id === id);
        const named = Object.values(set?.observations ?? {}).map(
          (own) => attributes.observation[place]?.values[own[place + 1] ?? -1]?.name,
        );
        expect([id, named]).toEqual([id, [value, value]]);
      }
    }
  });

  it('has no attributes if only data is requested', async () => {
    const bare = { ...message, question: { ...question, detail: 'dataonly' } as const };
    const text = [
      await whole(dataXml(bare)),
      await whole(dataJson1(bare)),
      await whole(dataJson2(bare)),
      await whole(dataCsv(bare, 1)),
    ].join('');
    for (const name of ['OBS_STATUS', 'KNOWN_SINCE', 'urban']) expect(text).not.toContain(name);
  });
});

describe('a period', () => {
  it.each([
    ['2020', '2020-01-01', '2020-12-31'],
    ['2020-A1', '2020-01-01', '2020-12-31'],
    ['2020-S2', '2020-07-01', '2020-12-31'],
    ['2020-Q1', '2020-01-01', '2020-03-31'],
    ['2020-02', '2020-02-01', '2020-02-29'],
    ['2020-M02', '2020-02-01', '2020-02-29'],
    // ISO 8601: 2020 has 53 weeks, and the first of 2021 begins on 4 January.
    ['2020-W53', '2020-12-28', '2021-01-03'],
    ['2021-W01', '2021-01-04', '2021-01-10'],
    ['2020-02-29', '2020-02-29', '2020-02-29'],
    ['2020-02-29T12:00:00', '2020-02-29', '2020-02-29'],
  ])('%s is from %s to %s', (period, first, last) => {
    expect(daysOf(period)).toEqual([first, last]);
  });

  it.each(['', '2020-13', '2020-Q5', '2020-S3', '2020-W54', '2021-W53', '2020-W00', '2020-M13', '2020-02-30', '20', 'Q1-2020'])(
    '%s is refused',
    (period) => {
      expect(daysOf(period)).toBeNull();
    },
  );
});
