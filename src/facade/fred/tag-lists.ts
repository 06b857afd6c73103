// Lists of tags, as FRED answers them: the tags of all series, of one series, of a search, of a category or of a release.
import type { z } from 'zod';
import type { SeriesEntry } from '../catalogue.ts';
import type { Standing } from '../standing.ts';
import { entriesIn } from './categories.ts';
import { type Answers, answering } from './answering.ts';
import type { Body, Field } from './forms.ts';
import { releaseOf } from './known-releases.ts';
import { compare, everySeries, inOrder, pageOf } from './lists.ts';
import {
  CategoryRelatedTagsQuestion,
  CategoryTagsQuestion,
  RelatedTagsQuestion,
  ReleaseRelatedTagsQuestion,
  ReleaseTagsQuestion,
  SearchRelatedTagsQuestion,
  SearchTagsQuestion,
  SeriesTagsQuestion,
  TaggedSeriesQuestion,
  TagsQuestion,
} from './questions.ts';
import { matching, seriesOf, seriesPage } from './series.ts';
import { atEndOf, spanOf } from './span.ts';
import { checkNames, having, type Tag, type TaggedSeries, taggedSeries, withTags } from './tags.ts';

type Listed = Omit<z.infer<typeof TagsQuestion>, 'search_text'> & {
  readonly search_text?: string | undefined;
  readonly exclude_tag_names?: readonly string[] | undefined;
};
type EntriesOf = (standing: Standing) => Promise<readonly SeriesEntry[]> | readonly SeriesEntry[];

const NAMES = { list: { json: 'tags', xml: 'tags' }, item: 'tag' } as const;

async function tagsSeries(now: Standing, question: z.infer<typeof TaggedSeriesQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  return seriesPage(await taggedSeries(await atEndOf(span, now), question), span, question);
}

const everyOne: EntriesOf = ({ catalogue }) => everySeries(catalogue);
const inCategory =
  (id: number): EntriesOf =>
  (standing) =>
    entriesIn(standing, id);
const ofRelease =
  (id: number): EntriesOf =>
  async (standing) => {
    const { carried } = await releaseOf(standing, id);
    return everySeries(standing.catalogue).filter(({ indicatorId }) => carried.has(indicatorId));
  };
const found =
  (text: string): EntriesOf =>
  (standing) =>
    matching(standing, everySeries(standing.catalogue), text);

/** With the number of all series that have each, as at FRED. */
async function seriesTags(now: Standing, question: z.infer<typeof SeriesTagsQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const [own] = await withTags(standing, [seriesOf(standing, question.series_id)]);
  const counts = countsOf(await withTags(standing, everySeries(standing.catalogue)));
  const rows = (own?.tags ?? []).map((tag) => rowOf(tag, counts.get(keyOf(tag))?.count ?? 1));
  return pageOf(NAMES, span, { ...question, offset: 0, limit: 1000 }, sorted(rows, question));
}

/**
 * The tags of some series. Each has the number of these series that have it. Related tags are the other tags of the series that have all
 * requested tags.
 */
async function listed(now: Standing, question: Listed, isRelated: boolean, entriesOf: EntriesOf): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const asked = new Set(question.tag_names);
  const all = await withTags(standing, everySeries(standing.catalogue));
  const chosen = new Set((await entriesOf(standing)).map(({ id }) => id));
  checkNames(all, question);
  const those = (isRelated ? having(all, question) : all).filter(({ entry }) => chosen.has(entry.id));
  const text = question.search_text?.toLowerCase().split(/\s+/) ?? [];
  const rows = [...countsOf(those).values()]
    .filter(({ tag }) => (isRelated ? !asked.has(tag.name) : asked.size === 0 || asked.has(tag.name)))
    .filter(({ tag }) => question.tag_group_id === undefined || tag.group === question.tag_group_id)
    .filter(({ tag }) => text.every((word) => `${tag.name} ${tag.notes}`.toLowerCase().includes(word)))
    .map(({ tag, count }) => rowOf(tag, count));
  return pageOf(NAMES, span, question, sorted(rows, question));
}

const keyOf = ({ group, name }: Tag) => `${group} ${name}`;

function countsOf(series: readonly TaggedSeries[]): ReadonlyMap<string, { readonly tag: Tag; count: number }> {
  const counts = new Map<string, { readonly tag: Tag; count: number }>();
  for (const { tags: own } of series)
    for (const tag of own) {
      const known = counts.get(keyOf(tag));
      if (known === undefined) counts.set(keyOf(tag), { tag, count: 1 });
      else known.count += 1;
    }
  return counts;
}

type Row = Readonly<Record<'name' | 'group_id' | 'notes', string>> & { readonly series_count: number };

/** FRED's record of a tag, without `created` and `popularity`, because the service has no such data. */
const rowOf = ({ name, group, notes }: Tag, count: number): Row => ({ name, group_id: group, notes, series_count: count });

function sorted(
  rows: readonly Row[],
  { order_by: by, sort_order: order }: Pick<Listed, 'order_by' | 'sort_order'>,
): readonly Readonly<Record<string, Field>>[] {
  const byName = (a: Row, b: Row) => compare(a.name, b.name) || compare(a.group_id, b.group_id);
  const ascending = rows.toSorted(
    (a, b) => (by === 'series_count' ? a.series_count - b.series_count : compare(a[by], b[by])) || byName(a, b),
  );
  return inOrder(ascending, order);
}

export const TAGS: Answers = {
  '/fred/tags': answering(TagsQuestion, (now, question) => listed(now, question, false, everyOne)),
  '/fred/related_tags': answering(RelatedTagsQuestion, (now, question) => listed(now, question, true, everyOne)),
  '/fred/tags/series': answering(TaggedSeriesQuestion, tagsSeries),
  '/fred/series/tags': answering(SeriesTagsQuestion, seriesTags),
  '/fred/category/tags': answering(CategoryTagsQuestion, (now, question) => listed(now, question, false, inCategory(question.category_id))),
  '/fred/category/related_tags': answering(CategoryRelatedTagsQuestion, (now, question) =>
    listed(now, question, true, inCategory(question.category_id)),
  ),
  '/fred/release/tags': answering(ReleaseTagsQuestion, (now, question) => listed(now, question, false, ofRelease(question.release_id))),
  '/fred/release/related_tags': answering(ReleaseRelatedTagsQuestion, (now, question) =>
    listed(now, question, true, ofRelease(question.release_id)),
  ),
  '/fred/series/search/tags': answering(SearchTagsQuestion, (now, { tag_search_text: search_text, ...question }) =>
    listed(now, { ...question, search_text }, false, found(question.series_search_text)),
  ),
  '/fred/series/search/related_tags': answering(SearchRelatedTagsQuestion, (now, { tag_search_text: search_text, ...question }) =>
    listed(now, { ...question, search_text }, true, found(question.series_search_text)),
  ),
};
