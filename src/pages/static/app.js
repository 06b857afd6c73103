// /explore: the frame around the views.
import { html, render, useEffect, useErrorBoundary, useLayoutEffect, useRef } from './lib/preact.js';
import { AsOf, SignInPage, SignOut, useComponent, useIsSignedIn } from './components.js';
import './keys.js';
import { Menu } from './menu.js';
import { useAddress } from './router.js';
import { SampleNote } from './sample.js';
import { takeKey } from './session.js';
import { VIEWS } from './views/index.js';

takeKey();

/** The view of an address that names none of them. */
const NOT_FOUND = { id: 'not-found', label: 'Not found', load: async () => NotFound };

function NotFound({ linkTo }) {
  return html`<section><h1>Not found</h1>
    <p>There is no page <code>${window.location.hash}</code>. Choose one in the menu, or <a href=${linkTo('search')}>search</a>.</p></section>`;
}

/** The view of an address; the first one if it names none. */
function viewOf(view) {
  const isNamed = /^#\/[^?]/.test(window.location.hash);
  return VIEWS.find(({ id }) => id === view) ?? (isNamed ? NOT_FOUND : VIEWS[0]);
}

function App() {
  const { view, params, set, linkTo } = useAddress();
  const address = `${view} ${JSON.stringify(params)}`;
  const now = useRef(address);
  now.current = address;
  const failedAt = useRef(null);
  const [broken, mend] = useErrorBoundary(() => {
    failedAt.current = now.current;
  });
  const isSignedIn = useIsSignedIn();
  const shown = viewOf(view);
  const View = useComponent(shown);
  // Before the effects of the view, which may know a better title.
  useLayoutEffect(() => {
    document.title = `${shown.label} · asof`;
  }, [address]);
  // A failure at one address need not occur at another. If the address itself failed, trying it again at once would break the frame.
  useEffect(() => {
    if (broken && failedAt.current !== address) mend();
  }, [address, broken]);
  return html`<div><a class="skip" href="#main" onClick=${skip}>Skip to the view</a>
    <header class="top">
      <${Menu} current=${shown.within ?? shown.id} linkTo=${linkTo} />
      <${SampleNote} place=${shown.id} />
      <${AsOf} value=${params.as_of} onChange=${(as_of) => set({ as_of })} />
      <${SignOut} />
    </header>
    <main id="main" tabindex="-1">
      ${broken ? html`<section class="fault" role="alert"><h2>This page failed</h2><p>${String(broken.message)}</p><p>Reload this page. The server may have new pages since you opened it.</p></section>` : !isSignedIn ? html`<${SignInPage} />` : View !== null && html`<${View} key=${shown.id} params=${params} set=${set} linkTo=${linkTo} />`}
    </main></div>`;
}

// The address is the state of the view, so a jump within the page must not change it.
function skip(event) {
  event.preventDefault();
  document.querySelector('#main').focus();
}

render(html`<${App} />`, document.querySelector('#app'));
