// The valid values of parameters, to suggest the nearest one for a typo. Each index is built on first use and kept as long as the snapshot.
// A key of operations sees only names of series, which its own routes show.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { nextTurn } from '../../db/turns.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { type NameIndex, nameIndexSteps } from '../../model/nearest.ts';
import { askedOnce } from '../kept.ts';
import { toSlug } from '../../model/alias.ts';
import { searchIndicators } from '../search/search.ts';
import type { Snapshot } from '../snapshot.ts';

const none = z.strictObject({});
const Name = z.strictObject({ name: z.string() });

export const aliasNamesQuery = defineQuery('names/aliases.sql', { params: none, row: Name });
export const companyNamesQuery = defineQuery('names/companies.sql', {
  params: none,
  row: Name.extend({ kind: z.enum(['ticker', 'sector', 'industry']) }),
});
export const sourceNamesQuery = defineQuery('names/sources.sql', { params: none, row: Name });
export const derivedNamesQuery = defineQuery('names/derived.sql', {
  params: none,
  row: z.strictObject({ slug: z.string(), family: z.string() }),
});

/** From the catalogue in memory. Identifiers come before names. */
const CATALOGUED = {
  indicator: ({ canonicalIds, byIndicatorId }: Catalogue) => [...canonicalIds.keys(), ...byIndicatorId.keys()],
  storageIndicator: ({ byIndicatorId }: Catalogue) => byIndicatorId.keys(),
  entity: ({ entityIds, series }: Catalogue) => [...entityIds.keys(), ...series.map((one) => one.entityName)],
  companyId: ({ entityIds }: Catalogue) => [...entityIds].flatMap(([name, id]) => (id.startsWith('company_') ? [name] : [])),
  seriesEntity: ({ byEntityId }: Catalogue) => byEntityId.keys(),
  country: ({ countries }: Catalogue) => countries.keys(),
  source: ({ series }: Catalogue) => series.map((one) => one.sourceId),
  provider: ({ series }: Catalogue) => series.flatMap((one) => [toSlug(one.provider), one.provider]),
  currency: ({ series }: Catalogue) => series.flatMap((one) => one.currency ?? []),
  category: ({ series }: Catalogue) => series.map((one) => one.category),
} as const satisfies Record<string, (catalogue: Catalogue) => Iterable<string>>;

type Catalogued = keyof typeof CATALOGUED;
const kept = new WeakMap<Catalogue, Map<Catalogued, Promise<NameIndex>>>();

function catalogued(catalogue: Catalogue, kind: Catalogued): Promise<NameIndex> {
  const own = kept.get(catalogue) ?? new Map<Catalogued, Promise<NameIndex>>();
  kept.set(catalogue, own);
  const known = own.get(kind) ?? indexOf(CATALOGUED[kind](catalogue));
  own.set(kind, known);
  return known;
}

/** An index of many names takes a while, so other requests run between its steps. */
async function indexOf(names: Iterable<string>): Promise<NameIndex> {
  const steps = nameIndexSteps(names);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextTurn();
  }
}

const namesIn = (rows: readonly { readonly name: string }[]) => indexOf(rows.map(({ name }) => name));

const companies = askedOnce((snapshot) => run(snapshot, companyNamesQuery, {}));
const derived = askedOnce((snapshot) => run(snapshot, derivedNamesQuery, {}));
const ofCompanies = (kind: 'ticker' | 'sector' | 'industry') =>
  askedOnce(async (snapshot) => namesIn((await companies(snapshot)).filter((row) => row.kind === kind)));

/** From tables. */
const ASKED = {
  alias: askedOnce(async (snapshot) => namesIn(await run(snapshot, aliasNamesQuery, {}))),
  anySource: askedOnce(async (snapshot) => namesIn(await run(snapshot, sourceNamesQuery, {}))),
  derivedSlug: askedOnce(async (snapshot) => indexOf((await derived(snapshot)).map(({ slug }) => slug))),
  derivedFamily: askedOnce(async (snapshot) => indexOf((await derived(snapshot)).map(({ family }) => family))),
  derivedIndicator: askedOnce(async (snapshot) => {
    const storage = snapshot.catalogue.series.flatMap((one) => (one.isDerived ? [one.indicatorId] : []));
    return indexOf([...(await derived(snapshot)).map(({ slug }) => slug), ...storage]);
  }),
  ticker: ofCompanies('ticker'),
  sector: ofCompanies('sector'),
  industry: ofCompanies('industry'),
} as const;

export type NameKind = Catalogued | keyof typeof ASKED;

export async function knownNames(snapshot: Snapshot, kind: NameKind): Promise<NameIndex> {
  return isCatalogued(kind) ? catalogued(snapshot.catalogue, kind) : ASKED[kind](snapshot);
}

const isCatalogued = (kind: NameKind): kind is Catalogued => kind in CATALOGUED;

/** Longer names are no name of an indicator; words of one are found among the first. */
const MOST_SEARCHED = 64;

/** Canonical indicators with all words of a name that is no identifier, such as `us cpi`; best first. */
export async function indicatorsInWords(snapshot: Snapshot, name: string): Promise<readonly string[]> {
  const at = Date.parse(snapshot.knowledgeCutoff);
  const { ids, hint } = await searchIndicators(snapshot, name.slice(0, MOST_SEARCHED), { asOf: null, at });
  // With a hint, the search has left words out or changed them.
  return hint === null ? ids : [];
}

/** Whether to search for a name: it has several words, or no identifier is near. @param spelt the nearest identifier */
export const isInWords = (name: string, spelt: string | null): boolean => spelt === null || /\s/.test(name);

/** The nearest identifier of an indicator, or for words the one that the search finds first. */
export async function nearestIndicator(snapshot: Snapshot, name: string): Promise<string | null> {
  const spelt = await nearestOf(snapshot, name, 'indicator');
  return (isInWords(name, spelt) ? (await indicatorsInWords(snapshot, name))[0] : undefined) ?? spelt;
}

/** The nearest name of the first kind that has one. */
export async function nearestOf(snapshot: Snapshot, name: string, ...kinds: readonly NameKind[]): Promise<string | null> {
  for (const kind of kinds) {
    const nearest = (await knownNames(snapshot, kind)).nearest(name);
    if (nearest !== null) return nearest;
  }
  return null;
}
