// Rights that an operator grants for a source whose licence does not give them, and their effect on its series.
import { z } from 'zod';
import type { Series } from './catalogue.ts';
import type { Rights } from './observation.ts';

export const Grant = z.strictObject({
  sourceId: z.string(),
  /** The operator's reason. */
  note: z.string().min(1),
  /** Last day of the grant (UTC); null for one without an end. */
  until: z.iso.date().nullable(),
  /** True if values may be redistributed, also on /public/*, and not only shown on the full surface. */
  redistribute: z.boolean(),
  grantedBy: z.string(),
  grantedAt: z.iso.datetime(),
});
export type Grant = Readonly<z.output<typeof Grant>>;

/** By source. */
export type Grants = ReadonlyMap<string, Grant>;

export const NO_GRANTS: Grants = new Map();

/** A grant holds to the end of its last day. */
export function isInForce({ until }: Pick<Grant, 'until'>, now: number): boolean {
  return until === null || new Date(now).toISOString().slice(0, 10) <= until;
}

/** The rights of a source's data under the grants. */
export function rightsUnder(rights: Rights, sourceId: string, grants: Grants): Rights {
  const grant = rights.redistributable ? undefined : grants.get(sourceId);
  return grant === undefined ? rights : { ...rights, redistributable: grant.redistribute, note: grant.note };
}

/** The series under the grants: one is opened if each source that limits it is granted. */
export function underGrants(series: Series, grants: Grants): Series {
  if (series.licensedSourceIds.length === 0) return series;
  const granted = series.licensedSourceIds.flatMap((sourceId) => grants.get(sourceId) ?? []);
  if (granted.length === 0 || granted.length < series.licensedSourceIds.length) return series;
  const redistributable = granted.every((grant) => grant.redistribute);
  const note = granted.map((grant) => grant.note).join('; ');
  return { ...series, isWithheld: false, rights: { ...series.rights, redistributable, note } };
}
