// Peers answer the same requests in turn, round by round, so that other work of the machine affects all of them alike.
import { isDeepStrictEqual } from 'node:util';

export interface Peer {
  readonly name: string;
  /** Answers request `number`. */
  readonly ask: (number: number) => Promise<unknown>;
  /** The answer in the form for comparison, if it differs from that of `ask`. */
  readonly answer?: (number: number) => Promise<unknown>;
  /** It sends a ready text: only its time counts, and there is no answer to compare. */
  readonly isYardstick?: boolean;
  /** Processor time of the answering processes so far: the server and, for a database, its own processes. */
  readonly cpuMs?: () => Promise<number>;
}

export interface Plan {
  /** The number of different requests; asked in order, then again. */
  readonly questions: number;
  readonly rounds: number;
  /** A round ends with the first of both bounds. */
  readonly asksPerRound: number;
  readonly secondsPerRound: number;
  /** The number of concurrent requests. */
  readonly concurrency: number;
  /** The comparison of answers was enough to warm up. */
  readonly isWarm?: boolean;
}

/** The smallest size only checks that all answers are right: a few rounds are enough. */
export function planFor({ vintages }: { readonly vintages: number }, plan: Plan): Plan {
  if (vintages > BRIEF_UP_TO) return plan;
  const asksPerRound = Math.ceil(plan.asksPerRound / 4);
  return { ...plan, rounds: Math.min(plan.rounds, 3), asksPerRound, secondsPerRound: plan.secondsPerRound / 4 };
}

const BRIEF_UP_TO = 1_000_000;

export interface Figures {
  readonly peer: string;
  readonly asks: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Median over the rounds. */
  readonly perSecond: number;
  /** The number of concurrent requests. */
  readonly connections: number;
  /** Processor time of one answer, if the peer reports it. */
  readonly cpuMsPerAsk: number | null;
  /** Lowest and highest rate of a round relative to the first peer in the same round, inverted: first peer ÷ this one. */
  readonly ratios: readonly [lowest: number, highest: number];
}

class UnequalAnswers extends Error {
  override readonly name = 'UnequalAnswers';
}

/** Times the peers after comparing their first answers. */
export async function compare(peers: readonly Peer[], plan: Plan, checked = 5): Promise<Figures[]> {
  await checkEqual(peers, Math.min(checked, plan.questions));
  const times = peers.map((): number[] => []);
  const rates = peers.map((): number[] => []);
  const cpu = peers.map(() => 0);
  for (let round = plan.isWarm === true ? 1 : 0; round <= plan.rounds; round += 1) {
    for (const [index, peer] of peers.entries()) {
      const before = await peer.cpuMs?.();
      const { durations, perSecond } = await oneRound(peer, plan, round);
      if (round === 0) continue; // Warms up.
      cpu[index] = (cpu[index] ?? 0) + ((await peer.cpuMs?.()) ?? 0) - (before ?? 0);
      times[index]?.push(...durations);
      rates[index]?.push(perSecond);
    }
  }
  return peers.map((peer, index) => ({
    peer: peer.name,
    asks: times[index]?.length ?? 0,
    p50Ms: quantile(times[index] ?? [], 0.5),
    p99Ms: quantile(times[index] ?? [], 0.99),
    perSecond: quantile(rates[index] ?? [], 0.5),
    connections: plan.concurrency,
    cpuMsPerAsk: peer.cpuMs === undefined ? null : (cpu[index] ?? 0) / (times[index]?.length ?? 1),
    ratios: spread((rates[index] ?? []).map((rate, round) => (rates[0]?.[round] ?? Number.NaN) / rate)),
  }));
}

async function checkEqual(peers: readonly Peer[], questions: number): Promise<void> {
  const answers = (peer: Peer, number: number) => (peer.answer ?? peer.ask)(number);
  const [first, ...others] = peers.filter(({ isYardstick }) => isYardstick !== true);
  if (first === undefined) return;
  for (let number = 0; number < questions; number += 1) {
    const expected = await answers(first, number);
    if (Array.isArray(expected) && expected.length === 0) throw new UnequalAnswers(`${first.name} answers nothing`);
    for (const peer of others) {
      const found = await answers(peer, number);
      if (isDeepStrictEqual(found, expected)) continue;
      const [theirs, ours] = [found, expected].map((answer) => JSON.stringify(answer, shown)?.slice(0, 300));
      throw new UnequalAnswers(`${peer.name} and ${first.name} differ in question ${number}: ${theirs} / ${ours}`);
    }
  }
}

const spread = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];

const shown = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

async function oneRound(peer: Peer, plan: Plan, round: number): Promise<{ durations: number[]; perSecond: number }> {
  const durations: number[] = [];
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < plan.asksPerRound && performance.now() - began < plan.secondsPerRound * 1000) {
      const number = (round * plan.asksPerRound + next) % plan.questions;
      next += 1;
      const asked = performance.now();
      await peer.ask(number);
      durations.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, lane));
  return { durations, perSecond: durations.length / ((performance.now() - began) / 1000) };
}

export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Integers below `bound`, the same each time. */
export function* drawn(seed: number, bound: number): Generator<number, never> {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield Math.floor((state / 2 ** 32) * bound);
  }
}
