// Assumptions instead of measurements: the traffic, its sources and times, and the machines. Replace each by your own number.
import { PERCENT_OF_DAY } from './day.ts';

/** Incoming requests, including those answered from memory. */
export const ASKED = ['point', 'as-of', 'screen', 'bulk'] as const;

export const SIZES = [1e8, 1e9, 1e10] as const;

export interface Profile {
  readonly vintages: number;
  readonly requestsPerDay: number;
  /** Relative to each other. */
  readonly mix: Readonly<Record<(typeof ASKED)[number], number>>;
  readonly clients: number;
  readonly zipf: number;
  /** After a release the rate is multiplied by this, fading over this many seconds. */
  readonly burst: { readonly factor: number; readonly fadeSeconds: number };
  /** Share of the cores in use at the busiest hour. */
  readonly targetShare: number;
  readonly fewestServers: number;
  /** Publishers' files per night, and the years over which the lake has grown evenly. */
  readonly files: number;
  readonly years: number;
  readonly nightHours: number;
  readonly publisherCores: number;
  readonly workers: number;
  readonly workerCores: number;
  /** Of each machine. */
  readonly bytesPerSecond: number;
  readonly snapshotsKept: number;
}

const COMMON = {
  mix: { point: 60, 'as-of': 30, screen: 9.9, bulk: 0.1 },
  clients: 200,
  zipf: 1.1,
  burst: { factor: 4, fadeSeconds: 300 },
  targetShare: 0.5,
  fewestServers: 3,
  years: 10,
  nightHours: 8,
  snapshotsKept: 5,
} as const;

const GIGABIT = 125e6;

// biome-ignore format: one line each
const PROFILES: Readonly<Record<number, Profile>> = {
  [1e8]: { ...COMMON, vintages: 1e8, requestsPerDay: 1e6, files: 200, publisherCores: 8, workers: 1, workerCores: 8, bytesPerSecond: GIGABIT },
  [1e9]: { ...COMMON, vintages: 1e9, requestsPerDay: 3e6, files: 500, publisherCores: 16, workers: 8, workerCores: 16, bytesPerSecond: 10 * GIGABIT },
  [1e10]: { ...COMMON, vintages: 1e10, requestsPerDay: 1e7, files: 2000, publisherCores: 32, workers: 32, workerCores: 32, bytesPerSecond: 10 * GIGABIT },
};

/** The assumptions for the next larger size. If there is none, the assumptions for the largest size. */
export function profileFor(vintages: number): Profile {
  const size = SIZES.find((one) => vintages <= one) ?? SIZES[2];
  const profile = PROFILES[size];
  if (profile === undefined) throw new RangeError(`there is no profile for ${vintages} vintages`);
  return { ...profile, vintages };
}

/** Requests a second at a moment of a UTC day. */
export function rateAt({ requestsPerDay, burst }: Pick<Profile, 'requestsPerDay' | 'burst'>, second: number): number {
  const hour = Math.floor(second / 3600) % 24;
  const base = ((requestsPerDay / 3600) * (PERCENT_OF_DAY[hour] ?? 0)) / 100;
  const after = RELEASES.filter((at) => at <= second).map((at) => second - at);
  const fading = after.reduce((most, since) => Math.max(most, Math.exp(-since / burst.fadeSeconds)), 0);
  return base * (1 + (burst.factor - 1) * fading);
}

/** Of the larger statistical offices, in seconds of the UTC day. */
const RELEASES = [7 * 3600, 9 * 3600, 12.5 * 3600, 14 * 3600] as const;

/** From shortly before the most awaited release. */
export const BUSIEST = { from: 12 * 3600 + 25 * 60, seconds: 900 } as const;
