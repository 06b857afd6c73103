// The feeds of releases and revisions, if the operator has opened them.
import { html } from './lib/preact.js';

/** [{ title, href }], as the head of the page names them; [] without feeds. */
export function feedsNamed(page = document) {
  return [...page.querySelectorAll('link[type="application/atom+xml"]')].map((link) => ({
    title: link.title,
    href: link.getAttribute('href'),
  }));
}

/** Where to follow what this page shows; nothing without feeds. */
export function Feeds() {
  const named = feedsNamed();
  if (named.length === 0) return null;
  return html`<p class="small">Atom feeds, which need no key: ${named.map(({ title, href }, at) => html`${at > 0 && ', '}<a href=${href}>${title.toLowerCase()}</a>`)}.</p>`;
}
