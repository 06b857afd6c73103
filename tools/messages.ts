// The texts in the code for people: messages, help, labels of pages. They are literals of the parsed source, which is not run.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A literal of the code; an expression in it is `…`. */
export interface Literal {
  readonly text: string;
  readonly line: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The text of a string, a template or a sum of these. Null for any other node. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as readonly { readonly value: { readonly cooked: string | null } }[])
      .map(({ value }) => value.cooked ?? '')
      .join('…');
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return null;
  const [left, right] = [textOf(node['left']), textOf(node['right'])];
  return left === null && right === null ? null : `${left ?? '…'}${right ?? '…'}`;
}

/** Strings and templates in their order; a sum of them is one. Throws if the source cannot be parsed. */
export function literalsOf(source: string): readonly Literal[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors[0] !== undefined) throw new Error(errors[0].message);
  const found: Literal[] = [];
  const visit = (value: unknown, isWithin: boolean): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, false);
    if (!isNode(value)) return;
    const text = textOf(value);
    if (text !== null && !isWithin) found.push({ text, line: source.slice(0, value.start).split('\n').length });
    const isSum = value.type === 'BinaryExpression' && text !== null;
    for (const child of Object.values(value)) visit(child, isSum && textOf(child) !== null);
  };
  visit(program, false);
  return found;
}

const SQL = /\b(?:select|insert into|create (?:or replace )?(?:table|view|macro)|copy|attach|pragma|drop table|from published)\b/;

/** Literals with words between blanks, except queries. Tags are separated from the text of a page. */
export function messagesOf(source: string): readonly Literal[] {
  return literalsOf(source)
    .filter(({ text }) => !SQL.test(text))
    .flatMap(({ text, line }) => text.split(/<[^<>]*>/).map((part) => ({ text: part.replaceAll(/\s+/g, ' ').trim(), line })))
    .filter(({ text }) => /\p{L}{2,} \p{L}{2,}/u.test(text));
}

/** Files with literals for people. */
export function codeFiles(): readonly string[] {
  const root = join(import.meta.dirname, '..');
  return ['jobs', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js)$/.test(name))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
}
