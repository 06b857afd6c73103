// The filters of a read of vintages. A statement names them once, as `read_filters`: the macros of sql/macros have parameters of the same
// names.
import { z } from 'zod';
import { defineQuery, filled, type Query } from '../../db/query.ts';
import { snakeCase } from '../../db/rows.ts';
import { OR_ASSUMED } from '../../model/trust.ts';

export const filterParams = {
  seriesFrom: z.int(),
  seriesTo: z.int(),
  seriesNos: z.array(z.int()).nullable(),
  asOf: z.string().nullable(),
  observedFrom: z.string().nullable(),
  observedTo: z.string().nullable(),
  periodFrom: z.string().nullable(),
  periodTo: z.string().nullable(),
  releaseNumber: z.int().nullable(),
  backfill: z.boolean().nullable(),
  chosenVintage: z.string(),
};

/** The twin of a question that reads the assumed vintages too. No other engine has the macros for it. */
export function orAssumed<Params extends z.ZodRawShape, Row>({ textIn: _, ...query }: Query<Params, Row>): Query<Params, Row> {
  return { ...query, sql: filled(query.sql, OR_ASSUMED) };
}

const TYPES: Readonly<Record<keyof typeof filterParams, string>> = {
  seriesFrom: 'integer',
  seriesTo: 'integer',
  seriesNos: 'integer[]',
  asOf: 'timestamptz',
  observedFrom: 'timestamptz',
  observedTo: 'timestamptz',
  periodFrom: 'date',
  periodTo: 'date',
  releaseNumber: 'integer',
  backfill: 'boolean',
  chosenVintage: 'varchar',
};

const READ_FILTERS = Object.entries(TYPES)
  .map(([name, type]) => `${snakeCase(name)} := $${snakeCase(name)}::${type}`)
  .join(', ');

/** @param more parameters besides the filters */
export function defineRead<More extends z.ZodRawShape, Row>(
  file: string,
  more: More,
  shape: { readonly row: z.ZodType<Row>; readonly isBulk?: boolean; readonly isHeavy?: boolean },
): Query<typeof filterParams & More, Row> {
  const params = z.strictObject({ ...filterParams, ...more }) as unknown as z.ZodObject<typeof filterParams & More>;
  const query = defineQuery(file, { params, ...shape });
  return { ...query, sql: filled(query.sql, { read_filters: READ_FILTERS }) };
}
