// Any request at all to the facade, as the service itself is asked in story/hostile.test.ts: never an error of its own making, every answer in the form that
// it says, the key in none of them, and nothing that makes the service behind it fail. `npm run test:hostile` sends 10,000, the long suite some.
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, describe, expect, it } from 'vitest';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { SAMPLE_TIME, startSampleService } from '../service.ts';
import {
  type Answered,
  anyMethod,
  anyTarget,
  exchange,
  hostileHeaders,
  junk,
  noRequest,
  send,
  sendable,
} from '../story/hostile-requests.ts';

const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 1500);
// A run that is cut short would pass with whatever it had come to: it fails.
const MOST_MS = Math.max(700_000, RUNS * 60);
const SEED = process.env['HOSTILE_SEED'];

const service = await startSampleService();
const now = Date.parse(SAMPLE_TIME);
const { key } = await issueKey(keyFile(service.dataDir), { label: 'bare', tier: 'full', scopes: ['data:read'] }, now, true);
const facade: Listening = await serveFacade({ url: service.url, key: null, now: () => now }, { host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await facade.close();
  await service.stop();
});

/** Each path with what it wants at least. */
const WANTS: Readonly<Record<string, string>> = {
  '/fred/series': 'series_id=PAYEMS',
  '/fred/series/observations': 'series_id=PAYEMS',
  '/fred/series/vintagedates': 'series_id=PAYEMS',
  '/fred/series/search': 'search_text=employees',
  '/fred/series/updates': '',
  '/fred/releases': '',
  '/fred/release/series': 'release_id=50',
  '/fred/release/dates': 'release_id=50',
  '/fred/sources': '',
  '/graph/fredgraph.csv': 'id=PAYEMS',
  '/sdmx/2.1/data/SERIES/M.us.nonfarm_payrolls.': '',
  '/sdmx/2.1/availableconstraint/SERIES/M.us.nonfarm_payrolls.': '',
  '/sdmx/2.1/dataflow': '',
  '/sdmx/2.1/codelist': '',
  '/sdmx/3.0/data/dataflow/ASOF/SERIES/*/M.us.nonfarm_payrolls.': '',
  '/sdmx/3.0/availability/dataflow/ASOF/SERIES/*/M.us.nonfarm_payrolls.': '',
  '/sdmx/3.0/structure/dataflow': '',
  '/openbb/widgets.json': '',
  '/openbb/series': 'indicator_id=us_nonfarm_payrolls',
  '/openbb/vintages': 'indicator_id=us_nonfarm_payrolls',
  '/openbb/screener': 'filter=consumer_confidence:gt:-40',
  '/openbb/calendar': '',
  '/openbb/company': 'company=ZZSMA',
  '/openbb/positions': 'contract=cftc_13874plus',
};
const PATHS = Object.keys(WANTS);
const NAMES =
  'series_id id realtime_start realtime_end limit offset units frequency aggregation_method output_type vintage_dates vintage_date ' +
  'search_text file_type sort_order order_by filter_variable filter_value release_id start_time end_time startPeriod endPeriod ' +
  'updatedAfter includeHistory asOf format detail references firstNObservations dimensionAtObservation mode c[FREQ] c[TIME_PERIOD] indicator_id as_of ' +
  'filter company contract report api_key __proto__';
const VALUES =
  'PAYEMS us_nonfarm_payrolls us_nonfarm_payrolls@fred_md 50 4 1 pch q avg json xml csv true 1776-07-04 9999-12-31 2020-05-31 2020 ' +
  '2020-Q1 202005310000 2020-05-31T00:00:00Z Monthly employees ZZSMA tff cpi:gt:1 AllDimensions full serieskeysonly all none available codelist allstubs ge:2020';

const clocks = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constantFrom('/at/2020-05-31', '/at/2021-01-01') },
  { weight: 1, arbitrary: junk.map((day) => `/at/${day}`) },
);
const known = fc
  .tuple(
    clocks,
    fc.constantFrom(...PATHS),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('') },
      junk.map((part) => `/${part}`),
    ),
    fc.boolean(),
  )
  .map(([clock, path, behind, isWanted]) => ({ path: clock + path + behind, own: isWanted ? (WANTS[path] ?? '') : '' }));
const strange = anyTarget.map((path) => ({ path, own: '' }));
const pairs = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...NAMES.split(' ')) }, junk),
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...VALUES.split(' ')) }, { weight: 2, arbitrary: junk }),
  )
  .map((pair) => pair.join('='));
const keys = fc.oneof({ weight: 6, arbitrary: fc.constant(`api_key=${key}`) }, fc.constantFrom('', `api_key=${'a'.repeat(32)}`));
const targets = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: known }, strange), fc.array(pairs, { maxLength: 5 }), fc.boolean(), keys)
  .map(([{ path, own }, some, isAlone, asKey]) =>
    sendable(`${path}?${[asKey, own, ...(isAlone ? [] : some)].filter((pair) => pair !== '').join('&')}`),
  );
const requests = fc.record({ method: anyMethod, target: targets, headers: hostileHeaders });

/** What is wrong with an answer, whatever was asked. */
function faultsOf({ method, target }: { readonly method: string; readonly target: string }, { status, headers, text }: Answered): string[] {
  const faults: string[] = [];
  const isSdmx = target.includes('/sdmx/');
  // SDMX tells a key that is none, a form that is not written and what its standard has and the facade has not.
  const may = isSdmx ? [200, 400, 401, 404, 406, 413, 501] : [200, 400, 404];
  if (!may.includes(status)) faults.push(`status ${status}: ${text.slice(0, 200)}`);
  if (text.includes(key)) faults.push('the key');
  const shown = ['access-control-allow-origin', 'x-content-type-options', 'cache-control'].map((name) => headers.get(name)).join(' ');
  if (shown !== ' nosniff private, no-store') faults.push(`headers: ${shown}`);
  if (method === 'HEAD') return text === '' ? faults : [...faults, 'a body'];
  if (text === '' || !hasItsLength({ headers, text }, isSdmx && status === 200)) faults.push('length');
  if (method !== 'GET' && ![400, 404].includes(status)) faults.push(`${method} was answered`);
  try {
    readAs(headers.get('content-type') ?? '', text);
  } catch (error) {
    faults.push(`${headers.get('content-type')} cannot be read: ${String(error)}`);
  }
  return faults;
}

/** @param mayBeInParts true if it may be a whole SDMX flow: its length is not known, and a broken answer breaks the connection */
function hasItsLength({ headers, text }: Pick<Answered, 'headers' | 'text'>, mayBeInParts: boolean): boolean {
  return (
    (mayBeInParts && headers.get('transfer-encoding') === 'chunked') || Number(headers.get('content-length')) === Buffer.byteLength(text)
  );
}

function readAs(type: string, text: string): void {
  if (/\bjson\b/.test(type)) JSON.parse(text);
  else if (/\bxml\b/.test(type)) new SaxesParser().write(text).close();
  else if (!/\bcsv\b/.test(type)) throw new Error('no form that is written here');
}

describe('any request to the facade', () => {
  it('gets an answer in its announced form, and never an internal error', { timeout: MOST_MS }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(requests, async (one) => {
        const answered = await send(facade.port, one);
        seen.add(String(answered.status));
        if (answered.status === 200) seen.add(PATHS.findLast((path) => one.target.includes(`${path}?`)) ?? '');
        expect(faultsOf(one, answered)).toEqual([]);
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['200', '400', '401', '404']));
    expect(PATHS.filter((path) => seen.has(path)).length).toBeGreaterThan(PATHS.length / 2);
    expect(service.lines.filter((line) => line['msg'] === 'request failed')).toEqual([]);
  });

  it('that is malformed does not stop the facade', async () => {
    await fc.assert(
      fc.asyncProperty(noRequest, async (bytes) => {
        const text = await exchange(facade.port, bytes);
        expect(text).toMatch(/^$|^HTTP\/1\.1 (?:400|403|404|431) /);
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
    const { status } = await send(facade.port, { method: 'GET', target: `/fred/series?series_id=PAYEMS&api_key=${key}`, headers: {} });
    expect(status).toBe(200);
  });
});
