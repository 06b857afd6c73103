// Converts zod schemas to plain JSON Schema 2020-12, as OpenAPI 3.1 requires.
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, JsonSchema>>;

export interface Converted {
  readonly schema: JsonSchema;
  /** Schemas with an id. Others refer to them as components. */
  readonly definitions: Definitions;
}

/** The input of a caller, member by member. A schema with an id becomes a reference to a component. */
export function inputSchemas(members: Readonly<Record<string, z.ZodType>>): {
  readonly properties: Definitions;
  readonly required: readonly string[];
  readonly definitions: Definitions;
} {
  const { schema, definitions } = converted(z.object(members), 'input');
  const { properties, required } = schema;
  return { properties: toRecords(properties), required: Array.isArray(required) ? required.map(String) : [], definitions };
}

const outputs = new WeakMap<z.ZodType, Converted>();

/** The output of the service. Schemas with an id become definitions, with references to them as components. Converted once. */
export function outputSchema(schema: z.ZodType): Converted {
  const known = outputs.get(schema) ?? converted(schema, 'output');
  outputs.set(schema, known);
  return known;
}

/** Resolves the reference of a schema. Its own keywords replace those of the component. */
export function inlined(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return schema;
  return { ...inlined(definitions[componentName(reference)] ?? {}, definitions), ...rest };
}

export function componentName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function converted(schema: z.ZodType, io: 'input' | 'output'): Converted {
  const { $schema: _, $defs = {}, ...rest } = convert(schema, io);
  return { schema: toRecord(toComponents(rest)), definitions: toRecords(toComponents($defs)) };
}

function convert(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodPipe && zodSchema.out instanceof z.ZodBoolean) jsonSchema.type = 'boolean';
      // A record's keys are always texts in JSON.
      delete jsonSchema.propertyNames;
      // The format is enough. The pattern that zod adds is half a screen long.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A generated client must accept fields that come later.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    // Drop zod's own `id` of a component. A member named `id` holds a schema and stays.
    .filter(([key, member]) => key !== 'id' || typeof member !== 'string')
    .map(([key, member]) =>
      key === '$ref' && typeof member === 'string'
        ? [key, member.replace('#/$defs/', '#/components/schemas/')]
        : [key, toComponents(member)],
    );
  return Object.fromEntries(members);
}

function toRecords(value: unknown): Definitions {
  return Object.fromEntries(Object.entries(toRecord(value)).map(([name, member]) => [name, toRecord(member)]));
}

function toRecord(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
