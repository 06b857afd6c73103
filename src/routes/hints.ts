// What an empty list says of why it is empty: meta.hints. A reason of another kind is one more collector of the list.
import { nearestName } from '../model/nearest.ts';
import type { PageRequest } from '../http/route.ts';
import type { Series } from '../model/catalogue.ts';
import { matchAliases } from '../queries/entities.ts';
import type { Hint } from '../queries/hints.ts';
import { seriesOfIndicator } from '../queries/observations.ts';
import { firstKnownAt } from '../queries/reach.ts';
import type { Snapshot } from '../queries/snapshot.ts';

/** A question that left no row: what was named in it, as it was sent, and what that came to. */
export interface Empty {
  readonly snapshot: Snapshot;
  readonly named: {
    readonly indicator_id?: readonly string[] | string | undefined;
    readonly indicator?: string | undefined;
    readonly entity?: readonly string[] | string | undefined;
    readonly country?: readonly string[] | string | undefined;
    readonly source_id?: string | undefined;
  };
  /** The series that the question means, where it means series. */
  readonly series: readonly Series[];
  /** What is asked for in place of vintages of series, and when the first of it became known; null: there is none at any time. */
  readonly first?: { readonly of: 'entry' | 'event'; readonly knownAt: () => Promise<string | null> };
  readonly asOf: string | null;
  /** Evaluation time, ms. */
  readonly at: number;
}

type Collector = (empty: Empty) => Promise<readonly Hint[]>;

const COLLECTORS: readonly Collector[] = [unknownNames, beforeAnything];

/** The hints of an answer without rows; none of a page that follows another. */
export async function emptyHints(
  rows: { readonly length: number },
  { after }: Pick<PageRequest, 'after'>,
  empty: Empty,
): Promise<readonly Hint[]> {
  if (rows.length > 0 || after !== null) return [];
  return (await Promise.all(COLLECTORS.map((collect) => collect(empty)))).flat();
}

async function unknownNames({ snapshot, named, at }: Empty): Promise<readonly Hint[]> {
  const { catalogue } = snapshot;
  const indicators = () => [...catalogue.canonicalIds.keys(), ...catalogue.byIndicatorId.keys()];
  const isIndicator = (name: string) => catalogue.canonicalIds.has(name.toLowerCase()) || seriesOfIndicator(catalogue, name).length > 0;
  const sources = new Set(catalogue.series.map((one) => one.sourceId));
  return [
    ...listed(named.indicator_id).flatMap((name) => (isIndicator(name) ? [] : [unknown('indicator_id', 'indicator', name, indicators())])),
    ...listed(named.indicator).flatMap((name) => (isIndicator(name) ? [] : [unknown('indicator', 'indicator', name, indicators())])),
    ...(await unknownEntities(snapshot, listed(named.entity), at)),
    ...listed(named.country).flatMap((name) =>
      catalogue.countries.has(name.toLowerCase()) ? [] : [unknown('country', 'country', name, [...catalogue.countries.keys()])],
    ),
    ...listed(named.source_id).flatMap((name) => (sources.has(name) ? [] : [unknown('source_id', 'data set', name, [...sources])])),
  ];
}

const MOST_CANDIDATES = 10;

/** Of names that stand for no entity, or for several. */
async function unknownEntities(snapshot: Snapshot, names: readonly string[], at: number): Promise<readonly Hint[]> {
  const { entityIds } = snapshot.catalogue;
  const others = names.filter((name) => !entityIds.has(name.toLowerCase()));
  const matches = await matchAliases(snapshot, others, null, dayOf(at));
  return others.flatMap((name, index) => {
    const candidates = (matches[index] ?? []).map(({ alias }) => alias.entityId);
    if (candidates.length === 1) return [];
    if (candidates.length === 0) return [unknown('entity', 'entity', name, [...entityIds.keys()])];
    const more = candidates.length - MOST_CANDIDATES;
    const named = candidates.slice(0, MOST_CANDIDATES).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return [{ parameter: 'entity', message: `${name} is ambiguous: it stands for ${named}. Ask for one of them by its identifier.` }];
  });
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function listed(names: readonly string[] | string | undefined): readonly string[] {
  return names === undefined ? [] : typeof names === 'string' ? [names] : names;
}

function unknown(parameter: string, kind: string, name: string, known: readonly string[]): Hint {
  const nearest = nearestName(name, known);
  const message = `There is no ${kind} ${name}.`;
  return nearest === null ? { parameter, message } : { parameter, message: `${message} Did you mean ${nearest}?`, nearest };
}

async function beforeAnything({ snapshot, series, first, asOf }: Empty): Promise<readonly Hint[]> {
  if (asOf === null) return [];
  const from = await (first === undefined ? firstKnownAt(snapshot, series) : first.knownAt());
  if (from === null || from <= asOf) return [];
  const what = first?.of ?? 'vintage';
  return [
    { parameter: 'as_of', message: `Nothing of this was known at ${asOf}: the first ${what} became known at ${from}.`, nearest: from },
  ];
}
