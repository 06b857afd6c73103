// The files of a table in the current snapshot, for readers other than DuckDB.
import { Command } from 'commander';
import { readConfig } from '../../src/config.ts';
import { catalogText, tablesOf, type TableFiles } from '../../src/snapshot/build/named-files.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main } from '../command.ts';
import { currentOf } from '../exporting/current.ts';
import { toTable } from '../reporting/report.ts';
import { thereIsNo } from '../reporting/words.ts';
import { KnownError } from '../../src/known-error.ts';

interface Options {
  readonly json?: boolean;
  readonly catalog?: boolean;
}

const program = new Command(called('files'))
  .description(
    'List the Parquet files of a table in the current snapshot, one path per line. Each vintage is in exactly one file. Without a table, list the tables. If there is no data yet, use the sample.',
  )
  .argument('[table]', 'a table, such as vintages')
  .option('--json', 'print the files with their columns as JSON')
  .option('--catalog', 'print DATA_DIR/catalog.sql with the current paths, if the folder was moved or mounted elsewhere')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run --silent files -- vintages\n\nState is kept in DATA_DIR (default ./data). Tables and columns: docs/reference/tables.md.',
    ),
  )
  .configureHelp({ helpWidth: 100 })
  .action(async (name: string | undefined, options: Options) => {
    const { paths, manifest } = await currentOf(readConfig().dataDir);
    process.stdout.write(
      options.catalog === true ? catalogText(paths, manifest) : textOf(tablesOf(paths, manifest), name, options.json === true),
    );
  });

function textOf(tables: readonly TableFiles[], name: string | undefined, isJson: boolean): string {
  const chosen = name === undefined ? tables : tables.filter(({ table }) => table === name);
  if (chosen.length === 0)
    throw new KnownError(
      thereIsNo(
        'table',
        name ?? '',
        tables.map(({ table }) => table),
      ),
    );
  if (isJson) return `${JSON.stringify(name === undefined ? chosen : chosen[0], null, 2)}\n`;
  if (name !== undefined) return chosen.flatMap(({ files }) => files.map((file) => `${file}\n`)).join('');
  const rows = chosen.map(({ table, files, rowCount, description }) => [table, String(files.length), String(rowCount), description]);
  return `${toTable(['table', 'files', 'rows', 'what'], rows)}\n`;
}

await main(program, { kept: 'Nothing was changed.' });
