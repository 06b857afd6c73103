// JSON → values of a schema. The schema names the used parts; publishers may add others.
import { z } from 'zod';
import { UpstreamError } from '../upstream-error.ts';
import { parseNumber } from './csv.ts';
import { decodeText, excerpt, refuseMarkup } from './text.ts';

/** A number, or a number as text. */
export const StatedNumber = z.union([
  z.number(),
  z
    .string()
    .refine((text) => parseNumber(text) !== null, 'expected a number')
    .transform(Number),
]);

export function readJson<T>(sourceId: string, body: Uint8Array, schema: z.ZodType<T>): T {
  return checkJson(sourceId, parseJson(sourceId, body), schema);
}

export function parseJson(sourceId: string, body: Uint8Array): unknown {
  const text = decodeText(sourceId, body);
  refuseMarkup(sourceId, text, 'JSON');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const end = text.trimEnd().slice(-40);
    const fault = /[}\]]$/.test(end) ? 'the payload is not JSON' : 'the payload is not JSON, or it is truncated';
    throw new UpstreamError(sourceId, `${fault}; it ends in ${excerpt(end)}`, { cause });
  }
}

export function checkJson<T>(sourceId: string, value: unknown, schema: z.ZodType<T>): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const faults = checked.error.issues.slice(0, 3).map((issue) => `${issue.message} at ${issue.path.join('.') || 'the top'}`);
  throw new UpstreamError(sourceId, `the JSON has another layout than expected: ${faults.join('; ')}`, { cause: checked.error });
}
