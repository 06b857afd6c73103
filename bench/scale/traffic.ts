// Servers behind a balancer under a day's traffic: arrivals, service times, a night's snapshot that all of them open, and a server that is killed.
import { LRUCache } from 'lru-cache';
import { type PerClass, QUERY_CLASSES } from '../../src/db/lanes.ts';
import { quantile } from '../measure.ts';
import { openTimeline, type Timeline } from './events.ts';
import { type Lognormal, openRandom, type Random } from './random.ts';
import { openServer, type Outcome, type Request, type Server, type ServerSettings } from './server.ts';

/** The kinds of requests. */
export interface Kind {
  readonly name: string;
  readonly queryClass: keyof PerClass<unknown>;
  /** Relative to the others. */
  readonly weight: number;
  /** Of the core-seconds of one answer. */
  readonly service: Lognormal;
  /** One of this many different requests, by Zipf's law; null if none is repeated. */
  readonly questions: number | null;
}

export interface TrafficPlan {
  readonly seed: number;
  readonly servers: number;
  readonly settings: ServerSettings;
  readonly kinds: readonly Kind[];
  readonly clients: number;
  readonly zipf: number;
  /** Of a cached answer. */
  readonly keptSeconds: number;
  readonly answersKept: number;
  readonly seconds: number;
  /** Requests a second at a moment, and its upper bound. */
  readonly rate: (at: number) => number;
  readonly mostRate: number;
  /** When a new snapshot arrives, and the time to open it; null for none. */
  readonly publish: { readonly at: number; readonly openSeconds: number } | null;
  /** When a server is killed, and the time until it is ready again; null for none. */
  readonly kill: { readonly at: number; readonly backAfter: number } | null;
}

export interface KindFigures {
  readonly name: string;
  readonly arrived: number;
  readonly served: number;
  readonly refused: number;
  readonly overdue: number;
  readonly kept: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly meanSeconds: number;
}

export interface TrafficFigures {
  readonly kinds: readonly KindFigures[];
  /** Requests in progress at the end. */
  readonly inFlight: number;
  /** Core-seconds used, relative to those available, of the running servers. */
  readonly coreShare: number;
  readonly laneShare: PerClass<number>;
  readonly sentAgain: number;
  /** Seconds from the publication to the last server that answers from it; null if that did not happen. */
  readonly switchedAfter: number | null;
  readonly busiest: string;
}

interface Count {
  arrived: number;
  served: number;
  refused: number;
  overdue: number;
  kept: number;
  readonly seconds: number[];
}

export function simulateTraffic(plan: TrafficPlan): TrafficFigures {
  const [timeline, random] = [openTimeline(), openRandom(plan.seed)];
  const fleet = openFleet(timeline, plan);
  const counts = plan.kinds.map((): Count => ({ arrived: 0, served: 0, refused: 0, overdue: 0, kept: 0, seconds: [] }));
  const weights = plan.kinds.map(({ weight }) => weight);
  const ask = () => {
    const place = random.choice(weights);
    const [kind, count] = [plan.kinds[place], counts[place]];
    if (kind === undefined || count === undefined) throw new RangeError('there is no kind of request');
    const began = timeline.now();
    count.arrived += 1;
    fleet.send({
      kind,
      question: kind.questions === null ? null : random.zipf(plan.zipf, kind.questions),
      client: Math.floor(random.uniform() * plan.clients),
      coreSeconds: random.lognormal(kind.service),
      end(outcome, isKept) {
        count[outcome] += 1;
        if (isKept) count.kept += 1;
        if (outcome === 'served') count.seconds.push(timeline.now() - began);
      },
    });
  };
  arrive(timeline, random, plan, ask);
  const { publish, kill } = plan;
  if (publish !== null) timeline.in(publish.at, () => fleet.open(publish.openSeconds));
  if (kill !== null) timeline.in(kill.at, () => fleet.killOne(kill.backAfter));
  timeline.run(plan.seconds);
  const { coreShare, laneShare } = fleet.shares();
  const shares: readonly (readonly [string, number])[] = [
    ['cores', coreShare],
    ...Object.entries(laneShare).map(([name, share]) => [`lanes of ${name}`, share] as const),
  ];
  return {
    kinds: plan.kinds.map(({ name }, place) => figuresOf(name, counts[place])),
    inFlight: fleet.inFlight(),
    coreShare,
    laneShare,
    sentAgain: fleet.sentAgain(),
    switchedAfter: publish === null ? null : fleet.switchedAfter(publish.at),
    busiest: shares.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '',
  };
}

function figuresOf(name: string, count: Count | undefined): KindFigures {
  const { seconds, ...told } = count ?? { arrived: 0, served: 0, refused: 0, overdue: 0, kept: 0, seconds: [] };
  const sorted = Float64Array.from(seconds).toSorted();
  return {
    name,
    ...told,
    p50Ms: 1000 * quantile(sorted, 0.5),
    p99Ms: 1000 * quantile(sorted, 0.99),
    meanSeconds: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
  };
}

/** A Poisson process with a changing rate: draws at the highest rate and skips some. */
function arrive(timeline: Timeline, random: Random, { rate, mostRate }: Pick<TrafficPlan, 'rate' | 'mostRate'>, ask: () => void): void {
  const next = () => {
    if (random.uniform() * mostRate < rate(timeline.now())) ask();
    timeline.in(random.exponential(1 / mostRate), next);
  };
  timeline.in(random.exponential(1 / mostRate), next);
}

interface Asked {
  readonly kind: Kind;
  readonly question: number | null;
  readonly client: number;
  readonly coreSeconds: number;
  readonly end: (outcome: Outcome, isKept: boolean) => void;
}

interface Member {
  server: Server;
  isUp: boolean;
  kept: LRUCache<string, true>;
  asked: LRUCache<string, true>;
  openedAt: number | null;
}

function openFleet(timeline: Timeline, plan: TrafficPlan) {
  const fresh = () => ({
    kept: new LRUCache<string, true>({ max: plan.answersKept }),
    asked: new LRUCache<string, true>({ max: ASKED_KNOWN }),
  });
  const members: Member[] = Array.from({ length: plan.servers }, () => ({
    server: openServer(timeline, plan.settings),
    isUp: true,
    ...fresh(),
    openedAt: null,
  }));
  const inFlight = new Map<Request, Asked>();
  let [sentAgain, upSeconds, since, spentBefore] = [0, 0, 0, 0];
  const lanesBefore = { lookup: 0, screen: 0, bulk: 0 };
  const countUp = () => {
    upSeconds += (timeline.now() - since) * members.filter(({ isUp }) => isUp).length;
    since = timeline.now();
  };
  const send = (asked: Asked): void => {
    const member = members
      .filter(({ isUp }) => isUp)
      .reduce<Member | null>((best, one) => (best === null || one.server.inFlight() < best.server.inFlight() ? one : best), null);
    if (member === null) return asked.end('refused', false);
    const isKept = asked.question !== null && isRemembered(member, `${asked.kind.name} ${asked.question}`);
    const request: Request = {
      queryClass: asked.kind.queryClass,
      client: asked.client,
      coreSeconds: isKept ? plan.keptSeconds : asked.coreSeconds,
      isKept,
      end(outcome) {
        inFlight.delete(request);
        asked.end(outcome, isKept);
      },
    };
    inFlight.set(request, asked);
    member.server.take(request);
  };
  return {
    send,
    sentAgain: () => sentAgain,
    inFlight: () => members.reduce((sum, { server }) => sum + server.inFlight(), 0),
    open(openSeconds: number) {
      for (const member of members.filter(({ isUp }) => isUp)) {
        const { server } = member;
        server.besides(openSeconds, () => Object.assign(member, fresh(), { openedAt: timeline.now() }));
      }
    },
    killOne(backAfter: number) {
      const [member] = members;
      if (member === undefined) return;
      countUp();
      member.isUp = false;
      spentBefore += member.server.spent();
      const taken = member.server.laneSeconds();
      for (const name of QUERY_CLASSES) lanesBefore[name] += taken[name];
      const lost = member.server.kill();
      Object.assign(member, { server: openServer(timeline, plan.settings), ...fresh() });
      timeline.in(backAfter, () => {
        countUp();
        member.isUp = true;
        // It opens the current snapshot when it starts.
        member.openedAt ??= timeline.now();
      });
      for (const request of lost) {
        const asked = inFlight.get(request);
        inFlight.delete(request);
        if (asked === undefined) continue;
        sentAgain += 1;
        send(asked);
      }
    },
    switchedAfter(publishedAt: number): number | null {
      const opened = members.map(({ openedAt }) => openedAt);
      return opened.some((at) => at === null) ? null : Math.max(...opened.map((at) => (at ?? 0) - publishedAt));
    },
    shares(): { readonly coreShare: number; readonly laneShare: PerClass<number> } {
      countUp();
      const spent = members.reduce((sum, { server }) => sum + server.spent(), spentBefore);
      const { cores, lanes } = plan.settings;
      const laneShareOf = (name: keyof PerClass<unknown>) =>
        members.reduce((sum, { server }) => sum + server.laneSeconds()[name], lanesBefore[name]) / (upSeconds * lanes[name]);
      return {
        coreShare: spent / (upSeconds * cores),
        laneShare: { lookup: laneShareOf('lookup'), screen: laneShareOf('screen'), bulk: laneShareOf('bulk') },
      };
    },
  };
}

/** As in src/http/answer/response-cache.ts: an answer is cached from its second request on. */
const ASKED_KNOWN = 20_000;

function isRemembered({ kept, asked }: Pick<Member, 'kept' | 'asked'>, question: string): boolean {
  if (kept.get(question) === true) return true;
  if (asked.get(question) === true) kept.set(question, true);
  else asked.set(question, true);
  return false;
}
