// Composes the service: configuration → snapshots → app → listen.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Effects, realEffects } from './effects.ts';
import { createApp } from './http/app.ts';
import { llmsFullText, llmsText } from './http/llms.ts';
import { openapiDocument } from './http/openapi.ts';
import { memoryLimiter, redisLimiter } from './http/rate-limit.ts';
import { serve } from './http/server.ts';
import { KeyFileError, keyFile, openKeyRing } from './keys/key-store.ts';
import { ownSecret } from './keys/secret.ts';
import { about } from './routes/about.ts';
import { routes } from './routes/index.ts';
import { snapshotPaths } from './snapshot/manifest.ts';
import { openStore } from './snapshot/store.ts';

const FOLLOW_MS = 1000;
const STOP_MS = 20_000;

async function start(config: Config, effects: Effects): Promise<void> {
  const { log, now } = effects;
  const [engineTemp, scratchDir] = [join(config.dataDir, 'tmp', 'serve'), join(config.dataDir, 'tmp', 'bulk')];
  for (const folder of [engineTemp, scratchDir]) {
    await rm(folder, { recursive: true, force: true }); // what a killed server left
    await mkdir(folder, { recursive: true });
  }
  const store = openStore(
    // Real data where there is some, else the sample.
    [snapshotPaths(config.dataDir), snapshotPaths(join(config.dataDir, 'sample'))],
    { limits: { threads: config.engineThreads, memory: config.engineMemory, tempDirectory: engineTemp, tempSize: '20GB' }, connections: 4 },
    (error) => log.error({ error: messageOf(error) }, 'snapshot cannot be read'),
  );
  await store.follow();
  const app = createApp({
    routes,
    store,
    keys: openKeyRing(keyFile(config.dataDir), now, (error) => log.error({ error: messageOf(error) }, 'keys cannot be read')),
    limiter:
      config.redisUrl === null
        ? memoryLimiter()
        : redisLimiter({
            url: config.redisUrl,
            now,
            onTrouble: (error) =>
              error === null
                ? log.info('rate limits are shared again')
                : log.warn({ error: messageOf(error) }, 'Redis does not answer: rate limits are counted in memory'),
          }),
    cursorSecret: config.cursorSecret ?? (await ownSecret(config.dataDir)),
    now,
    log,
    documents: {
      openapi: (all) => openapiDocument(all, about),
      llms: (all) => llmsText(all, about),
      llmsFull: (all) => llmsFullText(all, about),
    },
    scratchDir,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
  });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
