// One step of a night over a data folder, in its own process to separate its time and memory; started by measure.ts.
import { resolve } from 'node:path';
import { sendSnapshot } from '../../jobs/sending/push.ts';
import { derive } from '../../jobs/derive.ts';
import { openWorkspace, type Workspace } from '../../jobs/workspace.ts';
import { openObjects } from '../../src/objects/open.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { openReplica } from '../../src/snapshot/remote/replica.ts';
import { appendVintage } from '../groups/rebuild.ts';

const STEPS = ['derive', 'publish', 'push', 'follow', 'append'] as const;
export type StepName = (typeof STEPS)[number];

export interface StepOrder {
  readonly step: StepName;
  readonly dataDir: string;
  /** The store for pushed and followed snapshots. */
  readonly store: string;
  /** The folder of the follower. */
  readonly replicaDir: string;
}

export interface Spent {
  readonly seconds: number;
  /** Processor time, which other work on the machine distorts less. */
  readonly coreSeconds: number;
}

export interface StepDone extends Spent {
  readonly peakMb: number;
  /** Of a derivation by schema, of written files by table. */
  readonly parts: Readonly<Record<string, Spent>>;
  readonly sentBytes: number;
}

const SNAPSHOTS_KEPT = 2;

function clock(): () => Spent {
  const [began, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - began) / 1000, coreSeconds: (user + system) / 1e6 };
  };
}

async function done(order: StepOrder): Promise<StepDone> {
  const workspace = openWorkspace({
    dataDir: order.dataDir,
    referenceDir: resolve(import.meta.dirname, '../../data/reference'),
    engineThreads: 2,
    engineMemory: '600MB',
    snapshotsKept: SNAPSHOTS_KEPT,
  });
  const parts = new Map<string, Spent>();
  const spent = clock();
  const sentBytes = await run(order, workspace, parts);
  return { ...spent(), parts: Object.fromEntries(parts), sentBytes, peakMb: process.resourceUsage().maxRSS / 1024 };
}

async function run(order: StepOrder, workspace: Workspace, parts: Map<string, Spent>): Promise<number> {
  const paths = snapshotPaths(order.dataDir);
  switch (order.step) {
    case 'derive':
      await deriveInParts(workspace, parts);
      return 0;
    case 'publish':
      await publish(paths, SNAPSHOTS_KEPT);
      return 0;
    case 'push': {
      const { sentBytes } = await sendSnapshot(
        { dataDir: order.dataDir, snapshotUrl: order.store },
        { keep: SNAPSHOTS_KEPT, now: Date.now() },
      );
      return sentBytes;
    }
    case 'follow': {
      const store = await openObjects(order.store);
      const to = snapshotPaths(order.replicaDir);
      await openReplica(store, { paths: to, own: null, beside: {}, now: () => Date.now() }).follow();
      store.close();
      return 0;
    }
    case 'append':
      await appendVintage(workspace);
      return 0;
  }
}

/** After the last relation come the checks, the tables that are written at the end, and the copies for servers. */
async function deriveInParts(workspace: Workspace, parts: Map<string, Spent>): Promise<void> {
  let part = clock();
  const add = (name: string) => {
    const [before, own] = [parts.get(name) ?? { seconds: 0, coreSeconds: 0 }, part()];
    parts.set(name, { seconds: before.seconds + own.seconds, coreSeconds: before.coreSeconds + own.coreSeconds });
    part = clock();
  };
  await derive(workspace, { now: () => Date.now() }, (path) => add(partOf(path)));
  add('checks, tables and copies for servers');
}

const WRITTEN_IN_PARTS: readonly string[] = ['published/vintages', 'published/states', 'published/values_3y'];

function partOf(path: string): string {
  if (WRITTEN_IN_PARTS.includes(path)) return path.replace('/', '.');
  return path.split('/')[0] ?? path;
}

process.on('message', (order: StepOrder) => {
  void done(order).then((found) => {
    process.send?.(found);
    process.disconnect();
  });
});
