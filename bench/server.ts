// A server in a process of its own, started by groups/http.ts: the service on a generated lake, or Express sending a ready text, plain or
// with the service's own exchange, limiter and log, or PostgreSQL's answers. It prints its port, and its peak memory when it is stopped.
import { createServer, type RequestListener } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import type { Effects } from '../src/effects.ts';
import { count, JSON_TYPE, logWhenDone, openExchange, type Reply, send } from '../src/http/admission/exchange.ts';
import { memoryLimiter, scaledLimits } from '../src/http/admission/rate-limit.ts';
import { openService } from '../src/service.ts';
import { postgresRoutes, type Routes } from './peers/served.ts';

export type Order =
  | { readonly kind: 'asof'; readonly dataDir: string }
  | { readonly kind: 'bare' | 'dressed'; readonly body: string }
  | { readonly kind: 'postgres'; readonly socket: string; readonly connections: number };

const SCALE = 1_000_000;
const effects: Effects = {
  now: () => Date.now(),
  log: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: '/dev/null', sync: true })),
};

async function appOf(order: Order): Promise<RequestListener> {
  switch (order.kind) {
    case 'asof': {
      const { app, store } = await openService(
        readConfig({ DATA_DIR: order.dataDir, RATE_LIMIT_SCALE: String(SCALE), LOOKUP_SECONDS: '60', SCREEN_SECONDS: '120' }),
        effects,
      );
      await store.follow();
      return app;
    }
    case 'bare': {
      const app = express();
      app.get('/page', (_request, response) => void response.type('json').send(order.body));
      return app;
    }
    case 'dressed':
      return dressed({ '/page': () => Promise.resolve(order.body) });
    case 'postgres':
      return dressed(await postgresRoutes(order.socket, order.connections));
  }
}

function dressed(routes: Routes): RequestListener {
  const counting = { limiter: memoryLimiter(scaledLimits(SCALE)), log: effects.log, now: effects.now };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request: express.Request, response: Reply, next) => {
    openExchange(request, response, effects.now(), 'bench');
    logWhenDone(request, response, effects.log, effects.now);
    next();
  });
  for (const [path, answer] of Object.entries(routes)) {
    app.get(path, (request: express.Request, response: Reply, next) => {
      count('take', 'data:read', 'key_bench', response, counting)
        .then(() => answer(new URLSearchParams(request.url.split('?')[1])))
        .then((body) => send(response, 200, JSON_TYPE, body))
        .catch(next);
    });
  }
  return app;
}

process.on('message', (message: Order | 'stop' | 'cpu') => {
  if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000 });
    return;
  }
  if (message === 'stop') {
    process.send?.({ peakMb: Math.round(process.resourceUsage().maxRSS / 1024) });
    setTimeout(() => process.exit(0), 50);
    return;
  }
  void appOf(message).then((app) => {
    const server = createServer(app);
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { readonly port: number }).port }));
  });
});
