// The publishers' own payloads, each read by its source and by a second reader in Python: every row of both, with period, value and knowledge time.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { sources } from '../../src/sources/index.ts';
import { type Asked, differenceOf, hasPython, readOnce, readTwice, sourceOf } from '../readers/second-reader.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';
const here = existsSync(ROOT) && hasPython;
const files = existsSync(ROOT) ? readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).sort() : [];

function payloadsOf(source: string): Asked[] {
  return (
    files
      // The pages as they were sent are the same documents again: wire-pages.test.ts.
      .filter((key) => sourceOf(source).owns(key) && !key.includes('/html/'))
      .map((key) => ({ source, key, retrievedAt: RETRIEVED_AT, path: join(ROOT, key), ...besides(key) }))
  );
}

/** The names of the history are told from the positions of the report of 2025. */
function besides(key: string): { beside: string } | undefined {
  return key.includes('noncommercial_history_') ? { beside: join(ROOT, 'cftc/legacy_futonly/annual_2025_to_0311.txt') } : undefined;
}

/** Payloads that are read by one run of Python: up to some megabytes. */
function inParts(asked: readonly Asked[]): Asked[][] {
  const parts: Asked[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const payload of asked) {
    size += statSync(payload.path).size;
    if (size > 4e6) {
      parts.push([]);
      size = statSync(payload.path).size;
    }
    parts.at(-1)?.push(payload);
  }
  return parts;
}

/** Payloads of a source and their rows of all kinds, refused ones among them, as Python counts them. */
const SIZES: Readonly<Record<string, readonly [payloads: number, rows: number]>> = {
  fred: [61, 87383],
  us_census: [1, 82793],
  // Of two answers the first of two pages is here: a row for each says so.
  world_bank: [7, 43998],
  ecb_fx: [2, 261298],
  dg_ecfin: [2, 142800],
  oecd: [3, 39153],
  cftc_legacy: [5, 139479],
  cftc_tff: [10, 297274],
  sec: [19, 187243],
  sec_fsds: [2, 100019],
  // Each of the minutes names the next meeting: 261 documents and 23 meetings.
  fed_statements: [261, 284],
  ecb_documents: [118, 118],
  boe_documents: [17, 34],
  rba_documents: [33, 33],
  riksbank_documents: [1, 33],
  // Each of the four names the next date.
  boc_documents: [1, 8],
  quotes: [31, 600103],
  dividends: [140, 2341],
  fred_releases: [8, 4067],
  bls_calendar: [1, 321],
  cb_meetings: [1, 174],
  us_treasury: [3, 3637],
  bls: [1, 84],
  destatis: [140, 29178],
  // The sheet, and three months of one country.
  bis: [2, 18234],
  // None of its answers is here.
  eurostat: [0, 0],
  oecd_editions: [0, 0],
  // A price of zinc, and a year of the World Economic Outlook.
  imf: [2, 2],
  bundesbank: [1, 214],
  norges_bank: [1, 4],
  bank_of_israel: [1, 3],
  // Of 358 values those of 331 months.
  oenb: [1, 331],
  // Three rates of 89 days, one of 252 months.
  ecb_data: [2, 519],
  // Ten series of 310 months.
  insee: [1, 3100],
  // What is here is a third party's.
  ilo: [0, 0],
  // Of 322 values 161 months: the series stands twice.
  boe: [1, 161],
  riksbank: [0, 0],
  // Of 31 days 19 with a value and a holiday on a working day between them.
  boj: [1, 20],
  bcb: [0, 0],
  // One of the answers of the last thirty days each: of the year of the survey, and of twelve months unsmoothed.
  bcb_focus: [2, 2],
  boc: [0, 0],
  snb: [0, 0],
  philadelphia_spf: [0, 0],
  ecb_spf: [0, 0],
  abs: [0, 0],
  ons: [0, 0],
  rba: [0, 0],
  statcan: [0, 0],
  cftc_disaggregated: [0, 0],
  cftc_disaggregated_combined: [0, 0],
  cftc_legacy_combined: [0, 0],
  cftc_tff_combined: [0, 0],
  imf_weo: [0, 0],
  ec_forecasts: [0, 0],
  fed_staff: [0, 0],
  ny_fed_nowcast: [0, 0],
  philadelphia_rtdsm: [0, 0],
  seco: [0, 0],
};

describe.skipIf(!here)("the publishers' payloads", () => {
  it.each(sources.filter(({ bulk }) => bulk === undefined).map(({ id }) => id))(
    'have the same rows for both readers: %s',
    async (id) => {
      const asked = payloadsOf(id);
      let rows = 0;
      for (const together of inParts(asked)) {
        const theirs = readTwice(together);
        for (const [index, payload] of together.entries()) {
          const { onlyOurs, onlyTheirs, rows: count } = differenceOf(await readOnce(payload), theirs[index] ?? {});
          expect.soft({ key: payload.key, onlyOurs, onlyTheirs }).toEqual({ key: payload.key, onlyOurs: [], onlyTheirs: [] });
          rows += count;
        }
      }
      expect([asked.length, rows]).toEqual(SIZES[id]);
    },
    600_000,
  );

  it('have the same rows for both readers in every vintage of FRED-MD, month by month and series by series', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-readers-'));
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const { bulk } = sourceOf('fred_md');
    if (bulk === undefined) throw new Error('fred_md is no longer read in bulk');
    let rows = 0;
    try {
      const asked = payloadsOf('fred_md').map((payload, index) => ({ ...payload, out: join(folder, `${index}.csv`) }));
      readTwice(asked);
      for (const { out, ...payload } of asked) {
        const file = { key: payload.key, retrievedAt: payload.retrievedAt, body: new Uint8Array(readFileSync(payload.path)) };
        bulk.check(file);
        const statement = await connection.prepare(`create or replace table ours as from (${sqlText(bulk.sql)})`);
        statement.bind({ ...bulk.parameters(file), file: payload.path });
        await statement.run();
        const columns = 'series_code, period, period_start::date, period_end::date, value::double, observed_at::timestamptz';
        const differing = await connection.runAndReadAll(`
          create or replace table theirs as from read_csv('${out}', all_varchar = true);
          select (select count(*) from ours), (select count(*) from theirs),
            (select count(*) from (select ${columns} from ours except all select ${columns} from theirs)),
            (select count(*) from (select ${columns} from theirs except all select ${columns} from ours))`);
        const [ours, theirs, onlyOurs, onlyTheirs] = (differing.getRows()[0] ?? []).map(Number);
        expect.soft([payload.key, theirs, onlyOurs, onlyTheirs]).toEqual([payload.key, ours, 0, 0]);
        rows += ours ?? 0;
      }
      expect([asked.length, rows]).toEqual([48, 4557470]);
    } finally {
      connection.closeSync();
      await rm(folder, { recursive: true, force: true });
    }
  }, 1_200_000);
});
