// Records → batches small enough that memory does not grow with the payload.
import type { Batch, ObservationRecord } from './source.ts';

const CHUNK = 2000;

export function* observationBatches(rows: Iterable<ObservationRecord>): Generator<Batch> {
  let chunk: ObservationRecord[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length === CHUNK) {
      yield { kind: 'observations', rows: chunk };
      chunk = [];
    }
  }
  if (chunk.length > 0) yield { kind: 'observations', rows: chunk };
}
