// What a route may ask of a snapshot: SQL on its published relations, the catalogue in memory, the manifest as it was published.
import type { Reader } from '../db/query.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Grants } from '../model/grant.ts';
import type { Manifest } from '../model/manifest.ts';
import type { NewestPrints, Packs } from '../model/pack.ts';

export interface Snapshot extends Reader {
  readonly snapshotId: string;
  /** The moment up to which the lake knew when the snapshot was built. */
  readonly knowledgeCutoff: string;
  /** As it is, whoever asks: what is counted in it of a series is for keys of the full tier; see seriesAsOf. */
  readonly catalogue: Catalogue;
  /** The first periodEnd that who asks may see; null or absent: all. */
  readonly historyFrom?: string | null;
  readonly manifest: Manifest;
  /** What the operator may show of sources whose licences alone do not allow it; the rights in the catalogue heed it. */
  readonly grants: Grants;
  /** Null where the copy of the vintages is not at hand: then all is asked of the engine. */
  readonly packs: Packs | null;
  /** Null where it is asked of the engine. */
  readonly newest: NewestPrints | null;
}
