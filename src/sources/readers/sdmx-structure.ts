// SDMX-ML 2.1 structure messages → what a content constraint says of a data flow: since when its data are as they are, and which codes it has.
import { SaxesParser } from 'saxes';
import { UpstreamError } from '../source.ts';
import { decodeText, excerpt } from './text.ts';

export interface ContentConstraint {
  /** RFC 3339 UTC with milliseconds; null where none is stated. */
  readonly validFrom: string | null;
  /** Codes by the id of their dimension, in the order of the message. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

/** Throws an UpstreamError where the message is cut, has no constraint or several, or an instant without its offset. */
export function readConstraint(sourceId: string, body: Uint8Array): ContentConstraint {
  const parser = new SaxesParser({ xmlns: true });
  const codes = new Map<string, string[]>();
  const found: { readonly validFrom: string | null }[] = [];
  let dimension = '';
  let text = '';
  parser.on('opentag', ({ local, attributes }) => {
    const attribute = (name: string) => Object.values(attributes).find((one) => one.local === name)?.value;
    text = '';
    if (local === 'ContentConstraint') found.push({ validFrom: instantOf(sourceId, attribute('validFrom')) });
    if (local === 'KeyValue') dimension = attribute('id') ?? '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', ({ local }) => {
    if (local === 'Value' && dimension !== '') codes.set(dimension, [...(codes.get(dimension) ?? []), text.trim()]);
    if (local === 'KeyValue') dimension = '';
  });
  parser.on('doctype', () => {
    throw new UpstreamError(sourceId, 'the message declares a document type');
  });
  parser.on('error', (cause) => {
    throw new UpstreamError(sourceId, `the XML is malformed or truncated: ${cause.message}`, { cause });
  });
  parser.write(decodeText(sourceId, body)).close();
  const [constraint] = found;
  if (constraint === undefined || found.length > 1)
    throw new UpstreamError(sourceId, `expected one content constraint, found ${found.length}`);
  return { ...constraint, codes };
}

/** Without an offset it might be the hour of any place. */
function instantOf(sourceId: string, stated: string | undefined): string | null {
  if (stated === undefined) return null;
  const milliseconds = /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(stated) ? Date.parse(stated) : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new UpstreamError(sourceId, `expected an instant with its offset in validFrom, found ${excerpt(stated)}`);
  return new Date(milliseconds).toISOString();
}
