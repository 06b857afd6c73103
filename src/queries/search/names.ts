// Everything that a search of one snapshot can find, by its names. Built at the first search, and kept as long as the snapshot.
import { z } from 'zod';
import { defineQuery, run, runHeld } from '../../db/query.ts';
import { nextTurn } from '../../db/turns.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { EntityType } from '../../model/entity.ts';
import type { Frequency } from '../../model/period.ts';
import { type Lexicon, lexiconSteps, type Phrase, type Thing } from './lexicon.ts';
import type { Joinable } from './question.ts';
import { type PlaceOf, type SeriesTable, seriesTableSteps } from './rank.ts';
import { askedOnce } from '../kept.ts';
import type { Snapshot } from '../snapshot.ts';
import { readSearchWords, type SearchWords } from './usual-words.ts';

const none = z.strictObject({});

export const searchedEntitiesQuery = defineQuery('names/searched_entities.sql', {
  params: none,
  row: z.strictObject({
    entityId: z.string(),
    entityType: EntityType,
    knownFrom: z.number().nullable(),
    validFrom: z.string().nullable(),
    texts: z.array(z.strictObject({ text: z.string(), isCode: z.boolean(), knownFrom: z.number().nullable() })),
  }),
  isBulk: true,
});
type EntityRow = z.infer<typeof searchedEntitiesQuery.row>;

export const searchedIndicatorsQuery = defineQuery('names/searched_indicators.sql', {
  params: none,
  row: z.strictObject({
    canonicalId: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    about: z.array(z.string()),
    codes: z.array(z.string()),
    fredCode: z.string().nullable(),
  }),
});
type IndicatorRow = z.infer<typeof searchedIndicatorsQuery.row>;

export type SearchedEntity = Pick<EntityRow, 'entityType' | 'knownFrom' | 'validFrom'>;

export interface Names {
  readonly lexicon: Lexicon;
  readonly joinable: Joinable;
  readonly placeOf: PlaceOf;
  readonly table: SeriesTable;
  readonly entities: ReadonlyMap<string, SearchedEntity>;
  /** Of every canonical indicator, in lower case. */
  readonly indicatorNames: ReadonlyMap<string, string>;
}

const ROWS_A_PART = 500;
let readWords: SearchWords | undefined;

export const namesOf = askedOnce(async (snapshot: Snapshot): Promise<Names> => {
  readWords ??= readSearchWords();
  const words = readWords;
  await nextTurn();
  const indicators = await run(snapshot, searchedIndicatorsQuery, {});
  const rows: EntityRow[] = [];
  const { held } = await runHeld(snapshot, searchedEntitiesQuery, {}, { keyCount: 0, limit: Number.MAX_SAFE_INTEGER });
  const entities = new Map<string, SearchedEntity>();
  for await (const part of held.parts(ROWS_A_PART)) {
    rows.push(...part);
    for (const { entityId, entityType, knownFrom, validFrom } of part) entities.set(entityId, { entityType, knownFrom, validFrom });
  }
  const { catalogue } = snapshot;
  const lexicon = await madeInTurns(lexiconSteps(thingsOf({ catalogue, indicators, entities: rows, words })));
  const table = await madeInTurns(seriesTableSteps(catalogue.series, lexicon, words.placeOf));
  await nextTurn();
  return {
    lexicon,
    table,
    joinable: joinableOf(rows),
    placeOf: words.placeOf,
    entities,
    indicatorNames: new Map(indicators.map(({ canonicalId, name }) => [canonicalId, name.toLowerCase()])),
  };
});

async function madeInTurns<Made>(steps: Generator<undefined, Made>): Promise<Made> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextTurn();
  }
}

interface Named {
  readonly catalogue: Pick<Catalogue, 'series' | 'byIndicatorId'>;
  readonly indicators: readonly IndicatorRow[];
  readonly entities: readonly EntityRow[];
  readonly words: SearchWords;
}

const phrase = (text: string, kind: Phrase['kind'], knownFrom: number | null = null): Phrase => ({ text, kind, knownFrom });
const names = (texts: readonly string[]) => texts.map((text) => phrase(text, 'name'));
const usual = (texts: readonly string[]) => texts.map((text) => phrase(text, 'usual'));
const codes = (texts: readonly string[]) => texts.map((text) => phrase(text, 'code'));

/** All things that a search compares with a question. Null after many that it does not. */
function* thingsOf({ catalogue, indicators, entities, words }: Named): Generator<Thing | null> {
  for (const [id, texts] of Object.entries(FREQUENCY_NAMES)) yield { kind: 'frequency', id, phrases: names(texts) };
  for (const id of new Set(catalogue.series.map(({ sourceId }) => sourceId)))
    yield { kind: 'source', id, phrases: [phrase(id.replaceAll('_', ' '), 'name'), ...usual(words.wordsOf('source', id))] };
  for (const { canonicalId: id, name, aliases, about, codes: own } of indicators) {
    const called = [...names([id.replaceAll('_', ' '), name, ...aliases]), ...usual(words.wordsOf('indicator', id))];
    yield { kind: 'indicator', id, phrases: [...called, ...about.map((text) => phrase(text, 'about')), ...codes(own)] };
  }
  yield* seriesThings(catalogue, indicators, words);
  for (const row of entities) yield entityThing(row, words);
}

const FREQUENCY_NAMES: Readonly<Record<Frequency, readonly string[]>> = {
  daily: ['daily'],
  weekly: ['weekly'],
  monthly: ['monthly'],
  quarterly: ['quarterly'],
  annual: ['annual', 'yearly'],
  event: [],
  static: [],
};

/** Series have codes of their publishers. Those of companies and contracts are the codes of their entities. */
function* seriesThings(
  { byIndicatorId }: Named['catalogue'],
  indicators: Named['indicators'],
  words: SearchWords,
): Generator<Thing | null> {
  const ofFred = new Map(indicators.map(({ canonicalId, fredCode }) => [canonicalId, fredCode]));
  let passed = 0;
  for (const [id, series] of byIndicatorId) {
    passed += 1;
    if (passed % ROWS_A_PART === 0) yield null;
    const [first] = series;
    if (first?.isMacro !== true) continue;
    const own = [...series.map(({ seriesCode }) => seriesCode), first.entityId === 'us' ? (ofFred.get(first.canonicalId) ?? null) : null];
    const phrases = [...codes([...new Set(own.filter((code) => code !== null))]), ...usual(words.wordsOf('series', id))];
    if (phrases.length > 0) yield { kind: 'series', id, phrases };
  }
}

const TAIL = ' - ';

function entityThing({ entityId, entityType, texts }: Pick<EntityRow, 'entityId' | 'entityType' | 'texts'>, words: SearchWords): Thing {
  // An entity always has a name: the oldest, before any was known.
  const named = texts.filter(({ isCode }) => !isCode);
  const first = named.some(({ knownFrom }) => knownFrom === null) ? null : Math.min(...named.map(({ knownFrom }) => knownFrom ?? 0));
  const phrases = texts.flatMap(({ text, isCode, knownFrom }): readonly Phrase[] => {
    if (isCode) return codes([text]);
    const from = knownFrom === first ? null : knownFrom;
    // The exchange follows the name of a contract.
    const end = entityType === 'futures_contract' ? text.lastIndexOf(TAIL) : -1;
    return end <= 0 ? [phrase(text, 'name', from)] : [phrase(text.slice(0, end), 'name', from), phrase(text.slice(end), 'about', from)];
  });
  const kind = phrase(entityType.replaceAll('_', ' '), 'about');
  return { kind: 'entity', id: entityId, phrases: [...phrases, kind, ...usual(words.wordsOf('entity', entityId))] };
}

const CURRENCY = 'cur_';

function joinableOf(entities: readonly EntityRow[]): Joinable {
  const isPlace = ({ entityType }: EntityRow) => entityType === 'country' || entityType === 'currency_area';
  return {
    currencies: new Set(entities.flatMap(({ entityId }) => (entityId.startsWith(CURRENCY) ? [entityId.slice(CURRENCY.length)] : []))),
    countries: new Set(entities.filter(isPlace).map(({ entityId }) => entityId)),
  };
}
