// The visitor's key: out of `#key=…` or typed, kept in sessionStorage until the tab is closed, sent in the header alone.
const NAME = 'asof.key';
const listeners = new Set();

/** Takes a key out of the address of the page (`#key=…`, with `&to=/view?…` behind it), and takes it off that address before anything else is done. */
export function takeKey(location = window.location, history = window.history) {
  const [, key, , to] = /^#key=([^&]*)(&to=(.*))?/s.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + (to === undefined ? '' : `#${to}`));
  setKey(key);
}

/** Null where nobody has signed in. */
export const keyNow = () => sessionStorage.getItem(NAME);

export function setKey(key) {
  if (key === null || key.trim() === '') sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key.trim());
  for (const listen of listeners) listen();
}

/** Calls `listen` whenever the key is another one; answers what ends it. */
export function onKey(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}
