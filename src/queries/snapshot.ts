// The parts of a snapshot that a route may use: SQL on its published relations, the catalogue in memory, and the published manifest.
import type { Reader } from '../db/query.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Grants } from '../model/grant.ts';
import type { Manifest } from '../model/manifest.ts';
import type { NewestPrints, Packs } from '../model/pack.ts';

export interface Snapshot extends Reader {
  readonly snapshotId: string;
  /** The knowledge cutoff of the lake when the snapshot was built. */
  readonly knowledgeCutoff: string;
  /** The same for every caller. Its counts per series include periods that only the full tier may see; for others use seriesAsOf. */
  readonly catalogue: Catalogue;
  /** The first periodEnd that the caller may see. Null or absent: all. */
  readonly historyFrom?: string | null;
  readonly manifest: Manifest;
  /** The operator's grants for sources whose licences alone do not allow access. The catalogue's rights include them. */
  readonly grants: Grants;
  /** Null if the copy of the vintages is not available. Then the engine answers everything. */
  readonly packs: Packs | null;
  /** Null if the engine must answer. */
  readonly newest: NewestPrints | null;
}
