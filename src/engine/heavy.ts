// Sends heavy queries of a snapshot to ClickHouse if it has that snapshot loaded. Every few seconds, outside of requests, this checks which snapshots
// it has.
import { QueryTimeoutError } from '../db/lanes.ts';
import type { Engine } from '../db/query.ts';
import { ClusterError, type ClusterConnection } from './connection.ts';
import { CLICKHOUSE } from './dialect.ts';
import { heldLoads, type Load, loadOf, tablesOf, type TablesOfLoad } from './loads.ts';
import { statementOf } from './wire.ts';

export interface HeavyEngine {
  /** The engine for heavy queries of a snapshot; null if the cluster does not have it, so this process answers. */
  readonly engineOf: (snapshotId: string) => Engine | null;
  /** Checks the loaded snapshots if that is due; only the first check is awaited. */
  readonly follow: () => Promise<void>;
  /** A warning for the operator about a served snapshot; null if all is well. */
  readonly warning: (snapshotId: string) => string | null;
  readonly close: () => Promise<void>;
}

const LOOK_MS = 5000;
const LOOK_SECONDS = 5;
/** For queries outside of requests. */
const ALONE_SECONDS = 60;

/**
 * @param elapsed milliseconds since any moment
 * @param onTrouble called when the cluster fails or fails in another way, and with null when it recovers
 */
export function openHeavyEngine(cluster: ClusterConnection, elapsed: () => number, onTrouble: (error: unknown) => void): HeavyEngine {
  /** Null until the first report. */
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
      // An unknown state counts as loaded: this process would get queries that it is too small for.
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

/** The cluster's failure; null if it answers. */
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
    async read({ file, textIn }, values, use, errand) {
      if (textIn === undefined) throw new RangeError(`The query ${file.replace('.sql', '')} is not written for a cluster`);
      const statement = statementOf(textIn(CLICKHOUSE), values, tables);
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
