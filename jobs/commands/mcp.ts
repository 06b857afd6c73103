// The Model Context Protocol next to a running service.
import { join } from 'node:path';
import { Command } from 'commander';
import { readClientConfig } from '../../src/config.ts';
import { outliveErrors, realEffects } from '../../src/effects.ts';
import { BUDGET, LEAST_BUDGET } from '../../src/mcp/answer.ts';
import { readGuides } from '../../src/mcp/server.ts';
import { serveOverHttp, serveOverStdio } from '../../src/mcp/transports.ts';
import { listenError } from '../../src/port.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main, wholeNumber } from '../command.ts';
import { packageVersion } from '../workspace.ts';
import { KnownError } from '../../src/known-error.ts';

interface Options {
  readonly http?: boolean;
  readonly host: string;
  readonly port: string;
  readonly budget: string;
}

const program = new Command(called('mcp'))
  .description(
    'Serve tools and guides for language models (Model Context Protocol) on standard input and output, from the service at ASOF_URL with the key ASOF_KEY.',
  )
  .option('--http', 'serve over HTTP (Streamable HTTP, at /mcp); each caller sends a key as x-api-key or bearer token')
  .option('--host <address>', 'host to listen on', '127.0.0.1')
  .option('--port <n>', 'the port to listen on', '8090')
  .option('--budget <bytes>', 'maximum answer size in bytes', String(BUDGET))
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  ASOF_URL=http://127.0.0.1:8080 ASOF_KEY=asof_… npm run --silent mcp\n\nHow to set up a client: docs/use/mcp.md.',
    ),
  )
  .configureHelp({ helpWidth: 100 })
  .action(async (options: Options) => {
    const budget = wholeNumber('--budget', options.budget, LEAST_BUDGET, 10_000_000);
    const port = wholeNumber('--port', options.port, 0, 65_535);
    const { url, key } = readClientConfig();
    const guides = await readGuides(join(import.meta.dirname, '../../docs/use/guides'));
    const mcp = { url, key, guides, budget, version: packageVersion() };
    // Standard output belongs to the protocol.
    const onError = (error: Error) => void process.stderr.write(`${error.message}\n`);
    if (options.http !== true) {
      if (key === null)
        throw new KnownError(`Configuration: ASOF_KEY is not set. Issue one with: ${called('keys')} create --label mcp --scopes data:read`);
      serveOverStdio(mcp, onError);
      return;
    }
    const at = { host: options.host, port };
    const listening = await serveOverHttp(mcp, at, onError).catch((error: unknown) => {
      throw listenError(error, at, ['--host', '--port']);
    });
    outliveErrors(realEffects('info', 2));
    process.stderr.write(`Listening at http://${options.host}:${listening.port}/mcp for the service at ${url}. Press Ctrl-C to stop.\n`);
  });

await main(program, { kept: 'Nothing was changed.' });
