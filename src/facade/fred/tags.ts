// FRED's tags, from facts of the service: frequency, adjustment, country, source, release and category of a series.
import type { SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import type { Country, Standing } from '../standing.ts';
import { knownReleases } from './known-releases.ts';
import { everySeries } from './lists.ts';
import type { TagGroup } from './questions.ts';

export interface Tag {
  readonly name: string;
  readonly group: TagGroup;
  readonly notes: string;
}

/** FRED's names of adjustments, with their words. */
const ADJUSTMENTS: Readonly<Record<string, readonly [string, string]>> = {
  sa: ['sa', 'Seasonally Adjusted'],
  swda: ['swda', 'Seasonally and Working Day Adjusted'],
  saar: ['saar', 'Seasonally Adjusted Annual Rate'],
};

/** @param releases names of the releases that bring the series */
function tagsOf(entry: SeriesEntry, country: Country | undefined, releases: readonly string[]): readonly Tag[] {
  const tag = (group: TagGroup, name: string, notes = ''): Tag => ({ name: name.toLowerCase().replaceAll(';', ','), group, notes });
  const [adjustment, notes] = ADJUSTMENTS[entry.seasonalAdjustment] ?? ['nsa', 'Not Seasonally Adjusted'];
  const themes = [entry.category, entry.subCategory ?? ''].filter((one) => one !== '').map((one) => one.replaceAll('_', ' '));
  const place =
    country === undefined
      ? []
      : [
          // FRED's name of the one country that is in most of its series.
          tag('geo', entry.entityId === 'us' ? 'usa' : country.name, country.name),
          ...(country.isCurrencyArea ? [] : [tag('geot', 'nation')]),
        ];
  return [
    tag('freq', entry.frequency),
    ...[...new Set(themes)].map((theme) => tag('gen', theme)),
    ...place,
    ...releases.map((name) => tag('rls', name, name)),
    tag('seas', adjustment, notes),
    tag('src', entry.sourceId),
  ];
}

export interface TaggedSeries {
  readonly entry: SeriesEntry;
  readonly tags: readonly Tag[];
}

/** The tags of each of these series. */
export async function withTags(standing: Standing, entries: readonly SeriesEntry[]): Promise<readonly TaggedSeries[]> {
  const [countries, releases] = await Promise.all([standing.countries(), knownReleases(standing)]);
  const carriers = new Map<string, string[]>();
  for (const { name, carried } of releases)
    for (const indicatorId of carried) carriers.set(indicatorId, [...(carriers.get(indicatorId) ?? []), name]);
  return entries.map((entry) => ({
    entry,
    tags: tagsOf(entry, countries.get(entry.entityId), carriers.get(entry.indicatorId) ?? []),
  }));
}

interface Wanted {
  readonly tag_names?: readonly string[] | undefined;
  readonly exclude_tag_names?: readonly string[] | undefined;
}

/** Refuses a name that no series has, because a misspelt one would find nothing. */
export function checkNames(all: readonly TaggedSeries[], { tag_names, exclude_tag_names }: Wanted): void {
  const known = new Set(all.flatMap(({ tags }) => tags.map(({ name }) => name)));
  for (const [variable, names = []] of Object.entries({ tag_names, exclude_tag_names }))
    for (const name of names)
      if (!known.has(name))
        throw new FacadeError(
          400,
          `Bad Request. Value of ${variable}: no series has the tag ${name.slice(0, 100)}. Look up names in /fred/tags.`,
        );
}

/** Those with all of `tag_names` and none of `exclude_tag_names`. */
export function having(
  all: readonly TaggedSeries[],
  { tag_names: wanted = [], exclude_tag_names: unwanted = [] }: Wanted,
): readonly TaggedSeries[] {
  return all.filter(({ tags }) => {
    const names = new Set(tags.map(({ name }) => name));
    return wanted.every((name) => names.has(name)) && !unwanted.some((name) => names.has(name));
  });
}

/** Every series, or those with the tags of the question. */
export async function taggedSeries(standing: Standing, wanted: Wanted): Promise<readonly SeriesEntry[]> {
  const entries = everySeries(standing.catalogue);
  if (wanted.tag_names === undefined && wanted.exclude_tag_names === undefined) return entries;
  const all = await withTags(standing, entries);
  checkNames(all, wanted);
  return having(all, wanted).map(({ entry }) => entry);
}
