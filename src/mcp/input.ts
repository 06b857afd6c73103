// The input of a tool, cleaned up: null and empty values count as absent, and older names become the present ones.
import { z } from 'zod';

/** Former names of parameters, and aliases that the routes accept. */
const ALIASES: Readonly<Record<string, string>> = {
  asOf: 'as_of',
  indicator: 'indicator_id',
  indicatorId: 'indicator_id',
  entity_id: 'entity',
  source: 'source_id',
  sourceId: 'source_id',
  start: 'start_date',
  period_from: 'start_date',
  end: 'end_date',
  period_to: 'end_date',
  print: 'vintage',
  query: 'q',
  observation: 'observation_id',
  observationId: 'observation_id',
};

const isAbsent = (value: unknown) => value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** The input for the tool, or the reason why it is invalid. */
export function readInput<Input extends z.ZodObject>(
  input: Input,
  given: unknown,
): { readonly data: z.infer<Input>; readonly problem: null } | { readonly data: null; readonly problem: string } {
  const names = Object.keys(input.shape);
  const named = isAbsent(given) ? {} : z.record(z.string(), z.unknown()).safeParse(given).data;
  if (named === undefined) return refused('The input must be an object.', names);
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(named)) {
    if (isAbsent(value)) continue;
    const own = names.includes(name) ? name : (ALIASES[name] ?? name);
    if (own in sent && sent[own] !== value) return refused(`${own} has two different values. Send one.`, names);
    sent[own] = value;
  }
  const unknown = Object.keys(sent).filter((name) => !names.includes(name));
  if (unknown.length > 0) return refused(`Unknown parameter ${unknown.map((name) => name.slice(0, 80)).join(', ')}.`, names);
  const parsed = input.safeParse(sent);
  return parsed.success ? { data: parsed.data, problem: null } : refused(z.prettifyError(parsed.error), names);
}

const refused = (problem: string, names: readonly string[]) => ({
  data: null,
  problem: `${problem}\nAllowed parameters: ${names.join(', ')}.`,
});

const MOMENT = /^\d{4}-\d\d-\d\d(?:T.*)?$/;

/** The requested cutoff; null without one. */
export function momentIn(given: unknown): string | null {
  const { as_of, asOf } = z.looseObject({ as_of: z.unknown(), asOf: z.unknown() }).partial().safeParse(given).data ?? {};
  const moment = isAbsent(as_of) ? asOf : as_of;
  if (isAbsent(moment)) return null;
  return typeof moment === 'string' && MOMENT.test(moment) ? moment : 'none (the value given is not a day or instant)';
}

/** `"arguments": null`, which the protocol does not allow, counts as no arguments. */
export function withoutNullArguments(message: unknown): void {
  const call = z.looseObject({ params: z.looseObject({ arguments: z.null() }) }).safeParse(message);
  if (call.success) delete (message as { params: { arguments?: unknown } }).params.arguments;
}
