// Atom feeds of OData services → the properties of each entry. Strict: a feed that is cut or not well-formed is refused.
import { SaxesParser } from 'saxes';
import { UpstreamError } from '../source.ts';
import { decodeText, excerpt } from './text.ts';

/** Name → text; null where the entry says so, '' where it says nothing. */
export type Properties = ReadonlyMap<string, string | null>;

export function readOdata(sourceId: string, body: Uint8Array): readonly Properties[] {
  const text = decodeText(sourceId, body);
  const entries: Map<string, string | null>[] = [];
  const open: string[] = [];
  let value: string | null = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, attributes }) => {
    if (open.length === 0 && local !== 'feed') throw new UpstreamError(sourceId, `expected a feed, found ${excerpt(text)}`);
    if (local === 'properties') entries.push(new Map());
    value = attributes['m:null']?.value === 'true' ? null : '';
    open.push(local);
  });
  parser.on('text', (piece) => {
    if (value !== null) value += piece;
  });
  parser.on('closetag', ({ local }) => {
    open.pop();
    if (open.at(-1) === 'properties') entries.at(-1)?.set(local, value);
  });
  parser.on('error', (cause) => {
    throw new UpstreamError(sourceId, `the XML is malformed or truncated: ${cause.message}`, { cause });
  });
  parser.write(text).close();
  return entries;
}
