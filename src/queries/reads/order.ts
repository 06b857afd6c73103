// Sort keys of observations, and the tie break.
import type { SortKey, Tie } from '../paging.ts';

export const SORT_KEYS = {
  period_end: { expression: 'period_end', type: 'date' },
  observed_at: { expression: 'observed_at', type: 'timestamptz' },
  release_date: {
    // The day in UTC by arithmetic. A cast would use the time zone calendar, which takes most of a page's time.
    expression: "date '1970-01-01' + floor(epoch_us(coalesce(released_at, observed_at)) / 86400000000)::integer",
    type: 'date',
  },
  indicator_id: {
    expression: '(select series.indicator_id from published.series where series.series_no = listed.series_no)',
    type: 'varchar',
  },
  actual: { expression: 'value', type: 'double' },
} as const satisfies Record<string, SortKey>;

export type ObservationSort = keyof typeof SORT_KEYS;

/** Of equal sort keys, the latest knowledge comes last, then the identifier decides. */
export const TIE: Tie = { column: 'id_hash', type: 'ubigint', second: { column: 'observed_at', type: 'timestamptz' } };
