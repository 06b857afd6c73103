import { Command, Option } from 'commander';
import { readConfig } from '../../src/config.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main } from '../command.ts';
import { issue, list, revoke } from '../keys.ts';
import { sendKeys } from '../sending/push.ts';
import { KnownError } from '../../src/known-error.ts';

const program = new Command(called('keys'))
  .description('Issue, list and revoke API keys. A running service applies changes within two seconds.')
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run keys -- create --scopes data:read --tier full --label laptop\n\nState is kept in DATA_DIR (default ./data).',
    ),
  )
  .configureHelp({ helpWidth: 100 });

const print = (report: { readonly text: string; readonly json: unknown }): void => {
  const isJson = program.opts<{ json?: boolean }>().json === true;
  process.stdout.write(isJson ? `${JSON.stringify(report.json, null, 2)}\n` : `${report.text}\n`);
};

program
  .command('create')
  .description('issue a key and print it once')
  .option('--scopes <list>', 'scopes, separated by commas: data:read, ops:read, admin', 'data:read')
  .addOption(new Option('--tier <tier>', 'free sees only the last 24 months of each series').choices(['full', 'free']).default('full'))
  .requiredOption('--label <name>', 'owner or purpose of the key')
  .option('--legacy', 'print the key as 32 letters and digits, for clients that accept no other form (docs/use/facade.md)')
  .action(async (options: Parameters<typeof issue>[0]) => print(await issue(options)));

program
  .command('list')
  .description('list the issued keys, without their secrets')
  .action(() => print(list()));

program
  .command('revoke')
  .argument('<id>', 'id from the list: key_…')
  .description('close a key for good')
  .action(async (keyId: string) => {
    const report = await revoke(keyId);
    if (report === null) throw new KnownError(`There is no key ${keyId}. To list the keys: npm run keys -- list`);
    print(report);
  });

program
  .command('push')
  .description('send the hashes of the keys to SNAPSHOT_URL, for replicas')
  .action(async () => {
    const { address, isChanged } = await sendKeys(readConfig());
    print({
      text: isChanged ? `The keys were sent to ${address}.` : `${address} has the same keys already.`,
      json: { address, isChanged },
    });
  });

await main(program, { kept: 'A key was issued or revoked as a whole, or not at all.', goOn: 'npm run keys -- list' });
