// International Labour Organization: monthly unemployment rates, ages 15 and over, not seasonally adjusted, from countries' own surveys. For a country
// with several surveys the longest running one is read: they are not joined.
import { isDay, periodOf } from '../../model/period.ts';
import type { Batch, RefusedRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { iloFeed } from './feed.ts';
import { ILO_FILES } from './feed.ts';
import { readCsv } from '../readers/csv.ts';
import { obsStatusOf, statusField } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'ilo';
const INDICATOR = 'UNE_DEAP_SEX_AGE_RT';
const FILE = /(?:^|\/)ilo\/(UNE_DEAP_SEX_AGE_RT_M)\.csv$/;

export const ilo: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) => ILO_FILES[FILE.exec(path)?.[1] ?? ''] ?? null,
  mediaType: 'text/csv',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: batchesOf,
  feed: iloFeed,
};

interface Rate {
  /** ISO 3166 alpha-3. */
  readonly area: string;
  /** Code of the survey: `BA:453`. */
  readonly survey: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly value: number | null;
  readonly status?: string | undefined;
}

function* batchesOf({ body, retrievedAt }: Payload): Generator<Batch> {
  const surveys = grouped(ratesOf(body), ({ area, survey }) => `${area}.${survey}`);
  const chosen = grouped(surveys, ([first]) => first?.area ?? '').map(longest);
  if (chosen.length === 0) throw new UpstreamError(ID, 'the answer has no rows of a country');
  const rates = chosen.flatMap((one) => [...one, ...withdrawn(one, surveys)].toSorted((a, b) => (a.month < b.month ? -1 : 1)));
  const rows = rates.map(({ area, survey, month, value, status }) => ({
    seriesCode: `${INDICATOR}_M.${area}.${survey}`,
    canonicalId: 'unemployment_rate_nsa',
    // Reference data resolve it.
    entityId: `iso3:${area.toLowerCase()}`,
    frequency: 'monthly' as const,
    unit: 'percent',
    ...periodOf('monthly', `${month}-01`),
    value,
    observedAt: retrievedAt,
    ...statusField(obsStatusOf(status)),
  }));
  yield* observationBatches(withoutRepeats(ID, rows));
  const refused = surveys.filter((one) => !chosen.includes(one)).map(passedOver);
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

/** Months that only another survey covers: rows read from it earlier, while it was the longest running one, must not continue next to the chosen one. */
function withdrawn(chosen: readonly Rate[], surveys: readonly (readonly Rate[])[]): Rate[] {
  const [first] = chosen;
  if (first === undefined) return [];
  const { area, survey } = first;
  const months = new Set(chosen.map(({ month }) => month));
  const others = surveys.filter((one) => one !== chosen && one[0]?.area === area).flatMap((one) => one.map(({ month }) => month));
  return [...new Set(others)].filter((month) => !months.has(month)).map((month) => ({ area, survey, month, value: null }));
}

function grouped<T>(all: readonly T[], nameOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(nameOf(one));
    if (group === undefined) groups.set(nameOf(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function ratesOf(body: Uint8Array): Rate[] {
  const required = ['ref_area', 'source', 'indicator', 'sex', 'classif1', 'time', 'obs_value'];
  const table = readCsv(body, { sourceId: ID, required });
  const codes = { indicator: INDICATOR, sex: 'SEX_T', classif1: 'AGE_YTHADULT_YGE15' };
  const cells = Object.entries(codes).map(([name, code]) => ({ name, code, cell: table.text(name) }));
  const [area, survey, time, value] = [table.text('ref_area'), table.text('source'), table.text('time'), table.number('obs_value')];
  const status = table.columns.includes('obs_status') ? table.text('obs_status') : () => '';
  return table.rows.flatMap((row) => {
    for (const { name, code, cell } of cells) {
      if (cell(row) !== code) throw new UpstreamError(ID, `expected ${code} in ${name} on line ${row.line}, found ${excerpt(cell(row))}`);
    }
    const [, year, month] = /^(\d{4})M(\d{2})$/.exec(time(row)) ?? [];
    if (!isDay(`${year}-${month}-01`)) throw new UpstreamError(ID, `expected a month on line ${row.line}, found ${excerpt(time(row))}`);
    // Groups of countries are estimates of the ILO itself.
    if (/^X\d{2}$/.test(area(row))) return [];
    if (!/^[A-Z]{3}$/.test(area(row)) || survey(row) === '')
      throw new UpstreamError(ID, `expected a country and a survey on line ${row.line}, found ${excerpt(`${area(row)} ${survey(row)}`)}`);
    return [{ area: area(row), survey: survey(row), month: `${year}-${month}`, value: value(row), status: status(row) }];
  });
}

/** The one with the newest month; in a tie the one with the most months, then the first by its code. */
function longest(surveys: readonly (readonly Rate[])[]): readonly Rate[] {
  const told = surveys.map((rates) => ({ rates, newest: newestOf(rates), survey: rates[0]?.survey ?? '' }));
  const [best] = told.toSorted(
    (a, b) => b.newest.localeCompare(a.newest) || b.rates.length - a.rates.length || (a.survey < b.survey ? -1 : 1),
  );
  return best?.rates ?? [];
}

function newestOf(rates: readonly Rate[]): string {
  return rates.reduce((newest, { month, value }) => (value !== null && month > newest ? month : newest), '');
}

function passedOver(rates: readonly Rate[]): RefusedRecord {
  const { area, survey } = rates[0] ?? { area: '', survey: '' };
  return {
    rule: 'duplicate_conflict',
    seriesCode: `${INDICATOR}_M.${area}.${survey}`,
    entityId: null,
    period: null,
    fieldPath: 'source',
    observedValue: survey,
    reason: `another survey of ${area} is read: rows of this one are passed over, ${rates.length} of them`,
  };
}
