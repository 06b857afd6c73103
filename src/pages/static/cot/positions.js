// Weekly positions of one contract by class of trader, from the rows of the interface.
import { parseCsv } from '../tables/csv.js';

/** Columns that `readWeeks` reads. */
export const POSITION_COLUMNS = 'indicator_id,period_end,actual';

/** The reports: their sources, the classes of traders, the prefix of their indicators, and the class with a percentile. */
export const REPORTS = [
  {
    id: 'legacy',
    label: 'Legacy',
    source: 'cftc_legacy',
    prefix: 'cot_',
    percentile: 'cot_positioning_percentile',
    of: 'noncommercial',
    classes: [
      { id: 'noncommercial', label: 'Non-commercial' },
      { id: 'commercial', label: 'Commercial' },
      { id: 'nonreportable', label: 'Not reportable' },
    ],
  },
  {
    id: 'tff',
    label: 'Financial futures',
    source: 'cftc_tff',
    prefix: 'cot_tff_',
    percentile: 'cot_tff_percentile',
    of: 'leveraged_funds',
    classes: [
      { id: 'dealer', label: 'Dealers' },
      { id: 'asset_manager', label: 'Asset managers' },
      { id: 'leveraged_funds', label: 'Leveraged funds' },
      { id: 'other_reportables', label: 'Other reportables' },
      { id: 'nonreportable', label: 'Not reportable' },
    ],
  },
  {
    id: 'disaggregated',
    label: 'Commodities',
    source: 'cftc_disaggregated',
    prefix: 'cot_disaggregated_',
    percentile: 'cot_disaggregated_percentile',
    of: 'managed_money',
    classes: [
      { id: 'managed_money', label: 'Managed money' },
      { id: 'producer', label: 'Producers and merchants' },
      { id: 'swap_dealer', label: 'Swap dealers' },
      { id: 'other_reportables', label: 'Other reportables' },
      { id: 'nonreportable', label: 'Not reportable' },
    ],
  },
];

/** Of each contract the report whose class speaks for its speculators: managed money, in financial contracts leveraged funds, else the non-commercial traders. */
const OF_SPECULATORS = ['disaggregated', 'tff', 'legacy'].map((id) => REPORTS.find((report) => report.id === id));

/** Up to the first percentile a position is crowded short, from the second on crowded long. */
export const [CROWDED_SHORT, CROWDED_LONG] = [10, 90];

/** Crowded is said against the position's own three years, so a position that is crowded short can be a long one. */
export function sideText({ side, net }) {
  if (side === null) return 'no';
  const isOpposed = side === 'short' ? net > 0 : net !== null && net < 0;
  return isOpposed ? `${side}, but net ${side === 'short' ? 'long' : 'short'}` : side;
}

/** The name of the class of traders whose percentile a report has. */
export const groupOf = ({ classes, of }) => classes.find(({ id }) => id === of).label;

/** CSV of the columns above, for one contract → weeks in order: [{ week, values: { noncommercial_long: 1, … } }], null if the interface has no value. */
export function readWeeks(text, entity, { prefix }) {
  const [, ...rows] = parseCsv(text);
  const byWeek = new Map();
  const start = `${entity}_${prefix}`;
  for (const [indicator, week, actual] of rows) {
    if (!indicator.startsWith(start)) continue;
    const values = byWeek.get(week) ?? {};
    values[indicator.slice(start.length)] = actual === '' ? null : Number(actual);
    byWeek.set(week, values);
  }
  return [...byWeek].map(([week, values]) => ({ week, values })).sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** Long less short of a class of traders; null if one of them is missing. */
export function netOf(values, id) {
  const [long, short] = [values?.[`${id}_long`] ?? null, values?.[`${id}_short`] ?? null];
  return long === null || short === null ? null : long - short;
}

const WEEK_DAYS = 7;

/**
 * Prices [{ day, value }] in order → one for each week (its Tuesday): of that day, else the last one of the seven days before. A monthly average is that
 * of the month of the Tuesday. null if there is no price. A monthly average also covers the days of the month after the Tuesday.
 */
export function pricesOf(weeks, prices, frequency) {
  if (frequency === 'monthly') {
    const byMonth = new Map(prices.map(({ day, value }) => [day.slice(0, 7), value]));
    return weeks.map((week) => byMonth.get(week.slice(0, 7)) ?? null);
  }
  const known = prices.filter(({ value }) => value !== null);
  let at = -1;
  return weeks.map((week) => {
    while (at + 1 < known.length && known[at + 1].day <= week) at += 1;
    const isNear = at >= 0 && Date.parse(week) - Date.parse(known[at].day) < WEEK_DAYS * 86_400_000;
    return isNear ? known[at].value : null;
  });
}

/** The newest week by class: long, short, net, and the change of the net since the week before; null if that week is missing. */
export function newestWeek(weeks, { classes }) {
  const newest = weeks.at(-1);
  if (newest === undefined) return [];
  const before = weeks.at(-2);
  const isNext = before !== undefined && (Date.parse(newest.week) - Date.parse(before.week)) / 86_400_000 <= WEEK_DAYS + 3;
  return classes.map(({ id, label }) => {
    const [net, netBefore] = [netOf(newest.values, id), isNext ? netOf(before.values, id) : null];
    return {
      id,
      label,
      long: newest.values[`${id}_long`] ?? null,
      short: newest.values[`${id}_short`] ?? null,
      net,
      change: net === null || netBefore === null ? null : net - netBefore,
    };
  });
}

/** The rows of percentiles from the first with one on: the two years before have only the count of their weeks. All of them if none has one. */
export function fromFirstPercentile(rows) {
  const first = rows.findIndex(({ valueNumeric }) => valueNumeric !== null);
  return first === -1 ? rows : rows.slice(first);
}

/** The fields that `overviewOf` reads, as the screener takes them. */
export function overviewFields({ percentile, prefix, of }) {
  return [percentile, `${percentile}@chg1`, `${prefix}${of}_long`, `${prefix}${of}_short`, `${prefix}open_interest`].join(',');
}

/** The fields that `crowdedOf` reads: those of all reports. */
export const ALL_FIELDS = OF_SPECULATORS.map(overviewFields).join(',');

/** True of every contract that has a percentile in one of the reports, so that the answer counts the contracts that it leaves out. */
export const ANY_PERCENTILE = OF_SPECULATORS.map(({ percentile }) => `${percentile}:gte:0`).join('|');

/** True of every contract that has a percentile in other reports, but not in this one. */
export const onlyElsewhere = ({ percentile: own }) =>
  `${OF_SPECULATORS.filter(({ percentile }) => percentile !== own)
    .map(({ percentile }) => `${percentile}:gte:0`)
    .join('|')};${own}:is:null`;

/** The fields that `elsewhereOf` reads. */
export const PERCENTILES = OF_SPECULATORS.map(({ percentile }) => percentile).join(',');

/** Rows of `onlyElsewhere` → the other reports, each with the names of its contracts in order: [{ label, names }]. */
export function elsewhereOf(rows) {
  const reportOf = ({ values }) => OF_SPECULATORS.find(({ percentile }) => (values[percentile]?.value ?? null) !== null);
  return OF_SPECULATORS.flatMap((report) => {
    const names = rows.filter((row) => reportOf(row) === report).map(({ name }) => name);
    return names.length === 0 ? [] : [{ label: report.label, names: names.sort() }];
  });
}

const byCrowding = (a, b) => b.crowding - a.crowding || (a.name < b.name ? -1 : 1);

/**
 * Rows of the screener → one row for each contract, the furthest from the middle first: { entityId, name, report, group, percentile, side, observationId,
 * week, freshness, change, net, share, crowding }. `side` is 'long' or 'short' if the position is crowded, else null. `share` is the net position in percent
 * of the open interest; null if one of the numbers is missing.
 */
export const overviewOf = (rows, report) => rows.map((row) => contractOf(row, report)).toSorted(byCrowding);

/** The newest week of the rows of a table. */
export const newestOf = (rows) => rows.reduce((newest, { week }) => (week > newest ? week : newest), '');

const MOST_DAYS_BEHIND = 35;

/** The rows of the five weeks up to the newest one: an older report is of a contract that is no longer traded, or was renamed. */
export function recentOf(rows) {
  const newest = Date.parse(newestOf(rows));
  return rows.filter(({ week }) => newest - Date.parse(week) <= MOST_DAYS_BEHIND * 86_400_000);
}

/** The same over all reports, each contract with the class of traders that speaks for its speculators. A contract without a percentile is left out. */
export function crowdedOf(rows) {
  const chosen = rows.flatMap((row) => {
    const report = OF_SPECULATORS.find(({ percentile }) => (row.values[percentile]?.value ?? null) !== null);
    return report === undefined ? [] : [contractOf(row, report)];
  });
  return chosen.toSorted(byCrowding);
}

function contractOf({ entityId, name, values }, report) {
  const { percentile, prefix, of } = report;
  const valueOf = (field) => values[field]?.value ?? null;
  const net = netOf({ [`${of}_long`]: valueOf(`${prefix}${of}_long`), [`${of}_short`]: valueOf(`${prefix}${of}_short`) }, of);
  const interest = valueOf(`${prefix}open_interest`);
  const { value, observationId, periodEnd, freshnessStatus } = values[percentile];
  return {
    entityId,
    name,
    report: report.id,
    group: groupOf(report),
    percentile: value,
    side: value >= CROWDED_LONG ? 'long' : value <= CROWDED_SHORT ? 'short' : null,
    observationId,
    week: periodEnd,
    freshness: freshnessStatus,
    change: valueOf(`${percentile}@chg1`),
    net,
    share: net === null || interest === null || interest === 0 ? null : (100 * net) / interest,
    crowding: Math.abs(value - 50),
  };
}
