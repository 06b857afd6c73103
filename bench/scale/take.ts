// npm run scale -- take REPORT: the cost of an answer, from a report of npm run bench.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { GroupName, Report } from '../figures.ts';
import type { Figures } from '../measure.ts';
import type { Service, ServiceName } from './costs.ts';

interface Place {
  readonly queryClass: Service['queryClass'];
  readonly group: GroupName;
  readonly peer: string;
}

/** A cached answer has no class: it is sent before the gate. */
const PLACES: Readonly<Record<ServiceName, Place>> = {
  point: { queryClass: 'lookup', group: 'cold', peer: 'asof' },
  'as-of': { queryClass: 'lookup', group: 'as-of', peer: 'asof' },
  screen: { queryClass: 'screen', group: 'screener-as-of', peer: 'asof, HTTP' },
  bulk: { queryClass: 'bulk', group: 'bulk', peer: 'asof, Arrow' },
  kept: { queryClass: 'lookup', group: 'hot', peer: 'asof' },
};

// Only the fields read here: the rest of a report may be of another version.
const Conditions = z.object({
  measuredAt: z.iso.datetime(),
  commit: z.string().nullable(),
  machine: z.strictObject({ cores: z.int(), memoryGb: z.number(), cpu: z.string() }),
  vintages: z.int(),
  groups: z.array(z.object({ key: z.string(), figures: z.array(z.object({ peer: z.string(), connections: z.int() })) })),
});

export async function readReport(file: string): Promise<Report> {
  const text = JSON.parse(await readFile(file, 'utf8')) as Report;
  Conditions.parse(text);
  return text;
}

/** Throws a RangeError if the report lacks one of them. */
export function servicesOf(report: Report, file: string): Readonly<Record<ServiceName, Service>> {
  const found = Object.entries(PLACES).map(([name, place]) => [name, serviceOf(report, file, place)] as const);
  return Object.fromEntries(found) as Record<ServiceName, Service>;
}

function serviceOf({ vintages, groups, measuredAt, commit, machine }: Report, file: string, { queryClass, group, peer }: Place): Service {
  const figures: Figures | undefined = groups
    .find(({ key }) => key === group)
    ?.figures.filter((one) => one.peer === peer)
    .toSorted((a, b) => a.connections - b.connections)[0];
  if (figures === undefined)
    throw new RangeError(
      `${file} has no ${peer} in the group ${group}. Run: npm run bench -- --only ${[...new Set(Object.values(PLACES).map((one) => one.group))].join(',')}.`,
    );
  const { p50Ms, p99Ms, connections, cpuMsPerAsk } = figures;
  return {
    queryClass,
    vintages,
    connections,
    p50Ms,
    p99Ms,
    // Without processor time, the time of an answer alone on the machine replaces it.
    coreMs: cpuMsPerAsk ?? p50Ms,
    source: {
      command: `npm run bench, ${basename(file)}: ${group}, ${peer}`,
      measuredAt,
      commit,
      machine,
      remark: cpuMsPerAsk === null ? 'processor time is not told: the median stands for it' : '',
    },
  };
}
