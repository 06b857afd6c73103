// Limits the garbage on the heap of a server. If the limit is low, V8 collects often, and look-ups take up to half more processor time.
// If it is high, an export needs 100 to 300 MB more memory. So the limit is low only while an export is written.
import { setFlagsFromString } from 'node:v8';
import type { Gate } from './gate.ts';

/** The heap may grow by this share of its living objects before the next collection. V8 alone lets it grow further, without a gain. */
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
