// One request of a bench, and its answer as it came.
import { type Agent, get } from 'node:http';

export interface Reply {
  /** Null if the connection broke off. */
  readonly status: number | null;
  readonly text: string;
  /** Retry-After, if the server asked for a pause. */
  readonly waitSeconds: number | null;
}

export function answerTo(agent: Agent, port: number, path: string, key: string): Promise<Reply> {
  return new Promise((resolve) => {
    const broken = (error: Error) => resolve({ status: null, text: error.message, waitSeconds: null });
    get({ agent, host: '127.0.0.1', port, path, headers: { 'x-api-key': key } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', broken);
      response.on('end', () => {
        const after = response.headers['retry-after'];
        const waitSeconds = after === undefined ? null : Number(after);
        if (response.complete) resolve({ status: response.statusCode ?? null, text: Buffer.concat(parts).toString(), waitSeconds });
        else broken(new Error('the answer is cut off'));
      });
    }).on('error', broken);
  });
}
