// Refusals of the disk during reading and building: reported with file and remedy, and never as a fault of a payload.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deriveAttempt } from '../../jobs/derive.ts';
import { inKnowledgeOrder } from '../../jobs/reading-order.ts';
import { openArchive } from '../../src/archive/raw-archive.ts';
import { DiskError, diskErrorOf, isOfProcess } from '../../src/disk/disk-error.ts';
import { writeDurably } from '../../src/disk/durable.ts';
import { verifyLake } from '../../src/lake/verified.ts';
import { fredMdFile, openPipeline, type Pipeline, STOPPED } from '../pipeline.ts';
import { traced } from '../disk/disk-calls.ts';
import type { Call, DiskCode } from '../disk/disk-endings.ts';
import { stated, statedFile } from './stated.ts';

const NIGHT = '2021-03-02T08:00:00.000Z';
const BULK = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });

describe('a disk that is full once, while payloads are read', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
    await pipeline.ingest(statedFile('one', [['2020-12', '2021-01-05', 7]]), '2021-03-01T08:00:00.000Z', [stated]);
  });
  afterEach(() => pipeline.remove());

  const failed = async (work: () => Promise<unknown>, code: DiskCode, isAt: (call: Call) => boolean) => {
    let isOver = false;
    const { error } = await traced(pipeline.dataDir, work, {
      failing: (_, call) => {
        if (isOver || !isAt(call)) return null;
        isOver = true;
        return code;
      },
    });
    return error;
  };
  const attempts = () => pipeline.lake("select source_id, status from attempts where status = 'failed'");
  const ingestions = () => pipeline.lake("select key from ingestions where status = 'failed'");

  it('while a payload is prepared for the engine: no payload fails', async () => {
    const error = await failed(
      () => pipeline.ingest(BULK, NIGHT),
      'ENOSPC',
      ({ call, path }) => call === 'write' && path.endsWith('.staging/payload'),
    );
    expect(error).toBeInstanceOf(DiskError);
    expect((error as Error).message).toBe(
      `${join(pipeline.dataDir, 'lake/.staging/payload')} cannot be written (ENOSPC). The disk is full: free some space and run the command again.`,
    );
    expect([await attempts(), await ingestions()]).toEqual([[], []]);
    await pipeline.ingest(BULK, NIGHT);
    expect(await pipeline.lake("select count(*)::int as n from observations where source_id = 'fred_md'")).toEqual([{ n: 2 }]);
  });

  it('while the engine writes a part: no source fails', async () => {
    const error = await failed(
      () => pipeline.ingest(statedFile('two', [['2021-01', '2021-02-05', 8]]), NIGHT, [stated]),
      'EIO',
      ({ call, path }) => call === 'write' && path.includes('observations-part'),
    );
    expect((error as Error).message).toMatch(
      /lake\/\.staging\/observations-part-\d+\.parquet cannot be read or written \(EIO\)\. The disk has a fault: .* run npm run doctor\.$/,
    );
    expect([await attempts(), await ingestions()]).toEqual([[], []]);
  });

  it('while a snapshot is built: no derivation fails', async () => {
    const lake = await pipeline.workspace.openLake();
    try {
      const error = await failed(
        () => deriveAttempt(lake, pipeline.workspace, STOPPED),
        'ENOSPC',
        ({ call, path }) => call === 'write' && path.endsWith('vintages.parquet'),
      );
      expect((error as Error).message).toMatch(
        /snapshots\/\.staging\/vintages\.parquet cannot be written \(ENOSPC\)\. The disk is full: free some space/,
      );
      expect(await attempts()).toEqual([]);
    } finally {
      await lake.close();
    }
  });
});

describe('a file that is written to last', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-full-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['write', 'sync', 'rename'] as const)('leaves no half file if its %s fails, and is named', async (at) => {
    const path = join(folder, 'state.json');
    const { error } = await traced(folder, () => writeDurably(path, 'x'.repeat(1000)), {
      failing: (_, { call }) => (call === at ? 'ENOSPC' : null),
    });
    expect(diskErrorOf(error)?.message).toContain(`${path}.partial cannot be written (ENOSPC)`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Every call of that name on the disk ends so, as where this process may open no more files. */
async function withoutFiles(call: 'readFile', work: () => Promise<unknown>): Promise<void> {
  const before = promises[call];
  const refuse = () => Promise.reject(Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE', path: '/d/a' }));
  Object.assign(promises, { [call]: refuse });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(promises, { [call]: before });
    syncBuiltinESMExports();
  }
}

describe('a payload whose time is looked up', () => {
  it('does not fail if too many files are open', async () => {
    const pipeline = await openPipeline();
    try {
      await pipeline.ingest(statedFile('one', [['2020-12', '2021-01-05', 7]]), '2021-03-01T08:00:00.000Z', [stated]);
      const { archive } = pipeline.workspace;
      const { payload } = await archive.store({
        sourceId: 'fred',
        key: 'stated/two.json',
        body: Buffer.from(JSON.stringify({ knownAt: null, rows: [] })),
        mediaType: 'application/json',
        address: null,
        retrievedAt: NIGHT,
        httpStatus: null,
        etag: null,
        lastModified: null,
      });
      await withoutFiles('readFile', async () => {
        await expect(inKnowledgeOrder(stated, archive, [payload], new Map())).rejects.toThrow(DiskError);
      });
      expect((await inKnowledgeOrder(stated, archive, [payload], new Map())).failures).toEqual([]);
    } finally {
      await pipeline.remove();
    }
  });
});

describe('a lake file whose state cannot be read', () => {
  it('is not treated as missing', async () => {
    const pipeline = await openPipeline();
    try {
      await pipeline.ingest(statedFile('one', [['2020-12', '2021-01-05', 7]]), '2021-03-01T08:00:00.000Z', [stated]);
      const lake = join(pipeline.dataDir, 'lake');
      const path = join(lake, 'observations/source_id=fred/part-00000001.parquet');
      const bytes = readFileSync(path);
      rmSync(path);
      symlinkSync('part-00000001.parquet', path);
      const options = { now: Date.parse(NIGHT), isNoted: false };
      expect(diskErrorOf(await verifyLake(lake, options).catch((error: unknown) => error))?.message).toMatch(
        /part-00000001.parquet .*\(ELOOP\)/,
      );
      rmSync(path);
      expect((await verifyLake(lake, options)).damages.map(({ problem }) => problem)).toEqual(['missing']);
      writeFileSync(path, bytes);
      expect((await verifyLake(lake, options)).damages).toEqual([]);
    } finally {
      await pipeline.remove();
    }
  });
});

describe('an archived payload that cannot be opened', () => {
  it('because too many files are open is not treated as damaged', async () => {
    const root = mkdtempSync(join(tmpdir(), 'asof-archive-'));
    const archive = openArchive(root);
    const { payload } = await archive.store({
      sourceId: 'fred',
      key: 'a.csv',
      body: Buffer.from('date,value'),
      mediaType: 'text/csv',
      address: null,
      retrievedAt: NIGHT,
      httpStatus: null,
      etag: null,
      lastModified: null,
    });
    await withoutFiles('readFile', async () => {
      await expect(archive.read(payload)).rejects.toThrow(/^EMFILE/);
    });
    expect(Buffer.from(await archive.read(payload)).toString()).toBe('date,value');
    rmSync(root, { recursive: true });
  });
});

describe('an error of the disk', () => {
  it.each([
    ['IO Error: Could not write file "/d/a.parquet": No space left on device', '/d/a.parquet cannot be written (ENOSPC).'],
    ['IO Error: Cannot open file "/d/b c": Too many open files', '/d/b c cannot be opened (EMFILE).'],
    ['IO Error: Cannot open file "/d/b": Too many open files in system', '/d/b cannot be opened (ENFILE).'],
    ['IO Error: Cannot open file "/d/x": Read-only file system', '/d/x cannot be written (EROFS).'],
  ])('of the engine is recognised by its message: %s', (message, expected) => {
    const error = diskErrorOf(new Error('derived/transforms could not be built', { cause: new Error(message) }));
    expect(error?.message).toContain(expected);
    expect([isOfProcess(error), isOfProcess(new Error('other'))]).toEqual([/EMFILE|ENFILE/.test(expected), false]);
  });

  it('is not assumed for an error with a known cause, nor for a missing file', () => {
    class Named extends Error {
      override readonly name = 'Named';
    }
    const cause = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/d' });
    expect([diskErrorOf(new Named('x', { cause })), diskErrorOf(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))]).toEqual([
      null,
      null,
    ]);
  });
});
