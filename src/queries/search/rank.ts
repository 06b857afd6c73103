// Ranks series, indicators and entities by how well they answer a question.
import type { Series } from '../../model/catalogue.ts';
import type { EntityType } from '../../model/entity.ts';
import { type Importance, isCeasedAt } from '../../model/trust.ts';
import type { Hits, Lexicon, ThingKind } from './lexicon.ts';
import type { Token } from './question.ts';

/** The place of an indicator or an entity among those that answer equally well, 1 first. Most have none. */
export type PlaceOf = (kind: 'indicator' | 'entity', id: string) => number | undefined;

const WEIGHTS = { tokens: 2, indicator: 1, entity: 0.6 } as const;
const SOFT_WEIGHT = 0.3;

const OF_IMPORTANCE: Readonly<Record<Importance, number>> = { low: 0, medium: 0.12, high: 0.25 };
const OF_TYPE: Readonly<Record<EntityType, number>> = {
  country: 0.1,
  currency_area: 0.1,
  region: 0.04,
  central_bank: 0.05,
  company: 0.15,
  futures_contract: 0.06,
  instrument: 0.15,
  index: 0.22,
  commodity: 0.22,
  currency: 0.12,
};
const MOST_PLACES = 50;
const COUNTRY_PLACES = 0.2;
const OTHER_PLACES = 0.06;

/** Of a name. */
const WHOLE = 0.97;
const SECOND_SOURCE = 0.12;
const CEASED = 0.2;
const COARSE = 0.05;

/** More for the first places, 0 without one. */
const ofPlace = (place: number | undefined, most: number): number =>
  place === undefined ? 0 : most * (1 - Math.min(place - 1, MOST_PLACES) / (MOST_PLACES + 1));

/** How prominent an entity is, whatever the question. */
function prominenceOf(id: string, type: EntityType, placeOf: PlaceOf): number {
  const isPlace = type === 'country' || type === 'currency_area';
  return OF_TYPE[type] + ofPlace(placeOf('entity', id), isPlace ? COUNTRY_PLACES : OTHER_PLACES);
}

/** The things that a series is made of. The words of its source and frequency narrow a question, but they are not its subject. */
const PARTS = ['indicator', 'series', 'entity', 'source', 'frequency'] as const satisfies readonly ThingKind[];
const PART_WEIGHTS = [1, 1, 1, 0.5, 0.5] as const;
const COUNT = PARTS.length;

/** What a search needs of each series, in the order of `indexOf`. */
export interface SeriesTable {
  readonly indexOf: ReadonlyMap<number, number>;
  /** For each series, the numbers of its things; 0 for none. */
  readonly things: Int32Array;
  /** How prominent each series is, whatever the question. */
  readonly standings: Float32Array;
}

const SERIES_A_STEP = 500;

export function* seriesTableSteps(
  series: readonly Series[],
  { numberOf }: Pick<Lexicon, 'numberOf'>,
  placeOf: PlaceOf,
): Generator<undefined, SeriesTable> {
  const indexOf = new Map<number, number>();
  const things = new Int32Array(series.length * COUNT);
  const standings = new Float32Array(series.length);
  for (const [index, one] of series.entries()) {
    const ids = [one.canonicalId, one.indicatorId, one.entityId, one.sourceId, one.frequency] as const;
    for (const [part, kind] of PARTS.entries()) things[index * COUNT + part] = numberOf(kind, ids[part] ?? '');
    standings[index] = standingOf(one, placeOf);
    indexOf.set(one.seriesNo, index);
    if (index % SERIES_A_STEP === SERIES_A_STEP - 1) yield;
  }
  return { indexOf, things, standings };
}

function standingOf({ canonicalId, entityId, entityType, importance, frequency }: Series, placeOf: PlaceOf): number {
  const ofIndicator = (importance === null ? 0 : OF_IMPORTANCE[importance]) + ofPlace(placeOf('indicator', canonicalId), OTHER_PLACES);
  return ofIndicator + prominenceOf(entityId, entityType, placeOf) - (frequency === 'annual' ? COARSE : 0);
}

/** The tokens that an answer must have, a bit for each. */
export const neededOf = (tokens: readonly Token[]): number =>
  tokens.reduce((bits, { isSoft }, place) => (isSoft ? bits : bits | (1 << place)), 0);

/** The share of the question that things answer together. */
function shareOf(tokens: readonly Token[], strengthOf: (place: number) => number): number {
  let [said, all] = [0, 0];
  for (const [place, { isSoft }] of tokens.entries()) {
    const share = isSoft ? SOFT_WEIGHT : 1;
    said += share * strengthOf(place);
    all += share;
  }
  return said / all;
}

interface Ranking {
  readonly tokens: readonly Token[];
  /** True if something that answers these tokens, a bit for each, is an answer. */
  readonly isAnswer: (answered: number) => boolean;
  readonly hits: Hits;
  readonly placeOf: PlaceOf;
}

/** The tokens that a series answers. */
export function answersOf({ answered }: Hits, { indexOf, things }: SeriesTable): (series: Series) => number {
  return ({ seriesNo }) => {
    const from = (indexOf.get(seriesNo) ?? 0) * COUNT;
    let bits = 0;
    for (let part = from; part < from + COUNT; part += 1) bits |= answered[things[part] ?? 0] ?? 0;
    return bits;
  };
}

/** A number for each series that answers, higher for a better one; null for other series. `at`: evaluation time, ms. */
export function scorerOf(
  { tokens, isAnswer, hits }: Omit<Ranking, 'placeOf'>,
  table: SeriesTable,
  at: number,
): (series: Series) => number | null {
  const { indexOf, things, standings } = table;
  const answeredBy = answersOf(hits, table);
  const strengthsOf = (from: number) => (place: number) => {
    let best = 0;
    for (let part = 0; part < COUNT; part += 1)
      best = Math.max(best, (PART_WEIGHTS[part] ?? 0) * hits.strengthOf(things[from + part] ?? 0, place));
    return best;
  };
  return (series) => {
    if (!isAnswer(answeredBy(series))) return null;
    const index = indexOf.get(series.seriesNo) ?? 0;
    const from = index * COUNT;
    const [indicator, own, entity] = [things[from] ?? 0, things[from + 1] ?? 0, things[from + 2] ?? 0];
    // An indicator that only repeats the name of its entity is not named by it: U.S. dollar index of the US.
    const isNamed = ((hits.answered[indicator] ?? 0) | (hits.answered[own] ?? 0)) & ~(hits.answered[entity] ?? 0);
    const ofIndicator = isNamed === 0 && hits.coverageOf(entity) >= WHOLE ? 0 : Math.max(hits.coverageOf(indicator), hits.coverageOf(own));
    const named = ofIndicator * WEIGHTS.indicator + hits.coverageOf(entity) * WEIGHTS.entity;
    const end = isCeasedAt(series, at) ? CEASED : 0;
    return shareOf(tokens, strengthsOf(from)) * WEIGHTS.tokens + named + (standings[index] ?? 0) - end;
  };
}

/** The entities that answer by their own names, best first. `typeOf`: undefined leaves one out. */
export function rankedEntities(
  { placeOf, ...question }: Ranking,
  { thingAt }: Pick<Lexicon, 'thingAt'>,
  typeOf: (entityId: string) => EntityType | undefined,
): readonly string[] {
  const { hits } = question;
  return bestOf('entity', question, thingAt, (id, thing) => {
    const type = typeOf(id);
    return type === undefined ? null : hits.coverageOf(thing) * WEIGHTS.entity + prominenceOf(id, type, placeOf);
  });
}

/** The indicators that answer by their own names, best first, with or without series. */
export function rankedIndicators(question: Omit<Ranking, 'placeOf'>, { thingAt }: Pick<Lexicon, 'thingAt'>): readonly string[] {
  const { hits } = question;
  return bestOf('indicator', question, thingAt, (_, thing) => hits.coverageOf(thing) * WEIGHTS.indicator);
}

function bestOf(
  kind: ThingKind,
  { tokens, isAnswer, hits }: Omit<Ranking, 'placeOf'>,
  thingAt: Lexicon['thingAt'],
  standingAs: (id: string, thing: number) => number | null,
): readonly string[] {
  const scored: { readonly id: string; readonly score: number }[] = [];
  for (const thing of hits.things) {
    const one = thingAt(thing);
    if (one?.kind !== kind || !isAnswer(hits.answered[thing] ?? 0)) continue;
    const standing = standingAs(one.id, thing);
    if (standing === null) continue;
    const share = shareOf(tokens, (place) => hits.strengthOf(thing, place));
    scored.push({ id: one.id, score: Math.round((share * WEIGHTS.tokens + standing) * PRECISION) });
  }
  return scored.sort((a, b) => b.score - a.score || compare(a.id, b.id)).map(({ id }) => id);
}

/** Sums that differ by less are equal. */
const PRECISION = 1e6;

/** The number of a series found only by its text: less than any found by words. */
export const textScore = ({ indexOf, standings }: SeriesTable, { seriesNo }: Series): number =>
  (standings[indexOf.get(seriesNo) ?? 0] ?? 0) - TEXT_ONLY;

const TEXT_ONLY = 10;

export interface Scored {
  readonly one: Series;
  readonly score: number;
}

/** Those found by words, best first, then those found only by their text. The order depends only on what is given. */
export function ranked(scored: readonly Scored[]): readonly Series[] {
  const first = new Map<string, Series>();
  for (const { one } of scored) {
    const known = first.get(one.indicatorId);
    if (known === undefined || bySource(one, known) < 0) first.set(one.indicatorId, one);
  }
  // One number a series sorts much faster than a comparison: its score, then its place.
  const keys = Float64Array.from(scored, ({ one, score }, place) => {
    const own = score - (first.get(one.indicatorId) === one ? 0 : SECOND_SOURCE);
    return place - Math.round(own * PRECISION) * PLACES;
  }).sort();
  const found: Series[] = [];
  let equals: Series[] = [];
  let before = Number.NaN;
  for (const key of keys) {
    const score = Math.floor(key / PLACES);
    const one = scored[key - score * PLACES]?.one;
    if (one === undefined) continue;
    if (score !== before) {
      found.push(...equals.sort(byName));
      equals = [];
    }
    before = score;
    equals.push(one);
  }
  return [...found, ...equals.sort(byName)];
}

/** More than there are series. */
const PLACES = 2 ** 24;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The preferred source first. */
function bySource(a: Series, b: Series): number {
  const rank = (one: Series) => one.sourceRank ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || compare(a.sourceId, b.sourceId) || compare(a.frequency, b.frequency);
}

function byName(a: Series, b: Series): number {
  return b.observationCount - a.observationCount || compare(a.indicatorId, b.indicatorId) || bySource(a, b);
}
