// Runs `asof` commands: each is the file that `npm run` calls, under the same name.
import { Command } from 'commander';
import { type CommandName, called } from '../../src/called.ts';
import { outliveReaders } from '../reporting/words.ts';
import { packageVersion } from '../workspace.ts';

interface Listed {
  readonly summary: string;
  readonly run: () => Promise<unknown>;
}

/** `asof serve` is `npm start`. */
type Name = Exclude<CommandName, 'start'> | 'serve';

const LISTED: Readonly<Record<Name, Listed>> = {
  serve: { summary: 'prepare an empty folder, then serve', run: () => import('./prepare.ts') },
  nightly: { summary: 'collect, normalise, derive and publish', run: () => import('./nightly.ts') },
  probe: { summary: 'ask each publisher once, and compare its answer with what is expected', run: () => import('./probe.ts') },
  keys: { summary: 'issue, list and revoke keys', run: () => import('./keys.ts') },
  rights: { summary: 'allow or withhold values of restricted sources', run: () => import('./rights.ts') },
  mcp: { summary: 'tools for language models, next to a running service', run: () => import('./mcp.ts') },
  facade: { summary: 'FRED and SDMX addresses, next to a running service', run: () => import('./facade.ts') },
  files: { summary: 'list the Parquet files of the current snapshot', run: () => import('./files.ts') },
  export: { summary: 'write an Excel workbook or a folder of Qlib', run: () => import('./export.ts') },
  quarantine: { summary: 'list, release and reject series that wait for a decision', run: () => import('./quarantine.ts') },
  verify: { summary: 'check an answer against the raw archive', run: () => import('./verify.ts') },
  backup: { summary: 'copy everything into an empty folder, while servers run', run: () => import('./backup.ts') },
  restore: { summary: 'restore a backup into an empty DATA_DIR', run: () => import('./restore.ts') },
  doctor: { summary: 'check everything in DATA_DIR against its hashes', run: () => import('./doctor.ts') },
  collect: { summary: 'archive a folder of payloads', run: () => import('./collect.ts') },
  normalise: { summary: 'read new payloads into the lake', run: () => import('./normalise.ts') },
  derive: { summary: 'build a candidate snapshot from the lake', run: () => import('./derive.ts') },
  publish: { summary: 'make the candidate current', run: () => import('./publish.ts') },
  load: { summary: 'load the current snapshot into a ClickHouse cluster', run: () => import('./load.ts') },
  push: { summary: 'send the current snapshot to an object store for replicas', run: () => import('./push.ts') },
};

outliveReaders();
const given = process.argv.slice(2);
// `asof help nightly` becomes `asof nightly --help`.
const [name = '', ...rest] = given[0] === 'help' && given[1] !== undefined ? [given[1], '--help'] : given;
const chosen = Object.hasOwn(LISTED, name) ? LISTED[name as Name] : undefined;
if (chosen === undefined) {
  const program = new Command('asof')
    .description('Macro and market data as it was known. Each command has --help with an example; npm run NAME does the same from a clone.')
    .version(packageVersion())
    .helpCommand(false)
    .addHelpText('after', `\nExample:\n  ${called('nightly')} --source ecb_fx,world_bank\n\nState is kept in DATA_DIR (default ./data).`)
    .configureHelp({ helpWidth: 100 });
  for (const [command, { summary }] of Object.entries(LISTED)) program.command(command).description(summary);
  program.parse(name === 'help' ? ['--help'] : given, { from: 'user' });
} else {
  process.argv.splice(2, process.argv.length, ...rest);
  await chosen.run();
}
