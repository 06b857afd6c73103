// What a serving process lets lie about: rows that live for a moment longer than the young ones, and die.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const SCRIPT = `
import { setImmediate } from 'node:timers/promises';
import { keepHeapSmall } from './src/heap.ts';
if (process.env.HEAP === 'small') keepHeapSmall();
const parts = [];
let most = 0;
for (let part = 0; part < 200; part += 1) {
  parts[part % 40] = Array.from({ length: 20_000 }, (_, number) => ({ number, text: 'row ' + number }));
  await setImmediate();
  most = Math.max(most, process.memoryUsage().heapTotal);
}
console.log(most / 1e6, parts.length);
`;

async function mostMb(heap: 'small' | 'as it is'): Promise<number> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '', HEAP: heap } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT], options);
  return Number(stdout.split(' ')[0]);
}

describe('the heap of a serving process', { timeout: 60_000 }, () => {
  it('is collected before the dead take as much room again as the living', async () => {
    const [small, asItIs] = await Promise.all([mostMb('small'), mostMb('as it is')]);
    expect(small).toBeLessThan(0.85 * asItIs);
  });
});
