// The thread that reads payloads: one task after the other, a few batches ahead of the consumer.
import { parentPort, workerData } from 'node:worker_threads';
import type { Batch } from '../../src/model/record.ts';
import type { Payload, Source } from '../../src/sources/source.ts';

export interface Task {
  readonly kind: 'knownAt' | 'check' | 'batches';
  readonly sourceId: string;
  readonly payload: Payload;
}

export type Answer =
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'done'; readonly knownAt: string | null }
  | { readonly kind: 'failed'; readonly message: string };

/** Batches that wait to be taken. */
const MOST_AHEAD = 4;

const port = parentPort;
if (port === null) throw new Error('This module is the entry of a thread.');
const { registry } = workerData as { readonly registry: string };
const { sources } = (await import(registry)) as { readonly sources: readonly Source[] };

let ahead = 0;
let taken = (): void => undefined;
const say = (answer: Answer): void => port.postMessage(answer);

async function perform({ kind, sourceId, payload }: Task): Promise<string | null> {
  const source = sources.find(({ id }) => id === sourceId);
  if (source === undefined) throw new Error(`There is no source ${sourceId} to read ${payload.key}.`);
  if (kind === 'check') source.bulk?.check(payload);
  if (kind !== 'batches') return kind === 'check' ? null : ((await source.knownAt?.(payload)) ?? null);
  ahead = 0;
  for await (const batch of source.normalise(payload)) {
    say({ kind: 'batch', batch });
    ahead += 1;
    if (ahead > MOST_AHEAD) await new Promise<void>((resolve) => (taken = resolve));
  }
  return null;
}

port.on('message', (message: Task | 'next') => {
  if (message === 'next') {
    ahead -= 1;
    taken();
    return;
  }
  perform(message).then(
    (knownAt) => say({ kind: 'done', knownAt }),
    (error: unknown) => say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
