// The newest print of 200 series with the previous print: from the published table, and by the general query over the vintages.
import { bindSeries, observationsLatest } from '../../src/queries/reads/engine.ts';
import { readLatest } from '../../src/queries/reads/read.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { runPaged } from '../../src/queries/paging.ts';
import type { Lake } from '../generate.ts';
import { compare, type Plan, planFor } from '../measure.ts';
import type { Group } from '../figures.ts';
import { openServed } from '../subject.ts';
import { EVERY_PERIOD } from './reads.ts';

const SERIES = 200;
const PLAN: Plan = { questions: 20, rounds: 5, asksPerRound: 40, secondsPerRound: 3, concurrency: 1 };

export async function latest(lake: Lake): Promise<Group> {
  const reader = await openServed(lake);
  const all = reader.catalogue.series;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: SERIES } as const;
  const questions = Array.from({ length: PLAN.questions }, (_, number) => all.slice(number, number + SERIES));
  const latestOf = async (series: readonly Series[]) => {
    const { rows, nextKey } = await readLatest({ snapshot: reader, series, filters: EVERY_PERIOD, page });
    return { rows: await rows.all(), nextKey };
  };
  const figures = await compare(
    [
      { name: 'asof, published.latest', ask: (number) => latestOf(questions[number] ?? []) },
      {
        name: 'asof, over the vintages',
        ask: (number) => {
          const bound = bindSeries(reader, questions[number] ?? [], EVERY_PERIOD);
          return runPaged(reader, observationsLatest, { ...bound, historyFrom: null }, page);
        },
      },
    ],
    planFor(lake, PLAN),
  );
  reader.close();
  return { name: 'latest', of: `the newest print of ${SERIES} series`, figures };
}
