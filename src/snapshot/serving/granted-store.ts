// The snapshots under the operator's grants: the same files, with the rights that are in force at the time of a request.
import type { Errand } from '../../db/lanes.ts';
import type { Engine } from '../../db/query.ts';
import { type Catalogue, type Series, withSeries } from '../../model/catalogue.ts';
import { type Grants, NO_GRANTS, underGrants } from '../../model/grant.ts';
import type { FollowedGrants } from '../../rights/grant-file.ts';
import type { SnapshotPaths } from '../manifest.ts';
import type { SnapshotReader } from './reader.ts';
import type { FollowedStore } from './store.ts';

export interface GrantedSnapshot extends SnapshotReader {
  /** The grants as text, because answers depend on them. Empty if there are none. */
  readonly rightsState: string;
}

export interface GrantedStore extends Omit<FollowedStore, 'acquire'> {
  readonly acquire: (snapshotId?: string) => Promise<{ readonly snapshot: GrantedSnapshot; readonly release: () => void } | null>;
  /** A view of the snapshot that runs its queries in this errand. */
  readonly under: (snapshot: GrantedSnapshot, errand: Errand) => GrantedSnapshot;
}

/**
 * @param grantsOf the grants of each folder of snapshots
 * @param engineOf the engine for heavy questions about a snapshot; null if the snapshot answers them itself
 */
export function openGrantedStore(
  store: FollowedStore,
  grantsOf: ReadonlyMap<SnapshotPaths, FollowedGrants>,
  now: () => number,
  engineOf: (snapshotId: string) => Engine | null = () => null,
): GrantedStore {
  const opened = new WeakMap<SnapshotReader, GrantedSnapshot>();
  const snapshotUnder = (reader: SnapshotReader, grants: Grants): GrantedSnapshot => {
    const rightsState = grants.size === 0 ? '' : JSON.stringify([...grants.values()]);
    const known = opened.get(reader);
    if (known?.rightsState === rightsState) return known;
    const snapshot = { ...reader, catalogue: catalogueUnder(reader.catalogue, grants), grants, rightsState };
    opened.set(reader, snapshot);
    return snapshot;
  };
  return {
    ...store,
    under: (snapshot, errand) => {
      const engine = engineOf(snapshot.snapshotId);
      return {
        ...snapshot,
        withConnection: (use) => snapshot.withConnection(use, errand),
        engine: engine === null ? null : { read: (question, values, use) => engine.read(question, values, use, errand) },
      };
    },
    follow: async () => {
      for (const grants of grantsOf.values()) grants.follow();
      await store.follow();
    },
    async acquire(snapshotId) {
      const pinned = await store.acquire(snapshotId);
      if (pinned === null) return null;
      const { snapshot, paths, release } = pinned;
      return { snapshot: snapshotUnder(snapshot, grantsOf.get(paths)?.at(now()) ?? NO_GRANTS), release };
    },
  };
}

function catalogueUnder(catalogue: Catalogue, grants: Grants): Catalogue {
  if (grants.size === 0) return catalogue;
  const opened = new Map<number, Series>();
  for (const series of catalogue.series) {
    const granted = underGrants(series, grants);
    if (granted !== series) opened.set(series.seriesNo, granted);
  }
  return withSeries(catalogue, opened);
}
