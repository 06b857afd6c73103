// Finds series, canonical indicators and entities by words. Every search of the service comes here.
import { inTurns, nextTurn } from '../../db/turns.ts';
import type { Series } from '../../model/catalogue.ts';
import type { EntityType } from '../../model/entity.ts';
import { dayOf } from '../../model/period.ts';
import type { Hint } from '../hints/hints.ts';
import { seriesAsOf } from '../reach.ts';
import { knownInWindow } from '../screener/universe.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Hits } from './lexicon.ts';
import { type Names, namesOf, type SearchedEntity } from './names.ts';
import { type Token, tokensOf } from './question.ts';
import { answersOf, neededOf, ranked, rankedEntities, rankedIndicators, scorerOf, textScore } from './rank.ts';

interface Moment {
  readonly asOf: string | null;
  /** Evaluation time, ms. */
  readonly at: number;
}

interface FoundSeries {
  /** Known at the cutoff or not, in the order of series_no. */
  readonly named: readonly Series[];
  /** Only the known ones, as they were then, best first. */
  readonly series: readonly Series[];
  /** How the question was changed to find them, or why there are none. */
  readonly hint: Hint | null;
}

/** One way to read a question. */
interface Reading {
  readonly tokens: readonly Token[];
  /** True if something that answers these tokens, a bit for each, is an answer. */
  readonly isAnswer: (answered: number) => boolean;
  readonly hits: Hits;
}

interface Tried<Found> {
  readonly found: Found;
  readonly isEmpty: boolean;
}

/**
 * Reads a question more and more freely until it finds something known: by all its words, with typing errors, without the words that
 * nothing known has, by most of its words. Which reading counts depends only on known things.
 * @param answersIn the sets of tokens that known things answer
 */
async function freely<Found>(
  { lexicon, joinable }: Names,
  q: string,
  asOf: string | null,
  attempt: (reading: Reading) => Promise<Tried<Found>>,
  answersIn: (hits: Hits) => Promise<ReadonlySet<number>>,
): Promise<{ readonly found: Found; readonly hint: Hint | null }> {
  const tokens = tokensOf(q, joinable);
  const needed = neededOf(tokens);
  const hasAll = (bits: number) => (answered: number) => answered !== 0 && (answered & bits) === bits;
  const hitsOf = (isLoose: boolean) => lexicon.find(tokens, { knownAt: knownAtOf(asOf), isLoose });
  const exact = await attempt({ tokens, isAnswer: hasAll(needed), hits: hitsOf(false) });
  if (!exact.isEmpty) return { found: exact.found, hint: null };
  const hits = hitsOf(true);
  const loose = await attempt({ tokens, isAnswer: hasAll(needed), hits });
  if (!loose.isEmpty) return { found: loose.found, hint: SIMILAR };
  const answers = [...(await answersIn(hits))].map((answered) => answered & needed);
  const known = answers.reduce((all, one) => all | one, 0);
  const count = bitCount(needed);
  // With half of the words, an answer is probably about the question.
  if (known !== needed && known !== 0 && 2 * bitCount(known) >= count) {
    const fewer = await attempt({ tokens, isAnswer: hasAll(known), hits });
    if (!fewer.isEmpty) return { found: fewer.found, hint: without(tokens, needed & ~known) };
  }
  const most = Math.max(0, ...answers.map(bitCount));
  if (2 * most <= count) return { found: exact.found, hint: NOTHING };
  const { found } = await attempt({ tokens, isAnswer: (answered) => bitCount(answered & needed) >= most, hits });
  return { found, hint: MOST };
}

const SIMILAR: Hint = { parameter: 'q', message: 'No exact match. These results have similar words.' };
const MOST: Hint = { parameter: 'q', message: 'No result has all of these words. These have most of them.' };
const NOTHING: Hint = { parameter: 'q', message: 'No result has all of these words. Try fewer or other words.' };

function without(tokens: readonly Token[], bits: number): Hint {
  const left = tokens.filter((_, place) => (bits & (1 << place)) !== 0).map(({ text }) => text);
  return { parameter: 'q', message: `No result has ${left.join(', ')}. The search left this out.` };
}

/** Series that are scored before other requests have their turn: a few milliseconds. */
const SERIES_A_TURN = 2000;

/** The hint of a search for its first page. */
export function searchHint(
  hint: Hint | null | undefined,
  rows: { readonly length: number },
  { after }: { readonly after: unknown },
): Hint | null {
  if (hint == null || after !== null) return null;
  // Rows may also have the text of the question as a part of a name.
  return (hint === NOTHING) === (rows.length === 0) ? hint : null;
}

const bitCount = (bits: number): number => bits.toString(2).replaceAll('0', '').length;
const knownAtOf = (asOf: string | null): number | null => (asOf === null ? null : Date.parse(asOf));

/**
 * The series with all words of the question in the names of their indicator, entity and source, or with its text in their name.
 * @param series in the order of series_no
 */
export async function searchSeries(snapshot: Snapshot, series: readonly Series[], q: string, { asOf, at }: Moment): Promise<FoundSeries> {
  const names = await namesOf(snapshot);
  const hasText = textFinder(q, names);
  const attempt = async (reading: Reading): Promise<Tried<Omit<FoundSeries, 'hint'>>> => {
    const scoreOf = scorerOf(reading, names.table, at);
    const scores = new Map<number, number>();
    const named: Series[] = [];
    for await (const part of inTurns(series, SERIES_A_TURN)) {
      for (const one of part) {
        const score = scoreOf(one);
        if (score === null && !hasText(one)) continue;
        scores.set(one.seriesNo, score ?? textScore(names.table, one));
        named.push(one);
      }
    }
    await nextTurn();
    const known = await seriesAsOf(snapshot, named, asOf);
    const found = ranked(known.map((one) => ({ one, score: scores.get(one.seriesNo) ?? 0 })));
    return { found: { named, series: found }, isEmpty: found.length === 0 };
  };
  const { found, hint } = await freely(names, q, asOf, attempt, async (hits) => {
    const bits = answersOf(hits, names.table);
    const answering = series.filter((one) => bits(one) !== 0);
    return new Set((await seriesAsOf(snapshot, answering, asOf)).map(bits));
  });
  return { ...found, hint };
}

/** Finds series with the text in their identifier or name. */
function textFinder(q: string, { indicatorNames }: Pick<Names, 'indicatorNames'>): (series: Series) => boolean {
  const text = q.toLowerCase();
  const named = new Set([...indicatorNames].flatMap(([id, name]) => (name.includes(text) ? [id] : [])));
  const isPartOfId = !/\s/.test(text);
  return ({ indicatorId, canonicalId }) => named.has(canonicalId) || (isPartOfId && indicatorId.includes(text));
}

export interface FoundIds {
  /** Best first. */
  readonly ids: readonly string[];
  readonly hint: Hint | null;
}

/** Canonical indicators by their best series, then those without one that have the words or the text in their own names. */
export async function searchIndicators(snapshot: Snapshot, q: string, moment: Moment): Promise<FoundIds> {
  const { lexicon, joinable, indicatorNames } = await namesOf(snapshot);
  const shown = snapshot.catalogue.series.filter(({ isWithheld }) => !isWithheld);
  const { series: found, hint } = await searchSeries(snapshot, shown, q, moment);
  const tokens = tokensOf(q, joinable);
  const hits = lexicon.find(tokens, { knownAt: null, isLoose: false });
  const needed = neededOf(tokens);
  const byName = rankedIndicators({ tokens, isAnswer: (answered) => answered !== 0 && (answered & needed) === needed, hits }, lexicon);
  const text = q.toLowerCase();
  const byText = [...indicatorNames].flatMap(([id, name]) => (id.includes(text) || name.includes(text) ? [id] : []));
  const ids = [...new Set([...found.map(({ canonicalId }) => canonicalId), ...byName, ...byText])];
  return { ids, hint };
}

/** Entities with all words of the question in their own names. */
export async function searchEntities(
  snapshot: Snapshot,
  q: string,
  { asOf, at, entityType }: Moment & { readonly entityType: string | null },
): Promise<FoundIds> {
  const names = await namesOf(snapshot);
  const isThere = await presence(snapshot, { asOf, at });
  const typeOf = (id: string): EntityType | undefined => {
    const entity = names.entities.get(id);
    if (entity === undefined || (entityType !== null && entity.entityType !== entityType)) return undefined;
    return isThere(id, entity) ? entity.entityType : undefined;
  };
  const attempt = async (reading: Reading): Promise<Tried<readonly string[]>> => {
    const found = rankedEntities({ ...reading, placeOf: names.placeOf }, names.lexicon, typeOf);
    return { found, isEmpty: found.length === 0 };
  };
  const { found, hint } = await freely(names, q, asOf, attempt, async ({ things, answered }) => {
    const isListed = (thing: number) => {
      const one = names.lexicon.thingAt(thing);
      return one?.kind === 'entity' && typeOf(one.id) !== undefined;
    };
    return new Set(things.filter(isListed).map((thing) => answered[thing] ?? 0));
  });
  return { ids: found, hint };
}

const DATED: ReadonlySet<EntityType> = new Set(['country', 'currency_area', 'currency', 'central_bank']);

/** Tells whether an entity is listed at the moment, by the rule of the macro entities_as_of. */
async function presence(snapshot: Snapshot, { asOf, at }: Moment): Promise<(id: string, entity: SearchedEntity) => boolean> {
  const seen = await knownInWindow(snapshot, asOf);
  const inWindow = seen === null ? null : new Set(seen);
  const [day, cutoff] = [dayOf(at), knownAtOf(asOf)];
  return (id, { entityType, knownFrom, validFrom }) => {
    if (DATED.has(entityType)) return validFrom === null || validFrom <= day;
    if (cutoff === null) return true;
    return inWindow === null ? knownFrom !== null && knownFrom <= cutoff : inWindow.has(id);
  };
}
