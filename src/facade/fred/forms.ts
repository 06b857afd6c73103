// FRED's answer formats: XML with attributes, JSON with the same names, and the CSV of a graph.
import { escaped } from '../../xml.ts';

export type Field = string | number;

export interface Body {
  /** The list's name in JSON and in XML, its own fields, and the name and fields of each item. An item may be a plain text. */
  readonly list: { readonly json: string; readonly xml: string };
  readonly item: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly items: readonly (Readonly<Record<string, Field>> | string)[];
  /** The field that is an item's text content in XML, not an attribute. */
  readonly textOf?: string;
}

export function toJson({ list, fields, items }: Body): string {
  return JSON.stringify({ ...fields, [list.json]: items });
}

export function toXml({ list, item, fields, items, textOf }: Body): string {
  const lines = items.map((one) => {
    if (typeof one === 'string') return `  <${item}>${escaped(one)}</${item}>`;
    if (textOf === undefined) return `  <${item}${attributes(one)}/>`;
    const { [textOf]: text = '', ...rest } = one;
    return `  <${item}${attributes(rest)}>${escaped(String(text))}</${item}>`;
  });
  return `<?xml version="1.0" encoding="utf-8" ?>\n<${list.xml}${attributes(fields)}>\n${lines.join('\n')}\n</${list.xml}>\n`;
}

export function errorJson(code: number, message: string): string {
  return JSON.stringify({ error_code: code, error_message: message });
}

export function errorXml(code: number, message: string): string {
  return `<?xml version="1.0" encoding="utf-8" ?>\n<error code="${code}" message="${escaped(message)}"/>\n`;
}

const attributes = (fields: Readonly<Record<string, Field>>) =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
