// The envelopes as components: one list and one item envelope per record, and the members of meta.
import { z } from 'zod';
import { type Definitions, type JsonSchema, outputSchema } from './json-schema.ts';
import { component, hintMember, historyMember, metaMembers, record, resumeMember } from './openapi-components.ts';
import { type AnyListRoute, type AnyRoute, narrowsColumns } from '../route.ts';

type Route = AnyRoute<never>;

export interface AnswerSchemas {
  readonly answers: Definitions;
  /** The component name of a route's answer. */
  readonly answerOf: (route: Route) => string;
}

export function answerSchemas(routes: readonly Route[], nameOf: (schema: z.ZodType) => string): AnswerSchemas {
  const answers: Record<string, JsonSchema> = {};
  const names = new Map<Route, string>();
  const add = (name: string, schema: JsonSchema) => {
    const there = answers[name];
    if (there !== undefined && JSON.stringify(there) !== JSON.stringify(schema)) throw new TypeError(`Two schemas are called ${name}`);
    answers[name] = schema;
    return component(name);
  };
  for (const route of routes) {
    if (route.kind !== 'list' && route.data === null) {
      names.set(route, 'JsonObject');
      continue;
    }
    const name = route.kind === 'list' ? `${nameOf(route.row)}List` : `${nameOf(route.data ?? z.never())}Answer`;
    const meta = add(metaName(route), metaOf(route));
    const data = component(nameOf(route.kind === 'list' ? route.row : (route.data ?? z.never())));
    add(name, envelope(route.kind === 'list' ? { type: 'array', items: itemsOf(route, data, nameOf) } : data, meta));
    names.set(route, name);
  }
  return { answers, answerOf: (route) => names.get(route) ?? 'JsonObject' };
}

/** The rows of a list: whole, or as `columns` narrows them. */
function itemsOf(route: AnyListRoute<never>, row: JsonSchema, nameOf: (schema: z.ZodType) => string): JsonSchema {
  return narrowsColumns(route) ? { anyOf: [row, component(narrowedName(nameOf(route.row)))] } : row;
}

/** The component of a row of which a request asks for some columns. */
export const narrowedName = (row: string) => `${row}Columns`;

function envelope(data: JsonSchema, meta: JsonSchema): JsonSchema {
  return record('An answer: the data, and notes about it in meta.', {
    data,
    meta,
    requestId: metaMembers['requestId'] ?? {},
  });
}

/** For example `AsOfPageMeta`, from the members that only this route has. */
function metaName(route: Route): string {
  if (route.kind !== 'list') return route.kind === 'item' && route.isPaged ? 'PagedItemMeta' : 'Meta';
  const own = Object.keys(route.meta).map((name) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return [...own, route.isResumable ? 'Resume' : '', 'PageMeta'].join('');
}

function metaOf(route: Route): JsonSchema {
  const shared = { ...metaMembers, history_limited: historyMember };
  if (route.kind === 'item' && route.isPaged)
    return record('Notes about an item that has a list.', { ...shared, hints: hintMember }, ['history_limited', 'hints']);
  if (route.kind !== 'list') return record('Notes about an answer.', shared, ['history_limited']);
  const { properties, required } = ownMembers(route);
  const resume = route.isResumable ? { resume_cursor: resumeMember } : {};
  const members = { ...shared, pagination: component('Pagination'), ...properties, ...resume, hints: hintMember };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return record('Notes about a page of a list.', members, ['history_limited', 'resume_cursor', 'hints', ...optional]);
}

function ownMembers({ meta }: AnyListRoute<never>): { readonly properties: Definitions; readonly required: readonly string[] } {
  const { schema } = outputSchema(z.object(meta));
  const { properties, required } = schema;
  return {
    properties: Object.fromEntries(Object.entries<JsonSchema>(Object(properties ?? {}))),
    required: Array.isArray(required) ? required.map(String) : [],
  };
}
