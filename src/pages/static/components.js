// Shared by all views: an answer or the reason for none, numbers, files to save, the request as code, the as-of control.
import { html, useEffect, useRef, useState } from './lib/preact.js';
import { get } from './api.js';
import { AsOfNote } from './as-of-note.js';
import { exactText, numberText, publishedText } from './numbers.js';
import { hasScope, isSignedIn, keyNow, onKey, onScopes, refusalNow, setKey } from './session.js';
import { snippetsOf } from './snippets.js';
import { isWholeDay } from './calendar/weeks.js';

/** The key's number: it changes with each sign-in and sign-out, after which answers must be fetched again. */
function useKeyTurn() {
  const [turn, setTurn] = useState(0);
  useEffect(() => onKey(() => setTurn((before) => before + 1)), []);
  return turn;
}

/**
 * Fetches when the path or a parameter changes; a null path fetches nothing. `ask` is `get`, `getAll`, `getText` or a function of `(path, params, { signal })`.
 * → { state: 'idle' | 'asking' | 'answered' | 'failed', answer, fault, retry }. While it fetches again, `answer` is the previous one.
 */
export function useAsked(path, params = {}, ask = get) {
  const turn = useKeyTurn();
  const [tries, setTries] = useState(0);
  const asked = JSON.stringify([path, params]);
  const [result, setResult] = useState({ state: path === null ? 'idle' : 'asking', answer: null, fault: null, path: null, asked });
  useEffect(() => {
    const told = (state, answer, fault) => setResult({ state, answer, fault, path, asked });
    if (path === null) {
      told('idle', null, null);
      return undefined;
    }
    const leaving = new AbortController();
    setResult((before) => ({ state: 'asking', answer: before.path === path ? before.answer : null, fault: null, path, asked }));
    ask(path, params, { signal: leaving.signal }).then(
      (answer) => leaving.signal.aborted || told('answered', answer, null),
      (fault) => leaving.signal.aborted || told('failed', null, fault),
    );
    return () => leaving.abort();
  }, [asked, turn, tries]);
  // Until the new answer arrives, the previous one stays visible and marked if only parameters differ.
  const asking = { state: path === null ? 'idle' : 'asking', answer: result.path === path ? result.answer : null, fault: null };
  const own = result.asked === asked ? result : asking;
  return { ...own, retry: () => setTries((before) => before + 1) };
}

/** `children(answer)` once there is an answer; until then, and on failure, the state. */
export function Answer({ asked, children }) {
  return html`<div class="answer" aria-busy=${asked.state === 'asking'}>${said(asked, children)}</div>`;
}

// Always within one element: this Preact loses the order of siblings if a component's output changes its kind.
function said({ state, answer, fault, retry }, children) {
  if (state === 'failed') return html`<${Fault} fault=${fault} retry=${retry} />`;
  if (state === 'idle') return null;
  if (answer === null) return html`<p class="note" role="status">Loading …</p>`;
  return children(answer);
}

/** The failure and its remedy: sign in, wait, retry. Errors other than ApiFault are faults of the page, and are rethrown. */
export function Fault({ fault, retry }) {
  if (fault.name !== 'ApiFault') throw fault;
  const { code, message, remedy, details, requestId } = fault;
  const title = code === 'unauthorized' && keyNow() !== null ? 'This key does not work' : (TITLES[code] ?? 'Something failed');
  return html`<section class="fault" role="alert" data-code=${code}>
    <h2>${title}</h2>
    <p>${message}</p>
    ${details?.nearest !== undefined && html`<p>Nearest: <code>${String(details.nearest)}</code></p>`}
    <p class="note">${remedy}</p>
    ${code === 'not_found' && html`<${AsOfNote} />`}
    <${Remedy} fault=${fault} retry=${retry} />
    ${requestId && html`<p class="small">Request <code>${requestId}</code></p>`}
  </section>`;
}

function Remedy({ fault: { code, details, retryAfter }, retry }) {
  if (code === 'unauthorized' || code === 'forbidden') return html`<${SignIn} />`;
  if (code === 'rate_limited') return html`<${Again} seconds=${retryAfter ?? 5} retry=${retry} />`;
  if (code === 'unreachable' || details?.reason === 'not_ready') return html`<${Again} seconds=${5} retry=${retry} />`;
  if (code === 'internal_error') return html`<p><button type="button" onClick=${retry}>Try again</button></p>`;
  return null;
}

const TITLES = {
  bad_request: 'This query is not valid',
  unauthorized: 'Sign in',
  forbidden: 'This key lacks the scope',
  not_found: 'Not found',
  rate_limited: 'Too many requests',
  internal_error: 'The service failed',
  unreachable: 'Cannot reach the server; retrying',
};

function Again({ seconds, retry }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) {
      retry();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return html`<p>
    <span class="countdown">Retrying in ${left} s.</span>
    <button type="button" onClick=${retry}>Now</button>
  </p>`;
}

/** Asks for a key, and keeps it for this tab or on this computer. */
function SignIn() {
  const field = useRef(null);
  const remember = useRef(null);
  const submit = (event) => {
    event.preventDefault();
    setKey(field.current.value, remember.current.checked);
  };
  return html`<form class="sign-in" onSubmit=${submit}>
    <label>API key <input ref=${field} type="password" autocomplete="off" spellcheck="false" required placeholder="asof_…" /></label>
    <label class="check"><input ref=${remember} type="checkbox" /> remember it on this computer</label>
    <button type="submit">Sign in</button>
    <span class="small">Otherwise it is kept until you close this tab. It is sent only to this service, in a header.</span>
  </form>`;
}

/** Names the tab, the history and bookmarks after the subject of a view. */
export function useTitle(text) {
  useEffect(() => {
    document.title = `${text} · asof`;
  });
}

export function useIsSignedIn() {
  useKeyTurn();
  return isSignedIn();
}

/** True once an answer says that the key has a scope. */
export function useHasScope(scope) {
  const [, redraw] = useState(0);
  useEffect(() => onScopes(() => redraw((count) => count + 1)), []);
  return hasScope(scope);
}

/** Asks for a key, or for another one: once, in place of all that needs it. */
export function KeyWanted({ title, level = 'h2' }) {
  const refusal = refusalNow();
  return html`<section class="fault" data-code="unauthorized" role=${refusal === null ? undefined : 'alert'}>
    <${level}>${refusal === null ? title : 'This key does not work'}<//>
    <p>${refusal ?? html`The data need a key. <code>npm start</code> prints a link with one; the operator of a server issues more.`}</p>
    <${SignIn} />
  </section>`;
}

/** The page of a visitor without a key. The address stays, so the view opens after signing in. */
export function SignInPage() {
  useTitle('Sign in');
  return html`<${KeyWanted} title="Sign in" level="h1" />`;
}

export function SignOut() {
  useKeyTurn();
  if (keyNow() === null) return null;
  return html`<button type="button" class="quiet" onClick=${() => setKey(null)}>Sign out</button>`;
}

/**
 * A field for a day. It keeps your typing until you leave it, and tells only whole days: while you type the year it would hold 0002 or 0020.
 * `isOptional`: an empty field is told as ''.
 */
export function DayField({ value, onDay, isOptional = false }) {
  const [typed, setTyped] = useState(null);
  const take = (text) => {
    setTyped(text);
    if (isWholeDay(text) || (isOptional && text === '')) onDay(text);
  };
  return html`<input type="date" min="1000-01-01" max="9999-12-31" value=${typed ?? value} onInput=${(event) => take(event.target.value)} onBlur=${() => setTyped(null)} />`;
}

/** The shared as-of: a day, meaning its end; empty means now. */
export function AsOf({ value, onChange }) {
  const isDay = value === undefined || value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value);
  const field = isDay
    ? html`<${DayField} value=${value ?? ''} onDay=${onChange} isOptional=${true} />`
    : html`<input type="text" value=${value} onChange=${(event) => onChange(event.target.value)} />`;
  return html`<div class="as-of">
    <label>As of ${field}</label>
    <button type="button" class="quiet" disabled=${!value} onClick=${() => onChange('')}>Now</button>
  </div>`;
}

/** Notes on the answer: why it is empty, what a free key cannot see, where it was cut. */
export function Hints({ meta }) {
  const hints = meta?.hints ?? [];
  return html`<div class="hints">
    ${hints.map(
      ({ message, nearest }) =>
        html`<p class="hint">${message}${nearest !== undefined && html` Nearest: <code>${String(nearest)}</code>`}</p>`,
    )}
    ${meta?.history_limited && html`<p class="hint">A key of the free tier sees only the last 24 months.</p>`}
    ${meta?.isCut && html`<p class="hint">More rows exist than are shown here.</p>`}
  </div>`;
}

/** A number for people, or with all digits of its publisher, or as in `texts`; if that is not the whole number, pointing at it shows all of it. */
export function Figure({ value, isPublished = false, texts }) {
  const [text, exact] = [texts?.get(value) ?? (isPublished ? publishedText(value) : numberText(value)), exactText(value)];
  return text === exact ? text : html`<span title=${exact}>${text}</span>`;
}

/** A missing value, with the interface's reason if it has one. Never a zero. */
export function Missing({ why }) {
  return html`<span class="missing" title=${why ?? 'no value'}>${why ? `– (${why})` : '–'}</span>`;
}

/** `text()` is called when the button is pressed; it may return a promise. */
export function CsvButton({ name, text, label = 'CSV' }) {
  return html`<${SaveButton} name=${`${name}.csv`} label=${label} content=${async () => new Blob([await text()], { type: 'text/csv;charset=utf-8' })} />`;
}

/** `content()`: a Blob or a promise of one, asked for when the button is pressed. */
export function SaveButton({ name, label, content }) {
  const [failed, setFailed] = useState(null);
  const press = async () => {
    try {
      save(name, await content());
      setFailed(null);
    } catch (fault) {
      setFailed(fault.message);
    }
  };
  return html`<span><button type="button" class="quiet" onClick=${press}>${label}</button>${failed !== null && html` <span role="alert">${failed}</span>`}</span>`;
}

function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The request of a view as curl, Python and TypeScript, and the address of the view to share. */
export function Requests({ requests }) {
  const [chosen, setChosen] = useState('curl');
  const all = requests.map(({ label, path, params = {} }) => ({ label, snippets: snippetsOf(window.location.origin, path, params) }));
  return html`<details class="requests">
    <summary>Share, or copy as code</summary>
    <p><${CopyButton} label="Copy the link" text=${() => window.location.href} /></p>
    <div role="group" aria-label="Language">
      ${['curl', 'python', 'typescript'].map(
        (id) =>
          html`<button type="button" class="quiet" aria-pressed=${id === chosen} onClick=${() => setChosen(id)}>${LANGUAGES[id]}</button>`,
      )}
    </div>
    ${all.map(({ label, snippets }) => {
      const { text } = snippets.find(({ id }) => id === chosen);
      return html`<figure>
        <figcaption>${label} <${CopyButton} label="Copy" text=${() => text} /></figcaption>
        <pre tabindex="0"><code>${text}</code></pre>
      </figure>`;
    })}
  </details>`;
}

const LANGUAGES = { curl: 'curl', python: 'Python', typescript: 'TypeScript' };

export function CopyButton({ label, text }) {
  const [isCopied, setCopied] = useState(false);
  const press = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<button type="button" class="quiet" onClick=${press}>${isCopied ? 'Copied' : label}</button>`;
}

/** One of several: `options` [{ id, label, isDisabled?, title? }]. */
export function Tabs({ label, options, value, onChange }) {
  return html`<div class="tabs" role="group" aria-label=${label}>
    ${options.map(
      ({ id, label: text, isDisabled = false, title }) =>
        html`<button type="button" aria-pressed=${id === value} disabled=${isDisabled} title=${title} onClick=${() => onChange(id)}>${text}</button>`,
    )}
  </div>`;
}

/** One of many: `options` [{ id, label }]. */
export function Choose({ label, options, value, onChange }) {
  return html`<label>${label} <select value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${options.map(({ id, label: text }) => html`<option value=${id} selected=${id === value}>${text}</option>`)}
  </select></label>`;
}

/** Links to the parts of a long page: id of their heading → its text. The address is the state of the view, so they do not change it. */
export function Parts({ ids }) {
  const go = (id) => (event) => {
    event.preventDefault();
    const heading = document.getElementById(id);
    heading.focus({ preventScroll: true });
    heading.scrollIntoView();
  };
  return html`<nav class="row" aria-label="Parts of this page">
    ${Object.entries(ids).map(([id, text]) => html`<a href=${window.location.hash} onClick=${go(id)}>${text}</a>`)}
  </nav>`;
}

/** A short word about a row; `kind` is good, bad or plain. */
export function Badge({ kind = 'plain', children }) {
  return html`<span class="badge ${kind}">${children}</span>`;
}

/** A short instant: the day if it is the end of a day, else to the minute, UTC. */
export function instantText(instant) {
  if (instant === null || instant === undefined) return null;
  const [day, time = ''] = instant.split('T');
  return time === '' || time.startsWith('23:59:59.999') ? day : `${day} ${time.slice(0, 5)} UTC`;
}

/** The component that `load` brings, by an id of its own; null while its module loads. If the module cannot be loaded, the component throws. */
export function useComponent({ id, load }) {
  const [loaded, setLoaded] = useState({ id: null, component: null });
  useEffect(() => {
    let isWanted = true;
    const take = (component) => isWanted && setLoaded({ id, component });
    // A module that cannot be loaded is a view that fails.
    const failing = (error) => () => {
      throw error;
    };
    load().then(take, (error) => take(failing(error)));
    return () => {
      isWanted = false;
    };
  }, [id]);
  return loaded.id === id ? loaded.component : null;
}
