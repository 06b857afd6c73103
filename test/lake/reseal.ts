// A lake whose files a test rewrote on purpose: its records name them as they are now.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLedger, sealed } from '../../src/lake/ledger.ts';
import { lakePaths } from '../../src/lake/layout.ts';
import { adopt } from '../../src/lake/verified.ts';

/** @param root folder of the lake */
export async function reseal(root: string): Promise<void> {
  const paths = lakePaths(root);
  const names = readdirSync(paths.commits).toSorted();
  const newest = names.at(-1);
  const record = (await readLedger(paths, null)).newest?.record;
  if (newest === undefined || record === undefined) return;
  const standing = [...(await adopt(paths)).values()];
  for (const name of names.slice(0, -1)) rmSync(join(paths.commits, name));
  writeFileSync(join(paths.commits, newest), sealed({ ...record, files: [], removes: [], previous: null, standing }).text);
  rmSync(paths.verified, { force: true });
}
