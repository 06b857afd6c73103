import { Command } from 'commander';
import { called, inOwnWords } from '../called.ts';
import { main } from '../command.ts';
import { grant, type GrantOptions, list, revoke } from '../rights.ts';

const program = new Command(called('rights'))
  .description(
    'List, grant and revoke what may be shown of sources whose licences alone do not allow it, such as the prices of a vendor and the multiples computed from them. What you grant is yours to answer for: the note says what allows it, and stands as rights.note on every row. A grant and its revocation are in force at once.',
  )
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run rights -- grant quotes --note "Contract 17 with the vendor, own use" --until 2027-12-31\n\nState is kept in DATA_DIR (default ./data), in rights.json; the sample has its own in DATA_DIR/sample.',
    ),
  )
  .configureHelp({ helpWidth: 100 });

const print = (report: { readonly text: string; readonly json: unknown }): void => {
  const isJson = program.opts<{ json?: boolean }>().json === true;
  process.stdout.write(isJson ? `${JSON.stringify(report.json, null, 2)}\n` : `${report.text}\n`);
};

program
  .command('list')
  .description('every grant ever made, with its state')
  .action(() => print(list()));

program
  .command('grant')
  .argument('<source>', 'a source, as /source-health names it: quotes')
  .description('show the values of a source, and what is computed from them, on the full surface')
  .requiredOption('--note <text>', 'what allows it, in your words')
  .option('--until <day>', 'last day on which it holds (UTC), YYYY-MM-DD; without an end unless given')
  .option('--redistribute', 'they may be passed on: shown on /public/* too')
  .action(async (source: string, options: GrantOptions) => print(await grant(source, options)));

program
  .command('revoke')
  .argument('<source>', 'the source')
  .description('withhold it again')
  .action(async (source: string) => print(await revoke(source)));

await main(program, { kept: 'A grant was made or revoked as a whole, or not at all.', goOn: 'npm run rights -- list' });
