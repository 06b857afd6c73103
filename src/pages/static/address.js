// The whole state of /explore in its address: `#/<view>?<parameters>`, but never the key.

/** '#/series?a=b' → { view: 'series', params: { a: 'b' } }; the view is '' if there is none. */
export function readAddress(hash) {
  const [, view = '', query = ''] = /^#\/([a-z-]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The reverse; omits null and empty parameters, and any key. */
export function writeAddress(view, params = {}) {
  const kept = Object.entries(params).filter(([name, value]) => name !== 'key' && value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}
