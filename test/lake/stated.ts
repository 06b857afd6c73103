// A source whose payloads say in JSON exactly what a test wants stated; it stands in the place of `fred`, whose series the reference data know.
import { endOfDay, periodOf } from '../../src/model/period.ts';
import type { ObservationRecord } from '../../src/model/record.ts';
import type { Payload, Source } from '../../src/sources/source.ts';
import { UpstreamError } from '../../src/sources/upstream-error.ts';
import type { Files } from '../pipeline.ts';

/** [month, day or instant of knowledge, or null for the retrieval, value, series code] */
export type Stated = readonly [period: string, known: string | null, value: number | null, code?: string];

interface Body {
  readonly knownAt: string | null;
  readonly rows: readonly Stated[];
  readonly fault?: string;
}

function bodyOf(payload: Payload): Body {
  return JSON.parse(new TextDecoder().decode(payload.body)) as Body;
}

function toRecord([month, known, value, code = 'PAYEMS']: Stated, retrievedAt: string): ObservationRecord {
  const observedAt = known === null ? retrievedAt : known.length === 10 ? endOfDay(known) : known;
  return { seriesCode: code, ...periodOf('monthly', `${month}-01`), value, observedAt };
}

export const stated: Source = {
  id: 'fred',
  version: 1,
  owns: (path) => path.startsWith('stated/'),
  address: () => null,
  mediaType: 'application/json',
  knownAt: (payload) => bodyOf(payload).knownAt,
  *normalise(payload) {
    const { rows, fault } = bodyOf(payload);
    // The fault comes last: what was read before it must not stay.
    yield { kind: 'observations', rows: rows.map((row) => toRecord(row, payload.retrievedAt)) };
    if (fault !== undefined) throw new UpstreamError('fred', fault);
  },
};

export function statedFile(
  name: string,
  rows: readonly Stated[],
  more: { readonly knownAt?: string; readonly fault?: string } = {},
): Files {
  return { [`stated/${name}.json`]: JSON.stringify({ knownAt: null, rows, ...more }) };
}
