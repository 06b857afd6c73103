// The key file as its owner sees it: issue, list, revoke.
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { realEffects } from '../src/effects.ts';
import { type IssuedKey, issueKey, KeyScope, KeyTier, keyFile, readKeys, revokeKey } from '../src/keys/key-store.ts';
import { thereIsNo } from './reporting/words.ts';
import { KnownError } from '../src/known-error.ts';

interface Report {
  readonly text: string;
  readonly json: unknown;
}

export async function issue(options: {
  readonly scopes: string;
  readonly tier: string;
  readonly label: string;
  readonly legacy?: boolean;
}): Promise<Report> {
  const sent = options.scopes.split(',').map((scope) => scope.trim());
  const unknown = sent.find((scope) => !KeyScope.options.some((one) => one === scope));
  if (unknown !== undefined && unknown !== '') throw new KnownError(thereIsNo('scope', unknown, KeyScope.options));
  const scopes = z.array(KeyScope).min(1).safeParse(sent);
  if (!scopes.success) throw new KnownError(`The scopes are ${KeyScope.options.join(', ')}, separated by commas; not "${options.scopes}".`);
  const { path, now } = settings();
  const request = { scopes: scopes.data, tier: KeyTier.parse(options.tier), label: options.label };
  const { key, issued } = await issueKey(path, request, now(), options.legacy === true);
  return {
    text: `${key}\n\nThis is ${issued.keyId} (${lineOf(issued)}). The key is shown only once; only its hash is stored.`,
    json: { key, ...shown(issued) },
  };
}

export function list(): Report {
  const keys = readKeys(settings().path);
  const text = keys.map((key) => `${key.keyId}  ${lineOf(key)}, ${stateOf(key)}`).join('\n');
  return { text: text === '' ? 'No key has been issued.' : text, json: keys.map(shown) };
}

export async function revoke(keyId: string): Promise<Report | null> {
  const { path, now } = settings();
  const key = await revokeKey(path, keyId, now());
  return key === null ? null : { text: `${key.keyId} (${key.label}) is revoked.`, json: shown(key) };
}

function settings() {
  const config = readConfig();
  return { path: keyFile(config.dataDir), now: realEffects(config.logLevel, 2).now };
}

function shown(key: IssuedKey) {
  const { keyId, label, tier, scopes, createdAt, revokedAt } = key;
  return { keyId, label, tier, scopes, createdAt, revokedAt };
}

const lineOf = (key: IssuedKey): string => `${key.scopes.join(' ')}, ${key.tier} tier, ${key.label}`;
const stateOf = (key: IssuedKey): string =>
  key.revokedAt === null ? `issued ${key.createdAt.slice(0, 10)}` : `revoked ${key.revokedAt.slice(0, 10)}`;
