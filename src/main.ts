// Starts the service: configuration → listen → service. Nothing is touched before it listens.
import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inOwnWords } from './called.ts';
import { environmentOfBuilds, readConfig, type Config } from './config.ts';
import { type Effects, outliveErrors, realEffects } from './effects.ts';
import type { SnapshotStore } from './http/route.ts';
import { serve } from './http/server.ts';
import { serveMetrics } from './metrics/metrics.ts';
import { firstSeries, greeting, newKey, takeNewKey } from './greeting.ts';
import { listenError } from './port.ts';
import { messageOf, mostConnections, openService, type Service } from './service.ts';
import type { Follower } from './snapshot/remote/follower.ts';
import { nightlyChild, openTicks, schedule } from './schedule.ts';
import { reportOf } from './disk/disk-error.ts';

const FOLLOW_MS = 1000;
const STOP_MS = 20_000;
const BETWEEN_SCRUBS_MS = 60_000;
const BETWEEN_LOOKS_MS = 2000;
const LEAVE_MS = 1000;

async function start(config: Config, effects: Effects): Promise<void> {
  const { log, now } = effects;
  outliveErrors(effects);
  let app: RequestListener | null = null;
  const connections = await mostConnections();
  const early: Parameters<RequestListener>[] = [];
  const served = await serve(
    (...exchange) => (app === null ? void early.push(exchange) : app(...exchange)),
    config,
    now,
    connections,
  ).catch((error: unknown) => {
    throw listenError(error, config);
  });
  const service = await openService(config, effects).catch(async (error: unknown) => {
    await served.stop(0);
    throw error;
  });
  app = service.app;
  for (const exchange of early) app(...exchange);
  const { store } = service;
  await store.follow();
  const readiness = store.readiness();
  const { isReady, reason, warnings } = readiness;
  log.info({ host: config.host, port: served.port, isReady, reason, warnings }, 'listening');
  const listening = await listenForMetrics(config, service, log).catch(async (error: unknown) => {
    await served.stop(0);
    await service.close();
    throw error;
  });
  await greet(config, served.port, store, readiness);
  const follower = setInterval(() => void store.follow(), FOLLOW_MS);
  void keepScrubbing(service, log);
  if (service.follower !== null) void keepFollowing(service.follower);
  const endSchedule =
    config.schedule === null
      ? null
      : schedule(config.schedule.cron, openTicks(nightlyChild(config.schedule.minutes, environmentOfBuilds()), effects));
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    clearInterval(follower);
    await listening?.stop();
    await endSchedule?.();
    await served.stop(STOP_MS);
    await service.close();
  };
  const end = async (signal: string) => {
    const code = await stop(signal).then(
      () => 0,
      (error: unknown) => {
        log.error({ error: messageOf(error) }, 'temporary files could not be removed');
        return 1;
      },
    );
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(signal));
}

async function listenForMetrics({ metrics: at }: Config, { metrics }: Service, log: Effects['log']) {
  if (at === null || metrics === null) return null;
  const onError = (error: unknown) => log.error({ error: messageOf(error) }, 'metrics could not be collected');
  const listening = await serveMetrics(metrics, at, onError).catch((error: unknown) => {
    throw listenError(error, at, ['METRICS_HOST', 'METRICS_PORT']);
  });
  log.info({ host: at.host, port: listening.port }, 'metrics listening');
  return listening;
}

/** Prints for people: everything on a terminal, otherwise only what would be lost. */
async function greet(
  { host, hasPages, dataDir }: Config,
  port: number,
  store: Service['store'],
  readiness: ReturnType<SnapshotStore<never>['readiness']>,
): Promise<void> {
  const address = `http://${host}:${port}`;
  const key = takeNewKey(dataDir);
  const isTerminal = process.stdout.isTTY;
  if (key === null && !isTerminal) return;
  const pinned = await store.acquire();
  const series = pinned === null ? null : firstSeries(pinned.snapshot.catalogue.series);
  pinned?.release();
  const { serves, reason } = readiness;
  const text =
    isTerminal || key === null ? greeting({ address, serves, reason, hasPages, series, key }) : newKey({ address, hasPages, series, key });
  process.stdout.write(inOwnWords(text));
}

/** Re-reads the served files continuously; ends with the process. */
async function keepScrubbing({ scrubber }: Service, log: Effects['log']): Promise<never> {
  for (;;) {
    await scrubber
      .round()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the files of the snapshot could not be read again'));
    await delay(BETWEEN_SCRUBS_MS, undefined, { ref: false });
  }
}

/** Looks for snapshots published elsewhere continuously; ends with the process. */
async function keepFollowing(follower: Follower): Promise<never> {
  for (;;) {
    await follower.follow();
    await delay(BETWEEN_LOOKS_MS, undefined, { ref: false });
  }
}

try {
  const config = readConfig();
  await start(config, realEffects(config.logLevel, 1));
} catch (error) {
  process.stderr.write(`${inOwnWords(reportOf(error))}\n`);
  process.exitCode = 1;
  // Resources opened before the failure must not keep a failed process alive.
  setTimeout(() => process.exit(1), LEAVE_MS).unref();
}
