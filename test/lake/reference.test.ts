// Two lines of one key in a reference table end the run before anything is read.
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REFERENCE_KEYS, requireUniqueRows } from '../../src/lake/reference.ts';
import { nightly } from '../../jobs/nightly.ts';
import { openPipeline } from '../pipeline.ts';
import { sources } from '../../src/sources/index.ts';
import { realEffects } from '../../src/effects.ts';
import { KnownError } from '../../src/known-error.ts';

describe('reference tables', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(resolve(import.meta.dirname, '../../data/reference'), folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are accepted as they are', () => {
    expect(() => requireUniqueRows(folder)).not.toThrow();
  });

  it.each(Object.keys(REFERENCE_KEYS))('refuse a second line with the same key in %s.csv, with both line numbers', async (table) => {
    const path = join(folder, `${table}.csv`);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await appendFile(path, `${lines[1]}\n`);
    const refused = () => requireUniqueRows(folder);
    expect(refused).toThrow(`${path}: line ${lines.length + 1} repeats the key of line 2 (`);
    expect(refused).toThrow(KnownError);
  });

  it('refuse another ratio for a split of the same company and day, before the night writes a lake', async () => {
    await appendFile(join(folder, 'stock_splits.csv'), '0000320193,2020-08-31,5,x\n');
    const pipeline = await openPipeline({ referenceDir: folder });
    await expect(nightly(sources, pipeline.workspace, realEffects('silent', 2), folder)).rejects.toThrow(
      /stock_splits\.csv: line \d+ repeats the key of line 3 \(cik "0000320193", effective_date "2020-08-31"\)/,
    );
    expect(existsSync(join(pipeline.workspace.dataDir, 'lake'))).toBe(false);
    await pipeline.remove();
  });
});
