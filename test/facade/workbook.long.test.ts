// Workbooks of the sample's answers, read back by a second reader; and of a server that answers as no sample does.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parametersOf } from '../../jobs/exporting/parameters.ts';
import { type WorkbookRoute, workbookOf } from '../../src/facade/workbook/workbook.ts';
import { type RunningService, startSampleService } from '../service.ts';
import { type Cell, readWorkbook } from './read-workbook.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

type Row = Readonly<Record<string, unknown>>;
type Given = Readonly<Record<string, string>>;

async function exported(route: WorkbookRoute, parameters: Given, { key = service.keys.data, hasFiles = true } = {}) {
  const workbook = await workbookOf({ url: service.url, key }, { route, parameters, hasFiles });
  const sheets = await readWorkbook(workbook.bytes);
  return { ...workbook, names: Object.keys(sheets), rows: Object.values(sheets)[0] ?? [], lines: sheets['Provenance'] ?? [] };
}

async function answered(route: WorkbookRoute, parameters: Given): Promise<readonly Row[]> {
  const answer = await service.get(`/${route}?${new URLSearchParams({ ...parameters, format: 'ndjson', limit: '100000' }).toString()}`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Row);
}

const DATED = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/;
const LABELS = new Set(['period', 'vintage', 'ceasedFinalPeriod']);

/** The cell that a field of an answer should be. */
function expectedCell(name: string, value: unknown): Cell {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' && DATED.test(value) && !LABELS.has(name) ? new Date(value) : (value as Cell);
}

function expectedRow(row: Row): Readonly<Record<string, Cell>> {
  const { rights, ...rest } = row;
  const inner = Object.entries((rights ?? {}) as Row).map(([name, value]) => [`rights.${name}`, value] as const);
  return Object.fromEntries([...Object.entries(rest), ...inner].map(([name, value]) => [name, expectedCell(name, value)]));
}

const PANEL = { factor: 'unemployment_rate,cpi_inflation_yoy', country: 'US,DE', from: '2020-01-01', to: '2020-12-31' };

describe('a workbook', () => {
  it.each([
    ['panels', PANEL],
    ['panels', { ...PANEL, every: 'change', at: undefined }],
    ['observations', { indicator_id: 'us_nonfarm_payrolls', as_of: '2020-06-30' }],
    ['observations', { entity: 'us', start_date: '2026-08-01', vintage: 'all' }],
  ] as const)('of /%s %j has each value of the answer, as a number, a date or a text', async (route, given) => {
    const parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
    const expected = await answered(route, parameters);
    expect(expected.length).toBeGreaterThan(10);
    const { names, rows } = await exported(route, parameters, { hasFiles: expected.length < 50 });
    expect(names).toEqual([route === 'panels' ? 'Panel' : 'Observations', 'Provenance']);
    expect(rows).toEqual(expected.map(expectedRow));
  });

  it('names on its second sheet each file behind its rows, as /provenance does', async () => {
    const { rows, lines, files, snapshotId } = await exported('panels', PANEL);
    const expected = new Map<string, { rows: number; retrievedAt: string }>();
    for (const { observationId, indicatorId } of rows) {
      for (const { sha256, retrievedAt } of await payloadsOf(String(observationId))) {
        const key = `${String(indicatorId)} ${sha256}`;
        expected.set(key, { rows: (expected.get(key)?.rows ?? 0) + 1, retrievedAt });
      }
    }
    const found = lines.map((line) => [
      `${String(line['indicatorId'])} ${String(line['sha256'])}`,
      { rows: line['rows'], retrievedAt: (line['retrievedAt'] as Date).toISOString() },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(files).toBe(new Set(lines.map((line) => line['sha256'])).size);
    expect(new Set(lines.map((line) => line['snapshotId']))).toEqual(new Set([snapshotId]));
    expect(lines[0]).toMatchObject({
      publisher: 'Federal Reserve Bank of St. Louis',
      sourceId: 'fred_md',
      request: '/panels?factor=unemployment_rate,cpi_inflation_yoy&country=US,DE&from=2020-01-01&to=2020-12-31',
    });
  });

  /** The files of an observation, or of the inputs that it was computed from. */
  async function payloadsOf(observationId: string): Promise<readonly { sha256: string; retrievedAt: string }[]> {
    const { data } = (await (await service.get(`/provenance/observations/${observationId}`)).json()) as {
      data: { rawPayload: { sha256: string; retrievedAt: string } | null; inputs: readonly { observationId: string }[] };
    };
    if (data.rawPayload !== null) return [data.rawPayload];
    const all = (await Promise.all(data.inputs.map((input) => payloadsOf(input.observationId)))).flat();
    return [...new Map(all.map((one) => [one.sha256, one])).values()];
  }

  it('keeps the columns that you ask for', async () => {
    const { rows, lines } = await exported('panels', { ...PANEL, columns: 'date,entity_id,value' });
    expect(Object.keys(rows[0] ?? {})).toEqual(['date', 'entityId', 'value']);
    expect(lines.map((line) => line['sha256'])).not.toContain(null);
  });

  it('shows a free key only what its tier allows', async () => {
    const asked = { indicator_id: 'us_nonfarm_payrolls', columns: 'periodEnd,actual' };
    const free = await exported('observations', asked, { key: service.keys.free, hasFiles: false });
    const full = await exported('observations', asked, { hasFiles: false });
    expect(free.rows.length).toBeLessThan(full.rows.length);
    expect(free.rows.every((row) => (row['periodEnd'] as Date) > new Date('2024-11-01'))).toBe(true);
  });

  it('is not made of an empty or refused answer, and the error has the reason of the service', async () => {
    await expect(exported('observations', { indicator_id: 'us_nonfarm_payrols' })).rejects.toThrow(
      /no rows.*Did you mean us_nonfarm_payrolls/,
    );
    await expect(exported('panels', { ...PANEL, frm: '1' })).rejects.toThrow('Unknown parameter `frm`.');
    await expect(exported('panels', PANEL, { key: 'asof_wrong' })).rejects.toThrow(/key/);
  });
});

describe('parameters of the command', () => {
  it('are name=value, once each', () => {
    expect(parametersOf(['country=US,DE', 'at=16:00 America/New_York', 'q=a=b'])).toEqual({
      country: 'US,DE',
      at: '16:00 America/New_York',
      q: 'a=b',
    });
    for (const words of [['US'], ['=US'], ['country='], ['country=US', 'country=DE'], ['limit=5'], ['format=csv'], ['cursor=x']])
      expect(() => parametersOf(words)).toThrow(/name=value|given twice|cannot be set/);
  });
});

describe('a workbook of another server', () => {
  /** Answers of the server by path; the number of calls decides among several. */
  interface Answer {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  }
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));

  async function serve(answers: Readonly<Record<string, readonly Answer[]>>): Promise<string> {
    const calls = new Map<string, number>();
    const server = createServer((request, response) => {
      const path = request.url?.replace(/\?.*$/, '') ?? '';
      const call = calls.get(path) ?? 0;
      calls.set(path, call + 1);
      const answer = answers[path]?.[Math.min(call, (answers[path]?.length ?? 0) - 1)] ?? { status: 404, body: '{}' };
      response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((done) => server.once('listening', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const ready = (snapshotId: string): Answer => ({
    body: JSON.stringify({ data: { snapshotId, knowledgeCutoff: '2026-11-20T00:00:00.000Z' } }),
  });
  const row = (fields: Row) => JSON.stringify({ observationId: 'obs_1', sourceId: 's', indicatorId: 'i', ...fields });
  const provenance: Answer = {
    body: JSON.stringify({
      data: {
        indicatorId: 'i',
        source: { sourceId: 's', name: '=2+2', publisher: 'p', license: 'l' },
        sourceUrl: null,
        rawPayload: null,
        transformations: [],
        inputs: [],
      },
    }),
  };
  const exportFrom = async (answers: Readonly<Record<string, readonly Answer[]>>, mostCells = 1000) => {
    const url = await serve({ '/ready': [ready('snap_1')], '/provenance/observations/obs_1': [provenance], ...answers });
    return workbookOf({ url, key: 'k' }, { route: 'observations', parameters: {}, hasFiles: true, mostCells });
  };

  it('never has a formula, a date before 1900-03-01, or a text that Excel cannot hold', async () => {
    const texts = { indicatorName: '=HYPERLINK("http://x")', unit: '+1', attribution: '@x', category: 'a'.repeat(40_000), period: '-1' };
    const { bytes } = await exportFrom({
      '/observations': [{ body: row({ ...texts, periodEnd: '1871-01-31', releaseDate: '1900-03-01', actual: 1e300, forecast: null }) }],
    });
    const { Observations: rows = [], Provenance: lines = [] } = await readWorkbook(bytes);
    expect(rows).toEqual([
      {
        observationId: 'obs_1',
        sourceId: 's',
        indicatorId: 'i',
        ...texts,
        category: `${'a'.repeat(32_766)}…`,
        periodEnd: '1871-01-31',
        releaseDate: new Date('1900-03-01'),
        actual: 1e300,
        forecast: null,
      },
    ]);
    expect(lines).toMatchObject([{ source: '=2+2', sha256: null, rows: 1 }]);
  });

  it('is refused if the answer has more rows or cells than fit, and the error says what to narrow', async () => {
    const more = { headers: { 'x-next-cursor': 'c' }, body: row({}) };
    await expect(exportFrom({ '/observations': [more] })).rejects.toThrow(/more than 1,000,000 rows.*Narrow it/);
    const rows = `${row({})}\n`.repeat(4);
    await expect(exportFrom({ '/observations': [{ body: rows }] }, 9)).rejects.toThrow(/more than 9 cells.*Narrow it/);
    expect((await exportFrom({ '/observations': [{ body: rows }] }, 12)).rows).toBe(4);
  });

  it('is refused if a new snapshot was published meanwhile', async () => {
    const served = { '/ready': [ready('snap_1'), ready('snap_2')], '/observations': [{ body: row({}) }] };
    await expect(exportFrom(served)).rejects.toThrow(/new snapshot/);
  });

  it('waits for the rate limit, as often as it is reached', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: '{}' };
    const { rows } = await exportFrom({ '/observations': [busy, busy, { body: row({}) }] });
    expect(rows).toBe(1);
  });
});
