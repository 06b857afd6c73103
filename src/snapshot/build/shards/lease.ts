// Records who works on a shard, so that no other worker begins it. It only saves work: without it a shard is computed twice, with the same
// bytes. Clocks of machines are never compared. A lease expires if it does not change for `patience` milliseconds while a worker watches
// it.
import type { ObjectStore } from '../../../objects/store.ts';
import { leaseObject } from './job.ts';

export interface LeaseOptions {
  /** Name of the worker. */
  readonly id: string;
  /** Milliseconds. */
  readonly patience: number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

export interface Leases {
  /** True if this worker now has the shard. */
  readonly take: (input: string) => Promise<boolean>;
  /** Renews the lease if it is due. */
  readonly renew: (input: string) => Promise<void>;
}

/** Share of the patience after which a worker renews. */
const RENEWED_AFTER = 1 / 4;

export function openLeases(store: ObjectStore, { id, patience, elapsed }: LeaseOptions): Leases {
  /** Leases of others: the version seen, and since when. */
  const seen = new Map<string, { readonly version: string; readonly since: number }>();
  const own = new Map<string, number>();
  let signs = 0;
  const sign = (input: string, version: string | null) => {
    signs += 1;
    own.set(input, elapsed());
    return store.commit(leaseObject(input), `${id} ${signs}\n`, version);
  };
  return {
    async take(input) {
      const known = seen.get(input);
      if (known === undefined && (await sign(input, null))) return true;
      const found = await store.read(leaseObject(input), known?.version ?? null);
      if (found === null) return sign(input, null);
      if (found !== 'unchanged') {
        seen.set(input, { version: found.version, since: elapsed() });
        return false;
      }
      return known !== undefined && elapsed() - known.since >= patience && sign(input, known.version);
    },
    async renew(input) {
      if (elapsed() - (own.get(input) ?? 0) < patience * RENEWED_AFTER) return;
      const found = await store.read(leaseObject(input));
      if (found?.text.startsWith(`${id} `) === true) await sign(input, found.version);
    },
  };
}
