// The grants as the operator sees them: list, grant, revoke.
import { userInfo } from 'node:os';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { openWriter } from '../src/db/connect.ts';
import { realEffects } from '../src/effects.ts';
import { loadReference } from '../src/lake/reference.ts';
import { isInForce } from '../src/model/grant.ts';
import { grantFile, grantRights, type KeptGrant, readGrants, revokeRights } from '../src/rights/grant-file.ts';
import { thereIsNo } from './reporting/words.ts';
import { openWorkspace } from './workspace.ts';
import { KnownError } from '../src/known-error.ts';

interface Report {
  readonly text: string;
  readonly json: unknown;
}

export interface GrantOptions {
  readonly note: string;
  readonly until?: string;
  readonly redistribute?: boolean;
}

const AT_ONCE = 'A running server applies it within two seconds. You need not derive or publish.';

export async function grant(sourceId: string, options: GrantOptions): Promise<Report> {
  const { path, now, by } = settings();
  const sources = await sourceIds();
  if (!sources.includes(sourceId)) throw new KnownError(thereIsNo('source', sourceId, sources));
  const note = options.note.trim();
  if (note === '') throw new KnownError('--note must name your right to the values, in your words. It is shown as rights.note.');
  const until = options.until ?? null;
  if (until !== null && !z.iso.date().safeParse(until).success)
    throw new KnownError(`--until must be the last day of the grant as YYYY-MM-DD, not "${until}".`);
  if (until !== null && !isInForce({ until }, now())) throw new KnownError(`--until ${until} is in the past. Give a day from today on.`);
  const granted = await grantRights(path, { sourceId, note, until, redistribute: options.redistribute === true }, by, now());
  return { text: `${lineOf(granted, now())}\n\n${AT_ONCE}`, json: { ...shown(granted, now()), effective: 'at_once' } };
}

export function list(): Report {
  const { path, now } = settings();
  const grants = readGrants(path);
  const text = grants.map((one) => lineOf(one, now())).join('\n');
  return {
    text: text === '' ? 'No grants. Values that a licence does not allow are withheld.' : text,
    json: grants.map((one) => shown(one, now())),
  };
}

export async function revoke(sourceId: string): Promise<Report> {
  const { path, now, by } = settings();
  const revoked = await revokeRights(path, sourceId, by, now());
  if (revoked === null) throw new KnownError(`There is no grant for ${sourceId}. To list the grants: npm run rights -- list`);
  return { text: `${lineOf(revoked, now())}\n\n${AT_ONCE}`, json: { ...shown(revoked, now()), effective: 'at_once' } };
}

/** As in the reference data, including sources without data so far. */
async function sourceIds(): Promise<readonly string[]> {
  const config = readConfig();
  const engine = await openWriter(openWorkspace(config).limits('rights'));
  try {
    await loadReference(engine.connection, config.referenceDir);
    const found = await engine.connection.runAndReadAll('select source_id from reference.sources order by source_no');
    return found.getRows().map(([sourceId]) => String(sourceId));
  } finally {
    engine.close();
  }
}

function settings() {
  const config = readConfig();
  return { path: grantFile(config.dataDir), now: realEffects(config.logLevel, 2).now, by: user() };
}

/** A process may run under a user number without a name. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

type State = 'in force' | 'expired' | 'revoked';

function stateOf(one: KeptGrant, now: number): State {
  if (one.revokedAt !== null) return 'revoked';
  return isInForce(one, now) ? 'in force' : 'expired';
}

const shown = (one: KeptGrant, now: number) => ({ ...one, state: stateOf(one, now).replace(' ', '_') });

function lineOf(one: KeptGrant, now: number): string {
  const reach = one.redistribute ? 'full surface and /public/*' : 'full surface only';
  const end = one.until === null ? '' : `, until ${one.until}`;
  const state = one.revokedAt === null ? stateOf(one, now) : `revoked ${one.revokedAt.slice(0, 10)} by ${one.revokedBy}`;
  return `${one.sourceId}  ${state}: ${reach}${end}; granted ${one.grantedAt.slice(0, 10)} by ${one.grantedBy}: ${one.note}`;
}
