// Weekly positions of one contract by class of trader, from the rows of the interface.
import { parseCsv } from './csv.js';

/** Columns that `readWeeks` reads. */
export const POSITION_COLUMNS = 'indicator_id,period_end,actual';

/** The two reports: their sources, the classes of traders, the prefix of their indicators, and the class with a percentile. */
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
];

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
