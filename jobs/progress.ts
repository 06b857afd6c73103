// Progress of long work, on standard error: steps with a bar on a terminal, a line per step otherwise, nothing where a machine reads.
import { Listr, type ListrDefaultRendererLogLevels, ListrLogger, ProcessOutput } from 'listr2';

/** @param done of `total` within the step named */
export type OnProgress = (step: string, detail: string, done: number, total: number) => void;

const BAR = 30;

interface Step {
  readonly end: Promise<void>;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
  show: (text: string) => void;
}

/**
 * Runs `work` and shows how far it is. Its progress calls name `steps` in their order: the first call for a step ends the steps before it.
 * What `work` throws is thrown, with the step at which it stood marked as failed.
 */
export async function withProgress<Result>(
  steps: readonly string[],
  isShown: boolean,
  work: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  if (!isShown) return work(() => undefined);
  const states = steps.map(newStep);
  const shown = listOf(steps, states).run();
  let at = 0;
  const onProgress: OnProgress = (step, detail, done, total) => {
    const index = steps.indexOf(step);
    if (index < at) return;
    for (; at < index; at += 1) states[at]?.finish();
    const filled = Math.round((BAR * done) / Math.max(total, 1));
    states[index]?.show(`[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${done}/${total} ${detail}`);
  };
  try {
    const result = await work(onProgress);
    for (const state of states) state.finish();
    await shown;
    return result;
  } catch (error) {
    states[at]?.fail(error);
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
        // Plain lines would come at every call; there the step's own two lines are enough.
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
  end.catch(() => undefined); // a step that was never reached has nobody to hear of its failure
  return { end, finish, fail, show: () => undefined };
}
