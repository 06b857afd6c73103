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

/** The same bytes in unshared memory, so that a thread can take them over. Small buffers share their memory. */
export function inOwnMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
