// How much garbage may collect on the heap of a server. If V8 decides alone, the heap grows further and answers are no faster.
// An export also holds large buffers outside the heap, which V8 hardly counts: while one is written, V8 collects more often.
import { setFlagsFromString } from 'node:v8';
import type { Gate } from './gate.ts';

/** By how much of what lives the heap may grow before the next collection. */
const GROWS_PERCENT = 100;
const EXPORT_GROWS_PERCENT = 25;

const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** The same gate. From the first bulk answer to the end of the last one, the heap of this process may grow less. */
export function collectingDuringExports(gate: Gate, grow: (percent: number) => void = setGrowth): Gate {
  let exports = 0;
  grow(GROWS_PERCENT);
  return {
    admit(queryClass, client, scope, response) {
      const errand = gate.admit(queryClass, client, scope, response);
      if (queryClass !== 'bulk') return errand;
      exports += 1;
      if (exports === 1) grow(EXPORT_GROWS_PERCENT);
      response.once('close', () => {
        exports -= 1;
        if (exports === 0) grow(GROWS_PERCENT);
      });
      return errand;
    },
  };
}
