// An HTML page → the text of one part of it, with a line for each piece of text between tags, as common readers of such pages return it.
import { Parser } from 'htmlparser2';
import { UpstreamError } from '../upstream-error.ts';
import { decodeText, excerpt } from './text.ts';

export interface HtmlPage {
  readonly title: string;
  /** The page's own statement of its address. */
  readonly url: string;
  readonly language: string;
  readonly text: string;
}

// For each end tag the parser searches all open elements. Pages of central banks are at most 30 deep.
const MOST_DEPTH = 500;
const UNSEEN = new Set(['script', 'style', 'template']);

/**
 * @param container a tag that occurs once, `main`, or any element's id, `#content`
 * @param address of a page that does not state it
 */
export function readHtmlPage(sourceId: string, body: Uint8Array, container: string, address = ''): HtmlPage {
  const html = decodeText(sourceId, body);
  // Pages of one collection begin with a byte-order mark that was read as three characters.
  if (!/^(?:ï»¿)?\s*<(?:!doctype\s+html|html)\b/i.test(html)) throw new UpstreamError(sourceId, `expected a page, found ${excerpt(html)}`);
  if (!/<\/html>\s*$/i.test(html)) throw new UpstreamError(sourceId, `the page is not ended, it is truncated: ${excerpt(html.slice(-40))}`);
  const open: string[] = [];
  const lines: string[] = [];
  let [piece, title, url, language] = ['', '', address, ''];
  /** Index of the container among the open tags; -1 outside of it. */
  let within = -1;
  let isFound = false;
  const endPiece = () => {
    const line = piece.trim();
    piece = '';
    if (line === '') return;
    if (open.at(-1) === 'title' && !open.includes('svg')) title = line;
    else if (within >= 0 && !open.some((tag) => UNSEEN.has(tag))) lines.push(line);
  };
  const parser = new Parser({
    onopentag(tag, attributes) {
      endPiece();
      if (tag === 'html') language = attributes['lang'] ?? '';
      if (tag === 'meta' && attributes['property'] === 'og:url') url = attributes['content'] ?? url;
      if (open.length >= MOST_DEPTH) throw new UpstreamError(sourceId, `the page has elements more than ${MOST_DEPTH} deep`);
      if (!isFound && (tag === container || `#${attributes['id'] ?? ''}` === container)) [within, isFound] = [open.length, true];
      open.push(tag);
    },
    ontext(text) {
      piece += text;
    },
    oncomment: endPiece,
    onclosetag() {
      endPiece();
      open.pop();
      if (open.length === within) within = -1;
    },
  });
  parser.end(html);
  if (!isFound || lines.length === 0)
    throw new UpstreamError(sourceId, `expected text in ${container} of the page, found none under ${excerpt(title)}`);
  if (url === '' || language === '')
    throw new UpstreamError(sourceId, `the page ${excerpt(title)} does not say where it stands and in which language`);
  return { title: title.replace(/\s+/g, ' '), url, language, text: lines.join('\n') };
}

/** Distinct linked addresses of a page, in its order. */
export function linksOf(body: Uint8Array, pattern: RegExp): readonly RegExpMatchArray[] {
  const found = new Map<string, RegExpMatchArray>();
  for (const link of new TextDecoder().decode(body).matchAll(pattern)) if (!found.has(link[0])) found.set(link[0], link);
  return [...found.values()];
}

/** Refuses a list without documents: its layout has changed, and new documents would never be seen. */
export function requireLinks(sourceId: string, body: Uint8Array, pattern: RegExp): readonly RegExpMatchArray[] {
  const links = linksOf(body, pattern);
  if (links.length === 0) throw new UpstreamError(sourceId, `expected a list that names documents by ${pattern.source}, found none`);
  return links;
}
