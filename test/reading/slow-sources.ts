// Sources whose readers do not end, for the tests of the thread that reads payloads.
import type { Batch } from '../../src/model/record.ts';
import type { Source } from '../../src/sources/source.ts';

const source = (id: string, normalise: Source['normalise']): Source => ({
  id,
  version: 1,
  owns: () => true,
  address: () => null,
  mediaType: 'text/plain',
  normalise,
});
const batch = (reason: string): Batch => ({
  kind: 'refused',
  rows: [{ rule: 'schema_drift', seriesCode: null, entityId: null, period: null, fieldPath: null, observedValue: null, reason }],
});

export const loops = source('loops', function* () {
  yield batch('before the loop');
  for (;;);
});
/** One regular expression that needs longer than the universe is old. */
export const backtracks = source('backtracks', function* () {
  yield batch(String(/^(?:a+)+$/.test(`${'a'.repeat(200)}b`)));
});
export const counts = source('counts', function* ({ body }) {
  for (let index = 0; index < body.byteLength; index += 1) yield batch(String(index));
});
export const refuses = source('refuses', () => {
  throw new Error('refuses: expected a table');
});

export const sources: readonly Source[] = [loops, backtracks, counts, refuses];
