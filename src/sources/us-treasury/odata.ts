// Atom feeds of OData services → the properties of each entry.
import { readXml } from '../readers/xml.ts';

/** Name → text; null if the entry marks it so, '' if the element is empty. */
export type Properties = ReadonlyMap<string, string | null>;

export function readOdata(sourceId: string, body: Uint8Array): readonly Properties[] {
  const entries: Map<string, string | null>[] = [];
  const open: string[] = [];
  let value: string | null = '';
  readXml(
    sourceId,
    body,
    { expected: 'a feed', isRoot: (local) => local === 'feed' },
    {
      open({ local, attributes }) {
        if (local === 'properties') entries.push(new Map());
        value = attributes['m:null']?.value === 'true' ? null : '';
        open.push(local);
      },
      text(piece) {
        if (value !== null) value += piece;
      },
      close(local) {
        open.pop();
        if (open.at(-1) === 'properties') entries.at(-1)?.set(local, value);
      },
    },
  );
  return entries;
}
