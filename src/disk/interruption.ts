// A signal interrupts a run, but first lets short work finish: a write, a commit, a change under a lock. The next run completes the rest.
// Temporary files of an interrupted run are removed.

const leftovers = new Set<() => void>();
let sections = 0;
let end: (() => void) | null = null;

/** Finishes `work` even if the process is told to stop. Keep it short. */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  sections += 1;
  try {
    return await work();
  } finally {
    sections -= 1;
    leaveIfIdle();
  }
}

/** @param remove called, not awaited, before the process exits; returns a function that cancels it */
export function onInterruption(remove: () => void): () => void {
  leftovers.add(remove);
  return () => void leftovers.delete(remove);
}

/** Calls `leave`, which ends the process, once no protected work is running. A second call does nothing. */
export function interrupt(leave: () => void): void {
  if (end !== null) return;
  end = leave;
  leaveIfIdle();
}

function leaveIfIdle(): void {
  if (end === null || sections > 0) return;
  for (const remove of [...leftovers].toReversed()) {
    try {
      remove();
    } catch {
      // The next run removes it.
    }
  }
  leftovers.clear();
  end();
}
