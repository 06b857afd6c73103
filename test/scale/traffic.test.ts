// Servers under traffic: who is let in, who is refused, what is lost, what a publication and a kill cost.
import { assert, boolean, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTimeline } from '../../bench/scale/events.ts';
import { lognormalOf } from '../../bench/scale/random.ts';
import { openServer, type Outcome } from '../../bench/scale/server.ts';
import { type Kind, simulateTraffic, type TrafficPlan } from '../../bench/scale/traffic.ts';

const NEVER = 1e9;
const missOf = (found: number, expected: number) => Math.abs(found / expected - 1);

describe('a simulated server', () => {
  it('admits clients in turn: a busy one does not block one with a single request', () => {
    const timeline = openTimeline();
    const server = openServer(timeline, {
      cores: 1,
      lanes: { lookup: 1, screen: 1, bulk: 1 },
      capacity: { lookup: 100, screen: 1, bulk: 1 },
      seconds: { lookup: NEVER, screen: 1, bulk: 1 },
    });
    const order: string[] = [];
    const take = (client: number, name: string) =>
      server.take({ queryClass: 'lookup', client, coreSeconds: 1, isKept: false, end: () => order.push(name) });
    for (const name of ['a1', 'a2', 'a3']) take(1, name);
    take(2, 'b1');
    timeline.run();
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('refuses requests beyond its capacity, and cancels those that take too long', () => {
    const timeline = openTimeline();
    const server = openServer(timeline, {
      cores: 1,
      lanes: { lookup: 1, screen: 1, bulk: 1 },
      capacity: { lookup: 2, screen: 1, bulk: 1 },
      seconds: { lookup: 5, screen: 1, bulk: 1 },
    });
    const outcomes: [string, Outcome, number][] = [];
    const take = (name: string, coreSeconds: number) =>
      server.take({
        queryClass: 'lookup',
        client: 0,
        coreSeconds,
        isKept: false,
        end: (outcome) => outcomes.push([name, outcome, timeline.now()]),
      });
    take('first', 3);
    take('second', 3);
    take('third', 1);
    timeline.run();
    expect(outcomes).toEqual([
      ['third', 'refused', 0],
      ['first', 'served', 3],
      ['second', 'overdue', 5],
    ]);
    expect(server.spent()).toBe(5);
  });
});

const kind = (more: Partial<Kind>): Kind => ({
  name: 'read',
  queryClass: 'lookup',
  weight: 1,
  service: lognormalOf(0.01, 0.05),
  questions: null,
  ...more,
});

const planOf = (more: Partial<TrafficPlan>): TrafficPlan => ({
  seed: 1,
  servers: 2,
  settings: {
    cores: 1,
    lanes: { lookup: 4, screen: 2, bulk: 2 },
    capacity: { lookup: 256, screen: 32, bulk: 16 },
    seconds: { lookup: 5, screen: 15, bulk: 600 },
  },
  kinds: [kind({}), kind({ name: 'screen', queryClass: 'screen', weight: 0.1, service: lognormalOf(0.1, 0.4) })],
  clients: 16,
  zipf: 1.1,
  keptSeconds: 0.0005,
  answersKept: 1000,
  seconds: 60,
  rate: () => 50,
  mostRate: 50,
  publish: null,
  kill: null,
  ...more,
});

describe('simulated traffic', () => {
  it('loses nobody: each request was served, refused, cancelled or is open, whatever happens', () => {
    assert(
      property(
        integer(),
        integer({ min: 1, max: 4 }),
        // Of one a second none may come in ten.
        integer({ min: 4, max: 300 }),
        boolean(),
        boolean(),
        (seed, servers, perSecond, isKilled, isPublished) => {
          const { kinds, inFlight } = simulateTraffic(
            planOf({
              seed,
              servers,
              seconds: 10,
              rate: () => perSecond,
              mostRate: perSecond,
              kill: isKilled ? { at: 3, backAfter: 4 } : null,
              publish: isPublished ? { at: 2, openSeconds: 2 } : null,
            }),
          );
          const left = kinds.reduce((sum, { arrived, served, refused, overdue }) => sum + arrived - served - refused - overdue, 0);
          expect(left).toBe(inFlight);
          expect(kinds.some(({ arrived }) => arrived > 0)).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is the same for the same seed, and differs for another', () => {
    const plan = planOf({ publish: { at: 20, openSeconds: 5 }, kill: { at: 30, backAfter: 10 } });
    expect(simulateTraffic(plan)).toEqual(simulateTraffic(plan));
    expect(simulateTraffic({ ...plan, seed: 2 })).not.toEqual(simulateTraffic(plan));
  });

  it('takes longer, and more cores, the more requests come', () => {
    assert(
      property(integer(), (seed) => {
        const found = [10, 60, 110].map((perSecond) => {
          const { kinds, coreShare } = simulateTraffic(planOf({ seed, rate: () => perSecond, mostRate: perSecond }));
          return { mean: kinds[0]?.meanSeconds ?? 0, coreShare };
        });
        for (const [at, one] of found.slice(1).entries()) {
          expect(one.coreShare).toBeGreaterThan(found[at]?.coreShare ?? 0);
          expect(one.mean).toBeGreaterThan(found[at]?.mean ?? 0);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('uses the cores of its requests: rate times time of a request', () => {
    const { coreShare } = simulateTraffic(
      planOf({ servers: 1, seconds: 600, kinds: [kind({ service: lognormalOf(0.02, 0.02) })], rate: () => 20, mostRate: 20 }),
    );
    expect(missOf(coreShare, 0.4)).toBeLessThan(0.04);
  });

  it('is answered from memory on repeats, until a snapshot comes', () => {
    const asked = planOf({ servers: 1, kinds: [kind({ questions: 1, service: lognormalOf(0.02, 0.02) })], rate: () => 5, mostRate: 5 });
    const missed = (plan: TrafficPlan) => simulateTraffic(plan).kinds.reduce((sum, { served, kept }) => sum + served - kept, 0);
    expect(missed(asked)).toBe(2);
    expect(missed({ ...asked, publish: { at: 30, openSeconds: 1 } })).toBe(4);
  });

  it('moves from a killed server to another one, with a delay and no lost answer', () => {
    const quiet = { rate: () => 80, mostRate: 80, servers: 3 };
    const killed = [1, 2, 3, 4].map((seed) => simulateTraffic(planOf({ ...quiet, seed, kill: { at: 20, backAfter: 20 } })));
    expect(killed.reduce((sum, { sentAgain }) => sum + sentAgain, 0)).toBeGreaterThan(0);
    for (const { refused, overdue } of killed.flatMap(({ kinds }) => kinds)) expect([refused, overdue]).toEqual([0, 0]);
    expect(killed[0]?.kinds[0]?.meanSeconds).toBeGreaterThan(simulateTraffic(planOf(quiet)).kinds[0]?.meanSeconds ?? 0);
  });

  it('continues while servers open a snapshot, which takes its given time', () => {
    const opened = simulateTraffic(planOf({ rate: () => 1, mostRate: 1, publish: { at: 10, openSeconds: 20 } }));
    expect(opened.switchedAfter).toBeGreaterThanOrEqual(20);
    expect(opened.switchedAfter).toBeLessThan(25);
    expect(simulateTraffic(planOf({ rate: () => 1, mostRate: 1, publish: { at: 50, openSeconds: 20 } })).switchedAfter).toBeNull();
  });

  it('names the scarcest resource', () => {
    const screens = planOf({
      settings: { ...planOf({}).settings, cores: 8 },
      kinds: [kind({ name: 'screen', queryClass: 'screen', service: lognormalOf(0.1, 0.1) })],
      rate: () => 30,
      mostRate: 30,
    });
    expect(simulateTraffic(screens).busiest).toBe('lanes of screen');
    expect(simulateTraffic(planOf({ servers: 1, rate: () => 70, mostRate: 70 })).busiest).toBe('cores');
  });
});
