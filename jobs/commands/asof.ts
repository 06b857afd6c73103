// What `asof` runs: each command is the file that `npm run` calls, under its own name.
import { Command } from 'commander';
import { called } from '../called.ts';
import { outliveReaders } from '../words.ts';
import { packageVersion } from '../workspace.ts';

interface Listed {
  readonly summary: string;
  readonly run: () => Promise<unknown>;
}

const COMMANDS: Readonly<Record<string, Listed>> = {
  serve: { summary: 'prepare an empty folder, then serve', run: () => import('./prepare.ts') },
  nightly: { summary: 'collect, normalise, derive and publish', run: () => import('./nightly.ts') },
  probe: { summary: 'ask each publisher once, and compare its answer with what is expected', run: () => import('./probe.ts') },
  keys: { summary: 'issue, list and revoke keys', run: () => import('./keys.ts') },
  rights: { summary: 'grant and revoke what may be shown', run: () => import('./rights.ts') },
  mcp: { summary: 'tools for language models, beside a running service', run: () => import('./mcp.ts') },
  facade: { summary: 'the addresses of the FRED API, beside a running service', run: () => import('./facade.ts') },
  files: { summary: 'the Parquet files of the current snapshot', run: () => import('./files.ts') },
  quarantine: { summary: 'list, release and reject payloads that were held back', run: () => import('./quarantine.ts') },
  verify: { summary: 'check an answer against the raw archive alone', run: () => import('./verify.ts') },
  backup: { summary: 'copy all that is kept, while it is served and written', run: () => import('./backup.ts') },
  restore: { summary: 'a backup into an empty DATA_DIR', run: () => import('./restore.ts') },
  doctor: { summary: 'everything in DATA_DIR against its hashes', run: () => import('./doctor.ts') },
  collect: { summary: 'a folder of payloads into the raw archive', run: () => import('./collect.ts') },
  normalise: { summary: 'new payloads into the lake', run: () => import('./normalise.ts') },
  derive: { summary: 'the lake into a candidate snapshot', run: () => import('./derive.ts') },
  publish: { summary: 'make the candidate current', run: () => import('./publish.ts') },
  load: { summary: 'load the current snapshot into a ClickHouse cluster', run: () => import('./load.ts') },
  push: { summary: 'send the current snapshot to where servers follow it', run: () => import('./push.ts') },
};

outliveReaders();
const given = process.argv.slice(2);
// `asof help nightly` asks what `asof nightly --help` does.
const [name = '', ...rest] = given[0] === 'help' && given[1] !== undefined ? [given[1], '--help'] : given;
const chosen = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (chosen === undefined) {
  const program = new Command('asof')
    .description('Macro and market data as it was known. Each command has --help with an example; npm run NAME does the same from a clone.')
    .version(packageVersion())
    .helpCommand(false)
    .addHelpText('after', `\nExample:\n  ${called('nightly')} --source ecb_fx,world_bank\n\nState is kept in DATA_DIR (default ./data).`)
    .configureHelp({ helpWidth: 100 });
  for (const [command, { summary }] of Object.entries(COMMANDS)) program.command(command).description(summary);
  program.parse(name === 'help' ? ['--help'] : given, { from: 'user' });
} else {
  process.argv.splice(2, process.argv.length, ...rest);
  await chosen.run();
}
