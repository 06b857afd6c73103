// Screens over all entities: three filters and a ranking by a fourth factor, thresholds never repeated, on newest values and as of a random day, plain and with
// comparisons of values. The service through HTTP and as a function, PostgreSQL by its best plan, and DuckDB over the published intervals.
import { toValue } from '../../src/db/rows.ts';
import { type Fields, parseFilter, parseRanking } from '../../src/model/screener-dsl.ts';
import { screen } from '../../src/queries/screener/screener.ts';
import type { Lake } from '../generate.ts';
import { compare, drawn, type Peer, type Plan, planFor } from '../measure.ts';
import { type ClickHouse, openClickHouse } from '../peers/clickhouse.ts';
import { openPostgres, type Postgres } from '../peers/postgres.ts';
import { MATCHES, OF_FOUR_FACTORS, SCREEN_ROWS as ROWS, screenText } from '../peers/served.ts';
import type { Group } from '../figures.ts';
import { openPlain, openServed, type Plain } from '../subject.ts';
import { asof, type Server } from './http.ts';

const PLAN: Plan = { questions: 2000, rounds: 5, asksPerRound: 200, secondsPerRound: 4, concurrency: 1 };
const LEAST_FIRST = 200;
const LATERAL = 'PostgreSQL, lateral';
const CLICKHOUSE = 'ClickHouse';

export interface ScreenQuestion {
  readonly factors: readonly [first: string, second: string, third: string, ranked: string];
  readonly first: number;
  readonly second: number;
  readonly third: readonly [from: number, to: number];
  readonly asOf: string | null;
}

/** Thresholds that keep some entities and never repeat. */
export function screensOf(factors: readonly string[], isAsOf: boolean): readonly ScreenQuestion[] {
  const [fractions, days] = [drawn(5, 1_000_000), drawn(6, 14_600)];
  return Array.from({ length: PLAN.questions }, (_, number): ScreenQuestion => {
    const at = (number * 4) % factors.length;
    const [first = '', second = '', third = '', ranked = ''] = [...factors.slice(at), ...factors].slice(0, 4);
    const between = (from: number, to: number) => from + ((to - from) * fractions.next().value) / 1_000_000;
    const day = new Date(Date.UTC(1985, 0, 1) + days.next().value * 86_400_000);
    return {
      factors: [first, second, third, ranked],
      first: between(LEAST_FIRST, 400),
      second: between(1500, 1900),
      third: [between(50, 150), between(1700, 1900)],
      asOf: isAsOf ? `${day.toISOString().slice(0, 10)}T23:59:59.999Z` : null,
    };
  });
}

/** @param columns shown in addition to the requested ones; empty for none */
export function screenPath(question: ScreenQuestion, columns: readonly string[] = []): string {
  const cutoff = question.asOf === null ? '' : `&as_of=${question.asOf}`;
  const shown = columns.length === 0 ? '' : `&columns=${[...question.factors, ...columns].join(',')}`;
  const filter = encodeURIComponent(filterOf(question));
  return `/public/screener?universe=entities&eligible_only=false&limit=${ROWS}&rank_by=${question.factors[3]}:desc&filter=${filter}${shown}${cutoff}`;
}

const filterOf = ({ factors: [first, second, third], ...question }: ScreenQuestion) =>
  `${first}:gt:${question.first};${second}:lt:${question.second};${third}:between:${question.third.join('..')}`;

type Answer = readonly (readonly [entityId: unknown, first: unknown, second: unknown, third: unknown, ranked: unknown])[];

function byFunction(
  reader: Awaited<ReturnType<typeof openServed>>,
  questions: readonly ScreenQuestion[],
  fields: Fields,
  more: string,
): Peer {
  return {
    name: `asof, query layer${more === '' ? '' : ` with ${more}`}`,
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      const ranked = question.factors[3];
      const columns = more === '' ? null : [...question.factors.map((field) => ({ field, modifier: null })), ...modifiersOf(ranked, more)];
      const asked = {
        universe: 'entities' as const,
        entityType: null,
        country: null,
        sector: null,
        filter: parseFilter(filterOf(question), fields),
        ranking: parseRanking(`${ranked}:desc`, fields),
        columns,
        isFreshOnly: false,
        isEligibleOnly: false,
        asOf: question.asOf,
        at: Date.parse(question.asOf ?? reader.knowledgeCutoff),
        historyFrom: null,
      };
      const { rows } = await screen(reader, asked, { sort: 'rank', order: 'asc', begin: 0, limit: ROWS });
      return rows.map(({ entityId, values }): Answer[number] => {
        const [first, second, third, fourth] = question.factors.map((factor) => values[factor]?.value);
        return [entityId, first, second, third, fourth];
      });
    },
  };
}

function modifiersOf(field: string, more: string) {
  return more
    .split(',')
    .flatMap((name) => (name === 'yoy' || name === 'z3y' || name === 'pct' ? [{ field, modifier: name } as const] : []));
}

interface Body {
  readonly data: readonly { readonly entityId: string; readonly values: Readonly<Record<string, { readonly value: number }>> }[];
}

export function byHttp(server: Server, questions: readonly ScreenQuestion[]): Peer {
  return {
    name: 'asof, HTTP',
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      const { data } = JSON.parse(await server.fetch(screenPath(question))) as Body;
      return data.map(({ entityId, values }): Answer[number] => {
        const [first, second, third, fourth] = question.factors.map((factor) => values[factor]?.value);
        return [entityId, first, second, third, fourth];
      });
    },
  };
}

/** The values of a statement for a screen, in the order of its parameters. */
export const bound = ({ factors, first, second, third, asOf }: ScreenQuestion) => [
  ...factors,
  first,
  second,
  ...third,
  ...(asOf === null ? [] : [asOf]),
];

function byPostgres(postgres: Postgres, questions: readonly ScreenQuestion[], isAsOf: boolean): Peer {
  const text = screenText(isAsOf);
  const name = isAsOf ? 'as_of' : 'newest';
  return {
    name: LATERAL,
    ask: async (number) => {
      const question = questions[number];
      return question === undefined ? [] : postgres.ask(name, text, bound(question));
    },
  };
}

/** One row per series, from the granules that the primary key selects for the named series. */
function byClickHouse(clickhouse: ClickHouse, questions: readonly ScreenQuestion[], isAsOf: boolean): Peer {
  const inForce = isAsOf
    ? 'observed_at <= {p9: DateTime64(6)} and (known_to is null or known_to > {p9: DateTime64(6)})'
    : 'known_to is null';
  const text = `
    with
    chosen as (
      select series_no, entity_id, canonical_id from series
      where canonical_id in ({p1: String}, {p2: String}, {p3: String}, {p4: String})
    ),
    known as (
      select series_no, argMax(value, period_end) as newest from vintages
      where series_no in (select series_no from chosen) and value is not null and ${inForce}
      group by series_no
    ),
    wide as (
      select
        entity_id,
        maxOrNullIf(newest, canonical_id = {p1: String}) as first,
        maxOrNullIf(newest, canonical_id = {p2: String}) as second,
        maxOrNullIf(newest, canonical_id = {p3: String}) as third,
        maxOrNullIf(newest, canonical_id = {p4: String}) as ranked
      from known inner join chosen using (series_no)
      group by entity_id
    )
    select entity_id, first, second, third, ranked from wide
    where first > {p5: Float64} and second < {p6: Float64} and third between {p7: Float64} and {p8: Float64}
    order by ranked desc nulls last, entity_id limit ${ROWS}`;
  return {
    name: CLICKHOUSE,
    ask: async (number) => {
      const question = questions[number];
      return question === undefined ? [] : clickhouse.ask(text, bound(question));
    },
  };
}

/** One row per series: its newest period in force at the cutoff with a value. */
async function byDuckDb(plain: Plain, questions: readonly ScreenQuestion[], isAsOf: boolean): Promise<Peer> {
  const inForce = isAsOf ? 'observed_at <= $9::timestamptz and (known_to is null or known_to > $9::timestamptz)' : 'known_to is null';
  const statement = await plain.connection.prepare(`
    with
    chosen as (select series_no, entity_id, canonical_id from series where canonical_id in ($1, $2, $3, $4)),
    known as (
      select series_no, arg_max(value, period_end) as value from vintages
      where series_no in (select series_no from chosen) and value is not null and ${inForce}
      group by series_no
    ),
    wide as (
      select${OF_FOUR_FACTORS}
      from known inner join chosen using (series_no)
      group by entity_id
    )${MATCHES}`);
  return {
    name: 'DuckDB, plain SQL (known_to)',
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      statement.bind(bound(question));
      return (await statement.runAndReadAll()).getRows().map((row) => row.map(toValue));
    },
  };
}

async function screens(lake: Lake, isAsOf: boolean): Promise<Group> {
  const reader = await openServed(lake);
  const plain = await openPlain(lake);
  const server = await asof(lake);
  const postgres = await openPostgres(lake);
  const clickhouse = await openClickHouse(lake);
  const factors = [...reader.catalogue.byCanonicalId.keys()].toSorted();
  const fields: Fields = new Map(factors.map((name) => [name, 'number']));
  const questions = screensOf(factors, isAsOf);
  const peers = [
    byHttp(server, questions),
    byFunction(reader, questions, fields, ''),
    byFunction(reader, questions, fields, 'yoy,z3y,pct'),
    ...(typeof postgres === 'string' ? [] : [byPostgres(postgres, questions, isAsOf)]),
    ...(typeof clickhouse === 'string' ? [] : [byClickHouse(clickhouse, questions, isAsOf)]),
    await byDuckDb(plain, questions, isAsOf),
  ];
  const absent = Object.entries({ [LATERAL]: postgres, [CLICKHOUSE]: clickhouse }).flatMap(([name, peer]) => {
    if (typeof peer !== 'string') return [];
    process.stderr.write(`${peer}\n`);
    return [name];
  });
  const figures = await compare(peers, planFor(lake, PLAN), 10);
  plain.close();
  reader.close();
  if (typeof postgres !== 'string') await postgres.stop();
  if (typeof clickhouse !== 'string') await clickhouse.stop();
  return {
    name: isAsOf ? 'point-in-time screener' : 'screener',
    of: `3 filters and a ranking over all entities${isAsOf ? ' under as_of' : ''}, thresholds never repeated`,
    figures,
    absent,
    serverPeakMemoryMb: await server.stop(),
  };
}

export const screener = (lake: Lake): Promise<Group> => screens(lake, false);
export const screenerAsOf = (lake: Lake): Promise<Group> => screens(lake, true);
