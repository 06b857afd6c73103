// All state of /explore in its address: `#/<view>?<parameters>`. The key is never among them.

/** '#/series?a=b' → { view: 'series', params: { a: 'b' } }; the view is '' where there is none. */
export function readAddress(hash) {
  const [, view = '', query = ''] = /^#\/([a-z-]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The other way; parameters that are null or empty are left out, and none is ever a key. */
export function writeAddress(view, params = {}) {
  const kept = Object.entries(params).filter(([name, value]) => name !== 'key' && value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}
