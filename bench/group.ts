// One group of measurements in a process of its own; started by run.ts, which takes the figures as a message.
import { GROUPS, type GroupOptions, isGroupName } from './groups/index.ts';
import type { MeasuredGroup } from './report.ts';

const [name = '', size = '', options = ''] = process.argv.slice(2);
if (!isGroupName(name)) throw new Error(`there is no group ${name}`);
const group = await GROUPS[name].measure(Number(size), JSON.parse(options) as GroupOptions);
const measured: MeasuredGroup = { key: name, ...group, peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024) };
process.send?.(measured);
process.disconnect();
