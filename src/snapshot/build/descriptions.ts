// The meaning of tables and columns, from sql/<schema>/tables.csv and columns.csv. The manifest, the comments in catalog.sql and
// docs/reference/tables.md use it.
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { sqlText } from '../../db/query.ts';

const Table = z.strictObject({ table: z.string().min(1), key: z.string(), meaning: z.string().min(1) });
const Column = z.strictObject({
  table: z.string().min(1),
  column: z.string().min(1),
  unit: z.string(),
  null_means: z.string(),
  meaning: z.string().min(1),
});

export interface ColumnDescription {
  readonly name: string;
  /** The unit, or the column that holds it. Null if it has no unit. */
  readonly unit: string | null;
  /** Null if the column is never null. */
  readonly nullMeans: string | null;
  readonly meaning: string;
}

export interface TableDescription {
  readonly name: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  readonly meaning: string;
  readonly columns: readonly ColumnDescription[];
}

/** In the order of the file. */
export function describedTables(schema: 'published' | 'lake'): readonly TableDescription[] {
  const columns = z.array(Column).parse(rowsOf(`${schema}/columns.csv`));
  return z
    .array(Table)
    .parse(rowsOf(`${schema}/tables.csv`))
    .map(({ table, key, meaning }) => ({
      name: table,
      key: key === '' ? [] : key.split(' '),
      meaning,
      columns: columns
        .filter((column) => column.table === table)
        .map((column) => ({
          name: column.column,
          unit: column.unit === '' ? null : column.unit,
          nullMeans: column.null_means === '' ? null : column.null_means,
          meaning: column.meaning,
        })),
    }));
}

/** The meaning, and the meaning of null, as sentences. */
export function sentenceOf({ meaning, nullMeans }: Pick<ColumnDescription, 'meaning' | 'nullMeans'>): string {
  return nullMeans === null ? meaning : `${meaning} Null: ${nullMeans}`;
}

/** Throws if tables.csv does not describe the table. */
export function descriptionOf(table: string): TableDescription {
  const described = publishedTables().find(({ name }) => name === table);
  if (described === undefined) throw new Error(`The table ${table} has no description. Add one to the list of published tables.`);
  return described;
}

let published: readonly TableDescription[] | null = null;
const publishedTables = (): readonly TableDescription[] => (published ??= describedTables('published'));

function rowsOf(path: string): unknown {
  return parse(sqlText(path), { columns: true, skip_empty_lines: true });
}
