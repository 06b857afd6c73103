// Lanes on a real engine: what waits, whose turn it is, and what ends a query.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Errand, openLanes, QueryTimeoutError } from '../../src/db/lanes.ts';
import { elapsed } from '../../src/effects.ts';

const ONE_EACH = { lookup: 1, screen: 1, bulk: 1 };
/** Takes minutes unless it is interrupted. */
const ENDLESS = 'select count(*) from range(100000000000) as numbers (n) where hash(n) % 7 = 3';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const ask = (errand: Errand, sql: string) =>
  errand.run((interruptBy) => {
    interruptBy(() => connection.interrupt());
    return connection.runAndReadAll(sql);
  });
const held = (errand: Errand) => {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return { done: errand.run(() => left), leave };
};

describe('lanes', () => {
  it('of one class are free while those of another are taken', async () => {
    const lanes = openLanes(ONE_EACH, elapsed);
    const taken = held(lanes.open('bulk', 'a', 60_000));
    await expect(lanes.open('lookup', 'b', 60_000).run(async () => 'answered')).resolves.toBe('answered');
    taken.leave();
    await taken.done;
  });

  it('are given in turns: a client with one request does not wait for all requests of another', async () => {
    const lanes = openLanes(ONE_EACH, elapsed);
    const first = held(lanes.open('lookup', 'many', 60_000));
    const order: string[] = [];
    const wait = (client: string, name: string) => lanes.open('lookup', client, 60_000).run(async () => void order.push(name));
    const all = [wait('many', 'many 1'), wait('many', 'many 2'), wait('many', 'many 3'), wait('few', 'few 1')];
    first.leave();
    await Promise.all([first.done, ...all]);
    expect(order).toEqual(['many 1', 'few 1', 'many 2', 'many 3']);
  });

  it('are shared: while another client waits, a client gets at most half', async () => {
    const lanes = openLanes({ ...ONE_EACH, lookup: 4 }, elapsed);
    const hold = (client: string) => {
      let isIn = false;
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const done = lanes.open('lookup', client, 60_000).run(() => {
        isIn = true;
        return left;
      });
      return { client, done, leave: () => leave(), isIn: () => isIn };
    };
    const queries = Array.from({ length: 64 }, () => hold('many'));
    const runningOf = (client: string) => queries.filter((one) => one.client === client && one.isIn() && !left.has(one)).length;
    const left = new Set<(typeof queries)[number]>();
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const leaveOne = async (client: string) => {
      const one = queries.find((query) => query.client === client && query.isIn() && !left.has(query));
      if (one === undefined) throw new Error(`nothing of ${client} runs`);
      left.add(one);
      one.leave();
      await settle();
    };
    await settle();
    // One of four lanes stays free for whoever comes.
    expect(runningOf('many')).toBe(3);
    queries.push(hold('few'));
    await settle();
    expect([runningOf('many'), runningOf('few')]).toEqual([3, 1]);
    queries.push(hold('few'), hold('few'), hold('few'));
    await leaveOne('many');
    expect([runningOf('many'), runningOf('few')]).toEqual([2, 2]);
    await leaveOne('many');
    await leaveOne('few');
    await leaveOne('many');
    expect([runningOf('many'), runningOf('few')]).toEqual([2, 2]);
    // The last one of the few waits for nothing, so those of the many go on.
    await leaveOne('few');
    expect([runningOf('many'), runningOf('few')]).toEqual([2, 2]);
    await leaveOne('few');
    expect([runningOf('many'), runningOf('few')]).toEqual([3, 1]);
    await leaveOne('few');
    expect([runningOf('many'), runningOf('few')]).toEqual([3, 0]);
    for (const one of queries) one.leave();
    await Promise.all(queries.map((one) => one.done));
  });

  it('go to the remaining client if the others stop waiting', async () => {
    const lanes = openLanes({ ...ONE_EACH, lookup: 2 }, elapsed);
    const first = held(lanes.open('lookup', 'a', 60_000));
    const second = held(lanes.open('lookup', 'b', 60_000));
    let isIn = false;
    const waiting = lanes.open('lookup', 'c', 100).run(async () => undefined);
    const more = lanes.open('lookup', 'a', 60_000).run(async () => {
      isIn = true;
    });
    second.leave();
    await waiting;
    first.leave();
    await Promise.all([first.done, second.done, more]);
    expect(isIn).toBe(true);
  });

  it('report how many queries run and wait, by class', async () => {
    const lanes = openLanes(ONE_EACH, elapsed);
    const idle = { running: 0, waiting: 0 };
    expect(lanes.load()).toEqual({ lookup: idle, screen: idle, bulk: idle });
    const first = held(lanes.open('lookup', 'a', 60_000));
    const others = ['a', 'b'].map((client) => lanes.open('lookup', client, 60_000).run(async () => undefined));
    expect(lanes.load()).toEqual({ lookup: { running: 1, waiting: 2 }, screen: idle, bulk: idle });
    first.leave();
    await Promise.all([first.done, ...others]);
    expect(lanes.load().lookup).toEqual(idle);
  });

  it('are free again after a query fails, is interrupted or gives up waiting', async () => {
    const lanes = openLanes(ONE_EACH, elapsed);
    await expect(ask(lanes.open('lookup', 'a', 60_000), "select error('planted')")).rejects.toThrow('planted');
    const first = held(lanes.open('lookup', 'a', 60_000));
    await expect(ask(lanes.open('lookup', 'a', 50), 'select 1')).rejects.toMatchObject({ hasRun: false });
    first.leave();
    await first.done;
    await expect(ask(lanes.open('lookup', 'a', 60_000), 'select 1')).resolves.toBeDefined();
  });
});

describe('an errand', () => {
  it('ends when its time is over, even if its query would take longer', async () => {
    const began = performance.now();
    const errand = openLanes(ONE_EACH, elapsed).open('lookup', 'a', 300);
    const error: unknown = await ask(errand, ENDLESS).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QueryTimeoutError);
    expect(error).toMatchObject({ queryClass: 'lookup', seconds: 0.3, hasRun: true });
    expect(performance.now() - began).toBeLessThan(3000);
    await expect(ask(errand, 'select 1')).rejects.toBe(error);
  });

  it('has one time limit for all its queries', async () => {
    const errand = openLanes(ONE_EACH, elapsed).open('lookup', 'a', 400);
    const halfway = errand.run(() => new Promise((resolve) => setTimeout(resolve, 250)));
    await halfway;
    const began = performance.now();
    await expect(ask(errand, ENDLESS)).rejects.toBeInstanceOf(QueryTimeoutError);
    expect(performance.now() - began).toBeLessThan(390);
  });

  it('counts the time of parallel queries once', async () => {
    let now = 0;
    const errand = openLanes({ ...ONE_EACH, lookup: 4 }, () => now).open('lookup', 'a', 1000);
    const beside = Array.from({ length: 4 }, () => held(errand));
    now = 300;
    for (const one of beside) one.leave();
    await Promise.all(beside.map((one) => one.done));
    await errand.run(() => new Promise((resolve) => setTimeout(resolve, 50)));
    await expect(errand.run(async () => 'answered')).resolves.toBe('answered');
  });

  it('may wait for many queries without a leak warning in the log', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const lanes = openLanes(ONE_EACH, elapsed);
    const first = held(lanes.open('lookup', 'a', 60_000));
    const errand = lanes.open('lookup', 'b', 60_000);
    const all = Array.from({ length: 30 }, () => errand.run(async () => undefined));
    first.leave();
    await Promise.all([first.done, ...all]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('interrupts its query when it ends, even if the query has not begun in the engine', async () => {
    const reason = new Error('nobody waits');
    for (const delay of [0, 0, 0, 0, 1, 2, 5, 100]) {
      const errand = openLanes(ONE_EACH, elapsed).open('bulk', 'a', 60_000);
      const asked = ask(errand, ENDLESS);
      const began = performance.now();
      setTimeout(() => errand.end(reason), delay);
      await expect(asked).rejects.toBe(reason);
      expect(performance.now() - began).toBeLessThan(1000 + delay);
    }
    expect((await connection.runAndReadAll('select 42')).getRows()).toEqual([[42]]);
  });

  it('repeats an interrupt that the engine lost because the query had not begun', async () => {
    const reason = new Error('nobody waits');
    const errand = openLanes(ONE_EACH, elapsed).open('bulk', 'a', 60_000);
    let interrupts = 0;
    const lost = 2;
    const asked = errand.run(
      (interruptBy) =>
        new Promise((_resolve, reject) => {
          interruptBy(() => {
            interrupts += 1;
            if (interrupts > lost) reject(new Error('INTERRUPT'));
          });
        }),
    );
    setTimeout(() => errand.end(reason), 10);
    await expect(asked).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(interrupts).toBe(lost + 1);
  });

  it('refuses further queries after its end', async () => {
    const errand = openLanes(ONE_EACH, elapsed).open('bulk', 'a', 60_000);
    const reason = new Error('nobody waits');
    errand.end(reason);
    let isAsked = false;
    await expect(
      errand.run(async () => {
        isAsked = true;
      }),
    ).rejects.toBe(reason);
    expect(isAsked).toBe(false);
  });
});
