// Reads the parameters of a request by the description of its route. Unknown parameters are refused.
import { z } from 'zod';
import { nearestName } from '../model/nearest.ts';
import { ApiError, type ErrorDetails } from './errors.ts';
import type { Parameter, Parameters } from './route.ts';
import { type Pair, shown } from './admission/address.ts';

type Kind = 'integer' | 'number' | 'other';

interface CompiledParameter {
  readonly name: string;
  readonly parameter: Parameter;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** The value if the parameter is not sent. */
  readonly absent: unknown;
}

export interface CompiledParameters {
  /** By every name of the parameter. */
  readonly byName: ReadonlyMap<string, CompiledParameter>;
  readonly all: readonly CompiledParameter[];
}

/** Values by parameter name, and the sent texts, also by parameter name. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly texts: ReadonlyMap<string, string>;
}

export function compileParameters(parameters: Parameters): CompiledParameters {
  const all = Object.entries(parameters).map(([name, one]): CompiledParameter => {
    const absent = one.schema.safeParse(undefined);
    return { name, parameter: one, kind: kindOf(one.schema), isRequired: !absent.success, absent: absent.data };
  });
  const byName = new Map<string, CompiledParameter>();
  for (const one of all) {
    for (const name of [one.name, ...one.parameter.aliases]) {
      if (byName.has(name)) throw new Error(`two parameters are called ${name}`);
      byName.set(name, one);
    }
  }
  return { byName, all };
}

function kindOf(schema: z.ZodType): Kind {
  const { type } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return type === 'integer' || type === 'number' ? type : 'other';
}

export function readParameters(compiled: CompiledParameters, pairs: readonly Pair[]): ReadParameters {
  const sent = new Map<CompiledParameter, Pair>();
  for (const pair of pairs) {
    const one = compiled.byName.get(pair.name);
    if (one === undefined) throw unknownParameter(pair.name, [...compiled.byName.keys()]);
    const earlier = sent.get(one);
    if (earlier === undefined) sent.set(one, pair);
    else refuseSecond(earlier, pair);
    if (pair.value === '') throw badParameter(pair.name, `The parameter \`${pair.name}\` is empty. Give it a value, or leave it out.`);
  }
  const values: Record<string, unknown> = {};
  const texts = new Map<string, string>();
  for (const one of compiled.all) {
    const pair = sent.get(one);
    if (pair !== undefined) {
      values[one.name] = readValue(one, pair);
      texts.set(one.name, pair.value);
    } else if (one.isRequired) {
      throw badParameter(one.name, `The parameter \`${one.name}\` is missing.`);
    } else {
      values[one.name] = one.absent;
    }
  }
  return { values, texts };
}

function unknownParameter(name: string, known: readonly string[]): ApiError {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean \`${nearest}\`?`;
  return new ApiError('bad_request', `Unknown parameter ${shown(name)}.${hint}`, {
    parameter: shown(name).slice(1, -1),
    ...(nearest === null ? {} : { nearest }),
  });
}

function refuseSecond(earlier: Pair, later: Pair): void {
  if (earlier.name === later.name) throw badParameter(later.name, `The parameter \`${later.name}\` was sent more than once. Send it once.`);
  if (earlier.value === later.value) return;
  throw new ApiError('bad_request', `\`${earlier.name}\` and \`${later.name}\` are the same parameter. Send only one of them.`, {
    parameter: later.name,
    parameters: [earlier.name, later.name],
  });
}

const LEXICAL = {
  integer: { pattern: /^-?\d{1,15}$/, complaint: 'must be a whole number' },
  number: { pattern: /^-?\d{1,15}(?:\.\d{1,15})?$/, complaint: 'must be a number' },
} as const;

function readValue(one: CompiledParameter, { name, value }: Pair): unknown {
  if (one.kind !== 'other' && !LEXICAL[one.kind].pattern.test(value)) {
    throw badParameter(name, `The parameter \`${name}\` ${LEXICAL[one.kind].complaint}.`);
  }
  const parsed = one.parameter.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const nearest = issue?.code === 'invalid_value' ? nearestName(value, issue.values.map(String)) : null;
  const hint = nearest === null ? '' : ` Did you mean \`${nearest}\`?`;
  throw badParameter(
    name,
    `The parameter \`${name}\` ${issue === undefined ? 'is not valid' : complaintOf(issue)}.${hint}`,
    issue?.code === 'invalid_value' ? { allowed: issue.values, ...(nearest === null ? {} : { nearest }) } : {},
  );
}

function complaintOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') return issue.origin === 'string' ? `is longer than ${issue.maximum} characters` : tooBig(issue);
  if (issue.code === 'too_small') return issue.origin === 'string' ? `is shorter than ${issue.minimum} characters` : tooSmall(issue);
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  return issue.message.replace(/\.$/, '').replace(/^Invalid/, 'is not valid:');
}

function tooBig(issue: z.core.$ZodIssueTooBig): string {
  return issue.origin === 'array' ? issue.message : `must be at most ${issue.maximum}`;
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): string {
  return issue.origin === 'array' ? issue.message : `must be at least ${issue.minimum}`;
}

/** A bad_request that names its parameter in the message and in details.parameter. */
export function badParameter(parameter: string, message: string, details: ErrorDetails = {}): ApiError {
  return new ApiError('bad_request', message, { parameter, ...details });
}

/** The same text for every way to send the same parameters. Tags, caches and cursors identify requests by it. */
export function canonicalQuery(texts: ReadonlyMap<string, string>, except: ReadonlySet<string> = new Set()): string {
  return JSON.stringify([...texts].filter(([name]) => !except.has(name)).sort(([left], [right]) => (left < right ? -1 : 1)));
}
