// One payload, written in a test, read by its source.
import type { Batch, ObservationRecord } from '../../src/model/record.ts';
import { sourceOf } from './second-reader.ts';

type RowsOf<K extends Batch['kind']> = Extract<Batch, { readonly kind: K }>['rows'][number];

export interface Told {
  readonly observations: readonly ObservationRecord[];
  readonly of: <K extends Batch['kind']>(kind: K) => readonly RowsOf<K>[];
  readonly batches: readonly Batch[];
}

/** A day on which nothing here was still to come. */
export const LATER = '2040-01-01T12:00:00.000Z';

export async function tell(id: string, key: string, body: string | object, retrievedAt = LATER): Promise<Told> {
  const source = sourceOf(id);
  if (!source.owns(key)) throw new Error(`${key} is not a file of ${id}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const batches: Batch[] = [];
  for await (const batch of source.normalise({ key, retrievedAt, body: new TextEncoder().encode(text) })) batches.push(batch);
  const of = <K extends Batch['kind']>(kind: K) =>
    batches.flatMap((batch) => (batch.kind === kind ? (batch.rows as readonly RowsOf<K>[]) : []));
  return { observations: of('observations'), of, batches };
}

/** The message with which a payload is refused; null for one that is read. */
export async function refusalOf(id: string, key: string, body: string | object, retrievedAt = LATER): Promise<string | null> {
  try {
    await tell(id, key, body, retrievedAt);
    return null;
  } catch (error) {
    return error instanceof Error && error.name === 'UpstreamError' ? error.message : `threw ${String(error)}`;
  }
}

/** The expected part of the message where the refusal has it, else the refusal as it is. */
export async function refusalAs(expected: string | null, id: string, key: string, body: string | object): Promise<string | null> {
  const refusal = await refusalOf(id, key, body);
  return expected !== null && refusal?.includes(expected) ? expected : refusal;
}
