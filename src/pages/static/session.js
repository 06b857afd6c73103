// The visitor's key: from `#key=…` or typed, kept until the tab is closed, or on this computer if the visitor asks for it. It is sent only in the header.
const NAME = 'asof.key';
const listeners = new Set();

/** Takes a key from the page's address (`#key=…`, followed by `&to=/view?…`), and removes it there before anything else happens. */
export function takeKey(location = window.location, history = window.history) {
  const [, key, , to] = /^#key=([^&]*)(&to=(.*))?/s.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + (to === undefined ? '' : `#${to}`));
  keep(key, sessionStorage);
}

/** Null if nobody has signed in. */
export const keyNow = () => sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);

/** The key that the service refused last, and what it said. */
let refused = null;

/** Every part of a page asks with the same key, so its refusal is one state of the page. */
export function refuseKey(key, message) {
  if (refused?.key === key) return;
  refused = { key, message };
  tell();
}

/** What the service said if it refuses the key of now; null if not. */
export const refusalNow = () => (refused !== null && refused.key === keyNow() ? refused.message : null);

/** False without a key, and with one that the service refuses. */
export const isSignedIn = () => keyNow() !== null && refusalNow() === null;

/** The key whose scopes are known, and these. */
let granted = null;
const scopeListeners = new Set();

/** Each answer to a key lists its scopes. */
export function noteScopes(key, text) {
  if (text === null || (granted?.key === key && granted.text === text)) return;
  granted = { key, text };
  for (const listen of scopeListeners) listen();
}

/** True if the key of now is known to have a scope: no answer says so before the first one. */
export const hasScope = (scope) =>
  granted !== null && granted.key === keyNow() && granted.text.split(' ').some((one) => one === scope || one === 'admin');

/** Calls `listen` whenever the scopes of a key become known; returns a function that stops it. */
export function onScopes(listen) {
  scopeListeners.add(listen);
  return () => scopeListeners.delete(listen);
}

/** Null signs out. A key that `isRemembered` serves every tab, and the next visit. */
export function setKey(key, isRemembered = false) {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  keep(key ?? '', isRemembered ? localStorage : sessionStorage);
}

function keep(key, storage) {
  if (key.trim() === '') storage.removeItem(NAME);
  else storage.setItem(NAME, key.trim());
  tell();
}

function tell() {
  for (const listen of listeners) listen();
}

// Another tab signed in or out.
globalThis.addEventListener?.('storage', tell);

/** Calls `listen` whenever the key changes; returns a function that stops it. */
export function onKey(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}
