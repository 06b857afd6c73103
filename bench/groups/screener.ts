// The point-in-time screener as plain SQL: three filters and a ranking over all entities as of a moment, out of all vintages. The published
// interval [observed_at, known_to) against finding the newest vintage of each period first.
import { toValue } from '../../src/db/rows.ts';
import type { Lake } from '../generate.ts';
import { compare, drawn, type Peer } from '../measure.ts';
import type { Group } from '../report.ts';
import { openPlain, type Plain } from '../subject.ts';

const QUESTIONS = 40;
const CHOSEN = 'select canonical_id from series group by canonical_id order by canonical_id';

// Every formulation leaves one row per series, `known`: its newest period in force at the cutoff that has a value.
const KNOWN = {
  interval: `
    select series_no, arg_max(value, period_end) as value
    from vintages
    where series_no in (select series_no from chosen) and value is not null
      and observed_at <= $as_of::timestamptz and (known_to is null or known_to > $as_of::timestamptz)
    group by series_no`,
  rowNumber: `
    select series_no, arg_max(value, period_end) as value
    from (
      select series_no, period_end, value from vintages
      where series_no in (select series_no from chosen) and observed_at <= $as_of::timestamptz
      qualify row_number() over (partition by series_no, period_end order by observed_at desc) = 1
    )
    where value is not null
    group by series_no`,
  argMax: `
    select series_no, arg_max(value, period_end) as value
    from (
      select series_no, period_end, arg_max_null(value, observed_at) as value from vintages
      where series_no in (select series_no from chosen) and observed_at <= $as_of::timestamptz
      group by all
    )
    where value is not null
    group by series_no`,
};

const screen = (known: string) => `
  with
  chosen as (select series_no, entity_id, canonical_id from series where canonical_id in ($first, $second, $third, $fourth)),
  known as (${known}),
  wide as (
    select
      entity_id,
      max(value) filter (where canonical_id = $first) as first,
      max(value) filter (where canonical_id = $second) as second,
      max(value) filter (where canonical_id = $third) as third,
      max(value) filter (where canonical_id = $fourth) as ranked
    from known inner join chosen using (series_no)
    group by entity_id
  )
  select entity_id, first, second, third, ranked, rank() over (order by ranked desc) as place
  from wide
  where first > 200 and second < 1900 and third between 100 and 1900
  order by place, entity_id`;

async function peer(plain: Plain, name: string, known: string, factors: readonly string[]): Promise<Peer> {
  const statement = await plain.connection.prepare(screen(known));
  const months = drawn(5, 480);
  const cutoffs = Array.from({ length: QUESTIONS }, () => {
    const month = months.next().value;
    return `${1985 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-28T23:59:59.999Z`;
  });
  return {
    name,
    ask: async (number) => {
      const at = (number * 4) % factors.length;
      const [first = '', second = '', third = '', fourth = ''] = [...factors.slice(at), ...factors].slice(0, 4);
      statement.bind({ first, second, third, fourth, as_of: cutoffs[number] ?? '' });
      return (await statement.runAndReadAll()).getRows().map((row) => row.map(toValue));
    },
  };
}

export async function screener(lake: Lake): Promise<Group> {
  const plain = await openPlain(lake);
  const factors = (await plain.connection.runAndReadAll(CHOSEN)).getRows().map((row) => String(row[0]));
  const peers = [
    await peer(plain, 'DuckDB, interval (known_to)', KNOWN.interval, factors),
    await peer(plain, 'DuckDB, arg_max twice', KNOWN.argMax, factors),
    await peer(plain, 'DuckDB, row_number', KNOWN.rowNumber, factors),
  ];
  const figures = await compare(peers, { questions: QUESTIONS, rounds: 5, asksPerRound: 20, secondsPerRound: 4, concurrency: 1 }, 10);
  plain.close();
  return { name: 'point-in-time screener', of: '3 filters and a ranking over all entities under as_of', figures };
}
