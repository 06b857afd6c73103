// The current snapshot, its feeds, the grants and, on request, the keys → the store in SNAPSHOT_URL.
import type { Config } from '../../src/config.ts';
import { openObjects } from '../../src/objects/open.ts';
import type { ObjectStore } from '../../src/objects/store.ts';
import { keyFile, readKeys } from '../../src/keys/key-store.ts';
import { grantFile } from '../../src/rights/grant-file.ts';
import { feedFiles, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { push, pushFile, type PushOptions, type PushReport } from '../../src/snapshot/remote/push.ts';
import { KnownError } from '../../src/known-error.ts';

export interface SentReport extends PushReport {
  readonly address: string;
  readonly areGrantsSent: boolean;
}

type Place = Pick<Config, 'dataDir' | 'snapshotUrl'>;

/** Throws as `push` does, and a KnownError without a store. */
export async function sendSnapshot(place: Place, options: PushOptions): Promise<SentReport> {
  return withStore(place, async (store) => {
    const paths = snapshotPaths(place.dataDir);
    const report = await push(paths, store, options);
    for (const feed of feedFiles(paths)) await pushFile(store, feed);
    return { address: store.address, ...report, areGrantsSent: await pushFile(store, grantFile(place.dataDir)) };
  });
}

/** Resolves with the address; with false if the store already has the same keys. Throws a KnownError without keys, so none are deleted. */
export async function sendKeys(place: Place): Promise<{ readonly address: string; readonly isChanged: boolean }> {
  if (readKeys(keyFile(place.dataDir)).length === 0)
    throw new KnownError(`No key has been issued in ${place.dataDir}, so none were sent. Set DATA_DIR to the folder of keys.json.`);
  return withStore(place, async (store) => ({ address: store.address, isChanged: await pushFile(store, keyFile(place.dataDir)) }));
}

async function withStore<Result>({ snapshotUrl }: Place, work: (store: ObjectStore) => Promise<Result>): Promise<Result> {
  if (snapshotUrl === null) throw new KnownError('Set SNAPSHOT_URL to the store for replicas: s3://bucket/prefix or file:///folder.');
  const store = await openObjects(snapshotUrl);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** One line. */
export function sentText({ address, snapshotId, isNew, sentFiles, sentBytes }: SentReport): string {
  const size = `${(sentBytes / 1e6).toFixed(1)} MB`;
  return isNew
    ? `${snapshotId} is current in ${address}: ${sentFiles} files were sent (${size}).`
    : `${snapshotId} was current in ${address} already: ${sentFiles === 0 ? 'nothing was sent' : `${sentFiles} files were sent again (${size})`}.`;
}
