// The series as a chart on other people's pages: the address of the chart, and the snippet that shows it.
import { html } from '../lib/preact.js';
import { CopyButton } from '../components.js';
import { useNames } from '../names.js';
import { seriesParams } from './params.js';

/** Of the address of a series; the chart has the same. */
const SHOWN = ['as_of', 'mode', 'transform', 'range', 'pins', 'over', 'a', 'b', 'until'];

/** The path of the chart, with the series named in full. */
export function embedPath(series, params) {
  const kept = SHOWN.flatMap((name) => (params[name] === undefined || params[name] === '' ? [] : [[name, params[name]]]));
  return `/embed?${new URLSearchParams([...Object.entries(seriesParams(series)), ...kept]).toString()}`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Pixels, so that a phone too shows the whole chart, by the mode of the address. */
const HEIGHTS = new Map([
  ['compare', 960],
  ['revision', 720],
]);
const HEIGHT = 580;

/** HTML for another page. */
export const snippetOf = (address, title, mode) =>
  `<iframe src="${escaped(address)}" title="${escaped(title)}" width="100%" height="${HEIGHTS.get(mode) ?? HEIGHT}" frameborder="0" loading="lazy"></iframe>`;

export function Offer({ series, params }) {
  const names = useNames();
  if (document.querySelector('meta[name="asof-embed"]') === null)
    return html`<p class="note">This server allows no embedded charts. Its operator can allow them with <code>EMBED_ORIGINS</code>: see <a href="/docs/use/feeds-and-embedding">Feeds and embedding</a>.</p>`;
  if (series.rights?.redistributable === false)
    return html`<p class="note">This series is not public: its licence does not allow you to pass it on, so it cannot be embedded.</p>`;
  const path = embedPath(series, params);
  const snippet = snippetOf(`${window.location.origin}${path}`, `${series.name}, ${names.entity(series.entityId)}`, params.mode);
  return html`<div>
    <p>Paste this into your page. The chart shows what you see here, without the key: the last 24 months, and only public series.</p>
    <figure><figcaption>HTML <${CopyButton} label="Copy" text=${() => snippet} /></figcaption><pre tabindex="0"><code>${snippet}</code></pre></figure>
    <p><a href=${path} target="_blank" rel="noopener">Open the chart alone</a>. Only pages of the origins in <code>EMBED_ORIGINS</code> can show it.</p>
  </div>`;
}
