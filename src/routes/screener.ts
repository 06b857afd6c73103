// Screens over entities, and their fields.
import { closestMatch } from 'leven';
import { z } from 'zod';
import type { ApiError } from '../http/errors.ts';
import { badParameter } from '../http/params.ts';
import { nearestName } from '../model/nearest.ts';
import { listRoute, parameter } from '../http/route.ts';
import { countryNamed, type Series } from '../model/catalogue.ts';
import { EntityType } from '../model/entity.ts';
import { DslError, MOST_CHARACTERS, MOST_TERMS, parseColumns, parseFilter, parseRanking, withLiterals } from '../model/screener-dsl.ts';
import { ENTITY_TYPES_OF, ScreenCounts, ScreenField, ScreenRow, type Universe, UNIVERSES } from '../model/screener.ts';
import { describeFields, screenerFields } from '../queries/screener/fields.ts';
import { type Hint, hintsOf, withheldFieldHint, withheldScoresHint } from '../queries/hints/hints.ts';
import { indicatorsInWords, isInWords } from '../queries/hints/names.ts';
import { emptyHints } from './hints.ts';
import { screen, type Screened } from '../queries/screener/screener.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { atCutoff, countryOf, cutoffOf, flag, observationMeta, observationParameters, oneCountry, text } from './parameters.ts';

const language = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(MOST_CHARACTERS)
    .optional()
    .meta({ description, examples: [example] });

const publicScreenerQuery = {
  filter: parameter(
    language(
      `Clauses joined by ; (and), of terms joined by | (or), each field[@mod]:op:value; Escape the literals ; | , : \\ with \\. At most ${MOST_TERMS} terms.`,
      'cpi_inflation_yoy:gt:-100',
    ),
  ),
  universe: parameter(
    z
      .enum(UNIVERSES)
      .meta({ id: 'Universe' })
      .default('countries')
      .meta({ description: 'Entities to evaluate.', examples: ['entities'] }),
  ),
  entity_type: parameter(EntityType.optional().meta({ description: 'Kind of entity within the universe.', examples: ['country'] })),
  country: oneCountry,
  sector: parameter(text('Sector of companies, in full.', 'Manufacturing')),
  rank_by: parameter(language('Fields to rank by, field[@mod][:asc|:desc], separated by commas. Default: desc.', 'cpi_inflation_yoy:desc')),
  columns: parameter(
    language('Fields to show, field[@mod], separated by commas. Default: the fields of filter and rank_by.', 'cpi_inflation_yoy'),
  ),
  as_of: observationParameters.as_of,
  min_freshness: parameter(
    z
      .enum(['fresh', 'any'])
      .meta({ id: 'LeastFreshness' })
      .default('any')
      .meta({ description: 'fresh treats values that are not fresh as missing.', examples: ['fresh'] }),
  ),
  eligible_only: parameter(flag('Treat values that are not scoringEligible as missing. Default: true.', 'false')),
};

export const publicScreener = listRoute<Snapshot, typeof publicScreenerQuery, ScreenRow>({
  path: '/public/screener',
  operation: 'screen',
  scope: 'data:read',
  queryClass: 'screen',
  tag: 'screener',
  summary: 'Entities whose newest values pass a filter, ranked.',
  description:
    'Modifiers: prev (value of the calendar period before; null if that period has no value), chg1 and chg12 (change from the period before, and from a year before), yoy (percent change from a year before), rank (1 is the greatest), pct (midrank percentile), z3y (deviation from the three-year mean, in standard deviations), age_days. Company figures (statements, growth and scores, listed by /public/screener/filters) accept only rank, pct and age_days. They have no observationId; their period is the day on which the balance sheet or the twelve months end. /companies/{idOrLookup}/financials has the lines behind them. Amounts exist only for companies that report in US dollars; growth, scores and shares have no currency. Growth is the percent change of twelve months on the twelve months before; it is missing if the earlier amount is not positive. Scores are the scores of /public/companies, withheld while prices may not be redistributed. A term about a missing value fails, except is:null. Comparisons between countries leave out annual series. With as_of, values, freshness, eligibility and universe are as known at that moment.',
  example: '/public/screener?filter=consumer_confidence:gt:-40&rank_by=consumer_confidence:desc',
  query: publicScreenerQuery,
  row: ScreenRow,
  meta: { ...observationMeta, screener: ScreenCounts.describe('Counts of the evaluated entities.') },
  sortable: ['rank', 'name'],
  isBulk: true,
  ownTexts: ['entityId', 'name'],
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const fields = await screenerFields(snapshot);
    const asOf = cutoffOf(values.as_of, { now, snapshot });
    const asked = {
      universe: values.universe,
      entityType: values.entity_type ?? null,
      country: countryOf(snapshot, values.country),
      sector: values.sector ?? null,
      isFreshOnly: values.min_freshness === 'fresh',
      isEligibleOnly: values.eligible_only ?? true,
      asOf,
      at: asOf === null ? now : Date.parse(asOf),
      historyFrom,
    };
    const hasValues: HasValues = async (field, isEver = false) => {
      // This skips most fields without series without a screen.
      if (fields.get(field) === 'number' && !snapshot.catalogue.byCanonicalId.has(field)) return false;
      const filter = parseFilter(`${field}:is:notnull`, fields);
      const conditions = isEver ? { ...asked, isFreshOnly: false, isEligibleOnly: false, asOf: null, at: now } : asked;
      const { counts } = await screen(snapshot, { ...conditions, filter, ranking: [], columns: null }, NO_ROWS);
      return counts.matched > 0;
    };
    const read = async <Result>(name: 'filter' | 'rank_by' | 'columns', parse: (given: string) => Result): Promise<Result | null> => {
      const given = values[name];
      if (given === undefined) return null;
      try {
        return parse(given);
      } catch (error) {
        throw error instanceof DslError ? await refusalOf(snapshot, name, error, hasValues) : error;
      }
    };
    const countriesNamed: string[] = [];
    const countryIn = (sent: string) => {
      countriesNamed.push(sent);
      return countryNamed(snapshot.catalogue, sent) ?? sent;
    };
    const [filter, ranking, columns] = [
      (await read('filter', (given) => withLiterals(parseFilter(given, fields), 'country', countryIn))) ?? [],
      (await read('rank_by', (given) => parseRanking(given, fields))) ?? [],
      await read('columns', (given) => parseColumns(given, fields)),
    ];
    // The same snapshot and moment give the same list, so the row's place in it is its key.
    const begin = Number(page.after?.[0] ?? 0);
    const found = await screen(
      snapshot,
      { ...asked, filter, ranking, columns },
      { sort: page.sort === 'name' ? 'name' : 'rank', order: page.order, begin, limit: page.limit },
    );
    const hintsOn = (name: string, refs: readonly { readonly field: string }[]) => {
      const names = refs.map((ref) => ref.field);
      return [withheldFieldHint(snapshot.catalogue, name, names), withheldScoresHint(name, names, found.withheld)];
    };
    const end = begin + page.limit;
    const { sector, country } = values;
    // Only answers without rows have hints.
    const refs = found.rows.length > 0 ? [] : [...filter.flat(), ...ranking];
    const series = unknownThen(snapshot, refs, found.known);
    const at = asOf === null ? now : Date.parse(asOf);
    const own = countriesNamed.map((sent) => ({ parameter: 'filter', what: 'country', kind: 'country', sent }) as const);
    const empty = await emptyHints(found.rows, page, { snapshot, named: { sector, country }, own, series, asOf, at });
    return {
      rows: found.rows,
      nextKey: end < found.counts.matched ? [end] : null,
      meta: {
        as_of: asOf,
        screener: found.counts,
        ...hintsOf(
          ...empty,
          outsideHint(found.rows, values),
          ...hintsOn('filter', filter.flat()),
          ...hintsOn('rank_by', ranking),
          ...hintsOn('columns', columns ?? []),
        ),
      },
    };
  },
});

/**
 * The redistributable series of some fields, in the order of series_no, if nothing of them was known at the cutoff. None if something was:
 * then no search for their first vintage is needed.
 */
function unknownThen({ catalogue }: Snapshot, refs: readonly { readonly field: string }[], known: Screened['known']): readonly Series[] {
  const named = refs.flatMap((ref) => catalogue.byCanonicalId.get(ref.field) ?? []);
  const series = [...new Set(named)].filter((one) => one.rights.redistributable);
  return series.some(({ seriesNo }) => known.has(seriesNo)) ? [] : series.sort((a, b) => a.seriesNo - b.seriesNo);
}

/** Entity types outside the universe. */
function outsideHint(
  rows: { readonly length: number },
  { universe, entity_type }: { readonly universe: Universe; readonly entity_type?: EntityType | undefined },
): Hint | null {
  const types: readonly string[] | null = ENTITY_TYPES_OF[universe];
  if (rows.length > 0 || entity_type === undefined || types === null || types.includes(entity_type)) return null;
  const nearest =
    entity_type === 'company' ? 'companies' : entity_type === 'country' || entity_type === 'currency_area' ? 'countries' : 'entities';
  return { parameter: 'universe', message: `The universe ${universe} has no ${entity_type}. Did you mean ${nearest}?`, nearest };
}

const NO_ROWS = { sort: 'rank', order: 'asc', begin: 0, limit: 0 } as const;

/** A bad_request that names the wrong part and the nearest known one. */
async function refusalOf(snapshot: Snapshot, name: string, error: DslError, hasValues: HasValues): Promise<ApiError> {
  const nearest = error.part === 'field' ? await nearestField(snapshot, error, hasValues) : nearestOfAll(error.found, error.known);
  const hint = nearest === null ? '' : ` Did you mean \`${nearest}\`?`;
  return badParameter(name, `The parameter \`${name}\` ${error.message}.${hint}`, {
    part: error.part,
    found: error.found.slice(0, 200),
    ...(nearest === null ? {} : { nearest }),
  });
}

/** True if entities of the screen have a value of a field: at its moment and by its conditions, or today by none (`isEver`). */
type HasValues = (field: string, isEver?: boolean) => Promise<boolean>;

const MOST_TRIED = 40;

/**
 * The nearest field that matches entities under the same parameters, or if no near one does, the nearest with data: its empty list says why. For
 * words: a field that the search finds.
 */
async function nearestField(snapshot: Snapshot, { found, known }: DslError, hasValues: HasValues): Promise<string | null> {
  const fields = new Set(known);
  if (isInWords(found, nearestName(found, known))) {
    const inWords = (await indicatorsInWords(snapshot, found)).filter((id) => fields.has(id)).slice(0, MOST_TRIED);
    for (const id of inWords) if (await hasValues(id)) return id;
    if (inWords[0] !== undefined) return inWords[0];
  }
  const near = (names: readonly string[]) => nearestName(found, names);
  const any = (names: readonly string[]) => nearestOfAll(found, names);
  return (await firstOf(fields, near, (field) => hasValues(field))) ?? firstOf(fields, any, (field) => hasValues(field, true));
}

/** The first field in the order of `nearest` that is wanted; null if few tries find none. */
async function firstOf(
  fields: ReadonlySet<string>,
  nearest: (names: readonly string[]) => string | null,
  isWanted: (field: string) => Promise<boolean>,
): Promise<string | null> {
  const left = new Set(fields);
  for (let tried = 0; tried < MOST_TRIED && left.size > 0; tried += 1) {
    const field = nearest([...left]);
    if (field === null || (await isWanted(field))) return field;
    left.delete(field);
  }
  return null;
}

const nearestOfAll = (found: string, names: readonly string[]): string | null =>
  nearestName(found, names) ?? closestMatch(found.slice(0, 64), names) ?? null;

export const publicScreenerFilters = listRoute<Snapshot, typeof atCutoff, ScreenField>({
  path: '/public/screener/filters',
  operation: 'listScreenFields',
  scope: 'data:read',
  queryClass: 'screen',
  tag: 'screener',
  summary: 'The fields of the screener that have values, with their distribution.',
  description:
    'Distribution and coverage are over the countries or companies that have the field, fresh and eligible or not; with as_of, over the ones known at that moment. Company scores are listed only while prices may be redistributed.',
  example: '/public/screener/filters?limit=5',
  query: atCutoff,
  row: ScreenField,
  meta: observationMeta,
  sortable: ['field', 'coverage_count'],
  isHistory: true,
  list: async ({ as_of }, page, { snapshot, now, historyFrom }) => {
    const asOf = cutoffOf(as_of, { now, snapshot });
    const fields = await describeFields(snapshot, { asOf, at: asOf === null ? now : Date.parse(asOf), historyFrom });
    const sorted = page.sort === 'field' ? fields : fields.toSorted((a, b) => a.coverageCount - b.coverageCount);
    const ordered = page.order === 'desc' ? sorted.toReversed() : sorted;
    const begin = Number(page.after?.[0] ?? 0);
    const end = begin + page.limit;
    return { rows: ordered.slice(begin, end), nextKey: end < ordered.length ? [end] : null, meta: { as_of: asOf } };
  },
});
