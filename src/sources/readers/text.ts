// Bytes → text. An undecodable byte refuses the payload: a replacement character in a name or number would pass unnoticed.
import { UpstreamError } from '../upstream-error.ts';

/** The text without its byte-order mark. `encoding` is a WHATWG label such as `windows-1252`. */
export function decodeText(sourceId: string, body: Uint8Array, encoding = 'utf-8'): string {
  if (body.length === 0) throw new UpstreamError(sourceId, 'the payload is empty');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch (cause) {
    throw new UpstreamError(sourceId, `the payload is not valid ${encoding} text`, { cause });
  }
}

/** Refuses blank text, and a web page that a server sends with status 200 in place of a file. */
export function refuseMarkup(sourceId: string, text: string, expected: string): void {
  const start = text.slice(0, 200).trimStart();
  if (start === '' && text.trim() === '') throw new UpstreamError(sourceId, `expected ${expected}, found only blanks`);
  if (start.startsWith('<')) throw new UpstreamError(sourceId, `expected ${expected}, found a page of HTML or XML: ${excerpt(start)}`);
}

/** A short excerpt of the text for an error message. */
export function excerpt(text: string, length = 60): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}
