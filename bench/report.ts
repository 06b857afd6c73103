// Figures as a table for people and as JSON for machines. A ratio is the first peer's rate over the other's.
import { absentRows, judged } from './goals.ts';
import type { MeasuredGroup, Report } from './figures.ts';

const HEADER = ['', 'peer', 'connections', 'p50 ms', 'p99 ms', 'req/s', 'CPU ms', 'asof ÷ peer', 'rounds', 'peak MB', 'goal'];
const MEASURES_HEADER = ['', 'measure', 'value', 'unit', 'goal'];

export function table(report: Report): string {
  const figures = report.groups.flatMap((group) => figureRows(report, group));
  const measures = report.groups.flatMap((group) => measureRows(report, group));
  const { machine, versions, commit } = report;
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'absent'}`);
  return [
    `${(report.vintages / 1e6).toLocaleString('en')} million vintages; medians over rounds in which the peers take turns.`,
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB; ${peers.join(', ')}; commit ${commit ?? 'unknown'}.`,
    ...(figures.length > 0 ? ['', ...aligned([HEADER, ...figures], [0, 1, 10])] : []),
    ...(measures.length > 0 ? ['', ...aligned([MEASURES_HEADER, ...measures], [0, 1, 3, 4])] : []),
  ].join('\n');
}

function figureRows(report: Report, group: MeasuredGroup): string[][] {
  const rows = group.figures.map((figures, index) => {
    const first = group.figures.find(({ connections }) => connections === figures.connections);
    const isFirst = first === undefined || first === figures;
    return [
      index === 0 ? group.name : '',
      figures.peer,
      String(figures.connections),
      figures.p50Ms.toFixed(2),
      figures.p99Ms.toFixed(2),
      rounded(figures.perSecond),
      figures.cpuMsPerAsk === null ? '' : figures.cpuMsPerAsk.toFixed(2),
      isFirst ? '' : (first.perSecond / figures.perSecond).toFixed(2),
      isFirst ? '' : figures.ratios.map((ratio) => ratio.toFixed(2)).join('-'),
      index === 0 ? String(group.serverPeakMemoryMb ?? group.peakMemoryMb) : '',
      judged(report, group, 'rate', figures.peer, figures.connections),
    ];
  });
  const absent = absentRows(report, group, 'rate').map((peer, index) => [
    rows.length + index === 0 ? group.name : '',
    peer,
    ...Array.from({ length: 8 }, () => ''),
    judged(report, group, 'rate', peer) || 'absent',
  ]);
  return [...rows, ...absent];
}

function measureRows(report: Report, group: MeasuredGroup): string[][] {
  const rows = (group.measures ?? []).map(({ name, value, unit }) => [name, rounded(value), unit]);
  const absent = absentRows(report, group, 'measure').map((name) => [name, '', '']);
  return [...rows, ...absent].map((row, index) => [index === 0 ? group.name : '', ...row, judged(report, group, 'measure', row[0] ?? '')]);
}

const rounded = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0));

/** @param left columns of text; numbers are right-aligned */
function aligned(rows: readonly (readonly string[])[], left: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
