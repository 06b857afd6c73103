// Many clients at once: nine in ten requests read a series drawn by Zipf, newest or as of a random day, one in ten is a screen; in the middle a snapshot is
// published.
// For comparison the same clients at a handler that does nothing.
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { answerTo } from '../client.ts';
import { type Lake, laterLake, LIFT, ownFolder } from '../generate.ts';
import { drawn, type Figures, quantile } from '../measure.ts';
import { startService } from '../process.ts';
import type { Group, GroupOptions, Measure } from '../figures.ts';
import { manifestOf, openServed } from '../subject.ts';
import { start, zipf } from './http.ts';
import { monthDrawn, PAGE_ROWS } from './reads.ts';

const CONNECTIONS = 64;
const SHARE_OF_SCREENS = 0.1;
/** A busy machine may publish later than the load was to last: the load continues until an answer comes from the new snapshot. */
const MOST_WAIT_SECONDS = 300;
/** The number of concurrent screens for a key; no more clients than this share a key. */
const CLIENTS_OF_A_KEY = 8;

interface Asked {
  readonly path: string;
  readonly isScreen: boolean;
}

interface Answered extends Asked {
  /** From the first attempt on, including the waits before retries. */
  readonly ms: number;
  readonly endedAt: number;
  /** The snapshots behind its values. */
  readonly snapshots: ReadonlySet<'first' | 'later'>;
}

interface Load {
  readonly answers: readonly Answered[];
  readonly lost: readonly string[];
  /** How often a client was asked to retry. */
  readonly comeAgain: number;
  readonly seconds: number;
}

export async function mixed(lake: Lake, { seconds }: GroupOptions): Promise<Group> {
  const reader = await openServed(lake);
  const { series } = reader.catalogue;
  const factors = [...reader.catalogue.byCanonicalId.keys()].toSorted();
  reader.close();
  const asof = await throughPublish(lake, seconds, draw(series, factors));
  const empty = await throughNothing(seconds);
  for (const problem of asof.load.lost.slice(0, 5)) process.stderr.write(`lost: ${problem}\n`);
  const ours = figuresOf('asof', asof);
  const theirs = figuresOf('Express, empty handler', empty);
  const ratio = ours.perSecond / theirs.perSecond;
  return {
    name: 'mixed load',
    of: `90 % reads, 10 % screens, for ${seconds} s, a publish in the middle`,
    figures: [ours, { ...theirs, ratios: [ratio, ratio] }],
    measures: [{ name: 'p99 ÷ p50', value: ours.p99Ms / ours.p50Ms, unit: '×' }, ...measuresOf(asof)],
    serverPeakMemoryMb: Math.round(asof.peakMb),
  };
}

interface Served {
  readonly load: Load;
  readonly cpuMs: number;
}

interface Published extends Served {
  readonly publishedAt: number;
  readonly peakMb: number;
  readonly peakBeforeMb: number;
}

async function throughPublish(lake: Lake, seconds: number, next: () => Asked): Promise<Published> {
  const later = await laterLake(lake.vintages, () => undefined);
  const folder = await ownFolder();
  const paths = snapshotPaths(folder);
  await linkSnapshots(lake, folder, ['files', 'served', 'manifests']);
  // Publishing writes its manifest.
  await linkSnapshots(later, folder, ['files', 'served']);
  await writeFile(paths.pointer, await readFile(lake.paths.pointer));
  const keys = await keysIn(folder);
  const service = await startService(folder);
  try {
    const publishing = (async () => {
      await pause(seconds * 500);
      const peakBeforeMb = service.peakMemoryMb();
      await writeFile(paths.candidate, JSON.stringify(await manifestOf(later)));
      await publish(paths, 3);
      return { peakBeforeMb, publishedAt: performance.now() };
    })();
    const cpuBefore = service.cpuMs();
    const [load, published] = await Promise.all([loadOn(service.port, keys, { seconds, awaits: 'later' }, next), publishing]);
    return { load, cpuMs: service.cpuMs() - cpuBefore, peakMb: service.peakMemoryMb(), ...published };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function throughNothing(seconds: number): Promise<Served> {
  const server = await start({ kind: 'dressed', body: '{"data":[]}' }, 'none');
  const before = await server.cpuMs();
  const load = await loadOn(server.port, ['none'], { seconds, awaits: null }, () => ({ path: '/page', isScreen: false }));
  const cpuMs = (await server.cpuMs()) - before;
  await server.stop();
  return { load, cpuMs };
}

function measuresOf({ load, publishedAt, peakMb, peakBeforeMb }: Published): Measure[] {
  const ofLater = load.answers.filter(({ snapshots }) => snapshots.has('later'));
  const [firstOfLater] = ofLater.map(({ endedAt }) => endedAt).toSorted((a, b) => a - b);
  return [
    ...(['reads', 'screens'] as const).flatMap((kind) => latencyOf(kind, load)),
    { name: 'requests lost', value: load.lost.length, unit: 'requests' },
    { name: 'told to come again', value: load.comeAgain, unit: 'times' },
    { name: 'answers of two snapshots', value: load.answers.filter(({ snapshots }) => snapshots.size > 1).length, unit: 'answers' },
    { name: 'answers of the later snapshot', value: ofLater.length, unit: 'answers' },
    { name: 'publish to its first answer', value: ((firstOfLater ?? Number.NaN) - publishedAt) / 1000, unit: 's' },
    { name: 'peak memory', value: peakMb, unit: 'MB' },
    { name: 'peak memory ÷ that before the publish', value: peakMb / peakBeforeMb, unit: '×' },
  ];
}

/** Under the same inodes: a run uses no disk space, and changes no cached lake. */
async function linkSnapshots({ paths }: Lake, folder: string, parts: readonly ('files' | 'served' | 'manifests')[]): Promise<void> {
  const to = snapshotPaths(folder);
  for (const part of parts) {
    await mkdir(to[part], { recursive: true });
    const entries = (await readdir(paths[part], { withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { name } of entries) {
      await link(join(paths[part], name), join(to[part], name)).catch((error: NodeJS.ErrnoException) => {
        // Tables without values are the same file in both.
        if (error.code !== 'EEXIST') throw error;
      });
    }
  }
}

async function keysIn(folder: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let number = 0; number < CONNECTIONS / CLIENTS_OF_A_KEY; number += 1) {
    const issued = await issueKey(keyFile(folder), { scopes: ['data:read'], tier: 'full', label: `bench ${number}` }, Date.now());
    keys.push(issued.key);
  }
  return keys;
}

/** The requests of all clients, in order of arrival. */
function draw(series: readonly Series[], factors: readonly string[]): () => Asked {
  const [place, month] = [zipf(23, series.length), monthDrawn()];
  const [chance, thresholds] = [drawn(29, 1_000_000), drawn(31, 1_000_000)];
  const shuffled = series.map((one, index) => ({ one, key: Math.imul(index + 1, 2_654_435_761) >>> 0 })).toSorted((a, b) => a.key - b.key);
  let screens = 0;
  return () => {
    const luck = chance.next().value / 1_000_000;
    if (luck >= SHARE_OF_SCREENS) {
      const indicatorId = shuffled[place()]?.one.indicatorId ?? '';
      const cutoff = luck > (1 + SHARE_OF_SCREENS) / 2 ? `&as_of=${month()}` : '';
      return { path: `/observations?indicator_id=${indicatorId}&sort=period_end&order=desc&limit=${PAGE_ROWS}${cutoff}`, isScreen: false };
    }
    screens += 1;
    const at = (screens * 4) % factors.length;
    const named = [...factors.slice(at), ...factors].slice(0, 4);
    // Values of the later snapshot are accepted, too.
    const filter = named.slice(0, 3).map((factor) => `${factor}:gt:${(400 * thresholds.next().value) / 1_000_000}`);
    const ranked = `&rank_by=${named[3]}:desc&filter=${encodeURIComponent(filter.join(';'))}`;
    return { path: `/public/screener?universe=entities&eligible_only=false&limit=${PAGE_ROWS}${ranked}`, isScreen: true };
  };
}

async function loadOn(
  port: number,
  keys: readonly string[],
  { seconds, awaits }: { readonly seconds: number; readonly awaits: 'later' | null },
  next: () => Asked,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers: Answered[] = [];
  const lost: string[] = [];
  let comeAgain = 0;
  let isLaterSeen = awaits === null;
  const began = performance.now();
  const isOver = () => performance.now() - began > (seconds + (isLaterSeen ? 0 : MOST_WAIT_SECONDS)) * 1000;
  const client = async (number: number) => {
    const key = keys[number % keys.length] ?? '';
    while (!isOver()) {
      const asked = next();
      const askedAt = performance.now();
      for (;;) {
        const { status, text, waitSeconds } = await answerTo(agent, port, asked.path, key);
        const endedAt = performance.now();
        if (status === 429 && waitSeconds !== null) {
          comeAgain += 1;
          await pause(waitSeconds * 1000);
          continue;
        }
        if (status === 200) {
          const snapshots = snapshotsOf(text);
          isLaterSeen ||= snapshots.has('later');
          answers.push({ ...asked, ms: endedAt - askedAt, endedAt, snapshots });
        } else lost.push(`${asked.path}: ${status} ${text.slice(0, 200)}`);
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => client(number)));
  agent.destroy();
  return { answers, lost, comeAgain, seconds: (performance.now() - began) / 1000 };
}

interface Body {
  readonly data: readonly {
    readonly actual?: number | null;
    readonly values?: Readonly<Record<string, { readonly value: number | null }>>;
  }[];
}

function snapshotsOf(text: string): ReadonlySet<'first' | 'later'> {
  const { data } = JSON.parse(text) as Body;
  const values = data.flatMap(({ actual, values: ofScreen }) => [actual, ...Object.values(ofScreen ?? {}).map(({ value }) => value)]);
  const found = new Set<'first' | 'later'>();
  for (const value of values) if (typeof value === 'number') found.add(value > LIFT / 2 ? 'later' : 'first');
  return found;
}

function figuresOf(peer: string, { load: { answers, seconds }, cpuMs }: Served): Figures {
  const times = answers.map(({ ms }) => ms);
  return {
    peer,
    asks: times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    perSecond: times.length / seconds,
    connections: CONNECTIONS,
    cpuMsPerAsk: cpuMs / times.length,
    ratios: [1, 1],
  };
}

function latencyOf(kind: 'reads' | 'screens', { answers }: Load): Measure[] {
  const times = answers.filter(({ isScreen }) => isScreen === (kind === 'screens')).map(({ ms }) => ms);
  return [0.5, 0.99].map((share) => ({ name: `${kind}: p${share * 100}`, value: quantile(times, share), unit: 'ms' }));
}
