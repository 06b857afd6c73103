// What a row of an answer states beside what the archive gives: field by field, as far as the row has it.
import type { ObservationKey } from '../src/model/observation.ts';

/** A vintage as it was derived anew. */
export interface Rederived extends ObservationKey {
  readonly canonicalId: string;
  readonly seriesCode: string | null;
  readonly unit: string | null;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly value: number | null;
  readonly valueText: string | null;
  readonly observedAt: string;
  readonly releasedAt: string | null;
  readonly retrievedAt: string;
  readonly isRevised: boolean;
  readonly key: string | null;
  readonly sha256: string | null;
  readonly address: string | null;
  readonly connectorVersion: number | null;
}

type Stated = string | number | boolean | null;

/** Names of fields by the routes that have them, and what each must be. A day may be told as the instant at which it begins. */
const FIELDS: Readonly<Record<string, (found: Rederived) => Stated>> = {
  indicatorId: ({ indicatorId }) => indicatorId,
  entityId: ({ entityId }) => entityId,
  sourceId: ({ sourceId }) => sourceId,
  frequency: ({ frequency }) => frequency,
  unit: ({ unit }) => unit,
  period: ({ period }) => period,
  periodStart: ({ periodStart }) => periodStart,
  periodEnd: ({ periodEnd }) => periodEnd,
  actual: ({ value }) => value,
  value: ({ value }) => value,
  valueNumeric: ({ value }) => value,
  valueText: ({ valueText }) => valueText,
  vintage: ({ vintage }) => vintage,
  observedAt: ({ observedAt }) => observedAt,
  releasedAt: ({ releasedAt }) => releasedAt,
  releaseDate: ({ releasedAt, observedAt }) => (releasedAt ?? observedAt).slice(0, 10),
  retrievedAt: ({ retrievedAt }) => retrievedAt,
  revised: ({ isRevised }) => isRevised,
};
const DAYS: ReadonlySet<string> = new Set(['periodStart', 'periodEnd', 'releaseDate']);

export function disagreements(row: Readonly<Record<string, unknown>>, found: Rederived): readonly string[] {
  const differing = Object.entries(FIELDS).flatMap(([name, expectedOf]) => {
    const stated = row[name];
    const expected = expectedOf(found);
    if (stated === undefined || isSame(name, stated, expected)) return [];
    return [`${name} is ${JSON.stringify(stated)}, the archive gives ${JSON.stringify(expected)}`];
  });
  const sha256 = sha256Of(row);
  if (sha256 !== null && sha256 !== found.sha256)
    differing.push(`rawPayload.sha256 is ${sha256}, the archive gives ${found.sha256 ?? 'none of its own'}`);
  return differing;
}

function isSame(name: string, stated: unknown, expected: Stated): boolean {
  if (stated === expected) return true;
  if (typeof stated !== 'string' || typeof expected !== 'string') return false;
  if (DAYS.has(name)) return stated === `${expected}T00:00:00.000Z`;
  return false;
}

/** Of an answer of /provenance. */
function sha256Of({ rawPayload }: Readonly<Record<string, unknown>>): string | null {
  if (typeof rawPayload !== 'object' || rawPayload === null || !('sha256' in rawPayload)) return null;
  return String(rawPayload.sha256);
}
