// One group of measurements in a process of its own, started by run.ts, which gets the figures as a message.
import { type GroupOptions, isGroupName, type MeasuredGroup } from './figures.ts';
import { GROUPS } from './groups/index.ts';

const [name = '', size = '', options = ''] = process.argv.slice(2);
if (!isGroupName(name)) throw new Error(`there is no group ${name}`);
const groups = [await GROUPS[name].measure(Number(size), JSON.parse(options) as GroupOptions)].flat();
const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
const measured: readonly MeasuredGroup[] = groups.map((group) => ({ key: name, ...group, peakMemoryMb }));
process.send?.(measured);
process.disconnect();
