// Answers of the service and statements of the files, in the formats of other programs.
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { called, inOwnWords } from '../../src/called.ts';
import { readClientConfig, readConfig } from '../../src/config.ts';
import { writeDurably } from '../../src/disk/durable.ts';
import { WORKBOOK_ROUTES, type WorkbookRoute, workbookOf } from '../../src/facade/workbook/workbook.ts';
import { realEffects } from '../../src/effects.ts';
import { KnownError } from '../../src/known-error.ts';
import { main } from '../command.ts';
import { parametersOf } from '../exporting/parameters.ts';
import { cutOf, END_OF_DAY, exportQlib } from '../exporting/qlib.ts';
import { withProgress } from '../reporting/progress.ts';
import { openWorkspace } from '../workspace.ts';

const program = new Command(called('export'))
  .description('Write data for other programs: an Excel workbook, or a folder of Qlib.')
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run export -- xlsx panels panel.xlsx factor=unemployment_rate country=US,DE from=2020-01-01 to=2020-12-31\n\nMore examples: docs/use/guides/export.md.',
    ),
  )
  .configureHelp({ helpWidth: 100 });

const isJson = () => program.opts<{ json?: boolean }>().json === true;

function print(text: string, json: unknown): void {
  process.stdout.write(isJson() ? `${JSON.stringify(json, null, 2)}\n` : `${inOwnWords(text)}\n`);
}

program
  .command('xlsx')
  .description(
    'write the rows of a route to an Excel workbook, with a second sheet that names their files. Asks the service at ASOF_URL with the key ASOF_KEY',
  )
  .addArgument(new Argument('<route>', 'the route that has the rows').choices(Object.keys(WORKBOOK_ROUTES)))
  .argument('<file>', 'the workbook; an existing file is replaced once the new one is complete')
  .argument('[parameters...]', 'parameters of the route as name=value, such as indicator_id=us_nonfarm_payrolls as_of=2020-06-30')
  .option('--no-files', 'name only the sources on the second sheet, which needs fewer requests')
  .action(async (route: WorkbookRoute, file: string, given: readonly string[], { files: hasFiles }: { readonly files: boolean }) => {
    const parameters = parametersOf(given);
    const { url, key } = readClientConfig();
    if (key === null)
      throw new KnownError(
        `Configuration: ASOF_KEY is not set. Issue one with: ${called('keys')} create --label export --scopes data:read`,
      );
    const path = resolve(file);
    const { bytes, ...written } = await withProgress(['look up'], !isJson(), (onProgress) =>
      workbookOf(
        { url, key },
        { route, parameters, hasFiles, onProgress: (detail, done, total) => onProgress('look up', detail, done, total) },
      ),
    );
    await writeDurably(path, bytes);
    const { rows, files, snapshotId } = written;
    print(`${path}: ${count(rows, 'row')} of snapshot ${snapshotId}${hasFiles ? `, from ${count(files, 'file')}` : ''}.`, {
      path,
      ...written,
    });
  });

program
  .command('qlib')
  .description(
    'write the statements of all companies to a folder of Qlib with a point-in-time store. Reads the current snapshot in DATA_DIR',
  )
  .argument('<folder>', 'a new or empty folder, or an earlier export, which is replaced once the new one is complete')
  .option('--field <names>', 'only these figures, separated by commas, such as revenue,net_income')
  .option(
    '--at <hour>',
    "hour of knowledge on each day, inclusive, with its time zone, such as '16:00 America/New_York'. Default: the end of the UTC day",
  )
  .action(async (given: string, { field, at }: { readonly field?: string; readonly at?: string }) => {
    const [fields, cut] = [field?.split(',').map((name) => name.trim()) ?? null, at === undefined ? END_OF_DAY : cutOf(at)];
    const config = readConfig();
    const limits = openWorkspace(config).limits('export');
    const written = await withProgress(['write'], !isJson(), (onProgress) =>
      exportQlib({
        dataDir: config.dataDir,
        folder: resolve(given),
        fields,
        cut,
        limits,
        now: realEffects(config.logLevel, 2).now,
        onProgress: (done, total) => onProgress('write', 'companies', done, total),
      }),
    );
    const { folder, snapshotId, companies, changes, from, to } = written;
    print(
      `${folder}: ${changes.toLocaleString('en')} values of ${companies === 1 ? '1 company' : `${companies.toLocaleString('en')} companies`} from ${from} to ${to}, of snapshot ${snapshotId}.`,
      written,
    );
  });

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

await main(program, { kept: 'Nothing was replaced.' });
