// A snapshot of another schema is reported and rebuilt; one of the same schema with other columns would be opened, and its routes would fail.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/snapshot/manifest.ts';

/** Schema version → digest of the tables and columns that it has had. Never edited: other columns are another version. */
const COLUMNS: Readonly<Record<string, string>> = {
  6: '7b9cfacbf94fd1e2',
  7: 'bbe1401b2a1752fc',
  8: '29abf7ebaf05be49',
  9: '40d65fec58390683',
};

describe('the schema version', () => {
  it('changes if tables or columns change', () => {
    const columns = parse<{ table: string; column: string }>(readFileSync(join(import.meta.dirname, '../../sql/published/columns.csv')), {
      columns: true,
    });
    const names = columns.map(({ table, column }) => `${table}.${column}`).toSorted();
    const digest = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
    expect({ [SCHEMA_VERSION]: digest }).toEqual({ [SCHEMA_VERSION]: COLUMNS[SCHEMA_VERSION] });
  });
});
