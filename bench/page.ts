// The part of docs/develop/bench.md that is generated: each goal of the newest results, as met or missed, with what limits it.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { outcomes } from './goals.ts';
import type { MeasuredGroup, Report } from './figures.ts';

export const PAGE = resolve(import.meta.dirname, '../docs/develop/bench.md');
const [BEGIN, END] = ['<!-- results -->', '<!-- /results -->'];

/** The rows of a group. @param commit named if the group is of another run */
function rowsOf(group: MeasuredGroup, vintages: number, commit: string | null): readonly string[] {
  const named = commit === null ? '' : ` (commit \`${commit}\`)`;
  return outcomes(group, vintages).map(
    ({ of, value, unit, bound, isMet, limits }) =>
      `| \`${group.key}\`${named} | ${of} | ${value}${unit} | ${bound}${unit} | ${isMet ? 'met' : `missed${limits === null ? '' : `: ${limits}`}`} |`,
  );
}

/** The table of a report, with the conditions of its run. None if no goal was measured. @param reports all kept ones, oldest first */
function section(report: Report, reports: readonly Report[]): readonly string[] {
  const { machine, versions, commit, measuredAt, vintages } = report;
  const peers = Object.entries(versions).flatMap(([name, version]) => (version === null ? [] : [`${name} ${version}`]));
  const rows = [
    ...report.groups.flatMap((group) => rowsOf(group, vintages, null)),
    ...groupsBeside(report, reports).flatMap(({ group, of }) => rowsOf(group, vintages, of ?? 'unknown')),
  ];
  if (rows.length === 0) return [];
  const text = [
    `### ${(vintages / 1e6).toLocaleString('en')} million vintages`,
    '',
    `Measured on ${measuredAt.slice(0, 10)}, commit \`${commit ?? 'unknown'}\`: ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB; ${peers.join(', ')}.`,
    '',
    '| group | asof beside | figure | goal | outcome |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  return [text];
}

/** The newest report of each size that has most groups: a run of a few groups does not replace a whole one. */
export function newestOf(reports: readonly Report[]): readonly Report[] {
  const sizes = [...new Set(reports.map(({ vintages }) => vintages))].toSorted((a, b) => a - b);
  return sizes.flatMap((size) => {
    const ofSize = reports.filter(({ vintages }) => vintages === size);
    const most = Math.max(...ofSize.map(({ groups }) => groups.length));
    return ofSize.filter(({ groups }) => groups.length === most).slice(-1);
  });
}

/** The groups that a report lacks, each from the newest report of its size that has it. */
function groupsBeside(
  { vintages, groups }: Report,
  reports: readonly Report[],
): readonly { readonly group: MeasuredGroup; readonly of: string | null }[] {
  const known = new Set<string>(groups.map(({ key }) => key));
  const ofSize = reports.filter((one) => one.vintages === vintages).toReversed();
  return ofSize.flatMap(({ commit, groups: others }) => {
    const found = others.filter(({ key }) => !known.has(key));
    for (const { key } of found) known.add(key);
    return found.map((group) => ({ group, of: commit }));
  });
}

/** @param page the text of the page, with the marks between which the results stand */
export function withResults(page: string, reports: readonly Report[]): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/develop/bench.md lacks ${BEGIN} and ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n\n${newestOf(reports)
    .flatMap((report) => section(report, reports))
    .join('\n\n')}\n\n${page.slice(to)}`;
}

/** Writes the results into the page. Resolves with its path. */
export async function writePage(reports: readonly Report[]): Promise<string> {
  await writeFile(PAGE, withResults(await readFile(PAGE, 'utf8'), reports));
  return PAGE;
}
