// Threads of this process that run modules of the project, which are TypeScript.
import { Worker } from 'node:worker_threads';

/** @param module its URL; @param data its `workerData` */
export function startThread(module: URL, data: unknown): Worker {
  // A thread of Node.js 20 starts without the loader of TypeScript.
  const code = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register(); await import(${JSON.stringify(module.href)});`;
  return new Worker(new URL(`data:text/javascript,${code}`), {
    workerData: data,
    execArgv: [],
    // A quarter of the default. Two threads that make forecasts take 50 MB less, and as long.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
}

export interface ThreadTask<Said, Result> {
  readonly message: unknown;
  /** Memory that the thread takes over. */
  readonly taken?: readonly ArrayBuffer[];
  /** Called for each message of the thread. Call one of the two functions to end the task. */
  readonly hear: (said: Said, resolve: (result: Result) => void, reject: (error: Error) => void) => void;
  /** The error if the thread fails or ends before that. */
  readonly lost: (reason: string) => Error;
}

/** Sends a message to a thread, and listens to it until the task ends. A thread has one task at a time. */
export function askThread<Said, Result>(thread: Worker, { message, taken = [], hear, lost }: ThreadTask<Said, Result>): Promise<Result> {
  let forget = (): void => undefined;
  return new Promise<Result>((resolve, reject) => {
    const listen = (said: Said): void => hear(said, resolve, reject);
    const fail = (error: Error): void => reject(lost(error.message));
    const leave = (): void => reject(lost('the thread ended'));
    thread.on('message', listen).on('error', fail).on('exit', leave);
    forget = () => void thread.off('message', listen).off('error', fail).off('exit', leave);
    thread.postMessage(message, taken);
  }).finally(() => forget());
}

/** The same bytes in unshared memory, so that a thread can take them over. Small buffers share their memory. */
export function inOwnMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
