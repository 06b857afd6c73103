// Normalises every alias for look-ups. It runs here because DuckDB has no NFKC function.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../db/query.ts';
import { normaliseAlias } from '../../model/alias.ts';

export async function computeAliasNormals(connection: DuckDBConnection): Promise<void> {
  const aliases = await connection.runAndReadAll('select distinct alias from series.alias_texts order by alias');
  await connection.run(sqlText('series/alias_normals.sql'));
  const appender = await connection.createAppender('alias_normals', 'series');
  for (const [alias] of aliases.getRows()) {
    appender.appendVarchar(String(alias));
    appender.appendVarchar(normaliseAlias(String(alias)));
    appender.endRow();
  }
  appender.closeSync();
}
