// The same requests on each deployment: some answered from the snapshot, some by the cluster. The deployments share this machine, so three servers are
// no faster than one here: this measures the cost of a deployment, and from which size on ClickHouse is faster than DuckDB.
import { type Deployed, openDeployments } from '../deployments.ts';
import type { Lake } from '../generate.ts';
import { compare, type Figures, type Peer, planFor, quantile } from '../measure.ts';
import type { Group } from '../figures.ts';
import { SIZES } from '../sizes.ts';
import { openServed } from '../subject.ts';
import { checksumOfArrow } from './bulk.ts';
import { atOneAndMany, clientOf, countriesOf, keyTo, pathOf, readsOf, rowsOf } from './http.ts';
import { monthDrawn, PAGE_ROWS } from './reads.ts';
import { screenPath, screensOf } from './screener.ts';

const SECONDS_PER_ROUND = 3;
const QUESTIONS = 2000;
const LIST_ROWS = 500;
const MANY_SERIES_QUESTIONS = 200;
const MOST_ROWS = 1_000_000;
const EMPTY_QUESTIONS = 50;

type Asked = (deployed: Deployed, key: string) => Peer;

export async function deployments(lake: Lake): Promise<readonly Group[]> {
  const questions = await questionsOf(lake);
  const key = await keyTo(lake);
  const { all, absent, emptyQuestion, stop } = await openDeployments(lake);
  try {
    const groups: Group[] = [];
    const measured = async (name: string, of: string, measure: (peers: readonly Peer[]) => Promise<Figures[]>, asked: Asked) => {
      process.stderr.write(`measure: deployments, ${name}\n`);
      const figures = await measure(all.map((deployed) => asked(deployed, key)));
      const serverPeakMemoryMb = Math.max(...all.map(({ peakMemoryMb }) => peakMemoryMb()));
      groups.push({ name: `deployments, ${name}`, of, figures, absent, serverPeakMemoryMb });
    };
    for (const { name, of, paths } of questions.pages)
      await measured(name, of, (peers) => atOneAndMany(lake, peers, paths.length, SECONDS_PER_ROUND), pages(paths));
    const ofBulk = `${questions.bulk.rows} rows of all series as Arrow`;
    await measured('bulk', ofBulk, (peers) => compare(peers, planFor(lake, BULK), 1), download(questions.bulk.path));
    const [first] = groups;
    if (first === undefined || emptyQuestion === null) return groups;
    const times: number[] = [];
    while (times.length < EMPTY_QUESTIONS) times.push(await emptyQuestion());
    const value = quantile(times, 0.5);
    return [{ ...first, measures: [{ name: 'a question of the cluster that reads nothing', value, unit: 'ms' }] }, ...groups.slice(1)];
  } finally {
    await stop();
  }
}

const BULK = { questions: 1, rounds: 3, asksPerRound: 1, secondsPerRound: 600, concurrency: 1, isWarm: true };

interface Pages {
  readonly name: string;
  readonly of: string;
  /** No request is repeated. */
  readonly paths: readonly string[];
}

async function questionsOf(
  lake: Lake,
): Promise<{ readonly pages: readonly Pages[]; readonly bulk: { readonly path: string; readonly rows: number } }> {
  const reader = await openServed(lake);
  const { series, byCanonicalId } = reader.catalogue;
  reader.close();
  const factors = [...byCanonicalId.keys()].toSorted();
  const screens = (isAsOf: boolean) => screensOf(factors, isAsOf).slice(0, QUESTIONS);
  const statistics = ({ factors: [, , , ranked] }: { readonly factors: readonly string[] }) =>
    ['yoy', 'z3y', 'pct'].map((name) => `${ranked ?? ''}@${name}`);
  const countries = await countriesOf(lake);
  const month = monthDrawn();
  // The limit differs with each round of the countries, so that no request is repeated.
  const list = Array.from({ length: QUESTIONS }, (_, number) => {
    const rows = LIST_ROWS - Math.floor(number / countries.length);
    return `/observations?country=${countries[number % countries.length]}&as_of=${month()}&sort=period_end&order=desc&limit=${Math.max(rows, 100)}`;
  });
  // More vintages than fit in memory, so the engine must read them.
  const everything = Array.from(
    { length: MANY_SERIES_QUESTIONS },
    (_, number) => `/observations?as_of=${month()}&sort=observed_at&order=desc&limit=${PAGE_ROWS + number}`,
  );
  const rows = lake.vintages > SIZES.small ? MOST_ROWS : Math.floor(lake.vintages / 4);
  return {
    pages: [
      {
        name: 'as-of read',
        of: 'a page of one series as of a random day: by the servers alone',
        paths: readsOf(series, 'asOf').slice(0, QUESTIONS).map(pathOf),
      },
      { name: 'list', of: `up to ${LIST_ROWS} newest rows of all series of a country as of a random day`, paths: list },
      { name: 'list of all series', of: `the ${PAGE_ROWS} rows known last, of all series, as of a random day`, paths: everything },
      { name: 'screen', of: '3 filters and a ranking over all entities', paths: screens(false).map((one) => screenPath(one)) },
      { name: 'screen as of', of: 'the same as of a random day', paths: screens(true).map((one) => screenPath(one)) },
      {
        name: 'screen as of, with statistics',
        of: 'the same with the year before, z-score and percentile of one factor',
        paths: screens(true).map((one) => screenPath(one, statistics(one))),
      },
    ],
    bulk: { path: `/observations?vintage=all&sort=period_end&format=arrow&limit=${rows}`, rows },
  };
}

const pages =
  (paths: readonly string[]): Asked =>
  ({ name, port, cpuMs }, key) => {
    const client = clientOf(port, key);
    const ask = async (number: number) => client.fetch(paths[number] ?? '');
    return { name, ask, answer: async (number) => rowsOf(await ask(number)), cpuMs: async () => cpuMs() };
  };

const download =
  (path: string): Asked =>
  ({ name, port, cpuMs }, key) => {
    const client = clientOf(port, key);
    return {
      name,
      ask: () =>
        client.download(path, async (body) => {
          for await (const part of body) void part;
        }),
      answer: () => client.download(path, checksumOfArrow),
      cpuMs: async () => cpuMs(),
    };
  };
