// What a signal may cut off, and what is brought to its end first: a write that has begun, a commit, the change of a file under its lock. A run that is cut off
// elsewhere leaves what the next one finishes; what it would leave lying about is removed.

const leftovers = new Set<() => void>();
let sections = 0;
let end: (() => void) | null = null;

/** Brings `work` to its end although the process is told to stop meanwhile. It is to be short. */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  sections += 1;
  try {
    return await work();
  } finally {
    sections -= 1;
    leaveIfIdle();
  }
}

/** @param remove called, not awaited, before the process is left; returns what takes it back */
export function onInterruption(remove: () => void): () => void {
  leftovers.add(remove);
  return () => void leftovers.delete(remove);
}

/** Calls `leave`, which ends the process, once nothing is at work that is to be brought to its end. Another call changes nothing. */
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
