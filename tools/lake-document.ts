// The text of docs/reference/tables.md: the tables and columns of a snapshot by its manifest, those of the lake by its layout, with what they mean.
import { columnsOf, LAKE_TABLE_NAMES } from '../src/lake/layout.ts';
import type { Manifest, Resource } from '../src/model/manifest.ts';
import { type ColumnDescription, describedTables, sentenceOf } from '../src/snapshot/descriptions.ts';

const HEAD = `# The lake, by name

Everything that the service answers from lies in \`DATA_DIR\` as Parquet files, which any reader opens; they are never rewritten. Of the sample the folder is \`DATA_DIR/sample\`.

\`\`\`sh
duckdb -init data/catalog.sql                                # every table by its name, with a comment on each table and column
npm run --silent files -- vintages                           # the files of a table, one a line, for every other reader; with --json its columns too
frictionless validate data/snapshots/datapackage.json        # the manifest as a Frictionless Data Package: each file by its size and hash
\`\`\`

\`catalog.sql\` and \`datapackage.json\` are replaced, each by one rename, whenever a snapshot is published, and name the files of that snapshot alone. The files of earlier snapshots
lie beside them until they are no longer kept, so do not read a folder of files by a pattern such as \`vintages-*.parquet\`: it gives a vintage once for each snapshot.
A file that did not change is a file of several snapshots, so it does not say which; its Parquet metadata say \`asof.table\`, \`asof.schema_version\`, \`asof.licence\` and \`asof.documentation\`.
\`catalog.sql\` has full paths. Where the folder was moved or is mounted elsewhere, \`npm run files -- --catalog\` prints it for there. It sets the time zone of the session to UTC.

What was known at a moment T: of \`vintages\`, \`multiples\`, \`cot\` and every other table with an interval the rows with \`observed_at <= T and (known_to is null or known_to > T)\`
(\`known_from\` where that is its name). Values that may not be passed on lie in these files too, since they are yours to keep: \`series.is_redistributable\`, \`multiples.is_redistributable\`,
the manifest's \`rights\` and the licence in the metadata of each file say which. What the service withholds without a grant is not withheld here: hand files on by these columns.

\`frictionless validate\` checks bytes and hashes; it does not hold rows against types, since its reader of Parquet turns counts with nulls into fractions. \`type\` of a field is that of
Frictionless, \`physicalType\` that of the column. Nested columns are Parquet lists and structs. [Recipes](../use/recipes/README.md) for DuckDB, pandas, polars, pyarrow and chdb.

## As Delta tables

Each published table is a Delta table, too, by its name: \`snapshots/delta/<table>\`, for Spark, ClickHouse, polars, pandas and pyarrow, in which the recipes run over them. Trino and DuckDB's extension speak the same protocol and are not tried here.

\`\`\`python
DeltaTable("data/snapshots/delta/vintages").to_pandas(columns=["series_no", "period", "value"])              # deltalake
polars.scan_delta("data/snapshots/delta/vintages").filter(polars.col("series_no") == 1048577).collect()
spark.read.format("delta").option("timestampAsOf", "2026-11-20 06:00:00").load("data/snapshots/delta/vintages")
\`\`\`

\`\`\`sql
select count(*) from deltaLakeLocal('/srv/asof/snapshots/delta/vintages')                                    -- ClickHouse
select count(*) from delta.\`/srv/asof/snapshots/delta/vintages\`                                              -- Spark
\`\`\`

A version stands for the snapshot that its commit names (\`snapshotId\`, \`knowledgeCutoff\` in \`describe history\`); a table that a snapshot left as it was has no version for it. By time a version is found by the moment
up to which its snapshot knew. That is travel over snapshots, beside that over vintages: \`observed_at\` and \`known_to\` say what was known, a version says what this installation served. An older version can be read as long
as its snapshot is kept (\`SNAPSHOTS_KEPT\`); later its commit stays in the log and its files are gone. Files are hard links of those of the snapshots, or copies where the file system has no links: copied elsewhere, the
folder is a table of its own. Protocol 1 of readers, 2 of writers; no partition columns: bounds of integers, days and instants are in the log. Unsigned columns (\`vintages.id_hash\`, \`latest.id_hash\`) are in the
Parquet alone, since Delta has no such type. The folder follows from the manifests: the next publication writes what is missing, and \`npm run doctor\` says where it is not as the current snapshot has it. Write nothing into it.
`;

const BESIDE = `
## What snapshots are made from

\`DATA_DIR/lake/<table>/source_id=<source>/*.parquet\`: what sources said, appended and never rewritten. Each table has the column \`source_id\`, the source, by its folders. Run this in the folder that holds \`data\`: DuckDB makes every folder \`key=value\` in the path a column:

\`\`\`sql
select * from read_parquet('data/lake/observations/*/*.parquet', hive_partitioning = true)
\`\`\`
`;

/** The text, of a snapshot that has every table. */
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
    '| table | what |\n|---|---|',
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
