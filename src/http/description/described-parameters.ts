// The parameters of a route, for the description and the texts.
import { z } from 'zod';
import { componentName, type Definitions, inlined, inputSchemas, type JsonSchema } from './json-schema.ts';
import { type AnyRoute, type Parameters, standardParameters } from '../route.ts';

export interface DescribedParameter {
  readonly name: string;
  /** The component name if several routes share it: the parameter's name, unless parameters of that name differ. */
  readonly id: string;
  readonly in: 'path' | 'query';
  /** The parameter of which this is an alias. */
  readonly aliasOf: string | null;
  readonly aliases: readonly string[];
  readonly isRequired: boolean;
  readonly description: string;
  /** Type, values, default and bounds. */
  readonly schema: JsonSchema;
  /** The component with its type and values, and the components that it uses. Null if `schema` has everything. */
  readonly component: { readonly name: string; readonly definitions: Definitions } | null;
  /**
   * An example that returns rows on the sample, also combined with the examples of other parameters. Bounds, cursors and aliases have none.
   */
  readonly example: string | number | boolean | null;
}

function parametersOf(route: AnyRoute<never>): Parameters {
  if (route.kind === 'open') return {};
  return { ...route.query, ...standardParameters(route) };
}

const described = new WeakMap<AnyRoute<never>, readonly DescribedParameter[]>();

/** Path parameters first, then query parameters, each followed by its aliases. Described once. */
export function describeParameters(route: AnyRoute<never>): readonly DescribedParameter[] {
  const known = described.get(route) ?? describeAll(route);
  described.set(route, known);
  return known;
}

function describeAll(route: AnyRoute<never>): readonly DescribedParameter[] {
  if (route.kind === 'open') return [];
  const inPath = describe('path', route.pathParameters, {});
  const parameters = parametersOf(route);
  const schemas = Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema]));
  const aliases = Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, one.aliases]));
  return [...inPath, ...describe('query', schemas, aliases).flatMap((one) => [one, ...one.aliases.map((alias) => aliased(one, alias))])];
}

function describe(
  where: 'path' | 'query',
  schemas: Readonly<Record<string, z.ZodType>>,
  aliases: Readonly<Record<string, readonly string[]>>,
): readonly DescribedParameter[] {
  const { properties, required, definitions } = inputSchemas(schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples: _, parameter, ...stated } = { ...property, ...statedOf(schemas[name]) };
    const { $ref: reference } = stated;
    const { description: __, ...schema } = inlined(stated, definitions);
    const [example] = examplesOf(schemas[name]);
    const names = aliases[name] ?? [];
    return {
      name,
      id: typeof parameter === 'string' ? parameter : name,
      in: where,
      aliasOf: null,
      aliases: names,
      // Not required if an alias may replace it.
      isRequired: where === 'path' || (required.includes(name) && names.length === 0),
      description: typeof description === 'string' ? description : '',
      schema,
      component: typeof reference === 'string' ? { name: componentName(reference), definitions } : null,
      example: example === undefined ? null : typed(example, schema['type']),
    };
  });
}

// z.toJSONSchema omits default and examples of a schema with a transform.
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
    id: alias,
    aliasOf: parameter.name,
    aliases: [],
    isRequired: false,
    example: null,
    description: `Alias of ${parameter.name}. ${parameter.description}`,
  };
}

function typed(text: string, type: unknown): string | number | boolean {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
