// The four steps as commands run them: what each reports, what a failing file or source leaves, and what the process ends with.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../jobs/collect.ts';
import { hasFailed, nightly, type NightlyReport } from '../../jobs/nightly.ts';
import { leftoversOf } from '../../jobs/leftovers.ts';
import { normalise } from '../../jobs/normalise.ts';
import { inKnowledgeOrder } from '../../jobs/reading-order.ts';
import { collectTable, filesTable, nightlyText, sourcesTable, toTable } from '../../jobs/reporting/report.ts';
import { type ReceivedPayload, openArchive, type StoredPayload } from '../../src/archive/raw-archive.ts';
import { sources } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile, SILENT, writeFiles } from '../pipeline.ts';
import { isLong } from '../suite.ts';
import { filesBelow } from './literal-lake.ts';
import { stated, statedFile } from './stated.ts';
import { KnownError } from '../../src/known-error.ts';

const AT = '2021-01-02T00:00:00.000Z';
const effects = { now: () => Date.parse(AT), log: SILENT };
const chosen = (...ids: readonly string[]) => sources.filter(({ id }) => ids.includes(id));
const GOOD = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const CODES = realTimeFile('PAYEMS', 'PAYEMS', [
  ['2020-01-01', '2020-02-07', '2020-12-31', 10],
  ['2020-02-01', '2020-03-06', '2020-12-31', 11],
  ['2020-03-01', '2020-04-03', '2020-12-31', 12],
]);
const BROKEN = { 'alfred-realtime/UNRATE.csv': '<html>Service unavailable</html>' };

let pipeline: Pipeline;
let mirror: string;
beforeEach(async () => {
  pipeline = await openPipeline();
  mirror = mkdtempSync(join(tmpdir(), 'asof-mirror-'));
});
afterEach(async () => {
  await pipeline.remove();
  rmSync(mirror, { recursive: true, force: true });
});

describe('collecting', () => {
  const collected = async (files: Files, only: readonly Source[] = sources) => {
    await writeFiles(mirror, files);
    return collect(only, pipeline.workspace.archive, mirror, effects);
  };

  it('accounts for every file: archived, seen before, or unclaimed', async () => {
    const report = await collected({
      ...GOOD,
      ...CODES,
      'notes/readme.txt': 'x',
      'fred-md/.hidden': 'x',
      'fred-md/2020-06.csv.partial': 'x',
    });
    expect(report.retrievedAt).toBe(AT);
    expect(report.files).toEqual([
      {
        sourceId: 'fred',
        key: 'alfred-realtime/PAYEMS.csv',
        bytes: Buffer.byteLength(Object.values(CODES)[0] as string),
        isNew: true,
        problem: null,
      },
      {
        sourceId: 'fred_md',
        key: 'fred-md/2020-05.csv',
        bytes: Buffer.byteLength(Object.values(GOOD)[0] as string),
        isNew: true,
        problem: null,
      },
    ]);
    expect(report.unclaimed).toEqual(['notes/readme.txt']);
    const again = await collected({ 'fred-md/2020-05.csv': 'other bytes' });
    expect(again.files.map(({ key, isNew }) => [key, isNew])).toEqual([
      ['alfred-realtime/PAYEMS.csv', false],
      ['fred-md/2020-05.csv', true],
    ]);
    expect(
      (await pipeline.workspace.archive.list('fred_md')).map(({ key, retrievedAt, mediaType }) => [key, retrievedAt, mediaType]),
    ).toEqual([
      ['fred-md/2020-05.csv', AT, 'text/csv'],
      ['fred-md/2020-05.csv', AT, 'text/csv'],
    ]);
  });

  it('reads the files of the chosen sources and leaves the others unclaimed', async () => {
    const report = await collected({ ...GOOD, ...CODES }, chosen('fred'));
    expect([report.files.map(({ key }) => key), report.unclaimed]).toEqual([['alfred-realtime/PAYEMS.csv'], ['fred-md/2020-05.csv']]);
    expect(await pipeline.workspace.archive.list('fred_md')).toEqual([]);
  });

  it('names a file that is too large, continues with the others, and fails at the end', async () => {
    await writeFiles(mirror, { ...GOOD, 'fred-md/2020-06.csv': '' });
    truncateSync(join(mirror, 'fred-md/2020-06.csv'), 512 * 1024 * 1024 + 1);
    const report = await collected({});
    expect(report.files.map(({ key, isNew, problem }) => [key, isNew, problem])).toEqual([
      ['fred-md/2020-05.csv', true, null],
      ['fred-md/2020-06.csv', false, expect.stringMatching(/has 536870913 bytes; the limit of a payload is 536870912/)],
    ]);
    const nights = [report, null].map((files) => hasFailed({ collect: files, fetch: null, sources: [] }));
    expect(nights).toEqual([true, false]);
    expect(collectTable(report, { explained: [], unexplained: [] })).toContain('fred-md/2020-06.csv: has 536870913 bytes');
  });

  it('refuses a missing folder, and one without a usable file', async () => {
    await expect(collect(sources, pipeline.workspace.archive, join(mirror, 'none'), effects)).rejects.toThrow(KnownError);
    await expect(collected({ 'a.txt': 'x', 'b.txt': 'x' })).rejects.toThrow(/No file of .* belongs to a source \(found: 2\)/);
    expect(existsSync(join(pipeline.dataDir, 'raw'))).toBe(false);
  });
});

describe('a night with one failing file', () => {
  let night: NightlyReport;
  let second: NightlyReport;
  let one: Pipeline;
  const steps: string[] = [];
  let lake: Record<string, unknown>;
  beforeAll(async () => {
    one = await openPipeline();
    const folder = mkdtempSync(join(tmpdir(), 'asof-mirror-'));
    await writeFiles(folder, { ...GOOD, ...CODES, ...BROKEN });
    const only = chosen('fred', 'fred_md');
    night = await nightly(only, one.workspace, effects, folder, (step) => steps.push(step));
    lake = {
      observations: await one.lake('select source_id, count(*)::int as n from observations group by all order by all'),
      ingestions: await one.lake(
        'select key, status, rows_read::int as rows_read, rows_written::int as rows_written, error is null as is_sound, source_id from ingestions order by key',
      ),
      quarantine: await one.lake('select rule, severity, observed_value from quarantine'),
      attempts: await one.lake(
        'select source_id, status, payloads_seen::int as seen, payloads_new::int as new, payloads_failed::int as failed, rows_written::int as written from attempts order by source_id',
      ),
    };
    await writeFiles(
      folder,
      realTimeFile('UNRATE', 'UNRATE', [
        ['2020-01-01', '2020-02-07', '2020-12-31', 3.5],
        ['2020-02-01', '2020-03-06', '2020-12-31', 3.6],
        ['2020-03-01', '2020-04-03', '2020-12-31', 4.4],
      ]),
    );
    second = await nightly(only, one.workspace, { ...effects, now: () => Date.parse(AT) + 86_400_000 }, folder);
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => one.remove());

  it('goes through its four steps, publishes all intact data, and fails at the end', () => {
    expect([...new Set(steps)]).toEqual(['collect', 'normalise', 'derive', 'publish']);
    expect(hasFailed(night)).toBe(true);
    expect(night.publish).toMatchObject({ isNew: true, snapshotId: night.derive.snapshotId });
    expect([night.startedAt, night.derive.knowledgeCutoff]).toEqual([AT, AT]);
  });

  it('reports the read, written and refused rows of each source and file', () => {
    expect(night.sources.map(({ sourceId, status, payloadsSeen }) => `${sourceId} ${status} ${payloadsSeen}`).toSorted()).toEqual([
      'fred failed 2',
      'fred_md ok 1',
    ]);
    const fred = night.sources.find(({ sourceId }) => sourceId === 'fred');
    expect(fred?.error).toMatch(/^1 of 2 payloads failed: /);
    expect(
      fred?.payloads
        .map(({ key, status, rowsRead, rowsWritten, rowsQuarantined }) => [key, status, rowsRead, rowsWritten, rowsQuarantined].join(' '))
        .toSorted(),
    ).toEqual(['alfred-realtime/PAYEMS.csv ok 3 3 0', 'alfred-realtime/UNRATE.csv failed 0 0 0']);
  });

  it('leaves in the lake the rows of the good files, the attempt of each source, and the failed file in quarantine', () => {
    expect(lake).toEqual({
      observations: [
        { source_id: 'fred', n: 3 },
        { source_id: 'fred_md', n: 2 },
      ],
      ingestions: [
        { key: 'alfred-realtime/PAYEMS.csv', status: 'ok', rows_read: 3, rows_written: 3, is_sound: true, source_id: 'fred' },
        { key: 'alfred-realtime/UNRATE.csv', status: 'failed', rows_read: 0, rows_written: 0, is_sound: false, source_id: 'fred' },
        { key: 'fred-md/2020-05.csv', status: 'ok', rows_read: 2, rows_written: 2, is_sound: true, source_id: 'fred_md' },
      ],
      quarantine: [{ rule: 'schema_drift', severity: 'block', observed_value: 'alfred-realtime/UNRATE.csv' }],
      attempts: [
        { source_id: 'fred', status: 'failed', seen: 2, new: 2, failed: 1, written: 3 },
        { source_id: 'fred_md', status: 'ok', seen: 1, new: 1, failed: 0, written: 2 },
      ],
    });
  });

  it('recovers when a good file comes under the same name: the next night succeeds, and reads nothing twice', () => {
    expect(hasFailed(second)).toBe(false);
    const fred = second.sources.find(({ sourceId }) => sourceId === 'fred');
    expect([fred?.status, fred?.payloadsSeen]).toEqual(['ok', 3]);
    const read = second.sources.flatMap(({ payloads }) => payloads.map(({ key, status, rowsWritten }) => [key, status, rowsWritten]));
    expect(read).toContainEqual(['alfred-realtime/UNRATE.csv', 'ok', 3]);
    expect(read.filter(([key]) => key === 'alfred-realtime/PAYEMS.csv' || key === 'fred-md/2020-05.csv')).toEqual([]);
    expect(second.publish.previousSnapshotId).toBe(night.publish.snapshotId);
  });

  it('is reported file by file and source by source', () => {
    const text = nightlyText(night);
    expect(text).toMatch(/fred +alfred-realtime\/UNRATE\.csv +0 +0 +0 +0 +FAILED: /);
    expect(text).toMatch(/fred_md +fred-md\/2020-05\.csv +2 +2 +0 +0$/m);
    expect(text).toMatch(/^fred +failed +2 +2 +1 +3 +3 +0$/m);
    expect(text).toMatch(/^fred_md +ok +1 +1 +0 +2 +2 +0$/m);
    expect(text).toContain(`Snapshot ${night.publish.snapshotId} is current. It has everything known up to ${AT}.`);
    expect(filesBelow(one.dataDir).filter((path) => /partial$|^lake\/\.staging\//.test(path))).toEqual([]);
  });
});

describe('tables for people', () => {
  it('have columns as wide as their widest cell, with numbers to the right', () => {
    expect(
      toTable(
        ['name', 'rows', 'why'],
        [
          ['a', 1234567, ''],
          ['long name', 5, 'x'],
        ],
      ),
    ).toBe(['name            rows  why', '---------  ---------  ---', 'a          1,234,567', 'long name          5  x'].join('\n'));
    expect(toTable(['a', 'b'], [])).toBe('a  b\n-  -');
  });

  it('count known rows, and name findings with their outcome', () => {
    const findings = [
      { rule: 'scale_jump', severity: 'warn', rows: 2 },
      { rule: 'out_of_range', severity: 'block', rows: 3 },
    ];
    const payload = {
      key: 'k',
      payloadId: 'p',
      status: 'ok',
      error: null,
      rowsRead: 10,
      rowsWritten: 4,
      rowsQuarantined: 3,
      findings,
    } as const;
    const report = { sourceId: 's', status: 'ok', error: null, payloadsSeen: 7, payloads: [payload, payload], milliseconds: 0 } as const;
    expect(filesTable([report])).toMatch(/^s +k +10 +4 +3 +3 +2 scale_jump \(warning, written\), 3 out_of_range$/m);
    expect(sourcesTable([report])).toMatch(/^s +ok +7 +2 +0 +20 +8 +6$/m);
    expect(filesTable([{ ...report, payloads: [] }])).toBe('No payload was new.');
  });

  it('sum the files of a source, and those not archived separately', () => {
    const file = { sourceId: 's', key: 'k', bytes: 1000, isNew: true, problem: null };
    const text = collectTable(
      { retrievedAt: AT, files: [file, { ...file, isNew: false }, { ...file, isNew: false, problem: 'too large' }], unclaimed: ['x'] },
      { explained: [{ reason: 'a sample', paths: ['a.csv', 'b.csv'] }], unexplained: ['x'] },
    );
    expect(text).toMatch(/^s +3 +1 +1 +3,000$/m);
    expect(text).toContain(
      'a.csv: not read: a sample.\nb.csv: not read: a sample.\nx: belongs to no source. Name it as docs/reference/sources.md lists, or leave it out.\nk: too large',
    );
  });

  it('give the reason for each skipped file of a folder, and name an unexplained one', async () => {
    const paths = [
      'README.md',
      'sdmx/ecb/a.xml',
      'sdmx/imf/b.xml',
      'fred-md/2020-05.csv',
      'odd/c.xml',
      'central-banks/onb-metadata.xml',
      'xsdmx/d.xml',
    ];
    const { explained, unexplained } = await leftoversOf(paths, pipeline.workspace.referenceDir);
    expect(explained).toEqual([
      { reason: 'their source was not selected', paths: ['fred-md/2020-05.csv'] },
      { reason: 'says what the folder holds', paths: ['README.md'] },
      { reason: 'a structure without values', paths: ['central-banks/onb-metadata.xml'] },
      { reason: 'samples of messages; the series are asked for in CSV', paths: ['sdmx/ecb/a.xml', 'sdmx/imf/b.xml'] },
    ]);
    expect(unexplained).toEqual(['odd/c.xml', 'xsdmx/d.xml']);
  });
});

describe('the order of reading', () => {
  const received = (key: string, knownAt: string | null, retrievedAt: string): ReceivedPayload => ({
    sourceId: 'fred',
    key,
    body: Buffer.from(knownAt === 'broken' ? '{' : JSON.stringify({ knownAt, rows: [], name: key })),
    mediaType: 'application/json',
    address: null,
    retrievedAt,
    httpStatus: null,
    etag: null,
    lastModified: null,
  });
  const at = (day: number) => `2021-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  const orderOf = async (payloads: readonly ReceivedPayload[], done: ReadonlyMap<string, string | null> = new Map()) => {
    const archive = openArchive(join(mirror, 'raw'));
    const stored: StoredPayload[] = [];
    for (const payload of payloads) stored.push((await archive.store(payload)).payload);
    const byKey = new Map(stored.flatMap(({ key, payloadId }) => (done.has(key) ? [[payloadId, done.get(key) ?? null] as const] : [])));
    const { readings, failures } = await inKnowledgeOrder(stated, archive, stored, byKey);
    return {
      read: readings.map(({ payload, isRepeated }) => (isRepeated ? `${payload.key} again` : payload.key)),
      failed: failures.map(({ payload }) => payload.key),
    };
  };

  it('is that of knowledge, else of retrieval, then of the file name', async () => {
    const payloads = [
      received('late', at(9), at(10)),
      received('undated', null, at(5)),
      received('b', at(3), at(10)),
      received('a', at(3), at(10)),
      received('first', at(3), at(9)),
    ];
    expect((await orderOf(payloads)).read).toEqual(['first', 'a', 'b', 'undated', 'late']);
  });

  it('skips payloads that were read before, but repeats those known after the earliest new one', async () => {
    const payloads = [
      received('old', at(2), at(10)),
      received('same', at(4), at(10)),
      received('new', at(4), at(11)),
      received('later', at(6), at(10)),
      received('undated', null, at(10)),
    ];
    const done = new Map([
      ['old', at(2)],
      ['same', at(4)],
      ['later', at(6)],
      ['undated', null],
    ]);
    expect((await orderOf(payloads, done)).read).toEqual(['new', 'later again']);
    expect((await orderOf(payloads, new Map([...done, ['new', at(4)]]))).read).toEqual([]);
  });

  it('names payloads that cannot be dated, and reads the rest', async () => {
    expect(await orderOf([received('x', 'broken', at(1)), received('y', at(1), at(2))])).toEqual({ read: ['y'], failed: ['x'] });
  });
});

describe('a source that fails as a whole', () => {
  it('leaves only its attempt, and the next source runs', async () => {
    await writeFiles(mirror, { ...GOOD, ...statedFile('a', [['2021-01', '2021-02-05', 1]]) });
    const only = [stated, ...chosen('fred_md')];
    await collect(only, pipeline.workspace.archive, mirror, effects);
    const cards = join(pipeline.dataDir, 'raw/payloads/fred');
    for (const name of readdirSync(cards)) writeFileSync(join(cards, name), 'half a ca');
    const lake = await pipeline.workspace.openLake();
    const options = { referenceDir: pipeline.workspace.referenceDir, codeRevision: 'test' };
    const reports = await normalise(only, pipeline.workspace.archive, lake, effects, options);
    await lake.close();
    expect(reports.map(({ sourceId, status, payloadsSeen }) => [sourceId, status, payloadsSeen])).toEqual([
      ['fred', 'failed', 0],
      ['fred_md', 'ok', 1],
    ]);
    expect(await pipeline.lake('select source_id, status, payloads_new::int as new from attempts order by source_id')).toEqual([
      { source_id: 'fred', status: 'failed', new: 0 },
      { source_id: 'fred_md', status: 'ok', new: 1 },
    ]);
    expect(await pipeline.lake('select distinct source_id from observations')).toEqual([{ source_id: 'fred_md' }]);
  });
});

// Each takes seconds to start.
describe.runIf(isLong)('a command', () => {
  const run = (name: string, ...words: readonly string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, ['--import', 'tsx', `jobs/commands/${name}.ts`, ...words], {
        env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: pipeline.dataDir },
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.once('close', (code) => resolve({ code, out, err }));
    });

  it('ends with 1 and one line if it cannot do its task', async () => {
    const usage = await run('normalise', '--source', 'nobody');
    expect([usage.code, usage.err]).toEqual([1, expect.stringMatching(/^There is no source nobody\. The sources are [^\n]*\n$/)]);
    const folder = await run('collect', '--mirror', join(mirror, 'none'), '--json');
    expect([folder.code, folder.err]).toEqual([
      1,
      expect.stringMatching(/^The folder [^\n]* cannot be read. Check its path and its permissions.\n$/),
    ]);
    const lake = await pipeline.workspace.openLake();
    const locked = await run('publish');
    await lake.close();
    expect([locked.code, locked.err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`is being written by process ${process.pid}\\. Wait until [^\\n]*\\n$`)),
    ]);
  });

  it('ends with 1 and its whole report if a file failed, with 0 if none did', async () => {
    await writeFiles(mirror, { ...CODES, ...BROKEN });
    const collected = await run('collect', '--mirror', mirror, '--source', 'fred', '--json');
    expect([collected.code, JSON.parse(collected.out)]).toEqual([
      0,
      expect.objectContaining({
        files: [expect.objectContaining({ sourceId: 'fred', isNew: true }), expect.objectContaining({ sourceId: 'fred' })],
      }),
    ]);
    const normalised = await run('normalise', '--source', 'fred', '--json');
    expect([normalised.code, JSON.parse(normalised.out)]).toEqual([1, [expect.objectContaining({ sourceId: 'fred', status: 'failed' })]]);
  });
});
