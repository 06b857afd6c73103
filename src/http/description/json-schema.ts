// zod schemas as the plain JSON Schema 2020-12 that OpenAPI 3.1 takes.
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, JsonSchema>>;

export interface Converted {
  readonly schema: JsonSchema;
  /** Schemas with an id, which others refer to as components. */
  readonly definitions: Definitions;
}

/** What a caller may send, member by member; a schema with an id is referred to as a component. */
export function inputSchemas(members: Readonly<Record<string, z.ZodType>>): {
  readonly properties: Definitions;
  readonly required: readonly string[];
  readonly definitions: Definitions;
} {
  const { schema, definitions } = converted(z.object(members), 'input');
  const { properties, required } = schema;
  return { properties: toRecords(properties), required: Array.isArray(required) ? required.map(String) : [], definitions };
}

/** What the service answers; schemas with an id become definitions, referred to as components. */
export function outputSchema(schema: z.ZodType): Converted {
  return converted(schema, 'output');
}

/** A schema that refers to a component in its own words, with the component's where it has none. */
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
      // A record's keys are texts in JSON whatever their schema.
      delete jsonSchema.propertyNames;
      // The format says it; the pattern that zod adds to it is half a screen long.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A client generated from the description has to live with fields that come later.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    // What zod calls a component by; a member of that name holds a schema.
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
