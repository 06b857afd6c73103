// The tree of categories, as FRED answers it. It is made from our categories of indicators. Our numbers begin above FRED's highest one.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import { type Answers, answering } from './answering.ts';
import type { Body } from './forms.ts';
import { compare, everySeries } from './lists.ts';
import { CategoriesQuestion, CategoryQuestion, CategorySeriesQuestion, SeriesCategoriesQuestion } from './questions.ts';
import { seriesOf, seriesPage } from './series.ts';
import { atEndOf, spanOf } from './span.ts';
import { taggedSeries } from './tags.ts';

interface Category {
  readonly id: number;
  readonly name: string;
  readonly parentId: number;
}

const ROOT: Category = { id: 0, name: 'Categories', parentId: 0 };
/** FRED's numbers are smaller, so that none means one thing there and another here. */
const FIRST_ID = 1_000_000;

/** The same for the life of a category, in each installation. */
const categoryId = (category: string, subCategory: string | null): number =>
  FIRST_ID +
  (createHash('sha256')
    .update(`${category}/${subCategory ?? ''}`)
    .digest()
    .readUInt32BE(0) %
    1_000_000_000);

const nameOf = (category: string) => (category.charAt(0).toUpperCase() + category.slice(1)).replaceAll('_', ' ');

/** The finest category of a series. */
const leafOf = ({ category, subCategory }: SeriesEntry): Category => ({
  id: categoryId(category, subCategory),
  name: nameOf(subCategory ?? category),
  parentId: subCategory === null ? ROOT.id : categoryId(category, null),
});

/** Those with a series, by number, with their parents. */
function everyCategory(standing: Standing): ReadonlyMap<number, Category> {
  const found = new Map([[ROOT.id, ROOT]]);
  for (const entry of everySeries(standing.catalogue)) {
    const leaf = leafOf(entry);
    found.set(leaf.id, leaf);
    const id = categoryId(entry.category, null);
    found.set(id, { id, name: nameOf(entry.category), parentId: ROOT.id });
  }
  return found;
}

function categoryOf(standing: Standing, id: number): Category {
  const found = everyCategory(standing).get(id);
  if (found !== undefined) return found;
  const hint = 'FRED has other numbers. Begin with category_id=0 of /fred/category/children.';
  throw new FacadeError(400, `Bad Request. Value of category_id: there is no category ${id}. ${hint}`);
}

const bodyOf = (categories: readonly Category[]): Body => ({
  list: { json: 'categories', xml: 'categories' },
  item: 'category',
  fields: {},
  items: categories.map(({ id, name, parentId }) => ({ id, name, parent_id: parentId })),
});

function oneCategory(standing: Standing, question: z.infer<typeof CategoryQuestion>): Body {
  return bodyOf([categoryOf(standing, question.category_id)]);
}

async function categoryChildren(now: Standing, question: z.infer<typeof CategoriesQuestion>): Promise<Body> {
  const standing = await atEndOf(spanOf(now, question), now);
  const { id } = categoryOf(standing, question.category_id);
  const children = [...everyCategory(standing).values()].filter((one) => one.parentId === id && one !== ROOT);
  return bodyOf(children.toSorted((a, b) => compare(a.name, b.name)));
}

/** None: no category points to another outside the tree. */
async function categoryRelated(now: Standing, question: z.infer<typeof CategoriesQuestion>): Promise<Body> {
  categoryOf(await atEndOf(spanOf(now, question), now), question.category_id);
  return bodyOf([]);
}

/** The series of a category. Series of its subcategories are left out. */
async function categorySeries(now: Standing, question: z.infer<typeof CategorySeriesQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const own = new Set(entriesIn(standing, question.category_id));
  return seriesPage(
    (await taggedSeries(standing, question)).filter((entry) => own.has(entry)),
    span,
    question,
  );
}

export function entriesIn(standing: Standing, id: number): readonly SeriesEntry[] {
  const known = categoryOf(standing, id);
  return everySeries(standing.catalogue).filter((entry) => leafOf(entry).id === known.id);
}

async function seriesCategories(now: Standing, question: z.infer<typeof SeriesCategoriesQuestion>): Promise<Body> {
  return bodyOf([leafOf(seriesOf(await atEndOf(spanOf(now, question), now), question.series_id))]);
}

export const CATEGORIES: Answers = {
  '/fred/category': answering(CategoryQuestion, oneCategory),
  '/fred/category/children': answering(CategoriesQuestion, categoryChildren),
  '/fred/category/related': answering(CategoriesQuestion, categoryRelated),
  '/fred/category/series': answering(CategorySeriesQuestion, categorySeries),
  '/fred/series/categories': answering(SeriesCategoriesQuestion, seriesCategories),
};
