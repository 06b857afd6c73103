// The visitor's key: from `#key=…` or typed, kept in sessionStorage until the tab is closed, sent only in the header.
const NAME = 'asof.key';
const listeners = new Set();

/** Takes a key from the page's address (`#key=…`, followed by `&to=/view?…`), and removes it there before anything else happens. */
export function takeKey(location = window.location, history = window.history) {
  const [, key, , to] = /^#key=([^&]*)(&to=(.*))?/s.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + (to === undefined ? '' : `#${to}`));
  setKey(key);
}

/** Null if nobody has signed in. */
export const keyNow = () => sessionStorage.getItem(NAME);

export function setKey(key) {
  if (key === null || key.trim() === '') sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key.trim());
  for (const listen of listeners) listen();
}

/** Calls `listen` whenever the key changes; returns a function that stops it. */
export function onKey(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}
