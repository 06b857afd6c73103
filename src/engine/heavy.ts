// What answers the heavy questions of snapshots in place of this process: ClickHouse, where it holds the snapshot. What it holds is looked up every few seconds, beside
// the requests.
import { QueryTimeoutError } from '../db/lanes.ts';
import type { Engine } from '../db/query.ts';
import { ClusterError, type ClusterConnection } from './connection.ts';
import { heldLoads, type Load, loadOf, tablesOf, type TablesOfLoad } from './loads.ts';
import { statementOf } from './wire.ts';

export interface HeavyEngine {
  /** What is asked the heavy questions of a snapshot; null where the cluster does not hold it, so that this process is asked. */
  readonly engineOf: (snapshotId: string) => Engine | null;
  /** Looks up what the cluster holds, where that is due; waits for it the first time alone. */
  readonly follow: () => Promise<void>;
  /** What an operator should know of a snapshot that is served; null where all is as it should be. */
  readonly warning: (snapshotId: string) => string | null;
  readonly close: () => Promise<void>;
}

const LOOK_MS = 5000;
const LOOK_SECONDS = 5;
/** Of a question that belongs to no request. */
const ALONE_SECONDS = 60;

/**
 * @param elapsed milliseconds since any moment
 * @param onTrouble told when the cluster no longer answers, or does so in another way, and with null when it does again
 */
export function openHeavyEngine(cluster: ClusterConnection, elapsed: () => number, onTrouble: (error: unknown) => void): HeavyEngine {
  /** Null until it has told once. */
  let loads: readonly Load[] | null = null;
  let trouble: unknown = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  const note = (error: unknown) => {
    if (kindOf(error) !== kindOf(trouble)) onTrouble(error);
    trouble = error;
  };
  const look = async () => {
    try {
      loads = await heldLoads(cluster, { seconds: LOOK_SECONDS });
      note(null);
    } catch (error) {
      note(error);
    } finally {
      lookedAt = elapsed();
      looking = null;
    }
  };
  const engines = new Map<string, Engine>();
  const engineFor = (load: Load): Engine => {
    const known = engines.get(load.loadId) ?? engineOver(cluster, tablesOf(load));
    engines.set(load.loadId, known);
    return known;
  };
  return {
    engineOf(snapshotId) {
      // While nothing is known of what it holds, it is not left out: this process would be asked what it is too small for.
      if (loads === null) return UNKNOWN;
      const load = loadOf(loads, snapshotId);
      return load === null ? null : engineFor(load);
    },
    async follow() {
      if (looking !== null || elapsed() - lookedAt < LOOK_MS) return;
      const isFirst = lookedAt === Number.NEGATIVE_INFINITY;
      looking = look();
      if (isFirst) await looking;
    },
    warning(snapshotId) {
      if (trouble !== null) {
        return `The cluster of ENGINE_URL ${kindOf(trouble)}. Screens and lists over many series are refused until it answers.`;
      }
      if (loads !== null && loadOf(loads, snapshotId) === null)
        return `The cluster of ENGINE_URL does not have ${snapshotId}, so this machine answers instead. Run: npm run load.`;
      return null;
    },
    close: () => cluster.close(),
  };
}

/** What the cluster does in place of answering; null where it answers. */
function kindOf(trouble: unknown): string | null {
  if (trouble === null) return null;
  const type = trouble instanceof ClusterError ? trouble.type : null;
  return type === null ? 'does not answer' : `refuses queries (${type})`;
}

const UNKNOWN: Engine = {
  read: () => Promise.reject(new ClusterError('it has not listed its snapshots yet', null)),
};

/** One snapshot, in its tables. */
export function engineOver(cluster: ClusterConnection, tables: TablesOfLoad): Engine {
  return {
    async read({ file, twin }, values, use, errand) {
      if (twin === undefined) throw new RangeError(`The query ${file.replace('.sql', '')} is not written for a cluster`);
      const statement = statementOf(twin, values, tables);
      if (errand === undefined) return cluster.read(statement, { seconds: ALONE_SECONDS }, use);
      return errand.runElsewhere(async (interruptBy, milliseconds) => {
        const given = new AbortController();
        interruptBy(() => given.abort());
        const seconds = Math.max(1, milliseconds / 1000);
        try {
          return await cluster.read(statement, { seconds, signal: given.signal }, use);
        } catch (error) {
          if (error instanceof ClusterError && error.type === 'TIMEOUT_EXCEEDED')
            throw new QueryTimeoutError(errand.queryClass, seconds, true);
          throw error;
        }
      });
    },
  };
}
