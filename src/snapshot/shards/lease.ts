// Who is at work on a shard, so that no other begins it. It saves work and nothing else: where it goes wrong a shard is made twice, with the same bytes.
// No clock is compared with another: a lease is over once it was seen not to change for as long as `patience` says.
import type { ObjectStore } from '../../objects/store.ts';
import { leaseObject } from './job.ts';

export interface LeaseOptions {
  /** Names the worker. */
  readonly id: string;
  /** Milliseconds. */
  readonly patience: number;
  /** Milliseconds, of a clock that nobody sets. */
  readonly elapsed: () => number;
}

export interface Leases {
  /** Whether the shard is this worker's now. */
  readonly take: (input: string) => Promise<boolean>;
  /** A sign of life, where it is time for one. */
  readonly renew: (input: string) => Promise<void>;
}

/** Of its patience, after which a worker shows that it is at work. */
const RENEWED_AFTER = 1 / 4;

export function openLeases(store: ObjectStore, { id, patience, elapsed }: LeaseOptions): Leases {
  /** Of others: since when they are seen at that version. */
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
