// Cold reads: 100 rows of a random series, every field, through the query layer and as plain SQL on the same files.
import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import { toValue } from '../../src/db/rows.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { toObservations } from '../../src/queries/observation-rows.ts';
import { readVintages } from '../../src/queries/reads/read.ts';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { compare, drawn, type Peer, type Plan, planFor } from '../measure.ts';
import type { Group } from '../figures.ts';
import { openPlain, openServed, type Plain } from '../subject.ts';
import type { Lake } from '../generate.ts';

export const PAGE_ROWS = 100;
const QUESTIONS = 500;
const PLAN: Plan = { questions: QUESTIONS, rounds: 5, asksPerRound: 200, secondsPerRound: 4, concurrency: 1 };

export const EVERY_PERIOD: VintageFilters = {
  asOf: null,
  observedFrom: null,
  observedTo: null,
  periodFrom: null,
  periodTo: null,
  vintage: 'latest',
  releaseNumber: null,
  backfill: null,
  numericOnly: false,
};

export interface Question {
  readonly series: Series;
  readonly asOf: string | null;
}

/** Days in the second half of the lake's time, as cutoffs. */
export function monthDrawn(): () => string {
  const months = drawn(11, 300);
  return () => {
    const month = months.next().value;
    return `${2001 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-28T23:59:59.999Z`;
  };
}

/** Random series, without repeats if there is no cutoff. */
function questionsOf(reader: SnapshotReader, isAsOf: boolean): Question[] {
  const series = reader.catalogue.series;
  const places = drawn(7, series.length);
  const month = monthDrawn();
  const questions = Array.from({ length: QUESTIONS }, (): Question => {
    const one = series[places.next().value];
    if (one === undefined) throw new Error('the lake has no series');
    return { series: one, asOf: isAsOf ? month() : null };
  });
  return isAsOf ? questions : [...new Map(questions.map((question) => [question.series.seriesNo, question])).values()];
}

/** The page that answers a request for one series: newest periods first. */
async function ourRead(reader: SnapshotReader, question: Question) {
  const page = { sort: 'period_end', order: 'desc', after: null, limit: PAGE_ROWS } as const;
  const found = await readVintages({
    snapshot: reader,
    series: [question.series],
    filters: { ...EVERY_PERIOD, asOf: question.asOf },
    page,
  });
  return toObservations(await found.rows.all(), { catalogue: reader.catalogue, at: Date.parse(question.asOf ?? reader.knowledgeCutoff) });
}

const COLUMNS = 'period, period_end, value, vintage, observed_at, released_at, retrieved_at, is_revised, release_no, id_hash';
const PLAIN = {
  latest: `select ${COLUMNS} from vintages where series_no = $1 and $2 is null
    qualify row_number() over (partition by period_end order by observed_at desc) = 1 order by period_end desc limit ${PAGE_ROWS}`,
  asOf: `select ${COLUMNS} from vintages where series_no = $1 and observed_at <= $2::timestamptz
    qualify row_number() over (partition by period_end order by observed_at desc) = 1 order by period_end desc limit ${PAGE_ROWS}`,
  interval: `select ${COLUMNS} from vintages where series_no = $1 and observed_at <= $2::timestamptz and (known_to is null or known_to > $2::timestamptz)
    order by period_end desc limit ${PAGE_ROWS}`,
};

async function plainPeer(plain: Plain, name: string, sql: string, questions: readonly Question[]): Promise<Peer> {
  const statement: DuckDBPreparedStatement = await plain.connection.prepare(sql);
  return {
    name,
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      statement.bind([question.series.seriesNo, question.asOf ?? null]);
      const rows = (await statement.runAndReadAll()).getRows();
      return rows.map((row) => row.map(toValue)).map(([period, , value, vintage, observedAt]) => [period, value, vintage, observedAt]);
    },
  };
}

function ours(reader: SnapshotReader, questions: readonly Question[]): Peer {
  return {
    name: 'asof, query layer',
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      const rows = await ourRead(reader, question);
      return rows.map((row) => [row.period, row.actual, row.vintage, row.observedAt]);
    },
  };
}

async function plainReads(plain: Plain, questions: readonly Question[], isAsOf: boolean): Promise<Peer[]> {
  if (!isAsOf) return [await plainPeer(plain, 'DuckDB, plain SQL', PLAIN.latest, questions)];
  return [
    await plainPeer(plain, 'DuckDB, plain SQL (row_number)', PLAIN.asOf, questions),
    await plainPeer(plain, 'DuckDB, plain SQL (known_to)', PLAIN.interval, questions),
  ];
}

async function reads(lake: Lake, isAsOf: boolean): Promise<Group> {
  const reader = await openServed(lake);
  const plain = await openPlain(lake);
  const questions = questionsOf(reader, isAsOf);
  const figures = await compare([ours(reader, questions), ...(await plainReads(plain, questions, isAsOf))], {
    ...planFor(lake, PLAN),
    questions: questions.length,
  });
  reader.close();
  plain.close();
  return { name: isAsOf ? 'as-of read' : 'cold read', of: `${PAGE_ROWS} newest rows of a random series`, figures };
}

export const coldReads = (lake: Lake): Promise<Group> => reads(lake, false);
export const asOfReads = (lake: Lake): Promise<Group> => reads(lake, true);
