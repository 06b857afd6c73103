// The needs of a number of vintages, in closed form: bytes, hours, memory, machines, and all of it in units of money. Beyond the measured sizes it is a
// straight line.
import { COPIES_KEPT } from '../../src/snapshot/server-copy.ts';
import { costAt, costNamed, type Service, type ServiceName, type UnitCosts } from './costs.ts';
import { ASKED, BUSIEST, type Profile, rateAt } from './profiles.ts';

const SECONDS_OF_MONTH = 730 * 3600;
const NIGHTS_OF_MONTH = 30;

/** Parts of a derivation that concern single series, or one file in the order of series, which workers can share. One process does the rest. */
const SHARDED = ['series', 'derived', 'forecasts', 'published.vintages', 'published.states', 'published.values_3y'] as const;

export interface Plan {
  readonly vintages: number;
  readonly series: number;
  readonly bytes: {
    readonly raw: number;
    readonly lake: number;
    readonly published: number;
    readonly servedCopy: number;
    readonly packs: number;
    readonly results: number;
    readonly publisher: number;
    readonly bucket: number;
    readonly replica: number;
    /** The bytes that a night with one new vintage sends. */
    readonly sent: number;
  };
  readonly rebuild: { readonly coreSeconds: number; readonly oneMachine: number; readonly shared: number };
  readonly night: {
    readonly ingest: number;
    readonly alone: number;
    readonly sharedWork: number;
    readonly oneMachine: number;
    readonly shared: number;
    readonly publish: number;
    readonly send: number;
    readonly open: number;
  };
  readonly serverMemory: number;
  readonly servers: number;
  readonly peakPerSecond: number;
  readonly perCore: number;
  readonly month: { readonly coreHours: number; readonly gigabyteMonths: number; readonly gigabytesSent: number };
}

export function planFor(costs: UnitCosts, profile: Profile): Plan {
  const { vintages, workers, workerCores, publisherCores, bytesPerSecond, snapshotsKept } = profile;
  const at = (name: string, size = vintages) => costAt(costNamed(costs, name), size);
  const copies = at('bytes: served copy') + at('bytes: packs');
  const published = at('bytes: published');
  const sent = at('one new vintage: sent');
  const results = at('bytes: results of earlier derivations');
  const raw = at('ingest through DuckDB: raw archive');
  const lake = at('bytes: lake');
  // Files that a night replaces stay for open walks, once for each kept snapshot.
  const replaced = Math.max(0, sent - copies) * (snapshotsKept - 1);
  const bytes = {
    raw,
    lake,
    published,
    servedCopy: at('bytes: served copy'),
    packs: at('bytes: packs'),
    results,
    sent,
    publisher: raw + lake + results + published + replaced + COPIES_KEPT * copies,
    bucket: published + replaced + COPIES_KEPT * copies,
    replica: published + replaced + COPIES_KEPT * copies,
  };
  const derived = (night: 'whole' | 'one new vintage') => {
    const shared = SHARDED.reduce((sum, part) => sum + at(`${night}: derive: of it ${part}`), 0);
    return { shared, alone: Math.max(0, at(`${night}: derive: core-seconds`) - shared) };
  };
  const ingest = at('ingest through DuckDB: core-seconds');
  const ingestOfNight = at('ingest through DuckDB: core-seconds', vintages / (profile.years * 365));
  const [whole, changed] = [derived('whole'), derived('one new vintage')];
  const publish = at('whole: publish: core-seconds');
  const open = at('start: core-seconds');
  const secondsOf = ({ alone, shared }: typeof whole, machines: number, cores: number) =>
    alone / publisherCores + shared / (machines * cores);
  const rest = (ingested: number, bytesSent: number) => ingested / publisherCores + publish + (2 * bytesSent) / bytesPerSecond + open;
  const peakPerSecond = mostIn(profile);
  const secondsPerRequest = meanCoreSeconds(costs, profile);
  const servers = Math.max(profile.fewestServers, Math.ceil((peakPerSecond * secondsPerRequest) / profile.targetShare));
  const answers = ASKED.reduce((sum, name) => sum + (profile.mix[name] / mixed(profile)) * at(`answer: ${name}`), 0);
  const workerSeconds = workers > 1 ? NIGHTS_OF_MONTH * changed.shared : 0;
  return {
    vintages,
    series: at('series'),
    bytes,
    rebuild: {
      coreSeconds: ingest + whole.alone + whole.shared + publish,
      oneMachine: secondsOf(whole, 1, publisherCores) + rest(ingest, published + copies),
      shared: secondsOf(whole, workers, workerCores) + rest(ingest, published + copies),
    },
    night: {
      ingest: ingestOfNight,
      alone: changed.alone,
      sharedWork: changed.shared,
      oneMachine: secondsOf(changed, 1, publisherCores) + rest(ingestOfNight, sent),
      shared: secondsOf(changed, workers, workerCores) + rest(ingestOfNight, sent),
      publish,
      send: sent / bytesPerSecond,
      open,
    },
    serverMemory: at('start: memory when ready') * 1e6 + at('memory: catalogue', at('series')),
    servers,
    peakPerSecond,
    perCore: 1 / secondsPerRequest,
    month: {
      coreHours: ((publisherCores + servers) * SECONDS_OF_MONTH + workerSeconds) / 3600,
      gigabyteMonths: (bytes.publisher + bytes.bucket + servers * bytes.replica) / 1e9,
      gigabytesSent: (NIGHTS_OF_MONTH * sent * (1 + servers) + NIGHTS_OF_MONTH * profile.requestsPerDay * answers) / 1e9,
    },
  };
}

const mixed = ({ mix }: Pick<Profile, 'mix'>) => ASKED.reduce((sum, name) => sum + mix[name], 0);

/** For one answer, none from memory. */
function meanCoreSeconds(costs: UnitCosts, profile: Profile): number {
  return ASKED.reduce((sum, name) => sum + (profile.mix[name] / mixed(profile)) * (serviceNamed(costs, name).coreMs / 1000), 0);
}

export function serviceNamed(costs: UnitCosts, name: ServiceName): Service {
  const service = costs.services[name];
  if (service === undefined) throw new RangeError(`unit-costs.json has no service ${name}. Run: npm run scale -- take REPORT.`);
  return service;
}

/** The highest rate of requests a second within the busiest minutes. */
function mostIn(profile: Pick<Profile, 'requestsPerDay' | 'burst'>): number {
  let most = 0;
  for (let second = 0; second <= BUSIEST.seconds; second += 10) most = Math.max(most, rateAt(profile, BUSIEST.from + second));
  return most;
}
