// The folder for Qlib, read by a small reader of our own: the store has for each day the value that the service answers as of that day.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesOf, type Kind, pitFiles } from '../../jobs/exporting/pit.ts';
import { cutOf, END_OF_DAY, exportQlib } from '../../jobs/exporting/qlib.ts';
import { SMALL } from '../../src/db/connect.ts';
import { type RunningService, startSampleService } from '../service.ts';

let service: RunningService;
let root: string;
beforeAll(async () => {
  service = await startSampleService();
  root = await mkdtemp(join(tmpdir(), 'asof-qlib-'));
});
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

const exported = (name: string, options: { readonly fields?: readonly string[]; readonly at?: string } = {}) =>
  exportQlib({
    dataDir: service.dataDir,
    folder: join(root, name),
    fields: options.fields ?? null,
    cut: options.at === undefined ? END_OF_DAY : cutOf(options.at),
    limits: SMALL,
    now: Date.now,
    onProgress: () => undefined,
  });

interface Stored {
  readonly data: Buffer;
  readonly index: Buffer;
}

/** What a period had as a value at the end of a day: along the links of its records. Null: nothing. */
function valueAt({ data, index }: Stored, kind: Kind, period: number, day: string): number | null {
  const firstYear = index.readUInt32LE(0);
  const place = kind === 'a' ? period - firstYear : (Math.floor(period / 100) - firstYear) * 4 + (period % 100) - 1;
  let value = Number.NaN;
  for (let at = index.readUInt32LE(4 + place * 4); at !== 0xff_ff_ff_ff; at = data.readUInt32LE(at + 16)) {
    expect(data.readUInt32LE(at + 4)).toBe(period);
    if (data.readUInt32LE(at) > Number(day.replaceAll('-', ''))) break;
    value = data.readDoubleLE(at + 8);
  }
  return Number.isNaN(value) ? null : value;
}

const span = (period: number, fromDay: string, toDay: string, value: number) => ({ period, fromDay, toDay, value });

describe('the changes of a field', () => {
  it('have a day for each new value, and no value for one that is withdrawn', () => {
    const spans = [
      span(202001, '2020-05-01', '2020-08-01', 5),
      span(202001, '2020-08-01', '2021-05-01', 5),
      span(202001, '2021-05-01', '2021-06-01', 6),
      span(202002, '2020-05-01', '9999-12-31', 7),
    ];
    expect(changesOf(spans, '2021-12-31')).toEqual([
      { day: '2020-05-01', period: 202001, value: 5 },
      { day: '2020-05-01', period: 202002, value: 7 },
      { day: '2021-05-01', period: 202001, value: 6 },
      { day: '2021-06-01', period: 202001, value: Number.NaN },
    ]);
    expect(changesOf(spans, '2021-05-31').map(({ day }) => day)).not.toContain('2021-06-01');
  });

  it('take the later of two statements with one place, for the days of both', () => {
    const spans = [span(2020, '2020-01-01', '9999-12-31', 1), span(2020, '2020-02-01', '2020-03-01', 2)];
    expect(changesOf(spans, '2020-12-31').map(({ day, value }) => [day, value])).toEqual([
      ['2020-01-01', 1],
      ['2020-02-01', 2],
      ['2020-03-01', 1],
    ]);
  });

  it('are written as records that link each period to its next change', () => {
    const changes = [
      { day: '2020-05-01', period: 202001, value: 1.5 },
      { day: '2020-08-01', period: 202003, value: -2 },
      { day: '2021-05-01', period: 202001, value: Number.NaN },
    ];
    const { data, index } = pitFiles(changes, 'q');
    // First year, then the places of Q1, Q2 and Q3.
    expect([...Array(4).keys()].map((at) => index.readUInt32LE(at * 4))).toEqual([2020, 0, 0xff_ff_ff_ff, 20]);
    expect([index.length, data.length]).toEqual([16, 60]);
    expect([data.readUInt32LE(0), data.readUInt32LE(4), data.readDoubleLE(8), data.readUInt32LE(16)]).toEqual([20200501, 202001, 1.5, 40]);
    expect([data.readUInt32LE(36), data.readDoubleLE(48), data.readUInt32LE(56)]).toEqual([0xff_ff_ff_ff, Number.NaN, 0xff_ff_ff_ff]);
    expect(pitFiles([{ day: '2020-05-01', period: 2019, value: 1 }], 'a').index.readUInt32LE(0)).toBe(2019);
  });
});

describe('a folder for Qlib', () => {
  const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

  it.each([
    ['the end of the UTC day', undefined, (day: string) => day],
    [
      '16:00 in New York',
      '16:00 America/New_York',
      (day: string) => new Date(`${day}T16:00:00-0${isSummer(day) ? 4 : 5}:00`).toISOString(),
    ],
  ] as const)('has for each day and period the value that the service answers as of %s', async (_name, at, asOfOf) => {
    const folder = join(root, `whole-${at === undefined ? 'utc' : 'ny'}`);
    await exportQlib({
      dataDir: service.dataDir,
      folder,
      fields: null,
      cut: at === undefined ? END_OF_DAY : cutOf(at),
      limits: SMALL,
      now: Date.now,
      onProgress: () => undefined,
    });
    const { companies } = JSON.parse(await readFile(join(folder, 'asof.json'), 'utf8')) as {
      companies: { symbol: string; companyId: string }[];
    };
    let compared = 0;
    for (const { symbol, companyId } of companies) {
      const stored = join(folder, 'financial', symbol.toLowerCase());
      for (const [kind, period] of [
        ['q', 'quarterly'],
        ['a', 'annual'],
      ] as const) {
        for (const day of await changeDays(join(stored, `revenue_${kind}.data`))) {
          const answered = await service.get(`/companies/${companyId}/financials?period=${period}&limit=500&as_of=${asOfOf(day)}`);
          const { data } = (await answered.json()) as {
            data: { fiscalYear: number; fiscalPeriod: string; items: Record<string, number | null> }[];
          };
          for (const name of ['revenue', 'eps_diluted', 'weighted_shares_diluted', 'total_assets']) {
            const files = {
              data: await readFile(join(stored, `${name}_${kind}.data`)),
              index: await readFile(join(stored, `${name}_${kind}.index`)),
            };
            for (const { fiscalYear, fiscalPeriod, items } of data) {
              const value = items[camelCase(name)];
              if (value === undefined) continue;
              const part = fiscalPeriod === 'FY' ? 4 : Number(fiscalPeriod.slice(1));
              expect([day, name, valueAt(files, kind, kind === 'a' ? fiscalYear : fiscalYear * 100 + part, day)]).toEqual([
                day,
                name,
                value,
              ]);
              compared += 1;
            }
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  const isSummer = (day: string) =>
    new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', timeZoneName: 'short' })
      .format(new Date(`${day}T12:00:00Z`))
      .includes('EDT');

  /** The days of some changes, and the days before them. */
  async function changeDays(path: string): Promise<readonly string[]> {
    const data = await readFile(path);
    const numbers = [...new Set([...Array(data.length / 20).keys()].map((at) => String(data.readUInt32LE(at * 20))))];
    const days = numbers.map((number) => number.replace(/(....)(..)(..)/, '$1-$2-$3'));
    const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    return days.filter((_, at) => at % 8 === 0).flatMap((day) => [before(day), day]);
  }

  it('has a calendar of weekdays and a list of instruments', async () => {
    const { folder, from, to, companies } = await exported('frame', { fields: ['revenue'] });
    const days = (await readFile(join(folder, 'calendars/day.txt'), 'utf8')).trimEnd().split('\n');
    expect(days.every((day) => day >= from && day <= to && ![0, 6].includes(new Date(day).getUTCDay()))).toBe(true);
    const lines = (await readFile(join(folder, 'instruments/all.txt'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(companies);
    expect(lines[0]).toMatch(/^[A-Z]+\t\d{4}-\d{2}-\d{2}\t\d{4}-\d{2}-\d{2}$/);
    expect(await readdir(join(folder, 'financial', lines[0]?.split('\t')[0]?.toLowerCase() ?? ''))).toEqual([
      'revenue_a.data',
      'revenue_a.index',
      'revenue_q.data',
      'revenue_q.index',
    ]);
  });

  it('replaces an earlier export as a whole, and nothing else', async () => {
    await exported('again');
    await exported('again', { fields: ['net_income'] });
    const symbols = await readdir(join(root, 'again/financial'));
    expect(await readdir(join(root, 'again/financial', symbols[0] ?? ''))).not.toContain('revenue_q.data');
    await mkdir(join(root, 'own'));
    await writeFile(join(root, 'own/notes.txt'), 'mine');
    await expect(exported('own')).rejects.toThrow('holds files that are not of an export');
    await expect(exported('typo', { fields: ['revenu'] })).rejects.toThrow('Did you mean revenue?');
    expect(() => cutOf('16:00')).toThrow('16:00 America/New_York');
    expect((await readdir(root)).filter((name) => name.includes('partial') || name === 'typo')).toEqual([]);
  });

  /** Ends an export with the signal while it writes, and returns the files that remain. */
  async function leftBy(signal: 'SIGINT' | 'SIGKILL', name: string): Promise<() => Promise<readonly string[]>> {
    const options = ['--import', 'tsx', 'jobs/commands/export.ts', 'qlib', join(root, name)];
    const child = spawn(process.execPath, options, { env: { ...process.env, DATA_DIR: service.dataDir }, stdio: 'ignore' });
    const left = async () => (await readdir(root)).filter((one) => one.includes(name));
    await expect.poll(left, { interval: 5 }).toHaveLength(1);
    child.kill(signal);
    await once(child, 'close');
    return left;
  }

  it('leaves nothing behind if it is interrupted', async () => {
    const left = await leftBy('SIGINT', 'interrupted');
    expect(await left()).toEqual([]);
  });

  it('removes the files of a killed export', async () => {
    const left = await leftBy('SIGKILL', 'killed');
    expect(await left()).toEqual(['.killed.partial']);
    await exported('killed', { fields: ['revenue'] });
    expect(await left()).toEqual(['killed']);
  });
});
