// The simulations of a size: the costs of its plan in the assumed traffic of its busiest hour, and in a night.
import { type UnitCosts, costAt, costNamed } from './costs.ts';
import { type NightFigures, type NightPlan, simulateNight } from './nights.ts';
import { type Plan, planFor, serviceNamed } from './plan.ts';
import { ASKED, BUSIEST, type Profile, profileFor, rateAt } from './profiles.ts';
import { lognormalOf } from './random.ts';
import { simulateTraffic, type TrafficFigures, type TrafficPlan } from './traffic.ts';

export interface Simulated {
  readonly plan: Plan;
  readonly profile: Profile;
  readonly traffic: TrafficFigures;
  readonly night: NightFigures;
  readonly nightAlone: NightFigures;
}

/** As in src/http/answer/response-cache.ts, for pages of a hundred rows. */
const KEPT_BYTES = 64 * 1024 * 1024;
const MONTHS = 300;

export interface SimulationOptions {
  readonly vintages: number;
  readonly seed: number;
  /** From shortly before the release of the busiest hour on. */
  readonly seconds: number;
}

export function simulate(costs: UnitCosts, { vintages, seed, seconds }: SimulationOptions): Simulated {
  const profile = profileFor(vintages);
  const plan = planFor(costs, profile);
  return {
    plan,
    profile,
    traffic: simulateTraffic(trafficOf(costs, plan, profile, seed, seconds)),
    night: simulateNight(nightOf(plan, profile, seed, profile.workers)),
    nightAlone: simulateNight(nightOf(plan, profile, seed, 1)),
  };
}

function trafficOf(costs: UnitCosts, plan: Plan, profile: Profile, seed: number, seconds: number): TrafficPlan {
  const serviceOf = (name: (typeof ASKED)[number]) => {
    const { p50Ms, p99Ms, coreMs } = serviceNamed(costs, name);
    // The spread of the answer times around their processor time.
    const { deviation } = lognormalOf(p50Ms, p99Ms);
    return { mean: Math.log(coreMs / 1000) - deviation ** 2 / 2, deviation };
  };
  const questions = { point: plan.series, 'as-of': plan.series * MONTHS, screen: null, bulk: null };
  return {
    seed,
    servers: plan.servers,
    settings: {
      cores: 1,
      // From src/service.ts and src/http/admission/gate.ts; times from src/config.ts.
      lanes: { lookup: 4, screen: 2, bulk: 2 },
      capacity: { lookup: 256, screen: 32, bulk: 16 },
      seconds: { lookup: 5, screen: 15, bulk: 600 },
    },
    kinds: ASKED.map((name) => ({
      name,
      queryClass: serviceNamed(costs, name).queryClass,
      weight: profile.mix[name],
      service: serviceOf(name),
      questions: questions[name] === null ? null : Math.max(1, Math.round(questions[name])),
    })),
    clients: profile.clients,
    zipf: profile.zipf,
    keptSeconds: serviceNamed(costs, 'kept').coreMs / 1000,
    answersKept: Math.max(1, Math.floor(KEPT_BYTES / costAt(costNamed(costs, 'answer: point'), plan.vintages))),
    seconds,
    rate: (at) => rateAt(profile, BUSIEST.from + at),
    mostRate: plan.peakPerSecond * 1.001,
    publish: { at: seconds / 4, openSeconds: plan.night.open },
    kill: { at: seconds * 0.7, backAfter: plan.night.open },
  };
}

function nightOf(plan: Plan, profile: Profile, seed: number, workers: number): NightPlan {
  const cores = workers > 1 ? profile.workerCores : profile.publisherCores;
  return {
    seed,
    hours: profile.nightHours,
    files: profile.files,
    dueWithin: 2 * 3600,
    lateBy: 1200,
    ingestSecondsPerFile: plan.night.ingest / profile.files,
    tick: 900,
    workers,
    coresPerWorker: cores,
    derive: { alone: plan.night.alone, shared: plan.night.sharedWork, shards: Math.max(1, 16 * workers), spread: lognormalOf(1, 2) },
    publishSeconds: plan.night.publish,
    sentBytes: plan.bytes.sent,
    bytesPerSecond: profile.bytesPerSecond,
    openSeconds: plan.night.open,
    killWorkerAt: workers > 1 ? 3600 : null,
  };
}
