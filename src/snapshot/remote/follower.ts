// A replica as a server keeps it: brought up to date again and again, what is wrong told once and shown for as long as it lasts.
import type { Replica } from './replica.ts';

export interface Follower {
  /** One look. Never throws: what was followed before goes on. */
  readonly follow: () => Promise<void>;
  readonly distrust: () => void;
  /** Why the last look failed; null where it did not. */
  readonly problem: () => string | null;
}

/** @param onError told of a failure, once until it is another or over */
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
