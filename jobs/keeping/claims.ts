// Compares the fields of an answer's row with values derived from the archive, as far as the row has them.
import { z } from 'zod';

const nullableText = z.string().nullable();

/** A vintage as derived again. */
export const Rederived = z.object({
  sourceId: z.string(),
  indicatorId: z.string(),
  entityId: z.string(),
  canonicalId: z.string(),
  seriesCode: nullableText,
  frequency: z.string(),
  unit: nullableText,
  period: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  value: z.number().nullable(),
  valueText: nullableText,
  vintage: z.string(),
  observedAt: z.string(),
  releasedAt: nullableText,
  retrievedAt: z.string(),
  isRevised: z.boolean(),
  key: nullableText,
  sha256: nullableText,
  address: nullableText,
  connectorVersion: z.int().nullable(),
});
export type Rederived = z.infer<typeof Rederived>;

type Stated = string | number | boolean | null;

/** Field names by route, and the required value of each. A day may be given as the instant at its start. */
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
    if (stated === undefined || isSame(name, stated, expected, found)) return [];
    return [`${name} is ${JSON.stringify(stated)}, the archive gives ${JSON.stringify(expected)}`];
  });
  const sha256 = sha256Of(row);
  if (sha256 !== null && sha256 !== found.sha256)
    differing.push(`rawPayload.sha256 is ${sha256}, the archive gives ${found.sha256 ?? 'none of its own'}`);
  return differing;
}

function isSame(name: string, stated: unknown, expected: Stated, { canonicalId }: Rederived): boolean {
  if (stated === expected) return true;
  if (typeof stated !== 'string' || typeof expected !== 'string') return false;
  // The derived routes use an indicator's slug, for any entity.
  if (name === 'indicatorId') return stated === `indicator_${canonicalId}`;
  return DAYS.has(name) && stated === `${expected}T00:00:00.000Z`;
}

/** For rows of /provenance. */
function sha256Of({ rawPayload }: Readonly<Record<string, unknown>>): string | null {
  if (typeof rawPayload !== 'object' || rawPayload === null || !('sha256' in rawPayload)) return null;
  return String(rawPayload.sha256);
}
