// From the start of the process to the first answer of /ready, on the requested lake and on each other one generated earlier.
import { keptLakes, type Lake } from '../generate.ts';
import { type Figures, quantile } from '../measure.ts';
import { startService } from '../process.ts';
import type { Group, Measure } from '../figures.ts';
import { SIZES } from '../sizes.ts';

const STARTS = 3;

export async function startOnEach(lake: Lake): Promise<Group> {
  const others = (await keptLakes()).filter(({ vintages }) => vintages !== lake.vintages);
  const figures: Figures[] = [];
  const measures: Measure[] = [];
  const medians = new Map<number, number>();
  for (const { dataDir, vintages } of [lake, ...others]) {
    const [times, memory]: [number[], number[]] = [[], []];
    for (let number = 0; number <= STARTS; number += 1) {
      const service = await startService(dataDir);
      // The first start finds the files in no cache.
      if (number > 0) times.push(service.readyMs);
      memory.push(service.memoryMb());
      await service.stop();
    }
    const name = `asof, ${vintages / 1e6} M`;
    const p50Ms = quantile(times, 0.5);
    medians.set(vintages, p50Ms);
    const perSecond = 1000 / p50Ms;
    figures.push({
      peer: name,
      asks: times.length,
      p50Ms,
      p99Ms: Math.max(...times),
      perSecond,
      connections: 1,
      cpuMsPerAsk: null,
      ratios: [1, 1],
    });
    measures.push({ name: `${name}: memory when ready`, value: quantile(memory, 0.5), unit: 'MB' });
  }
  const [small, large] = [medians.get(SIZES.small), medians.get(SIZES.large)];
  const growth = small === undefined || large === undefined ? [] : [{ name: 'time at 100 M ÷ at 1 M', value: large / small, unit: '×' }];
  return { name: 'start', of: 'from the start of the process to /ready', figures, measures: [...measures, ...growth] };
}
