// A screen as of a day beside the numbers of today, and screens to begin with.
import { MODIFIERS, parseClauses } from './text.js';

/** Screens that need nothing typed: { id, label, params }. */
export const READY = [
  {
    id: 'inflation',
    label: 'Inflation above 3 %',
    params: {
      universe: 'countries',
      filter: 'cpi_inflation_yoy:gt:3',
      rank_by: 'cpi_inflation_yoy:desc',
      columns: 'cpi_inflation_yoy,policy_rate',
    },
  },
  {
    id: 'unemployment',
    label: 'Unemployment up in a year',
    params: {
      universe: 'countries',
      filter: 'unemployment_rate@chg12:gt:0',
      rank_by: 'unemployment_rate@chg12:desc',
      columns: 'unemployment_rate',
    },
  },
  {
    id: 'sentiment',
    label: 'Economic sentiment below its mean',
    params: {
      universe: 'countries',
      filter: 'economic_sentiment:lt:100',
      rank_by: 'economic_sentiment:asc',
      columns: 'economic_sentiment,unemployment_rate',
    },
  },
  {
    id: 'earnings',
    label: 'Companies by P/E',
    params: {
      universe: 'companies',
      filter: 'price_to_earnings:gt:0',
      rank_by: 'price_to_earnings:asc',
      columns: 'price_to_earnings,price_to_book,dividend_yield',
    },
  },
  {
    id: 'futures',
    label: 'Crowded futures',
    params: {
      universe: 'entities',
      // A contract has the percentile of one of these groups of traders, or of two.
      filter: ['cot_positioning_percentile', 'cot_tff_percentile', 'cot_disaggregated_percentile']
        .map((field) => `${field}:gte:90|${field}:lte:10`)
        .join('|'),
    },
  },
];

/** True of a field that a ready screen asks for. It may have no value in your data, but it is no misspelt name. */
export const isOfReadyScreen = (field) =>
  READY.some(({ params }) => (parseClauses(params.filter).clauses ?? []).flat().some((term) => term.field === field));

/** True of the ready screen whose list is that of the Commitments of Traders, which has the contracts of all reports in one order. */
export const isCrowdedFutures = ({ universe, filter, rank_by = '', columns = '' }) => {
  const { params } = READY.find(({ id }) => id === 'futures');
  return universe === params.universe && filter === params.filter && rank_by === '' && columns === '';
};

/** Fewer rows say little. */
const LEAST_ROWS = 3;

/**
 * The parameters of the ready screen to open with; null if none has a row. `asked`: `universe` and `eligible_only` if the address has them.
 * `matchedOf(params)`: a promise of the number of rows. Stale rows come only if no screen has other ones.
 */
export async function openingScreen({ universe, eligible_only }, matchedOf) {
  const screens = READY.map(({ params }) => params).filter((params) => universe === undefined || params.universe === universe);
  for (const choice of eligible_only === 'false' ? ['false'] : [undefined, 'false']) {
    let [fullest, most] = [null, 0];
    for (const screen of screens) {
      const params = choice === undefined ? screen : { ...screen, eligible_only: choice };
      const matched = await matchedOf(params);
      if (matched >= LEAST_ROWS) return params;
      if (matched > most) [fullest, most] = [params, matched];
    }
    if (fullest !== null) return fullest;
  }
  return null;
}

/** The parameters of no screen. */
export const withoutScreen = { universe: '', filter: '', rank_by: '', columns: '', eligible_only: '' };

/** The ready screen with these parameters. With stale rows too it is still the same screen. */
export const readyOf = (asked) =>
  READY.find(({ params }) =>
    Object.entries({ ...withoutScreen, ...params, eligible_only: asked.eligible_only ?? '' }).every(
      ([name, value]) => (asked[name] ?? '') === value,
    ),
  );

/**
 * → { isFull, matched, fuller } of a ready screen. `fuller`: the next ready screen with enough rows, else the one with the most; { label, params, matched }, or null
 * if none has more rows.
 */
export async function fullerScreen(id, { eligible_only }, matchedOf) {
  const own = READY.find((one) => one.id === id);
  const rowsOf = ({ params }) => matchedOf({ ...params, eligible_only });
  const matched = await rowsOf(own);
  if (matched >= LEAST_ROWS) return { isFull: true, matched, fuller: null };
  let fuller = null;
  for (const other of READY) {
    if (other === own || (fuller?.matched ?? 0) >= LEAST_ROWS) continue;
    const rows = await rowsOf(other);
    if (rows > (fuller?.matched ?? matched))
      fuller = { label: other.label, params: { ...other.params, eligible_only: eligible_only ?? '' }, matched: rows };
  }
  return { isFull: false, matched, fuller };
}

/** Says why the page opened a later ready screen. Null if it opened the first one, or a screen of your own. */
export function insteadOfFirst(opened, { universe, as_of }) {
  const offered = READY.filter(({ params }) => universe === undefined || params.universe === universe);
  const shown = offered.find(({ params }) => params.filter === opened?.filter);
  if (shown === undefined || shown === offered[0]) return null;
  return `“${offered[0].label}” has hardly any rows${as_of ? ` as of ${as_of}` : ''}, so you see “${shown.label}”.`;
}

/** The parts of a list with commas. */
export const listed = (text = '') => text.split(',').filter((one) => one.trim() !== '');

/** The columns to ask for: first those of the filter and the ranking, then the chosen ones. Undefined if none is chosen: the interface then takes its own. */
export function columnsAsked({ filter = '', rank_by, columns }) {
  if (listed(columns).length === 0) return undefined;
  const terms = (parseClauses(filter).clauses ?? []).flat();
  const filtered = terms.map(({ field, modifier }) => (modifier === '' ? field : `${field}@${modifier}`));
  const ranked = listed(rank_by).map((one) => one.split(':')[0]);
  return [...new Set([...filtered, ...ranked, ...listed(columns)].map((one) => one.trim()))].join(',');
}

/** Columns of a table over several pages. The service ranks by a column that is `isRank`; no other column has an order. */
export const rankedOnly = (columns) => columns.map((column) => ({ ...column, isUnordered: column.isRank !== true }));

/** `cpi_inflation_yoy:desc,…` → `-cpi_inflation_yoy`, the order of a table; '' without a ranking. If the ranking has no direction, the largest comes first. */
export function sortOfRanking(ranking) {
  const [first] = listed(ranking);
  if (first === undefined) return '';
  const [field, direction] = first.trim().split(':');
  return direction === 'asc' ? field : `-${field}`;
}

/** The other way round; no order is no ranking. */
export const rankingOfSort = (sort) => (sort === '' ? '' : sort.startsWith('-') ? `${sort.slice(1)}:desc` : `${sort}:asc`);

const MOST_NAMED = 3;

/** The name of the file of a screen: the fields that it is about, its as-of, and its page if that is not the first. */
export function fileOf({ filter = '', columns, universe = 'countries', as_of }, page = 1) {
  const terms = (parseClauses(filter).clauses ?? []).flat().map(({ field }) => field);
  const fields = [...new Set(terms.length > 0 ? terms : listed(columns).map((one) => one.trim().split('@')[0]))];
  const parts = ['screen', universe, ...fields.slice(0, MOST_NAMED), ...(as_of ? [as_of] : []), ...(page > 1 ? [`page-${page}`] : [])];
  return parts.join('-').replaceAll(/[^\w.-]+/g, '-');
}

/** The field that a ready screen is about: that of its filter, not one that only stands beside it. */
export const fieldOf = ({ filter }) => filter.split(/[@:]/)[0];

/** The name of a column for people: `unemployment_rate@chg12` → `Unemployment Rate, change over twelve months`. */
export function titleOf(name, fields) {
  const [field, modifier] = name.split('@');
  const label = fields.find((one) => one.field === field)?.label ?? field;
  return modifier === undefined ? label : `${label}, ${MODIFIERS[modifier] ?? modifier}`;
}

/** Rows of two screens → the same rows as the first one, each with `today`: the values that the second has of its entity, none if it has not got it. */
export function besideToday(rows, todayRows) {
  const byEntity = new Map(todayRows.map((row) => [row.entityId, row.values]));
  return rows.map((row) => ({ ...row, today: byEntity.get(row.entityId) ?? {} }));
}

/**
 * Matches of one filter then and today → { fateOf, added }. `fateOf(entityId)`, of a match of then: 'stayed' or 'dropped out'. `added`: the rows of today that
 * did not match then.
 */
export function matchesSince(thenRows, todayRows) {
  const [before, now] = [thenRows, todayRows].map((rows) => new Set(rows.map(({ entityId }) => entityId)));
  return {
    fateOf: (entityId) => (now.has(entityId) ? 'stayed' : 'dropped out'),
    added: todayRows.filter(({ entityId }) => !before.has(entityId)),
  };
}

/**
 * The matches of a screen then (`before`) and today (`now`) → { rows, counts }: at most `most` rows with `today` and a `fate`, the new ones first, and the number of
 * each fate. `allBefore` and `allNow`: the values of all entities, matches or not.
 */
export function membersSince({ before, now, allBefore, allNow }, most) {
  const { fateOf, added } = matchesSince(before, now);
  const valuesThen = new Map(allBefore.map(({ entityId, values }) => [entityId, values]));
  const groups = [
    ['new', added.map((row) => ({ ...row, values: valuesThen.get(row.entityId) ?? {} }))],
    ['left', before.filter(({ entityId }) => fateOf(entityId) !== 'stayed')],
    ['stayed', before.filter(({ entityId }) => fateOf(entityId) === 'stayed')],
  ];
  // A long group leaves room for the others.
  const filled = groups.filter(([, rows]) => rows.length > 0).length;
  const rows = groups.flatMap(([fate, own]) => own.slice(0, Math.floor(most / filled)).map((row) => ({ ...row, fate })));
  return { rows: besideToday(rows, allNow), counts: Object.fromEntries(groups.map(([fate, own]) => [fate, own.length])) };
}

/** Why a screen has no match: the as-of if the filter matches today. `matchedToday` is null if that is not known. */
export function emptyScreen(as_of, matchedToday) {
  if (!as_of || matchedToday === 0) return 'No matches. Loosen the filter.';
  const today = matchedToday === null ? '' : ` Today ${matchedToday === 1 ? '1 matches' : `${matchedToday} match`}.`;
  return `No matches as of ${as_of}.${today} The data may not have been known then.`;
}

/** Today's value minus the one then; null if one is missing or no number. Rounded to the digits of the two. */
export function changeSince(then, today) {
  if (typeof then?.value !== 'number' || typeof today?.value !== 'number') return null;
  return Number((today.value - then.value).toPrecision(12));
}

/** What a value lacks to be current, in a word; '' for one that lacks nothing. The freshness of a series that ended is unknown. */
export function ageOf(cell) {
  if (cell?.freshnessStatus === 'stale') return 'stale';
  return cell?.freshnessStatus === 'unknown' && cell.scoringEligible === false ? 'freshness unknown' : '';
}
