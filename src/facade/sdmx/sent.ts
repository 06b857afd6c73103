// Chooses the structures of an answer: the requested ones, and those that they reference or that reference them.
import type { SeriesEntry } from '../catalogue.ts';
import type { Availability } from './availability.ts';
import { type AvailabilityAsked, SdmxError, shown, STRUCTURES, type StructureKind, type StructuresAsked } from './questions.ts';
import { type Codelist, codelistsOf, type DimensionId, FLOW, NAMES } from './structures.ts';

export const CONCEPTS = 'CONCEPTS';
export const AGENCIES = 'AGENCIES';

/** A scheme is partial if it leaves out items that the service has. */
interface Partly {
  readonly isPartial: boolean;
}

export interface SentStructures {
  readonly kinds: ReadonlySet<StructureKind>;
  /** Kinds without their content, only identified and named. */
  readonly stubs: ReadonlySet<StructureKind>;
  readonly codelists: readonly (Codelist & Partly)[];
  readonly concepts: Partly & { readonly ids: readonly (keyof typeof NAMES)[] };
  readonly availability: Availability | null;
}

const BELOW: Readonly<Record<StructureKind, readonly StructureKind[]>> = {
  dataflow: ['datastructure'],
  datastructure: ['codelist', 'conceptscheme'],
  codelist: [],
  conceptscheme: [],
  agencyscheme: [],
};
const ABOVE: Readonly<Record<StructureKind, readonly StructureKind[]>> = {
  dataflow: [],
  datastructure: ['dataflow'],
  codelist: ['datastructure'],
  conceptscheme: ['datastructure'],
  agencyscheme: [],
};
type Kinds = readonly StructureKind[];
type Links = typeof BELOW;

const next = (from: Kinds, links: Links): Kinds => from.flatMap((kind) => links[kind]);
const every = (from: Kinds, links: Links): Kinds => {
  const own = next(from, links);
  return own.length === 0 ? own : [...own, ...every(own, links)];
};

const siblings = (from: Kinds) => [...next(from, ABOVE), ...next(next(from, ABOVE), BELOW)];
const ADDED = {
  none: () => [],
  parents: (from) => next(from, ABOVE),
  ancestors: (from) => every(from, ABOVE),
  parentsandsiblings: siblings,
  children: (from) => next(from, BELOW),
  descendants: (from) => every(from, BELOW),
  all: (from) => [...siblings(from), ...every(from, BELOW)],
} satisfies Readonly<Record<string, (from: Kinds) => Kinds>>;

/** The kinds that a value of `references` adds. A kind by its name is added if it is above or below, however far. */
function referenced(from: Kinds, name: StructuresAsked['question']['references'][number]): Kinds {
  const isKind = (one: typeof name): one is StructureKind => STRUCTURES.some((kind) => kind === one);
  if (!isKind(name)) return ADDED[name](from);
  return [...every(from, ABOVE), ...every(from, BELOW)].filter((kind) => kind === name);
}

const CONCEPT_IDS = Object.keys(NAMES) as (keyof typeof NAMES)[];
const whole = <Scheme>(scheme: Scheme) => ({ ...scheme, isPartial: false });

export function sentOf(entries: readonly SeriesEntry[], { of, ids, question }: StructuresAsked): SentStructures {
  const lists = codelistsOf(entries);
  const known: Readonly<Record<StructureKind, readonly string[]>> = {
    dataflow: [FLOW],
    datastructure: [FLOW],
    codelist: lists.map((list) => list.id),
    conceptscheme: [CONCEPTS],
    agencyscheme: [AGENCIES],
  };
  const all = of.flatMap((kind) => known[kind]);
  const unknown = ids?.find((id) => !all.includes(id));
  if (unknown !== undefined)
    throw new SdmxError(
      404,
      100,
      `Unknown ${of.length === 1 ? of[0] : 'structure'} ${shown(unknown)}. Known: ${[...new Set(all)].join(', ')}.`,
    );
  const asked = of.filter((kind) => ids === null || known[kind].some((id) => ids.includes(id)));
  const others = new Set(question.references.flatMap((name) => referenced(asked, name)));
  const kinds = new Set([...asked, ...others]);
  const areAllLists = ids === null || others.has('codelist');
  const { detail } = question;
  return {
    kinds,
    stubs: new Set(detail.startsWith('all') ? kinds : detail.endsWith('stubs') ? [...kinds].filter((kind) => !asked.includes(kind)) : []),
    codelists: kinds.has('codelist') ? lists.filter((list) => areAllLists || ids.includes(list.id)).map(whole) : [],
    concepts: whole({ ids: CONCEPT_IDS }),
    availability: null,
  };
}

/**
 * With its references, which have only the codes that are available and the concepts of the requested dimensions. Beside a data structure
 * they have the codelists and concepts of all its components, because readers resolve them.
 */
export function sentWith(
  entries: readonly SeriesEntry[],
  availability: Availability,
  references: AvailabilityAsked['question']['references'],
): SentStructures {
  const isAll = references.includes('all');
  const kinds = new Set(STRUCTURES.filter((kind) => kind !== 'agencyscheme' && (isAll || references.includes(kind))));
  const isWhole = kinds.has('datastructure');
  const isReferenced = (id: string) => isWhole || availability.components.some((one) => one === id);
  const codelists = (kinds.has('codelist') ? codelistsOf(entries) : [])
    .filter(({ id }) => isReferenced(id.replace(/^CL_/, '')))
    .map((list) => partOf(list, availability.codes.get(list.id.replace(/^CL_/, '') as DimensionId)))
    .filter(({ codes }) => codes.length > 0);
  const concepts = { ids: CONCEPT_IDS.filter(isReferenced), isPartial: !isWhole };
  return { kinds, stubs: new Set(), codelists, concepts, availability };
}

/** @param own the codes to keep; undefined for all */
function partOf(list: Codelist, own: readonly string[] | undefined): Codelist & Partly {
  const kept = new Set(own);
  const codes = own === undefined ? list.codes : list.codes.filter(({ id }) => kept.has(id));
  return { ...list, codes, isPartial: codes.length < list.codes.length };
}
