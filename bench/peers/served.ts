// PostgreSQL behind Express as one would write it by hand: prepared statements, a pool, common fields of rows cached in memory.
import { connect } from './postgres.ts';

/** The body of each path's answer. */
export type Routes = Readonly<Record<string, (asked: URLSearchParams) => Promise<string>>>;

const OWN = `
  vintages.series_no as "seriesNo", period, to_char(period_end, 'YYYY-MM-DD') as "periodEnd", value as actual, vintage,
  observed_at as "observedAt", released_at as "releasedAt", retrieved_at as "retrievedAt", is_revised as "isRevised",
  release_no as "releaseNo", id_hash as "observationId", run_id as "runId", change_sequence as "changeSequence"`;

/** By the name of its prepared statement. */
const STATEMENTS = {
  newest: `
    select distinct on (period_end) ${OWN} from vintages where series_no = $1
    order by period_end desc, observed_at desc limit $2`,
  asOf: `
    select distinct on (period_end) ${OWN} from vintages where series_no = $1 and observed_at <= $3
    order by period_end desc, observed_at desc limit $2`,
  latest: `
    select newest.* from series, lateral (
      select ${OWN} from vintages
      where vintages.series_no = series.series_no and known_to is null and value is not null
      order by period_end desc limit 1
    ) as newest
    where country = $1
    order by "periodEnd" desc, "observedAt" desc, "observationId"`,
  walkBegin: `
    select ${OWN} from vintages where country = $1
    order by period_end desc, observed_at desc, id_hash desc limit $2`,
  walkOn: `
    select ${OWN} from vintages where country = $1 and (period_end, observed_at, id_hash) < ($3, $4, $5)
    order by period_end desc, observed_at desc, id_hash desc limit $2`,
} as const;

/** A row for each entity, with its value of each of four factors. The engines write them in the same way. */
export const OF_FOUR_FACTORS = `
        entity_id,
        max(value) filter (where canonical_id = $1) as first,
        max(value) filter (where canonical_id = $2) as second,
        max(value) filter (where canonical_id = $3) as third,
        max(value) filter (where canonical_id = $4) as ranked`;

/** The most rows of a screen. */
export const SCREEN_ROWS = 100;

/** The matches among these rows, ranked by the fourth factor. */
export const MATCHES = `
    select entity_id, first, second, third, ranked from wide
    where first > $5 and second < $6 and third between $7 and $8
    order by ranked desc nulls last, entity_id limit ${SCREEN_ROWS}`;

/**
 * The newest value of each series of four factors, found by one descent of the index each; then the filter and the ranking. Parameters: the
 * factors, the bounds of the first three, and the cutoff.
 */
export function screenText(isAsOf: boolean): string {
  const inForce = isAsOf
    ? 'vintages.observed_at <= $9::timestamptz and (known_to is null or known_to > $9::timestamptz)'
    : 'known_to is null';
  return `
    with wide as (
      select${OF_FOUR_FACTORS}
      from series, lateral (
        select value from vintages
        where vintages.series_no = series.series_no and ${inForce} and value is not null
        order by period_end desc limit 1
      ) as newest
      where canonical_id in ($1, $2, $3, $4)
      group by entity_id
    )${MATCHES}`;
}

export async function postgresRoutes(socket: string, connections: number): Promise<Routes> {
  const pool = connect(socket, connections);
  const series = (await pool.query({ text: 'select * from series' })).rows as unknown as readonly Series[];
  const byId = new Map(series.map((one) => [one.indicator_id, one]));
  const byNo = new Map(series.map((one) => [one.series_no, one]));
  const rowsOf = async (name: keyof typeof STATEMENTS, values: readonly unknown[]) => {
    const { rows } = await pool.query({ name, text: STATEMENTS[name], values });
    return (rows as unknown as readonly Row[]).map((row) => ({ ...byNo.get(row.seriesNo), ...row }));
  };
  const bodyOf = async (...asked: Parameters<typeof rowsOf>) => JSON.stringify({ data: await rowsOf(...asked) });
  return {
    '/observations': (asked) => {
      const one = byId.get(asked.get('indicator_id') ?? '');
      const limit = Number(asked.get('limit'));
      const cutoff = asked.get('as_of');
      return cutoff === null ? bodyOf('newest', [one?.series_no, limit]) : bodyOf('asOf', [one?.series_no, limit, cutoff]);
    },
    '/observations/latest': (asked) => bodyOf('latest', [asked.get('country')]),
    '/screen': async (asked) => {
      const isAsOf = asked.has('as_of');
      const text = screenText(isAsOf);
      const { rows } = await pool.query({ name: isAsOf ? 'screenAsOf' : 'screen', text, values: [...asked.values()] });
      return JSON.stringify({ data: rows });
    },
    '/walk': async (asked) => {
      const [country, limit, after] = [asked.get('country'), Number(asked.get('limit')), asked.get('cursor')];
      const rows = await (after === null
        ? rowsOf('walkBegin', [country, limit])
        : rowsOf('walkOn', [country, limit, ...(JSON.parse(after) as readonly unknown[])]));
      const last = rows.at(-1);
      const next = rows.length < limit || last === undefined ? null : JSON.stringify([last.periodEnd, last.observedAt, last.observationId]);
      return JSON.stringify({ data: rows, meta: { pagination: { next_cursor: next } } });
    },
  };
}

interface Series {
  readonly series_no: number;
  readonly indicator_id: string;
}

interface Row {
  readonly seriesNo: number;
  readonly periodEnd: string;
  readonly observedAt: Date;
  readonly observationId: string;
}
