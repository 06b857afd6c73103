// FRED's parameters. One that the facade cannot answer is missing here, so it is refused by name.
import { z } from 'zod';
import { Truth } from '../asked.ts';
import { LAST_DAY, FIRST_DAY } from './real-time.ts';
import { AGGREGATIONS, ASKED_FREQUENCIES, UNITS } from './transforms.ts';

const day = z.iso.date({ error: 'is not a day as YYYY-MM-DD' });
const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(from, `is less than ${from}`).max(to, `is more than ${to}`));

const common = {
  api_key: z.string().optional(),
  file_type: z.enum(['xml', 'json'], { error: 'must be xml or json' }).default('xml'),
};
const realTime = { realtime_start: day.optional(), realtime_end: day.optional() };
const filter = {
  filter_variable: z
    .enum(['frequency', 'units', 'seasonal_adjustment'], { error: 'must be frequency, units or seasonal_adjustment' })
    .optional(),
  filter_value: z.string().optional(),
};
/** `monthly;usa`, in any case. */
const tagNames = z
  .string()
  .max(2000, 'is too long')
  .transform((text) => text.split(';').flatMap((name) => name.trim().toLowerCase() || []))
  .pipe(z.array(z.string()).min(1, 'has no tag'));
const tagged = { tag_names: tagNames.optional(), exclude_tag_names: tagNames.optional() };
const seriesId = { series_id: z.string().regex(/^[A-Za-z0-9_.@-]{1,120}$/, 'is not a series id') };
const sortOrder = { sort_order: z.enum(['asc', 'desc']).default('asc') };

export const SeriesQuestion = z.strictObject({ ...common, ...seriesId, ...realTime });

export const ObservationsQuestion = z.strictObject({
  ...common,
  ...seriesId,
  ...realTime,
  ...sortOrder,
  limit: whole(1, 100_000).default(100_000),
  offset: whole(0, 999_999_999).default(0),
  observation_start: day.default(FIRST_DAY),
  observation_end: day.default(LAST_DAY),
  units: z.enum(UNITS, { error: `is one of ${UNITS.join(', ')}` }).default('lin'),
  frequency: z.enum(ASKED_FREQUENCIES, { error: `is one of ${ASKED_FREQUENCIES.join(', ')} here` }).optional(),
  aggregation_method: z.enum(AGGREGATIONS, { error: `is one of ${AGGREGATIONS.join(', ')}` }).default('avg'),
  output_type: whole(1, 4).default(1),
  vintage_dates: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(day).max(2000, 'are more than 2000'))
    .optional(),
});

export const VintageDatesQuestion = z.strictObject({
  ...common,
  ...seriesId,
  ...realTime,
  ...sortOrder,
  limit: whole(1, 10_000).default(10_000),
  offset: whole(0, 999_999_999).default(0),
});

const ORDERS = [
  'search_rank',
  'series_id',
  'title',
  'units',
  'frequency',
  'seasonal_adjustment',
  'observation_start',
  'observation_end',
] as const;

export const SearchQuestion = z.strictObject({
  ...common,
  ...realTime,
  search_text: z.string().min(1).max(200),
  search_type: z.enum(['full_text', 'series_id']).default('full_text'),
  limit: whole(1, 1000).default(1000),
  offset: whole(0, 999_999_999).default(0),
  order_by: z.enum(ORDERS, { error: `is one of ${ORDERS.join(', ')} here` }).default('search_rank'),
  sort_order: z.enum(['asc', 'desc']).optional(),
  ...filter,
  ...tagged,
});

const paging = { limit: whole(1, 1000).default(1000), offset: whole(0, 999_999_999).default(0) };
const releaseId = { release_id: whole(1, 999_999) };
const categoryId = { category_id: whole(0, 2_147_483_647).default(0) };

/** The groups of tags that the service has data for. FRED also has one for copyright. */
export const TAG_GROUPS = ['freq', 'gen', 'geo', 'geot', 'rls', 'seas', 'src'] as const;
export type TagGroup = (typeof TAG_GROUPS)[number];

export const ReleasesQuestion = z.strictObject({
  ...common,
  ...realTime,
  ...paging,
  ...sortOrder,
  order_by: z.enum(['release_id', 'name'], { error: 'must be release_id or name' }).default('release_id'),
});

const SERIES_ORDERS = ['series_id', 'title', 'units', 'frequency', 'seasonal_adjustment', 'observation_start', 'observation_end'] as const;

const seriesList = {
  ...common,
  ...realTime,
  ...paging,
  ...sortOrder,
  ...filter,
  order_by: z.enum(SERIES_ORDERS, { error: `is one of ${SERIES_ORDERS.join(', ')} here` }).default('series_id'),
};

export const ReleaseSeriesQuestion = z.strictObject({ ...seriesList, ...tagged, ...releaseId });
export const CategorySeriesQuestion = z.strictObject({ ...seriesList, ...tagged, ...categoryId });
export const TaggedSeriesQuestion = z.strictObject({ ...seriesList, ...tagged, tag_names: tagNames });

export const CategoryQuestion = z.strictObject({ ...common, ...categoryId });
export const CategoriesQuestion = z.strictObject({ ...common, ...realTime, ...categoryId });
export const SeriesCategoriesQuestion = z.strictObject({ ...common, ...realTime, ...seriesId });

const TAG_ORDERS = ['series_count', 'name', 'group_id'] as const;
const ordered = {
  ...sortOrder,
  order_by: z.enum(TAG_ORDERS, { error: `is one of ${TAG_ORDERS.join(', ')} here` }).default('series_count'),
};
const tags = {
  ...common,
  ...realTime,
  ...paging,
  ...ordered,
  tag_names: tagNames.optional(),
  tag_group_id: z.enum(TAG_GROUPS, { error: `is one of ${TAG_GROUPS.join(', ')} here` }).optional(),
};
const relatedTags = { ...tags, ...tagged, tag_names: tagNames };
const SearchText = z.string().min(1).max(200);
const byText = { search_text: SearchText.optional() };
const ofSearch = { series_search_text: SearchText, tag_search_text: SearchText.optional() };

export const TagsQuestion = z.strictObject({ ...tags, ...byText });
export const RelatedTagsQuestion = z.strictObject({ ...relatedTags, ...byText });
export const CategoryTagsQuestion = z.strictObject({ ...tags, ...byText, ...categoryId });
export const CategoryRelatedTagsQuestion = z.strictObject({ ...relatedTags, ...byText, ...categoryId });
export const ReleaseTagsQuestion = z.strictObject({ ...tags, ...byText, ...releaseId });
export const ReleaseRelatedTagsQuestion = z.strictObject({ ...relatedTags, ...byText, ...releaseId });
export const SearchTagsQuestion = z.strictObject({ ...tags, ...ofSearch });
export const SearchRelatedTagsQuestion = z.strictObject({ ...relatedTags, ...ofSearch });
export const SeriesTagsQuestion = z.strictObject({ ...common, ...realTime, ...seriesId, ...ordered });

export const ReleaseDatesQuestion = z.strictObject({
  ...common,
  ...realTime,
  ...releaseId,
  ...sortOrder,
  limit: whole(1, 10_000).default(10_000),
  offset: whole(0, 999_999_999).default(0),
  include_release_dates_with_no_data: Truth.default('false'),
});

const time = z
  .string()
  .regex(/^\d{12}$/, 'is no time as YYYYMMDDHhmm')
  .refine(
    (text) => !Number.isNaN(Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5Z'))),
    'is no time as YYYYMMDDHhmm',
  );

export const UpdatesQuestion = z.strictObject({
  ...common,
  ...realTime,
  limit: whole(1, 1000).default(1000),
  offset: whole(0, 999_999_999).default(0),
  filter_value: z.enum(['all'], { error: 'must be all, because this service does not tell macro from regional series' }).default('all'),
  start_time: time.optional(),
  end_time: time.optional(),
});

export const GraphQuestion = z.strictObject({
  id: seriesId.series_id,
  cosd: day.default(FIRST_DAY),
  coed: day.default(LAST_DAY),
  vintage_date: day.optional(),
});
