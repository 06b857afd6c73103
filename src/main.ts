// Starts the service: configuration → service → listen.
import { ConfigError, readConfig, type Config } from './config.ts';
import { type Effects, realEffects } from './effects.ts';
import { serve } from './http/server.ts';
import { KeyFileError } from './keys/key-store.ts';
import { messageOf, openService } from './service.ts';

const FOLLOW_MS = 1000;
const STOP_MS = 20_000;

async function start(config: Config, effects: Effects): Promise<void> {
  const { log, now } = effects;
  const { app, store } = await openService(config, effects);
  const served = await serve(app, config, now);
  const { isReady, reason } = store.readiness();
  log.info({ host: config.host, port: served.port, isReady, reason }, 'listening');
  const follower = setInterval(() => void store.follow(), FOLLOW_MS);
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    clearInterval(follower);
    await served.stop(STOP_MS);
    await store.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal));
}

function isAddressTaken(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL')
  );
}

try {
  const config = readConfig();
  await start(config, realEffects(config.logLevel, 1)).catch((error: unknown) => {
    if (isAddressTaken(error)) throw new ConfigError(`Configuration: HOST and PORT cannot be listened on: ${messageOf(error)}.`);
    throw error;
  });
} catch (error) {
  const isKnown = error instanceof ConfigError || error instanceof KeyFileError;
  process.stderr.write(`${isKnown || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`);
  process.exitCode = 1;
}
