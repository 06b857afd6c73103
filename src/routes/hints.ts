// Reasons for an empty list: meta.hints, and refusals with near names. To add a kind of reason, add a collector to the list.
import { ApiError } from '../http/errors.ts';
import type { PageRequest } from '../http/route.ts';
import { type Catalogue, countryNamed, type Series } from '../model/catalogue.ts';
import { FORECAST_BASELINE, isForecastBaseline } from '../queries/derived.ts';
import { matchAliases } from '../queries/entities.ts';
import { backfillHint, type Hint } from '../queries/hints/hints.ts';
import { knownNames, type NameKind, nearestIndicator, nearestOf } from '../queries/hints/names.ts';
import { countBackfills } from '../queries/reads/engine.ts';
import type { VintageFilters } from '../queries/reads/rows.ts';
import { seriesOfIndicator } from '../queries/series-asked.ts';
import { firstKnownAt, type PeriodBounds } from '../queries/reach.ts';
import type { Snapshot } from '../queries/snapshot.ts';

/** The kinds of names that parameters take, and the tables of known names. */
const PLAIN = {
  country: ['country', 'country'],
  source_id: ['data set', 'source'],
  provider_id: ['provider', 'provider'],
  currency: ['series in the currency', 'currency'],
  category: ['category', 'category'],
  family: ['family', 'derivedFamily'],
  sector: ['sector', 'sector'],
  industry: ['industry', 'industry'],
  ticker: ['company with the ticker', 'ticker'],
} as const satisfies Record<string, readonly [string, NameKind]>;
type Plain = keyof typeof PLAIN;

/** For routes with names other than those of all series. */
interface Own {
  readonly parameter: string;
  readonly what: string;
  readonly kind: NameKind;
  readonly sent: string | undefined;
}

/** A question without rows: its names as sent, and their meaning. */
export interface Empty {
  readonly snapshot: Snapshot;
  readonly named: {
    readonly [Name in Plain]?: readonly string[] | string | undefined;
  } & {
    readonly indicator_id?: readonly string[] | string | undefined;
    readonly indicator?: string | undefined;
    readonly entity?: readonly string[] | string | undefined;
  };
  /** Names that mean something else than on lists of series. */
  readonly own?: readonly Own[];
  /** The series of the question, if it is about series. */
  readonly series: readonly Series[];
  /** The periods of the question; by default those visible to the caller. */
  readonly periods?: PeriodBounds;
  /** True if the question includes assumed vintages, which are earlier than the first known one. */
  readonly isAssumedIncluded?: boolean;
  /** For questions about other things than vintages: when the first of them became known; null if there never was one. */
  readonly first?: { readonly of: 'entry' | 'event' | 'statement' | 'company'; readonly knownAt: () => Promise<string | null> };
  readonly asOf: string | null;
  /** Evaluation time, ms. */
  readonly at: number;
}

type Collector = (empty: Empty) => Promise<readonly Hint[]>;

const COLLECTORS: readonly Collector[] = [unknownNames, beforeAnything];

/** The hints of an answer without rows; none after the first page. */
export async function emptyHints(
  rows: { readonly length: number },
  { after }: Pick<PageRequest, 'after'>,
  empty: Empty,
): Promise<readonly Hint[]> {
  if (rows.length > 0 || after !== null) return [];
  return (await Promise.all(COLLECTORS.map((collect) => collect(empty)))).flat();
}

/** One for each name that is unknown or ambiguous. */
export async function unknownNames({
  snapshot,
  named,
  own = [],
  at,
}: Pick<Empty, 'snapshot' | 'named' | 'own' | 'at'>): Promise<readonly Hint[]> {
  const hints = [
    ...(await unknownIndicators(snapshot, 'indicator_id', listed(named.indicator_id))),
    ...(await unknownIndicators(snapshot, 'indicator', listed(named.indicator))),
    ...(await unknownEntities(snapshot, listed(named.entity), at)),
  ];
  const plain = (Object.entries(PLAIN) as [Plain, (typeof PLAIN)[Plain]][]).flatMap(([parameter, [what, kind]]) =>
    listed(named[parameter]).map((sent) => ({ parameter, what, kind, sent })),
  );
  return [...hints, ...(await unknownPlain(snapshot, [...plain, ...own], at))];
}

/** Entities among the unknown countries are looked up together: a request may have hundreds of names. */
async function unknownPlain(snapshot: Snapshot, all: readonly Own[], at: number): Promise<readonly Hint[]> {
  const others: (Own & { readonly sent: string })[] = [];
  for (const one of all)
    if (one.sent !== undefined && !(await isKnown(snapshot, one.kind, one.sent))) others.push({ ...one, sent: one.sent });
  const countries = others.filter(({ kind }) => kind === 'country').map(({ sent }) => sent);
  const matches = await matchAliases(snapshot, countries, null, new Date(at).toISOString());
  const entities = new Set(
    countries.filter((name, index) => (matches[index]?.length ?? 0) > 0 || snapshot.catalogue.entityIds.has(name.toLowerCase())),
  );
  return Promise.all(
    others.map(async ({ parameter, what, kind, sent }) =>
      // A ticker or the id of a contract beside the right parameter's name helps more than the nearest code.
      kind === 'country' && entities.has(sent)
        ? { parameter, message: `There is no country ${sent}. It is an entity: send entity=${sent}.` }
        : unknown(parameter, what, sent, (await knownNames(snapshot, kind)).nearest(sent)),
    ),
  );
}

async function isKnown(snapshot: Snapshot, kind: NameKind, sent: string): Promise<boolean> {
  return kind === 'country' ? countryNamed(snapshot.catalogue, sent) !== undefined : (await knownNames(snapshot, kind)).has(sent);
}

/** Forecasts are no observations, although they are a derived indicator. */
export const forecastHint = (parameter: string): Hint => ({
  parameter,
  message: `Forecasts are on /platform/macro-data; /derived-indicators/${FORECAST_BASELINE} describes them.`,
});

/** A search takes some milliseconds, and a request may have hundreds of names. */
const MOST_SEARCHED = 10;

async function unknownIndicators(snapshot: Snapshot, parameter: string, names: readonly string[]): Promise<readonly Hint[]> {
  const { catalogue } = snapshot;
  const others = names.filter((name) => !catalogue.canonicalIds.has(name.toLowerCase()) && seriesOfIndicator(catalogue, name).length === 0);
  return Promise.all(
    others.map(async (name, index) => {
      if (isForecastBaseline(name)) return forecastHint(parameter);
      const nearest = index < MOST_SEARCHED ? nearestIndicator(snapshot, name) : nearestOf(snapshot, name, 'indicator');
      return unknown(parameter, 'indicator', name, await nearest);
    }),
  );
}

const MOST_CANDIDATES = 10;

/** Names that match no entity, or several. */
async function unknownEntities(snapshot: Snapshot, names: readonly string[], at: number): Promise<readonly Hint[]> {
  const { entityIds } = snapshot.catalogue;
  const others = names.filter((name) => !entityIds.has(name.toLowerCase()));
  const matches = await matchAliases(snapshot, others, null, new Date(at).toISOString());
  const hints: Hint[] = [];
  for (const [index, name] of others.entries()) {
    const candidates = (matches[index] ?? []).map(({ alias }) => alias.entityId);
    if (candidates.length === 0) hints.push(unknown('entity', 'entity', name, await nearestEntity(snapshot, name)));
    else if (candidates.length > 1) hints.push(ambiguous(name, candidates));
  }
  return hints;
}

function ambiguous(name: string, candidates: readonly string[]): Hint {
  const more = candidates.length - MOST_CANDIDATES;
  const named = candidates.slice(0, MOST_CANDIDATES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return { parameter: 'entity', message: `${name} is ambiguous: ${named}. Ask for one of them by its identifier.` };
}

/** Identifiers and names of entities with series come before other names and codes. */
export const nearestEntity = (snapshot: Snapshot, name: string) => nearestOf(snapshot, name, 'entity', 'alias');

function listed(names: readonly string[] | string | undefined): readonly string[] {
  return names === undefined ? [] : typeof names === 'string' ? [names] : names;
}

export function unknown(parameter: string, what: string, name: string, nearest: string | null): Hint {
  const message = `There is no ${what} ${name}.`;
  return nearest === null ? { parameter, message } : { parameter, message: `${message} Did you mean ${nearest}?`, nearest };
}

/**
 * For a missing item, with the nearest existing one.
 * @param parameter of the path
 */
export function notFound(what: string, parameter: string, name: string, nearest: string | null): ApiError {
  const { message } = unknown(parameter, what, name, nearest);
  return new ApiError('not_found', message, { [parameter]: name, ...(nearest === null ? {} : { nearest }) });
}

/**
 * For an item without data at the cutoff, or that did not exist on its day.
 * @param parameter of the path or query
 */
export function notKnownThen(
  name: string,
  parameter: string,
  { asOf, at }: { readonly asOf: string | null; readonly at: number },
): ApiError {
  const then = asOf ?? new Date(at).toISOString();
  return new ApiError('not_found', `Nothing was known of ${name} at ${then}. Ask for a later as_of.`, { [parameter]: name, as_of: then });
}

async function beforeAnything({ snapshot, series, periods, isAssumedIncluded, first, asOf }: Empty): Promise<readonly Hint[]> {
  if (asOf === null) return [];
  const visible = { periodFrom: snapshot.historyFrom ?? null, periodTo: null };
  const from = await (first === undefined ? firstKnownAt(snapshot, series, periods ?? visible) : first.knownAt());
  if (from === null || from <= asOf) return [];
  const what = first?.of ?? 'vintage';
  if (isAssumedIncluded === true)
    return [{ parameter: 'as_of', message: `Nothing is assumed to have been known at ${asOf}. Ask for a later as_of.` }];
  return [
    {
      parameter: 'as_of',
      message: `Nothing was known at ${asOf}: the first ${what} became known at ${from}. Ask for a later as_of.`,
      nearest: from,
    },
  ];
}

/** The number of rows that a count of prints left out, once, on the first page. */
export async function backfillHintOf(
  snapshot: Snapshot,
  series: readonly Series[],
  vintages: VintageFilters,
  { after }: Pick<PageRequest, 'after'>,
): Promise<Hint | null> {
  if (after !== null || vintages.backfill !== false) return null;
  const parameter = vintages.releaseNumber === null ? 'vintage' : 'release_number';
  return backfillHint(parameter, await countBackfills(snapshot, series, vintages));
}

/** Other routes take the id of a series. A panel takes its factor, and the country or entity beside it. */
export function seriesAsFactor(catalogue: Catalogue, asked: string): Hint | null {
  const [series] = catalogue.byIndicatorId.get(asked.toLowerCase()) ?? [];
  if (series === undefined) return null;
  const { canonicalId, country, entityId, isNational } = series;
  const [axis, whose] = isNational && country !== null ? ['country', country] : ['entity', entityId];
  const message = `${asked} is a series. Send its factor and its ${axis}: factor=${canonicalId}&${axis}=${whose}.`;
  return { parameter: 'factor', message, nearest: canonicalId };
}
