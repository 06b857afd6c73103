// How much one request can delay others: the longest time that any question held the event loop, and the look-ups of a key beside another
// key's flood of slow ones.
import { Agent } from 'node:http';
import { platform } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { answerTo } from '../client.ts';
import type { Lake } from '../generate.ts';
import { type Held, openHolding } from '../holding.ts';
import { drawn, quantile } from '../measure.ts';
import { startService } from '../process.ts';
import type { Group, Measure } from '../figures.ts';
import { openServed } from '../subject.ts';
import { countriesOf, keyTo, pathOf, readsOf } from './http.ts';
import { screenPath, screensOf } from './screener.ts';

const EXPORTED_ROWS = 500_000;
const FORMS = ['csv', 'ndjson', 'arrow', 'parquet'] as const;
/** A flood has this many slow look-ups under way. */
const FLOOD = 64;
const LOOK_UPS = 400;

export async function fair(lake: Lake): Promise<Group> {
  return {
    name: 'fairness',
    of: `questions of every kind, one after the other; then look-ups of one key beside ${FLOOD} slow ones of another`,
    figures: [],
    measures: [...(platform() === 'linux' ? await heldBy(lake) : []), ...(await besideFlood(lake))],
  };
}

/** The kinds of questions that take longest: large pages, exports, screens, many misspelt names, and the description. */
async function questionsOf(lake: Lake): Promise<readonly string[]> {
  const reader = await openServed(lake);
  const factors = [...reader.catalogue.byCanonicalId.keys()].toSorted();
  const entities = [...reader.catalogue.byEntityId.keys()].slice(0, 50);
  reader.close();
  const [now, then] = [screensOf(factors, false)[0], screensOf(factors, true)[0]];
  if (now === undefined || then === undefined) throw new Error('the lake has no factors');
  const ranked = now.factors[3];
  const misspelt = entities.map((id) => `${id}x`).join(',');
  return [
    '/openapi.json',
    '/llms-full.txt',
    '/indicators?limit=500',
    ...['period_end', 'observed_at', 'actual', 'indicator_id'].map((sort) => `/observations?limit=500&sort=${sort}&order=desc`),
    '/observations?limit=500&vintage=all',
    '/observations/latest?limit=500',
    `/observations?entity=${misspelt}`,
    ...FORMS.map((form) => `/observations?vintage=all&format=${form}&limit=${EXPORTED_ROWS}`),
    screenPath(now),
    screenPath(then),
    screenPath(now, [`${ranked}@yoy`, `${ranked}@z3y`, `${ranked}@pct`]),
    screenPath({ ...now, first: 1e12 }),
  ];
}

async function heldBy(lake: Lake): Promise<readonly Measure[]> {
  const questions = await questionsOf(lake);
  const server = await openHolding(lake.dataDir, await keyTo(lake));
  const found: Held[] = [];
  try {
    for (const question of questions) {
      const held = await server.held(question);
      if (held.status !== 200) throw new Error(`${question}: ${held.status}`);
      found.push(held);
    }
  } finally {
    server.stop();
  }
  const [longest] = found.toSorted((a, b) => b.cpuMs - a.cpuMs);
  process.stderr.write(`longest hold: ${longest?.question}\n`);
  return [{ name: 'longest hold of the event loop by one request', value: longest?.cpuMs ?? Number.NaN, unit: 'ms' }];
}

async function besideFlood(lake: Lake): Promise<readonly Measure[]> {
  const reader = await openServed(lake);
  const paths = readsOf(reader.catalogue.series, 'asOf').map(pathOf);
  reader.close();
  const [own, other] = [await keyTo(lake), await keyTo(lake)];
  const service = await startService(lake.dataDir);
  try {
    // The first ones compile.
    await lookedUp(service.port, own, paths.slice(0, LOOK_UPS));
    const idle = await lookedUp(service.port, own, paths.slice(LOOK_UPS, 2 * LOOK_UPS));
    const flood = await flooding(service.port, other, await countriesOf(lake));
    const beside = await lookedUp(service.port, own, paths.slice(2 * LOOK_UPS, 3 * LOOK_UPS));
    const answered = await flood.stop();
    const [quiet, busy] = [quantile(idle, 0.99), quantile(beside, 0.99)];
    return [
      { name: 'look-ups, idle: p99', value: quiet, unit: 'ms' },
      { name: 'look-ups beside a flood: p99', value: busy, unit: 'ms' },
      { name: 'look-ups beside a flood ÷ idle: p99', value: busy / quiet, unit: '×' },
      { name: 'answers to the flood', value: answered, unit: 'answers' },
    ];
  } finally {
    await service.stop();
  }
}

/** Milliseconds of each look-up, one after the other. */
async function lookedUp(port: number, key: string, paths: readonly string[]): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (const path of paths) {
    const began = performance.now();
    const { status, text } = await answerTo(agent, port, path, key);
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times;
}

/** Keeps slow look-ups under way: the greatest values of a country in any period, which the engine must sort. None repeats. */
async function flooding(port: number, key: string, countries: readonly string[]): Promise<{ readonly stop: () => Promise<number> }> {
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD });
  const days = drawn(37, 15_000);
  const over = new AbortController();
  let answered = 0;
  let next = 0;
  const client = async () => {
    while (!over.signal.aborted) {
      const country = countries[next++ % countries.length];
      const from = new Date(days.next().value * 86_400_000).toISOString().slice(0, 10);
      const path = `/observations?country=${country}&vintage=all&sort=actual&order=desc&limit=500&start_date=${from}`;
      const { status, waitSeconds } = await answerTo(agent, port, path, key);
      if (status === 200) answered += 1;
      else if (waitSeconds === null) throw new Error(`${path}: ${status}`);
      else await pause(waitSeconds * 1000);
    }
  };
  const clients = Promise.all(Array.from({ length: FLOOD }, client));
  clients.catch(() => undefined);
  // Until the flood is there.
  await pause(1000);
  return {
    stop: async () => {
      over.abort();
      await clients;
      agent.destroy();
      return answered;
    },
  };
}
