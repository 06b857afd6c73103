// Progress of long work, on standard error: steps with a bar on a terminal, a line per step otherwise, nothing for a machine.
import { Listr, type ListrDefaultRendererLogLevels, ListrLogger, ProcessOutput } from 'listr2';
import { elapsed } from '../../src/effects.ts';

/** @param done of `total` within the named step, or within its source if it goes source by source */
export type OnProgress = (
  step: string,
  detail: string,
  done: number,
  total: number,
  source?: SourcePlace,
  /** Milliseconds left of the step; null if unknown. If absent, the bar extrapolates from the time so far. */
  left?: number | null,
) => void;

export interface SourcePlace {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** For a step that goes source by source. */
export function placeOf(sources: readonly { readonly id: string }[], sourceId: string): SourcePlace {
  return { number: sources.findIndex(({ id }) => id === sourceId) + 1, of: sources.length };
}

const BAR = 30;
/** Before that, the time left cannot be estimated. */
const LEAST_MS = 3000;
const LEAST_SHARE = 0.02;

interface Place {
  readonly detail: string;
  readonly done: number;
  readonly total: number;
  readonly source?: SourcePlace | undefined;
  readonly left?: number | null | undefined;
  /** The time since the start of the step. */
  readonly milliseconds: number;
}

/** Milliseconds left at the speed so far; null at the beginning. */
export function leftOf(milliseconds: number, share: number): number | null {
  return milliseconds < LEAST_MS || share < LEAST_SHARE || share >= 1 ? null : (milliseconds * (1 - share)) / share;
}

/** A bar that is never full, its label, and the time left. */
export function progressText({ detail, done, total, source, milliseconds, left: given }: Place): string {
  const within = Math.min(done / Math.max(total, 1), 1);
  const share = source === undefined ? within : (source.number - 1 + within) / source.of;
  const filled = Math.min(Math.floor(BAR * share), BAR - 1);
  const place = source === undefined ? '' : `source ${source.number} of ${source.of}: `;
  const left = given === undefined ? leftOf(milliseconds, share) : given;
  const words = left === null ? '' : `, about ${durationOf(left)} left`;
  return `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${place}${detail} ${Math.floor(done)}/${total}${words}`;
}

function durationOf(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

interface Step {
  readonly end: Promise<void>;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
  show: (text: string) => void;
}

/**
 * Runs `work` and shows its progress. Its progress calls name `steps` in their order: the first call for a step ends the earlier steps.
 * Rethrows an error of `work`, with its current step marked as failed.
 */
export async function withProgress<Result>(
  steps: readonly string[],
  isShown: boolean,
  work: (onProgress: OnProgress) => Promise<Result>,
  timer: () => number = elapsed,
): Promise<Result> {
  if (!isShown) return work(() => undefined);
  const states = steps.map(newStep);
  const shown = listOf(steps, states).run();
  let at = 0;
  let since = timer();
  const onProgress: OnProgress = (step, detail, done, total, source, left) => {
    const index = steps.indexOf(step);
    if (index < at) return;
    if (index > at) since = timer();
    for (; at < index; at += 1) states[at]?.finish();
    states[index]?.show(progressText({ detail, done, total, source, left, milliseconds: timer() - since }));
  };
  try {
    const result = await work(onProgress);
    for (const state of states) state.finish();
    await shown;
    return result;
  } catch (error) {
    // The command prints the reason, once.
    states[at]?.fail(new Error('see below'));
    await shown.catch(() => undefined);
    throw error;
  }
}

function listOf(steps: readonly string[], states: readonly Step[]) {
  const isTerminal = process.stderr.isTTY;
  const processOutput = new ProcessOutput(process.stderr, process.stderr);
  return new Listr(
    steps.map((title, index) => ({
      title,
      task: async (_context, task) => {
        const state = states[index];
        if (state === undefined) return;
        // Plain lines would appear at every call; the step's own two lines are enough.
        if (isTerminal) {
          state.show = (text) => {
            task.output = text;
          };
        }
        await state.end;
      },
    })),
    {
      renderer: 'default',
      rendererOptions: { logger: new ListrLogger<ListrDefaultRendererLogLevels>({ useIcons: true, processOutput }) },
      fallbackRenderer: 'simple',
      fallbackRendererOptions: { logger: new ListrLogger({ useIcons: true, processOutput }) },
      fallbackRendererCondition: !isTerminal,
      // The command handles signals.
      registerSignalListeners: false,
    },
  );
}

function newStep(): Step {
  let finish: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const end = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  end.catch(() => undefined); // Nobody waits for a step that was never reached, so its failure is ignored.
  return { end, finish, fail, show: () => undefined };
}
