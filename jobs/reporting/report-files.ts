// The reports of past runs: DATA_DIR/reports/<run>.json, the newest of them.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../src/disk/durable.ts';
import type { NightlyReport, QuietReport } from '../nightly.ts';

/** Three months of nights. */
const REPORTS_KEPT = 90;

const NAME = /^\d{8}T\d{9}Z\.json$/;

/** Writes the report in full, removes the oldest, and returns its path. */
export async function keepReport(dataDir: string, report: NightlyReport | QuietReport): Promise<string> {
  const folder = join(dataDir, 'reports');
  const file = join(folder, `${report.startedAt.replaceAll(/[-:.]/g, '')}.json`);
  await writeDurably(file, `${JSON.stringify(report, null, 1)}\n`);
  const kept = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  for (const name of kept.slice(0, -REPORTS_KEPT)) await rm(join(folder, name), { force: true });
  return file;
}
