// The heap of a server in a process of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the heap is collected more often during an export, and as before after it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'collections.ts')]);
  const [before = 0, during = 0, after = 0] = stdout.split(' ').map(Number);
  expect(before).toBeGreaterThan(0);
  expect(during).toBeGreaterThan(before);
  expect(during).toBeGreaterThan(after);
});
