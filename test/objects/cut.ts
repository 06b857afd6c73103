// A connection to a store that is cut: from one request on, before it arrives or after it was carried out and before its answer.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type CutAt = 'before' | 'after';

export interface CutProxy {
  readonly port: number;
  /** Counts from 0 again; @param times requests that are cut, from the `from`-th on */
  readonly cut: (from: number, at: CutAt, times?: number) => void;
  /** Requests since. */
  readonly count: () => number;
  readonly stop: () => Promise<void>;
}

export async function cutProxy(target: number): Promise<CutProxy> {
  let [seen, from, times]: [number, number, number] = [0, Number.POSITIVE_INFINITY, 0];
  let at: CutAt = 'before';
  const server = http.createServer((request, response) => {
    const isCut = seen >= from && seen < from + times;
    seen += 1;
    if (isCut && at === 'before') return void request.socket.destroy();
    const { method, url, headers } = request;
    const asked = http.request({ host: '127.0.0.1', port: target, method, path: url, headers, agent: false }, (answer) => {
      if (!isCut) {
        response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
        return void answer.pipe(response);
      }
      answer.resume().once('end', () => request.socket.destroy());
    });
    asked.once('error', () => request.socket.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut(first, when, most = Number.POSITIVE_INFINITY) {
      [seen, from, at, times] = [0, first, when, most];
    },
    count: () => seen,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
