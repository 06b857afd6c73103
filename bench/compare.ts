// What became slower than in the newest kept result: by ratios to peers, because the machine may be another one.
import type { MeasuredGroup, Report } from './figures.ts';

/** A rate beside a peer may fall to this share of the kept one before it is named. */
const LEAST_SHARE = 0.8;

interface Ratio {
  readonly name: string;
  readonly value: number;
}

/** The rate of the group's first peer divided by that of each other one, at each number of connections. */
function ratiosOf({ key, figures }: MeasuredGroup): readonly Ratio[] {
  return figures.flatMap((theirs) => {
    const ours = figures.find(({ connections }) => connections === theirs.connections);
    if (ours === undefined || ours === theirs) return [];
    const name = `${key}: ${ours.peer} beside ${theirs.peer}, ${theirs.connections} connection${theirs.connections === 1 ? '' : 's'}`;
    return [{ name, value: ours.perSecond / theirs.perSecond }];
  });
}

/** A line for each ratio that is over 20 % lower than in the newest earlier result of this size that has it. */
export function slower(report: Report, earlier: readonly Report[]): readonly string[] {
  const ofSize = earlier.filter(({ vintages }) => vintages === report.vintages);
  return report.groups.flatMap(ratiosOf).flatMap(({ name, value }) => {
    for (const { commit, groups } of ofSize.toReversed()) {
      const kept = groups.flatMap(ratiosOf).find((one) => one.name === name);
      if (kept === undefined) continue;
      return value < LEAST_SHARE * kept.value
        ? [`${name}: ${value.toFixed(2)} ×, and ${kept.value.toFixed(2)} × in the result of commit ${commit ?? 'unknown'}`]
        : [];
    }
    return [];
  });
}
