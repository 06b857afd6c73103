// What a model sends as the input of a tool, brought to the names of its parameters: null and empty stand for nothing, older names for the present ones.
import { z } from 'zod';

/** Names that parameters had here before, and those that the routes take beside their own. */
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

/** The input as the tool takes it, or why it cannot be used. */
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

/** The cutoff that was asked for; null if none was. */
export function momentIn(given: unknown): string | null {
  const { as_of, asOf } = z.looseObject({ as_of: z.unknown(), asOf: z.unknown() }).partial().safeParse(given).data ?? {};
  const moment = isAbsent(as_of) ? asOf : as_of;
  if (isAbsent(moment)) return null;
  return typeof moment === 'string' && MOMENT.test(moment) ? moment : 'none (the value given is not a day or instant)';
}

/** `"arguments": null` of a call, which the protocol does not know, as no arguments. */
export function withoutNullArguments(message: unknown): void {
  const call = z.looseObject({ params: z.looseObject({ arguments: z.null() }) }).safeParse(message);
  if (call.success) delete (message as { params: { arguments?: unknown } }).params.arguments;
}
