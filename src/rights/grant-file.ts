// The operator's grants: DATA_DIR/rights.json says which sources may be shown, who granted that and since when; revoked grants stay in it.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../disk/durable.ts';
import { codeOf, fileState, lockFile } from '../disk/own-file.ts';
import { Grant, type Grants, isInForce, NO_GRANTS } from '../model/grant.ts';
import { KnownError } from '../known-error.ts';

const KeptGrant = Grant.extend({
  revokedBy: z.string().nullable(),
  /** Also if another grant of the source replaced it. */
  revokedAt: z.iso.datetime().nullable(),
});
const GrantFile = z.strictObject({ version: z.literal(1), grants: z.array(KeptGrant).readonly() });
export type KeptGrant = Readonly<z.output<typeof KeptGrant>>;
export type GrantRequest = Pick<Grant, 'sourceId' | 'note' | 'until' | 'redistribute'>;

export const grantFile = (dataDir: string): string => join(dataDir, 'rights.json');

/** Every grant ever made, in order; none if there is no file. */
export function readGrants(path: string): readonly KeptGrant[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    return GrantFile.parse(JSON.parse(text)).grants;
  } catch (error) {
    throw new KnownError(
      `${path} is damaged, or another version wrote it. Nothing is granted until you restore it, or remove it and grant again: npm run rights -- grant.`,
      { cause: error },
    );
  }
}

/** Grants a source and replaces its present grant. */
export async function grantRights(path: string, request: GrantRequest, by: string, now: number): Promise<KeptGrant> {
  const at = new Date(now).toISOString();
  const granted: KeptGrant = { ...request, grantedBy: by, grantedAt: at, revokedBy: null, revokedAt: null };
  await changeGrants(path, (grants) => [...closed(grants, request.sourceId, by, at), granted]);
  return granted;
}

/** Revokes the grant of a source; null if it has none. */
export async function revokeRights(path: string, sourceId: string, by: string, now: number): Promise<KeptGrant | null> {
  const at = new Date(now).toISOString();
  const standing = readGrants(path).some((grant) => grant.sourceId === sourceId && grant.revokedAt === null);
  if (!standing) return null;
  const grants = await changeGrants(path, (all) => closed(all, sourceId, by, at));
  return grants.findLast((grant) => grant.sourceId === sourceId) ?? null;
}

function closed(grants: readonly KeptGrant[], sourceId: string, by: string, at: string): readonly KeptGrant[] {
  return grants.map((grant) =>
    grant.sourceId === sourceId && grant.revokedAt === null ? { ...grant, revokedBy: by, revokedAt: at } : grant,
  );
}

export interface FollowedGrants {
  /** Reads the file again if it has changed. An unreadable file grants nothing. */
  readonly follow: () => void;
  /** The grants in force at a moment. */
  readonly at: (now: number) => Grants;
}

export function followGrants(path: string, onError: (error: unknown) => void): FollowedGrants {
  let state = '';
  let kept: readonly KeptGrant[] = [];
  return {
    follow() {
      const found = fileState(path);
      if (found === state) return;
      state = found;
      try {
        kept = readGrants(path);
      } catch (error) {
        kept = [];
        onError(error);
      }
    },
    at(now) {
      const inForce = kept.filter((grant) => grant.revokedAt === null && isInForce(grant, now));
      return inForce.length === 0 ? NO_GRANTS : new Map(inForce.map((grant) => [grant.sourceId, grant]));
    },
  };
}

async function changeGrants(path: string, change: (grants: readonly KeptGrant[]) => readonly KeptGrant[]): Promise<readonly KeptGrant[]> {
  await mkdir(dirname(path), { recursive: true });
  const unlock = await lockFile(`${path}.lock`, 'grants');
  try {
    const grants = change(readGrants(path));
    await writeDurably(path, `${JSON.stringify({ version: 1, grants }, null, 2)}\n`, 0o600);
    return grants;
  } finally {
    await unlock();
  }
}
