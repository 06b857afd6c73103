// Beside a result that is empty: the as-of, which may be the reason, and the way out of it.
import { html } from './lib/preact.js';
import { readAddress, writeAddress } from './address.js';

/** For a caption; nothing for now. */
export const asOfText = (as_of) => (as_of ? `, as of ${as_of}` : '');

/** Nothing without an as-of in the address. The link leads to the same view as of now. */
export function AsOfNote() {
  const { view, params } = readAddress(window.location.hash);
  if (!params.as_of) return null;
  const now = writeAddress(view, { ...params, as_of: undefined });
  return html`<p class="note">This is as of ${params.as_of}. <a href=${now}>Remove the as-of</a></p>`;
}
