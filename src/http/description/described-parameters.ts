// The parameters of a route as the description and the texts state them.
import { z } from 'zod';
import { inputSchemas, type JsonSchema } from './json-schema.ts';
import { type AnyRoute, type Parameters, standardParameters } from '../route.ts';

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  /** The parameter that this is another name of. */
  readonly aliasOf: string | null;
  readonly aliases: readonly string[];
  readonly isRequired: boolean;
  readonly description: string;
  /** Type, values, default and bounds. */
  readonly schema: JsonSchema;
  readonly example: string | number | boolean | null;
}

function parametersOf(route: AnyRoute<never>): Parameters {
  if (route.kind === 'open') return {};
  return { ...route.query, ...standardParameters(route) };
}

/** Path parameters first, then the query's, each followed by its aliases. */
export function describeParameters(route: AnyRoute<never>): readonly DescribedParameter[] {
  if (route.kind === 'open') return [];
  const sent = sentInExample(route);
  const inPath = describe('path', route.pathParameters, {}, sent);
  const parameters = parametersOf(route);
  const schemas = Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema]));
  const aliases = Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, one.aliases]));
  return [
    ...inPath,
    ...describe('query', schemas, aliases, sent).flatMap((one) => [one, ...one.aliases.map((alias) => aliased(one, alias))]),
  ];
}

function describe(
  where: 'path' | 'query',
  schemas: Readonly<Record<string, z.ZodType>>,
  aliases: Readonly<Record<string, readonly string[]>>,
  sent: Readonly<Record<string, string>>,
): readonly DescribedParameter[] {
  const { properties, required } = inputSchemas(schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples: _, ...schema } = { ...property, ...statedOf(schemas[name]) };
    const example = sent[name] ?? examplesOf(schemas[name])[0];
    const names = aliases[name] ?? [];
    return {
      name,
      in: where,
      aliasOf: null,
      aliases: names,
      // With another name at hand this one can be left out.
      isRequired: where === 'path' || (required.includes(name) && names.length === 0),
      description: typeof description === 'string' ? description : '',
      schema,
      example: example === undefined ? null : typed(example, schema['type']),
    };
  });
}

// z.toJSONSchema leaves the default and the examples out wherever the text is transformed after it was read.
function statedOf(schema: z.ZodType | undefined): JsonSchema {
  if (schema instanceof z.ZodDefault) return { default: schema.def.defaultValue };
  return schema instanceof z.ZodOptional && schema.def.innerType instanceof z.ZodType ? statedOf(schema.def.innerType) : {};
}

function examplesOf(schema: z.ZodType | undefined): readonly string[] {
  const examples = schema?.meta()?.['examples'];
  return Array.isArray(examples) ? examples.map(String) : [];
}

function aliased(parameter: DescribedParameter, alias: string): DescribedParameter {
  return {
    ...parameter,
    name: alias,
    aliasOf: parameter.name,
    aliases: [],
    isRequired: false,
    description: `Alias of ${parameter.name}. ${parameter.description}`,
  };
}

function typed(text: string, type: unknown): string | number | boolean {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** What the example of a route sends, by name, in its path and its query. */
function sentInExample(route: AnyRoute<never>): Readonly<Record<string, string>> {
  const { pathname, searchParams } = new URL(route.example, 'http://localhost');
  const given = pathname.split('/').map(decodeURIComponent);
  const inPath = route.path.split('/').flatMap((segment, i) => {
    const value = given[i];
    return segment.startsWith(':') && value !== undefined && !value.startsWith('{') ? [[segment.slice(1), value] as const] : [];
  });
  return Object.fromEntries([...searchParams, ...inPath]);
}
