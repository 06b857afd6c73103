// How far sources agree that publish the same quantity, pair by pair, as the build found it; see sql/reconciliations/summaries.sql.
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';

export const Reconciliation = z.strictObject({
  pair: z.string(),
  leftSourceId: z.string(),
  leftIndicator: z.string(),
  rightSourceId: z.string(),
  rightIndicator: z.string(),
  comparison: z.enum(['per_vintage', 'newest', 'per_filing']),
  /** The reason why nothing was compared. Null if something was. */
  whyNot: z.string().nullable(),
  /** Number of series, one per entity. */
  series: z.int(),
  compared: z.int(),
  agreeing: z.int(),
  /** Differences that are explained by the days on which the sides published. */
  dated: z.int(),
  disagreeing: z.int(),
  /** Oldest period first. */
  disagreements: z.array(
    z.strictObject({
      entityId: z.string(),
      period: z.string(),
      /** The day on which the left file was known. Null for a newest value. */
      knownOn: z.iso.date().nullable(),
      leftValue: z.number(),
      /** Null: the right source had no value. */
      rightValue: z.number().nullable(),
    }),
  ),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

const PATH = 'reconciliations/summaries';

/** @param paths the relations that were built; without the summaries the list is empty */
export async function readReconciliations(connection: DuckDBConnection, paths: readonly string[]): Promise<readonly Reconciliation[]> {
  if (!paths.includes(PATH)) return [];
  const result = await connection.runAndReadAll(`
    select
        json_object(
            'pair', pair, 'leftSourceId', left_source_id, 'leftIndicator', left_indicator, 'rightSourceId', right_source_id,
            'rightIndicator', right_indicator, 'comparison', comparison, 'whyNot', why_not, 'series', series, 'compared', compared,
            'agreeing', agreeing, 'dated', dated, 'disagreeing', disagreeing,
            'disagreements', list_transform(disagreements, lambda one: json_object(
                'entityId', one.entity_id, 'period', one.period, 'knownOn', one.known_on, 'leftValue', one.left_value, 'rightValue', one.right_value
            ))
        )::varchar
    from reconciliations.summaries
    order by pair`);
  return result.getRows().map(([row]) => Reconciliation.parse(JSON.parse(String(row))));
}
