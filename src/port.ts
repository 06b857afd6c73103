// Checks that the service can listen on its configured address.
import { createServer } from 'node:net';
import { type Config } from './config.ts';
import { KnownError } from './known-error.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there: stop it, or set another {port}',
  EACCES: 'Set a {port} above 1023',
  EADDRNOTAVAIL: 'Set {host} to an address of this machine',
  ENOTFOUND: 'Set {host} to an address of this machine',
};

/** A KnownError if the configuration caused the error, else the error itself. */
export function listenError(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  [hostName, portName]: readonly [string, string] = ['HOST', 'PORT'],
): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = REMEDIES[code];
  return remedy === undefined
    ? error
    : new KnownError(
        `Configuration: asof cannot listen on ${host}:${port}, set by ${hostName} and ${portName} (${code}). ${remedy.replace('{host}', hostName).replace('{port}', portName)}.`,
      );
}

/** Throws a KnownError if nothing can listen there. */
export async function tryPort(config: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, config)));
    server.listen(config.port, config.host, () => server.close(() => resolve()));
  });
}
