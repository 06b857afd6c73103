// Reasons why an answer holds less than its question, for meta.hints. That member is absent if there are none.
import type { Catalogue, Series } from '../../model/catalogue.ts';
import { seriesAsked, type SeriesFilters } from '../series-asked.ts';

export interface Hint {
  /** The parameter that the hint explains. */
  readonly parameter: string;
  readonly message: string;
  /** The nearest known value. */
  readonly nearest?: string;
}

/** Members of meta. Empty if there are no hints. */
export function hintsOf(...hints: readonly (Hint | null)[]): { readonly hints?: readonly Hint[] } {
  const said = hints.filter((hint) => hint !== null);
  return said.length === 0 ? {} : { hints: said };
}

/** `public`: only redistributable data. `full`: everything except withheld computed values. */
export type Surface = 'public' | 'full';

const isShownOn = (surface: Surface) => (series: Series) => (surface === 'public' ? series.rights.redistributable : !series.isWithheld);

/** The command with which the operator opens the values of a source on this surface. */
export function grantCommand(sourceId: string, surface: Surface): string {
  return `npm run rights -- grant ${sourceId} --note TEXT${surface === 'public' ? ' --redistribute' : ''}`;
}

/** For requested indicators without a visible series, or for a question with nothing else left. */
export function withheldHint(
  catalogue: Catalogue,
  filters: SeriesFilters,
  surface: Surface,
  at: number,
  isOf: (series: Series) => boolean = () => true,
): Hint | null {
  const parameter = parameterOf(filters);
  if (parameter === null) return null;
  const asked = seriesAsked(catalogue, filters, at).filter(isOf);
  const shown = new Set(asked.filter(isShownOn(surface)).map((series) => series.canonicalId));
  const hidden = asked.filter((series) => !shown.has(series.canonicalId));
  const isNamed = parameter === 'indicator_id' || parameter === 'indicator';
  if (hidden.length === 0 || (!isNamed && shown.size > 0)) return null;
  return { parameter, message: withheldMessage(hidden, surface) };
}

function parameterOf(filters: SeriesFilters): string | null {
  if (filters.indicatorIds !== null) return 'indicator_id';
  if (filters.indicator !== null) return 'indicator';
  if (filters.entities !== null) return 'entity';
  if (filters.countries !== null) return 'country';
  return filters.sourceId === null ? null : 'source_id';
}

/** For screen fields without a redistributable series. */
export function withheldFieldHint(catalogue: Catalogue, parameter: string, fields: readonly string[]): Hint | null {
  const hidden = [...new Set(fields)].flatMap((field) => {
    const series = catalogue.byCanonicalId.get(field) ?? [];
    return series.some(isShownOn('public')) ? [] : series;
  });
  return hidden.length === 0 ? null : { parameter, message: withheldMessage(hidden, 'public') };
}

/** For company scores that use prices. */
export function withheldScoresHint(parameter: string, fields: readonly string[], withheld: readonly string[]): Hint | null {
  const hidden = fields.filter((field) => withheld.includes(field));
  if (hidden.length === 0) return null;
  const grant = grantCommand('quotes', 'public');
  const message = `Withheld: ${listed(hidden)}. Scores use prices of quotes, which need a grant by the operator: ${grant}. Scores that use no prices are on /public/companies.`;
  return { parameter, message };
}

function withheldMessage(hidden: readonly Series[], surface: Surface): string {
  const names = listed(hidden.map((series) => series.canonicalId));
  const sources = [...new Set(hidden.flatMap((series) => series.licensedSourceIds))].sort();
  const licences = listed(hidden.map((series) => series.rights.license));
  const elsewhere =
    surface === 'public' && hidden.some((series) => !series.isWithheld) ? ' See them on /observations, with their rights.' : '';
  const grants = sources.map((sourceId) => grantCommand(sourceId, surface)).join(' and ');
  const shown = surface === 'public' ? 'may not be redistributed' : 'may not be shown';
  return `Withheld: ${names}. Values from ${listed(sources)} (${licences}) ${shown} without a grant by the operator: ${grants}.${elsewhere}`;
}

/** For requested series that are not macroeconomic on a route that lists only macroeconomic ones. It applies if nothing else is left. */
export function marketHint(catalogue: Catalogue, filters: SeriesFilters, at: number): Hint | null {
  const parameter = parameterOf(filters);
  if (parameter === null) return null;
  const named = seriesAsked(catalogue, { ...filters, isMacroOnly: false }, at);
  if (named.length === 0 || named.some((series) => series.isMacro)) return null;
  const names = listed(named.map((series) => series.indicatorId));
  return { parameter, message: `Left out, because these are not macroeconomic series: ${names}. See market data on /observations.` };
}

const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  const more = distinct.length - MOST_NAMED;
  return more > 0 ? `${distinct.slice(0, MOST_NAMED).join(', ')} and ${more} more` : distinct.join(', ');
}

export const ANNUAL_BY_ENTITY = 'Annual series appear only if you ask by entity.';

/** For named countries or entities of a panel that have no series of a factor. Null if each has one. */
export function absentHint(
  parameter: 'country' | 'entity',
  absent: readonly { readonly factor: string; readonly names: readonly string[] }[],
  sourceId: string | undefined,
): Hint | null {
  const from = sourceId === undefined ? '' : ` from ${sourceId}`;
  const without = absent
    .filter(({ names }) => names.length > 0)
    .map(({ factor, names }) => `No series of ${factor}${from}: ${listed(names)}.`);
  if (without.length === 0) return null;
  const annual = parameter === 'country' ? ` ${ANNUAL_BY_ENTITY}` : '';
  return { parameter, message: `${without.join(' ')} So they have no row.${annual}` };
}

/** For periods that a count of prints leaves out. */
export function backfillHint(parameter: 'vintage' | 'release_number', leftOut: number): Hint | null {
  if (leftOut === 0) return null;
  const message =
    leftOut === 1
      ? '1 row is left out because its period has no first print: the period was loaded late, or with the first vintage of its series. To see the row, send include_backfill=true.'
      : `${leftOut} rows are left out because their periods have no first print: the periods were loaded late, or with the first vintage of their series. To see the rows, send include_backfill=true.`;
  return { parameter, message };
}

/**
 * For rows that a key of the free tier may not see. It applies if the question names a day before the window, or reaches there and has no
 * row.
 * It does not reveal whether such rows exist.
 */
export function windowHint(
  { period, start_date: from, end_date: to }: { readonly [Name in 'period' | 'start_date' | 'end_date']?: string | undefined },
  historyFrom: string | null,
  rows: { readonly length: number },
): Hint | null {
  const first = period?.slice(0, 4) ?? from;
  if (historyFrom === null || (first ?? '') >= historyFrom) return null;
  if (first === undefined && rows.length > 0) return null;
  const isEndBefore = first === undefined && to !== undefined && to < historyFrom;
  const parameter = period !== undefined ? 'period' : isEndBefore ? 'end_date' : 'start_date';
  return { parameter, message: windowMessage(historyFrom) };
}

/** For records that are limited by their own time. */
export function olderRecordsHint(historyFrom: string | null, rows: { readonly length: number }): Hint | null {
  if (historyFrom === null || rows.length > 0) return null;
  return { parameter: 'detected_from', message: windowMessage(historyFrom) };
}

function windowMessage(historyFrom: string): string {
  return `A key of the free tier sees periods that end on ${historyFrom} or later. To see older rows, use a key of the full tier.`;
}
