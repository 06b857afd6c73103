// The temporary files of a run of the tests: one folder, removed at its end, however many files the tests leave there.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => Promise<void> {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'asof-tests-'));
  // The processes that run the tests start later and take it from here.
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
