// XML → its elements, in order. Strict: a document is refused if it is truncated, not well-formed, has a document type, or nests deeper than any publisher's.
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes';
import { UpstreamError } from '../upstream-error.ts';
import { decodeText, excerpt } from './text.ts';

export type XmlElement = SaxesTagNS;

export interface XmlHandlers {
  /** @param depth 0 for the root */
  readonly open: (element: XmlElement, depth: number) => void;
  readonly text?: (piece: string) => void;
  /** @param local name without its prefix */
  readonly close?: (local: string) => void;
}

// The parser looks up prefixes through all open elements, so the depth limits its work. Messages of publishers are at most 15 deep.
const MOST_DEPTH = 100;
/** Namespaces of one element. Publishers declare a dozen. */
const MOST_NAMESPACES = 100;
/** Characters that the parser gets at once. */
const PIECE = 64 * 1024;

/** The required root element, as named in errors, and by its local name. */
export interface XmlRoot {
  readonly expected: string;
  readonly isRoot: (local: string) => boolean;
}

/** Pauses after each piece, so that the caller can use its elements before the next one is read. */
export function* parseXml(sourceId: string, body: Uint8Array, root: XmlRoot, on: XmlHandlers): Generator<void> {
  const text = decodeText(sourceId, body);
  const refuse = (problem: string, cause?: Error): never => {
    throw new UpstreamError(sourceId, problem, cause === undefined ? {} : { cause });
  };
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let namespaces = 0;
  // Before the parser looks up prefixes.
  parser.on('opentagstart', () => {
    namespaces = 0;
    if (depth >= MOST_DEPTH) refuse(`the XML has elements more than ${MOST_DEPTH} deep`);
  });
  parser.on('attribute', ({ prefix, name }: Pick<SaxesAttributeNS, 'prefix' | 'name'>) => {
    if (prefix !== 'xmlns' && name !== 'xmlns') return;
    namespaces += 1;
    if (namespaces > MOST_NAMESPACES) refuse(`an element of the XML declares more than ${MOST_NAMESPACES} namespaces`);
  });
  parser.on('opentag', (element) => {
    if (depth === 0 && !root.isRoot(element.local)) refuse(`expected ${root.expected}, found ${excerpt(text.slice(0, 1000))}`);
    on.open(element, depth);
    depth += 1;
  });
  if (on.text !== undefined) parser.on('text', on.text);
  parser.on('closetag', ({ local }) => {
    depth -= 1;
    on.close?.(local);
  });
  parser.on('doctype', () => refuse('the XML declares a document type'));
  parser.on('error', (cause) => refuse(`the XML is malformed or truncated: ${cause.message}`, cause));
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    yield;
  }
  parser.close();
}

export function readXml(sourceId: string, body: Uint8Array, root: XmlRoot, on: XmlHandlers): void {
  const parsing = parseXml(sourceId, body, root, on);
  while (parsing.next().done !== true);
}

/** The attribute's value, whatever its prefix is. */
export function attributeOf({ attributes }: XmlElement, local: string): string | undefined {
  return Object.values(attributes).find((attribute) => attribute.local === local)?.value;
}

/** Attributes without a prefix, by name. */
export function plainAttributes({ attributes }: XmlElement): Map<string, string> {
  return new Map(
    Object.values(attributes).flatMap(({ prefix, local, value }) => (prefix === '' && local !== 'xmlns' ? [[local, value]] : [])),
  );
}
