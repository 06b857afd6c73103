// FRED's interface next to a running service.
import { Command } from 'commander';
import { readClientConfig } from '../../src/config.ts';
import { clock, outliveErrors, realEffects } from '../../src/effects.ts';
import { serveFacade } from '../../src/facade/server.ts';
import { listenError } from '../../src/port.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main, wholeNumber } from '../command.ts';

const program = new Command(called('facade'))
  .description(
    'Serve the data of the service at ASOF_URL at the addresses of the FRED API and SDMX. Point your FRED or SDMX client here. Use a key of the service as api_key.',
  )
  .option('--host <address>', 'host to listen on', '127.0.0.1')
  .option('--port <n>', 'the port to listen on', '8091')
  .addHelpText('after', inOwnWords('\nExample:\n  npm run facade -- --port 8091\n\nWhich clients, and how: docs/use/facade.md.'))
  .configureHelp({ helpWidth: 100 })
  .action(async (options: { readonly host: string; readonly port: string }) => {
    const at = { host: options.host, port: wholeNumber('--port', options.port, 0, 65_535) };
    const { url, key } = readClientConfig();
    const listening = await serveFacade({ url, key, now: clock }, at).catch((error: unknown) => {
      throw listenError(error, at, ['--host', '--port']);
    });
    outliveErrors(realEffects('info', 2));
    process.stdout.write(`Listening at http://${at.host}:${listening.port}/fred for the service at ${url}. Press Ctrl-C to stop.\n`);
  });

await main(program, { kept: 'Nothing was changed.' });
