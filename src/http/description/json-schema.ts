// zod schemas as the plain JSON Schema 2020-12 that OpenAPI 3.1 takes.
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a caller may send, member by member, with nothing referred to. */
export function inputSchemas(members: Readonly<Record<string, z.ZodType>>): {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
} {
  const { properties = {}, required = [], $defs = {} } = convert(z.object(members), 'input');
  const inlined = Object.entries(properties).map(([name, schema]) => [name, inline(toRecord(schema), $defs)] as const);
  return { properties: Object.fromEntries(inlined), required };
}

/** What the service answers; schemas with an id become definitions, referred to as components. */
export function outputSchema(schema: z.ZodType): {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
} {
  const { $schema: _, $defs = {}, ...rest } = convert(schema, 'output');
  return {
    schema: toRecord(toComponents(rest)),
    definitions: Object.fromEntries(Object.entries($defs).map(([name, definition]) => [name, toRecord(toComponents(definition))])),
  };
}

function convert(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodPipe && zodSchema.out instanceof z.ZodBoolean) jsonSchema.type = 'boolean';
      // The format says it; the pattern that zod adds to it is half a screen long.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A client generated from the description has to live with fields that come later.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}

function inline(schema: JsonSchema, definitions: Readonly<Record<string, unknown>>): JsonSchema {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return schema;
  return { ...inline(toRecord(definitions[reference.replace('#/$defs/', '')]), definitions), ...rest };
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [key, member.replace('#/$defs/', '#/components/schemas/')] : [key, toComponents(member)],
  );
  return Object.fromEntries(members);
}

function toRecord(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
