// The tables of docs/develop/scale.md, between their markers: measurements, plan, limits, and results of the simulations.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fit, SERVICES, type UnitCosts } from './costs.ts';
import { limitsOf } from './limits.ts';
import { planFor, type Plan } from './plan.ts';
import { BUSIEST, profileFor, SIZES } from './profiles.ts';
import { type Simulated, simulate } from './simulate.ts';

export const DOCUMENT = join(import.meta.dirname, '../../docs/develop/scale.md');
export const SEED = 17;

/** Three significant digits are enough. */
export function amount(value: number, unit = ''): string {
  const text =
    value === 0
      ? '0'
      : Math.abs(value) >= 1000
        ? Math.round(Number(value.toPrecision(3))).toLocaleString('en')
        : String(Number(value.toPrecision(3)));
  return unit === '' ? text : `${text} ${unit}`;
}

export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return amount(bytes / 1000 ** step, units[step]);
}

export function timeText(seconds: number): string {
  if (seconds < 100) return amount(seconds, 's');
  if (seconds < 100 * 60) return amount(seconds / 60, 'min');
  if (seconds < 100 * 3600) return amount(seconds / 3600, 'h');
  return amount(seconds / 86_400, 'days');
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const FORMS = { line: 'line', 'through zero': 'line through zero', constant: 'no growth' } as const;

function measuredTable(costs: UnitCosts): string {
  const rows = Object.entries(costs.costs).map(([name, { unit, over, points, source }]) => {
    const { fixed, slope, form, miss } = fit(points);
    const inUnit = (value: number) =>
      unit === 'bytes' ? bytesText(value) : amount(value, unit === 'core-seconds' ? 'core-s' : unit === 'count' ? '' : unit);
    return [
      name,
      inUnit(fixed),
      inUnit(slope * 1e6),
      over,
      FORMS[form],
      points.length < 3 ? (points.length < 2 ? 'one size' : 'two sizes') : `${amount(100 * miss)} %`,
      points.map(({ at }) => amount(at)).join('; '),
      source.measuredAt.slice(0, 10),
    ];
  });
  return tableOf(['what', 'fixed part', 'a million', 'of', 'fit', 'largest miss', 'measured at', 'on'], rows);
}

function servicesTable(costs: UnitCosts): string {
  const rows = SERVICES.flatMap((name) => {
    const service = costs.services[name];
    if (service === undefined) return [];
    const { p50Ms, p99Ms, coreMs, connections, vintages, source } = service;
    return [
      [
        name,
        amount(p50Ms),
        amount(p99Ms),
        amount(coreMs),
        amount(1000 / coreMs),
        String(connections),
        amount(vintages),
        source.command + (source.remark === '' ? '' : ` (${source.remark})`),
      ],
    ];
  });
  return tableOf(['answer', 'p50 ms', 'p99 ms', 'core-ms', 'a second a core', 'connections', 'vintages', 'by'], rows);
}

function sourcesList(costs: UnitCosts): string {
  const sources = [...Object.values(costs.costs), ...Object.values(costs.services)].map(
    ({ source: { command, measuredAt, commit, machine, remark } }) =>
      `- ${measuredAt.slice(0, 10)}, commit ${commit ?? 'unknown'}, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB: \`${command}\`${remark === '' ? '' : `; ${remark}`}`,
  );
  return [...new Set(sources)].join('\n');
}

type Row = readonly [what: string, of: (plan: Plan) => string];
const PLAN_ROWS: readonly Row[] = [
  ['series', ({ series }) => amount(series)],
  ['raw archive', ({ bytes }) => bytesText(bytes.raw)],
  ['lake', ({ bytes }) => bytesText(bytes.lake)],
  ['published Parquet', ({ bytes }) => bytesText(bytes.published)],
  ['served copy', ({ bytes }) => bytesText(bytes.servedCopy)],
  ['packs', ({ bytes }) => bytesText(bytes.packs)],
  ['results of earlier derivations', ({ bytes }) => bytesText(bytes.results)],
  ['disk of the machine that publishes', ({ bytes }) => bytesText(bytes.publisher)],
  ['bucket', ({ bytes }) => bytesText(bytes.bucket)],
  ['disk of a server', ({ bytes }) => bytesText(bytes.replica)],
  ['memory of a server when ready', ({ serverMemory }) => bytesText(serverMemory)],
  ['whole rebuild: core-hours', ({ rebuild }) => amount(rebuild.coreSeconds / 3600)],
  ['whole rebuild on one machine', ({ rebuild }) => timeText(rebuild.oneMachine)],
  ['whole rebuild in shards', ({ rebuild }) => timeText(rebuild.shared)],
  ['a night sends', ({ bytes }) => bytesText(bytes.sent)],
  ['normal night on one machine', ({ night }) => timeText(night.oneMachine)],
  ['normal night in shards', ({ night }) => timeText(night.shared)],
  ['requests a second, at most', ({ peakPerSecond }) => amount(peakPerSecond)],
  ['requests a second a core', ({ perCore }) => amount(perCore)],
  ['servers, of one core each', ({ servers }) => amount(servers)],
  ['core-hours a month', ({ month }) => amount(month.coreHours)],
  ['GB-months a month', ({ month }) => amount(month.gigabyteMonths)],
  ['GB transferred a month', ({ month }) => amount(month.gigabytesSent)],
];

const powerOf = (vintages: number) => `10^${Math.round(Math.log10(vintages))}`;

function planTable(costs: UnitCosts): string {
  const plans = SIZES.map((size) => planFor(costs, profileFor(size)));
  return tableOf(
    ['', ...SIZES.map(powerOf)],
    PLAN_ROWS.map(([what, of]) => [what, ...plans.map(of)]),
  );
}

function assumedTable(): string {
  const profiles = SIZES.map(profileFor);
  const row = (what: string, of: (profile: (typeof profiles)[number]) => string) => [what, ...profiles.map(of)];
  return tableOf(
    ['', ...SIZES.map(powerOf)],
    [
      row('requests a day', ({ requestsPerDay }) => amount(requestsPerDay)),
      row('of them newest pages, pages as of a day, screens, bulk', ({ mix }) => Object.values(mix).join(' : ')),
      row('after a release, and fading within', ({ burst }) => `× ${burst.factor}, ${burst.fadeSeconds} s`),
      row("publishers' files a night", ({ files }) => amount(files)),
      row('the lake has grown evenly in', ({ years }) => `${years} years`),
      row('cores of the machine that publishes', ({ publisherCores }) => amount(publisherCores)),
      row('workers, and their cores', ({ workers, workerCores }) => (workers === 1 ? 'none' : `${workers} × ${workerCores}`)),
      row('line of each machine', ({ bytesPerSecond }) => `${amount((bytesPerSecond * 8) / 1e9)} Gbit/s`),
      row('a night has', ({ nightHours }) => `${nightHours} h`),
      row('cores in use at the busiest moment', ({ targetShare }) => `${100 * targetShare} %`),
    ],
  );
}

function limitsTable(costs: UnitCosts): string {
  const rows = limitsOf(costs).map(({ what, at, file, remedy }) => [
    at === null ? 'no growth measured' : amount(at),
    what,
    `\`${file}\``,
    remedy,
  ]);
  return tableOf(['vintages', 'what breaks', 'where', 'what is done about it'], rows);
}

export function simulationText(found: Simulated): string {
  const { traffic, night, nightAlone, profile, plan } = found;
  const kinds = traffic.kinds.map((kind) => [
    kind.name,
    amount(kind.arrived),
    amount(kind.kept),
    amount(kind.refused),
    amount(kind.overdue),
    amount(kind.p50Ms),
    amount(kind.p99Ms),
  ]);
  const nightText = (name: string, one: typeof night) =>
    `${name}: ${one.isInTime ? `ends after ${timeText(one.endedAt ?? 0)}, the last file having come after ${timeText(one.lastFileAt)}` : `does not end within ${profile.nightHours} h (${one.filesRead} of ${one.files} files served)`}, ${one.runs} runs, longest stage ${one.longest}` +
    (one.shardsRepeated > 0 ? `, ${one.shardsRepeated} shard done again after a worker was killed` : '');
  return [
    tableOf(['', 'came', 'from memory', 'refused', 'overdue', 'p50 ms', 'p99 ms'], kinds),
    '',
    `- ${plan.servers} servers: cores in use ${amount(100 * traffic.coreShare)} %, lanes of look-ups ${amount(100 * traffic.laneShare.lookup)} %, screens ${amount(100 * traffic.laneShare.screen)} %, bulk ${amount(100 * traffic.laneShare.bulk)} %; first to run out: ${traffic.busiest}.`,
    `- A snapshot is published meanwhile; ${traffic.switchedAfter === null ? 'at the end of the simulated time, some servers still serve the one before' : `all servers serve it after ${timeText(traffic.switchedAfter)}`}. A server is killed; ${traffic.sentAgain} requests are sent again, and none is lost.`,
    `- ${nightText('Night on one machine', nightAlone)}.`,
    ...(profile.workers > 1 ? [`- ${nightText(`Night with ${profile.workers} workers`, night)}.`] : []),
  ].join('\n');
}

function simulations(costs: UnitCosts): string {
  return SIZES.map((vintages) => {
    const command = `npm run scale -- simulate --vintages ${vintages} --seed ${SEED}`;
    return `### ${powerOf(vintages)}\n\n\`${command}\`\n\n${simulationText(simulate(costs, { vintages, seed: SEED, seconds: BUSIEST.seconds }))}`;
  }).join('\n\n');
}

/** The parts of the document, each under the name of its marker. `simulationsOf` makes the slow ones. */
export function tablesOf(costs: UnitCosts): Readonly<Record<string, string>> {
  return {
    sources: sourcesList(costs),
    costs: measuredTable(costs),
    answers: servicesTable(costs),
    assumed: assumedTable(),
    plan: planTable(costs),
    limits: limitsTable(costs),
  };
}

export const simulationsOf = (costs: UnitCosts): Readonly<Record<string, string>> => ({ simulations: simulations(costs) });

/** Throws a RangeError if a marker is missing. */
export function documentWith(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((whole, [name, part]) => {
    const [begin, end] = [`<!-- scale:${name} -->`, `<!-- /scale:${name} -->`];
    const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
    if (from < 0 || to < from) throw new RangeError(`docs/develop/scale.md lacks the markers of ${name}`);
    return `${whole.slice(0, from + begin.length)}\n\n${part}\n\n${whole.slice(to)}`;
  }, text);
}

export async function writeDocument(costs: UnitCosts, file = DOCUMENT): Promise<void> {
  await writeFile(file, documentWith(await readFile(file, 'utf8'), { ...tablesOf(costs), ...simulationsOf(costs) }));
}
