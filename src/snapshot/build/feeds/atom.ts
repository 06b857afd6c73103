// Atom feeds (RFC 4287).
import { escaped } from '../../../xml.ts';

export interface AtomFeed {
  /** The end of its address, for example `releases`. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  /** Newest first. */
  readonly entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** The parts of its id. */
  readonly key: readonly string[];
  readonly title: string;
  readonly text: string;
  /** ISO 8601. */
  readonly updated: string;
  /** A path on the server. */
  readonly link: string;
  /** A path on the server: the origin of the number. */
  readonly origin: string;
  readonly attribution: string;
  readonly category: { readonly term: string; readonly label: string };
}

/** A tag URI (RFC 4151). Its authority is fixed: the same number has the same id on every server and after each night. */
const idOf = (parts: readonly string[]): string => `tag:asof,2026:${parts.map(encodeURIComponent).join('/')}`;

/** Before any entry, Atom still needs a time. */
const NOTHING_YET = '1970-01-01T00:00:00.000Z';

/**
 * Depends only on its arguments, so a night without news gives the same bytes.
 * @param publicUrl the origin of the server; null: links are relative to the address of the feed
 */
export function atomText({ name, title, subtitle, entries }: AtomFeed, publicUrl: string | null): string {
  const addressOf = (path: string) => escaped(`${publicUrl ?? ''}${path}`);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escaped(idOf(['feeds', name]))}</id>
  <title>${escaped(title)}</title>
  <subtitle>${escaped(subtitle)}</subtitle>
  <updated>${entries[0]?.updated ?? NOTHING_YET}</updated>
  <author><name>asof</name></author>
  <link rel="self" type="application/atom+xml" href="${addressOf(`/feeds/${name}.xml`)}"/>
  <link rel="alternate" type="text/html" href="${addressOf('/explore#/today')}"/>
${entries.map((entry) => entryText(entry, name, addressOf)).join('')}</feed>
`;
}

function entryText(
  { key, title, text, updated, link, origin, attribution, category }: AtomEntry,
  name: string,
  addressOf: (path: string) => string,
) {
  return `  <entry>
    <id>${escaped(idOf([name, ...key]))}</id>
    <title>${escaped(title)}</title>
    <updated>${updated}</updated>
    <published>${updated}</published>
    <link rel="alternate" type="text/html" href="${addressOf(link)}"/>
    <link rel="related" type="text/html" title="Origin of the number" href="${addressOf(origin)}"/>
    <category term="${escaped(category.term)}" label="${escaped(category.label)}"/>
    <rights>${escaped(attribution)}</rights>
    <content type="text">${escaped(text)}</content>
  </entry>
`;
}
