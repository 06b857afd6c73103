// Records → batches small enough that memory does not grow with the payload.
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { UpstreamError } from '../upstream-error.ts';

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

/** Refuses a payload that states one series twice for one period. */
export function* withoutRepeats(sourceId: string, rows: Iterable<ObservationRecord>): Generator<ObservationRecord> {
  const seen = new Set<string>();
  for (const row of rows) {
    const slot = `${row.seriesCode}|${row.period}`;
    if (seen.has(slot)) throw new UpstreamError(sourceId, `${row.seriesCode} stands twice for ${row.period}`);
    seen.add(slot);
    yield row;
  }
}
