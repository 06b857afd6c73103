// The description for those who name no columns.

/**
 * The description with lists of whole rows alone, without the schema of rows that `columns` narrows. A request that names no columns gets
 * whole rows, so types and checks of it need not allow that a field is missing.
 */
export function wholeRows(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wholeRows);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wholeRows(member)]));
  const { anyOf } = Object(members['items']) as { readonly anyOf?: readonly unknown[] };
  const [whole, narrowed] = anyOf ?? [];
  const nameOf = (schema: unknown) => String(Reflect.get(Object(schema), '$ref'));
  return anyOf?.length === 2 && nameOf(narrowed) === `${nameOf(whole)}Columns` ? { ...members, items: whole } : members;
}
