import { Command } from 'commander';
import { called, inOwnWords } from '../../src/called.ts';
import { main } from '../command.ts';
import { grant, type GrantOptions, list, revoke } from '../rights.ts';

const program = new Command(called('rights'))
  .description(
    'Show or withhold the values of a source whose licence alone does not allow showing them, such as the prices of a vendor, and all values computed from them. You answer for a grant: its note names your right, and every row shows it as rights.note. A running service follows within two seconds.',
  )
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run rights -- grant quotes --note "Contract 17 with the vendor, own use" --until 2027-12-31\n\nState is kept in DATA_DIR/rights.json (default ./data); the sample has its own in DATA_DIR/sample.',
    ),
  )
  .configureHelp({ helpWidth: 100 });

const print = (report: { readonly text: string; readonly json: unknown }): void => {
  const isJson = program.opts<{ json?: boolean }>().json === true;
  process.stdout.write(isJson ? `${JSON.stringify(report.json, null, 2)}\n` : `${report.text}\n`);
};

program
  .command('list')
  .description('list all grants, past and present, with their state')
  .action(() => print(list()));

program
  .command('grant')
  .argument('<source>', 'a source, as /source-health names it: quotes')
  .description('allow the values of a source, and values computed from them, outside /public')
  .requiredOption('--note <text>', 'your right to it, in your words')
  .option('--until <day>', 'last day of the grant (UTC), YYYY-MM-DD; default: no end')
  .option('--redistribute', 'also show them on /public/*, because they may be redistributed')
  .action(async (source: string, options: GrantOptions) => print(await grant(source, options)));

program
  .command('revoke')
  .argument('<source>', 'the source')
  .description('revoke a grant')
  .action(async (source: string) => print(await revoke(source)));

await main(program, { kept: 'A grant was made or revoked as a whole, or not at all.', goOn: 'npm run rights -- list' });
