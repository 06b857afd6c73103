// By what observations can be sorted, and how ties are broken.
import type { SortKey, Tie } from '../paging.ts';

export const SORT_KEYS = {
  period_end: { expression: 'period_end', type: 'date' },
  observed_at: { expression: 'observed_at', type: 'timestamptz' },
  release_date: {
    // The day in UTC, without the calendar of time zones, which takes most of the time of a page.
    expression: "date '1970-01-01' + floor(epoch_us(coalesce(released_at, observed_at)) / 86400000000)::integer",
    type: 'date',
    twin: { expression: 'toInt32(floor(coalesce(released_at, observed_at) / 86400000000))' },
  },
  indicator_id: {
    expression: '(select series.indicator_id from published.series where series.series_no = listed.series_no)',
    type: 'varchar',
    twin: { expression: 'series.indicator_id', join: 'inner join {series:Identifier} as series on series.series_no = listed.series_no' },
  },
  actual: { expression: 'value', type: 'double' },
} as const satisfies Record<string, SortKey>;

export type ObservationSort = keyof typeof SORT_KEYS;

/** Of equal keys what was known last comes last, and of those the identifiers decide. */
export const TIE: Tie = { column: 'id_hash', type: 'ubigint', second: { column: 'observed_at', type: 'timestamptz' } };
