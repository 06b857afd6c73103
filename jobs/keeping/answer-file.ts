// The observations of a saved answer: rows with an identifier, from any route.
import { readFile } from 'node:fs/promises';
import { ifThere } from '../../src/disk/if-there.ts';
import { KnownError } from '../../src/known-error.ts';

/** An observation as in an answer, or only its identifier. */
export interface Claim {
  readonly observationId: string;
  readonly row: Readonly<Record<string, unknown>>;
}

const ID = /^obs_[0-9a-v]{26}$/;

/** @param asked a file with an answer, or an observationId. Throws a KnownError for anything else. */
export async function readClaims(asked: string): Promise<readonly Claim[]> {
  if (ID.test(asked)) return [{ observationId: asked, row: {} }];
  const text = await ifThere(readFile(asked, 'utf8'));
  if (text === null)
    throw new KnownError(
      `${asked} is neither a file nor an observationId (obs_ and 26 characters). Save an answer as JSON and give its path.`,
    );
  return claimsOf(text, asked);
}

export function claimsOf(text: string, name: string): readonly Claim[] {
  const answer = parsed(text);
  if (answer === undefined) throw new KnownError(`${name} is not JSON. Save the whole answer, as curl -o answer.json does.`);
  const body = isObject(answer) && 'data' in answer ? answer['data'] : answer;
  const rows = Array.isArray(body) ? (body as unknown[]) : [body];
  if (rows.length === 0) throw new KnownError(`${name} has no rows to verify. Save an answer with rows.`);
  return rows.map((row, index) => {
    const id = isObject(row) ? (row['observationId'] ?? row['id']) : undefined;
    if (!isObject(row) || typeof id !== 'string' || !ID.test(id))
      throw new KnownError(
        `${name}: row ${index + 1} has no observationId. Save an answer of /observations or another route that returns it.`,
      );
    return { observationId: id, row };
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
