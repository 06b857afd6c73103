// Keeps a server's replica up to date. It reports a problem once, and shows it as long as it lasts.
import type { Replica } from './replica.ts';

export interface Follower {
  /** Looks once. Never throws: after a failure, the replica keeps its state. */
  readonly follow: () => Promise<void>;
  readonly distrust: () => void;
  /** The error of the last look. Null if it succeeded. */
  readonly problem: () => string | null;
}

/** @param onError called once per failure, until the failure changes or ends */
export function openFollower(replica: Replica, onError: (error: unknown) => void): Follower {
  let problem: string | null = null;
  return {
    distrust: () => replica.distrust(),
    problem: () => problem,
    async follow() {
      try {
        await replica.follow();
        problem = null;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== problem) onError(error);
        problem = text;
      }
    },
  };
}
