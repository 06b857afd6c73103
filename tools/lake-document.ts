// Writes docs/reference/tables.md: tables and columns of a snapshot from its manifest, those of the lake from its layout, with their meaning.
import { columnsOf, LAKE_TABLE_NAMES } from '../src/lake/layout.ts';
import type { Manifest, Resource } from '../src/model/manifest.ts';
import { type ColumnDescription, describedTables, sentenceOf } from '../src/snapshot/build/descriptions.ts';

const HEAD = `# Tables of the files

The service answers from Parquet files in \`DATA_DIR\`. Any reader opens them, and nothing rewrites them. The sample lies in \`DATA_DIR/sample\`.

\`\`\`sh
duckdb -init data/catalog.sql                                # every table by its name, with a comment on each table and column
npm run --silent files -- vintages                           # the files of a table, one a line, for every other reader; with --json its columns too
frictionless validate data/snapshots/datapackage.json        # the manifest as a Frictionless Data Package: each file by its size and hash
\`\`\`

Each publication replaces \`catalog.sql\` and \`datapackage.json\`. They name the files of one snapshot. The files of earlier snapshots lie beside
them for a while. Do not read a folder by a pattern such as \`vintages-*.parquet\`: you would get each vintage once per snapshot.
A file that did not change belongs to several snapshots. Its Parquet metadata hold \`asof.table\`, \`asof.schema_version\`, \`asof.licence\` and \`asof.documentation\`.
\`catalog.sql\` has full paths, and sets the time zone of the session to UTC. If you move or mount the folder elsewhere, \`npm run --silent files -- --catalog\` prints a new one.

For the rows known at a moment T, filter \`vintages\`, \`multiples\`, \`cot\` and every other table with an interval by \`observed_at <= T and (known_to is null or known_to > T)\`.
In some tables \`observed_at\` is called \`known_from\`. The files also hold values that you may use but not pass on. Check \`series.is_redistributable\`,
\`multiples.is_redistributable\`, the manifest's \`rights\` and the licence in each file's metadata before you hand files on. Without a [grant for their source](../run/keys.md#rights), the service keeps such values off \`/public/*\`, and withholds values computed from them everywhere. The files withhold nothing; the macros of \`catalog.sql\` leave out the computed series.

\`frictionless validate\` checks bytes and hashes. It cannot check types, because its reader of Parquet turns counts with nulls into fractions. The \`type\` of a field is the
Frictionless type, and \`physicalType\` is the type of the column. Nested columns are Parquet lists and structs. There are [recipes](../use/recipes/README.md) for DuckDB, pandas, polars, pyarrow and chdb.

## As Delta tables

Each published table is also a Delta table, \`snapshots/delta/<table>\`. The recipes run over it in Spark, ClickHouse, polars, pandas and pyarrow. Trino and DuckDB's extension use the same protocol, but we have not tried them.

\`\`\`python
DeltaTable("data/snapshots/delta/vintages").to_pandas(columns=["series_no", "period", "value"])              # deltalake
polars.scan_delta("data/snapshots/delta/vintages").filter(polars.col("series_no") == 1048577).collect()
spark.read.format("delta").option("timestampAsOf", "2026-11-20 06:00:00").load("data/snapshots/delta/vintages")
\`\`\`

\`\`\`sql
select count(*) from deltaLakeLocal('/srv/asof/snapshots/delta/vintages')                                    -- ClickHouse
select count(*) from delta.\`/srv/asof/snapshots/delta/vintages\`                                              -- Spark
\`\`\`

A version stands for one snapshot. Its commit names it (\`snapshotId\` and \`knowledgeCutoff\` in \`describe history\`). If a snapshot left a table as it was, the table has no version for it.
The time of a version is the knowledge cutoff of its snapshot: everything known by then is in it. Do not confuse the two kinds of time travel: \`observed_at\` and \`known_to\` give the numbers known at a moment, and a version gives the
numbers that this installation served. You can read an older version while asof keeps its snapshot (\`SNAPSHOTS_KEPT\`). After that, the log still has its commit, but its files are deleted.
The files are hard links to the snapshots' files, or copies if the file system has no links. If you copy the folder, the copy is an independent table. Readers need protocol 1, writers 2. There are no partition columns; the log holds
bounds of integers, days and instants. Unsigned columns (\`vintages.id_hash\`, \`latest.id_hash\`) are only in the Parquet files, since Delta has no such type.
The folder follows from the manifests, and the next publication writes any missing file. \`npm run doctor\` names each difference from the current snapshot. Write nothing into the folder.
`;

const BESIDE = `
## The tables below a snapshot

\`DATA_DIR/lake/<table>/source_id=<source>/*.parquet\` holds the statements of the sources. asof appends to it and never rewrites it. The folders give each table its column \`source_id\`.
Run this in the folder that holds \`data\`, because DuckDB makes a column of every folder \`key=value\` in the path:

\`\`\`sql
select * from read_parquet('data/lake/observations/*/*.parquet', hive_partitioning = true)
\`\`\`
`;

/** The text, for a snapshot with every table. */
export function lakeDocument(manifest: Manifest): string {
  const published = describedTables('published').map(({ name, key, meaning, columns }) => {
    const fields = manifest.resources.find(({ table }) => table === name)?.schema.fields ?? [];
    return section('###', name, meaning, key, columns, (column) => typeOf(fields, column));
  });
  const lake = describedTables('lake')
    .filter(({ name }) => LAKE_TABLE_NAMES.some((table) => table === name))
    .map(({ name, key, meaning, columns }) => section('###', name, meaning, key, columns, (column) => lakeType(name, column)));
  const contents = describedTables('published').map(({ name, meaning }) => `| [${name}](#${name}) | ${firstSentence(meaning)} |`);
  return [
    HEAD,
    `## Tables of a snapshot (schema ${manifest.schemaVersion})\n`,
    '| table | contents |\n|---|---|',
    ...contents,
    '',
    ...published,
    BESIDE,
    ...lake,
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

const firstSentence = (text: string): string => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;

function section(
  heading: string,
  name: string,
  meaning: string,
  key: readonly string[],
  columns: readonly ColumnDescription[],
  type: (column: string) => string,
): string {
  const rows = columns.map(
    ({ name: column, unit, ...described }) =>
      `| ${column} | ${type(column)} | ${unit ?? ''} | ${sentenceOf(described).replaceAll('|', '\\|')} |`,
  );
  const keyed = key.length === 0 ? '' : `\n\nKey: ${key.join(', ')}.`;
  return [`${heading} ${name}\n`, `${meaning}${keyed}\n`, '| column | type | unit | meaning |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

const typeOf = (fields: Resource['schema']['fields'], column: string): string =>
  (fields.find(({ name }) => name === column)?.physicalType ?? '?').replaceAll('|', '\\|');

function lakeType(name: string, column: string): string {
  const table = LAKE_TABLE_NAMES.find((one) => one === name);
  return table === undefined ? '?' : (columnsOf(table)[column] ?? '?');
}
