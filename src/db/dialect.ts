/** The SQL of one engine: its statements, and the parts of the SQL that TypeScript puts around them. */
export interface Dialect {
  /** The statement of a file below sql/queries/. */
  readonly statement: (file: string) => string;
  /**
   * The rows of `sql`, as `listed`, with the column `sort_key`.
   * @param sort the name of a sort
   * @param expression its expression for DuckDB
   */
  readonly keyedOf: (sql: string, sort: string, expression: string) => string;
  /** A parameter of the key where a page begins (`after`) or ends (`end`). */
  readonly bound: (which: 'after' | 'end', part: 'key' | 'tie' | 'second', type: string) => string;
  readonly number: (name: 'limit' | 'skipped') => string;
  readonly textOf: (column: string, kind: 'tie' | 'second') => string;
  /** Equal, or both null. */
  readonly isSame: (one: string, other: string) => string;
}
