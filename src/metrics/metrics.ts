// The metrics of a service as text for Prometheus, and their listener: on another port than the interface, which does not know it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Snapshot } from '../queries/snapshot.ts';
import { type FigureOptions, figureMetrics } from './figures.ts';
import { type Traffic, trafficMetrics } from './traffic.ts';

export interface Metrics {
  readonly traffic: Traffic;
  /** Metrics of the snapshot are queried; concurrent scrapes share one query. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** Metrics of process, event loop and memory come from prom-client. */
export function openMetrics<R extends Snapshot>(options: FigureOptions<R>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const traffic = trafficMetrics(registry, options.lanes);
  const update = figureMetrics(registry, options);
  let asking: Promise<void> | null = null;
  return {
    traffic,
    contentType: registry.contentType,
    async text() {
      asking ??= update().finally(() => {
        asking = null;
      });
      await asking;
      return registry.metrics();
    },
  };
}

export interface ServedMetrics {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Answers GET /metrics, and nothing else. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  at: { readonly host: string; readonly port: number },
  onError: (error: unknown) => void,
): Promise<ServedMetrics> {
  const server = createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    const isAsked = (request.method === 'GET' || request.method === 'HEAD') && request.url?.split('?')[0] === '/metrics';
    if (!isAsked) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        onError(error);
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics could not be collected: see the log.\n');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
