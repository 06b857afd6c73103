// Figures as a table for people and as JSON for machines. A ratio is the first peer's rate over the other's.
import type { Figures } from './measure.ts';

export interface Group {
  readonly name: string;
  /** What one request is. */
  readonly of: string;
  readonly figures: readonly Figures[];
  /** Highest resident memory of the serving process, where there is one. */
  readonly serverPeakMemoryMb?: number | undefined;
}

export interface MeasuredGroup extends Group {
  /** Highest resident memory of the process that measured, the peers in it included. */
  readonly peakMemoryMb: number;
}

export interface Report {
  readonly vintages: number;
  readonly node: string;
  readonly groups: readonly MeasuredGroup[];
}

const HEADER = ['', 'peer', 'connections', 'p50 ms', 'p99 ms', 'req/s', 'CPU ms', 'asof ÷ peer', 'rounds', 'peak MB'];

export function table(report: Report): string {
  const rows = report.groups.flatMap((group) =>
    group.figures.map((figures, index) => {
      const first = group.figures.find(({ connections }) => connections === figures.connections);
      return [
        index === 0 ? group.name : '',
        figures.peer,
        String(figures.connections),
        figures.p50Ms.toFixed(2),
        figures.p99Ms.toFixed(2),
        figures.perSecond.toFixed(figures.perSecond < 100 ? 1 : 0),
        figures.cpuMsPerAsk === null ? '' : figures.cpuMsPerAsk.toFixed(2),
        first === undefined || first === figures ? '' : (first.perSecond / figures.perSecond).toFixed(2),
        first === undefined || first === figures ? '' : figures.ratios.map((ratio) => ratio.toFixed(2)).join('-'),
        index === 0 ? String(group.serverPeakMemoryMb ?? group.peakMemoryMb) : '',
      ];
    }),
  );
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const millions = (report.vintages / 1e6).toLocaleString('en');
  return [
    `${millions} million vintages, Node ${report.node}; medians over rounds in which the peers take turns.`,
    '',
    ...all.map(line),
  ].join('\n');
}
