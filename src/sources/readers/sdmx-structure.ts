// SDMX-ML 2.1 structure messages → the content constraint of a data flow: the time of its last change, and its codes.
import { UpstreamError } from '../upstream-error.ts';
import { excerpt } from './text.ts';
import { attributeOf, readXml } from './xml.ts';

export interface ContentConstraint {
  /** RFC 3339 UTC with milliseconds; null if none is stated. */
  readonly validFrom: string | null;
  /** Codes by the id of their dimension, in the order of the message. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

/** Throws an UpstreamError if the message is truncated, has no constraint or several, or an instant without its offset. */
export function readConstraint(sourceId: string, body: Uint8Array): ContentConstraint {
  const codes = new Map<string, string[]>();
  const found: { readonly validFrom: string | null }[] = [];
  let dimension = '';
  let text = '';
  readXml(
    sourceId,
    body,
    { expected: 'an SDMX structure message', isRoot: () => true },
    {
      open(element) {
        text = '';
        if (element.local === 'ContentConstraint') found.push({ validFrom: instantOf(sourceId, attributeOf(element, 'validFrom')) });
        if (element.local === 'KeyValue') dimension = attributeOf(element, 'id') ?? '';
      },
      text(piece) {
        text += piece;
      },
      close(local) {
        if (local === 'Value' && dimension !== '') {
          const known = codes.get(dimension);
          if (known === undefined) codes.set(dimension, [text.trim()]);
          else known.push(text.trim());
        }
        if (local === 'KeyValue') dimension = '';
      },
    },
  );
  const [constraint] = found;
  if (constraint === undefined || found.length > 1)
    throw new UpstreamError(sourceId, `expected one content constraint, found ${found.length}`);
  return { ...constraint, codes };
}

/** Without an offset it could be the local time of any place. */
function instantOf(sourceId: string, stated: string | undefined): string | null {
  if (stated === undefined) return null;
  const milliseconds = /^[^T]*T.*(?:Z|[+-]\d{2}:\d{2})$/.test(stated) ? Date.parse(stated) : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new UpstreamError(sourceId, `expected an instant with its offset in validFrom, found ${excerpt(stated)}`);
  return new Date(milliseconds).toISOString();
}
