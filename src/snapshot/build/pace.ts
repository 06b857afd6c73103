// How long a build still takes: each step as in the last build, or, if that one did not have it, as the mean of the steps so far.

export interface Times {
  /** Milliseconds by step. */
  readonly before: ReadonlyMap<string, number>;
  /** Steps whose time no other step foretells. */
  readonly unforeseen: ReadonlySet<string>;
  readonly now: () => number;
}

export interface Pace {
  /** Ends the step before it. */
  readonly begin: (step: string) => void;
  /**
   * Milliseconds, or null if a step to come cannot be foreseen.
   * @param share how much of the current step is done, from 0 to 1
   */
  readonly left: (share?: number) => number | null;
  /** Milliseconds of the steps that have ended. */
  readonly times: () => Readonly<Record<string, number>>;
}

/** Below this, the steps so far say nothing about the speed of this machine. */
const LEAST_MS = 1000;
const LEAST_SHARE = 0.02;

/** @param steps all of them, in their order */
export function openPace(steps: readonly string[], { before, unforeseen, now }: Times): Pace {
  const ended = new Map<string, number>();
  let current: { readonly step: string; readonly since: number } | null = null;
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
  const expected = (step: string): number | null => {
    const known = before.get(step);
    if (known !== undefined) {
      const told = [...ended].flatMap(([name, took]) => (before.has(name) ? [[took, before.get(name) ?? 0] as const] : []));
      const then = sum(told.map(([, took]) => took));
      return then < LEAST_MS ? known : (known * sum(told.map(([took]) => took))) / then;
    }
    return unforeseen.has(step) || ended.size === 0 ? null : sum(ended.values()) / ended.size;
  };
  const leftOfCurrent = (share: number): number | null => {
    if (current === null) return 0;
    const spent = now() - current.since;
    if (share >= LEAST_SHARE) return (spent * (1 - share)) / share;
    const whole = expected(current.step);
    return whole === null ? null : Math.max(0, whole - spent);
  };
  return {
    begin(step) {
      if (current !== null) ended.set(current.step, now() - current.since);
      current = { step, since: now() };
    },
    left(share = 0) {
      const after = steps.slice(current === null ? 0 : steps.indexOf(current.step) + 1).map(expected);
      const all = [leftOfCurrent(share), ...after];
      return all.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);
    },
    times: () => Object.fromEntries(ended),
  };
}
