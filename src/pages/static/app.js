// /explore: the frame around the views.
import { html, render, useEffect, useErrorBoundary } from './lib/preact.js';
import { AsOf, SignOut, useIsSignedIn } from './components.js';
import { useAddress } from './router.js';
import { takeKey } from './session.js';
import { VIEWS } from './views/index.js';

takeKey();

function App() {
  const { view, params, set, linkTo } = useAddress();
  const [broken, mend] = useErrorBoundary();
  const isSignedIn = useIsSignedIn();
  const shown = VIEWS.find(({ id }) => id === view) ?? VIEWS[0];
  useEffect(() => {
    document.title = `${shown.label} · asof`;
  }, [shown.id]);
  // A failure at one address need not occur at another.
  useEffect(() => mend(), [view, JSON.stringify(params)]);
  // Rendered again after signing out; otherwise each part of it would ask for a key.
  const shownTo = `${shown.id} ${isSignedIn ? 'to a key' : 'to nobody'}`;
  return html`<div><a class="skip" href="#main" onClick=${skip}>Skip to the view</a>
    <header class="top">
      <a class="brand" href="/">asof</a>
      <nav aria-label="Views">
        ${VIEWS.map(({ id, label }) => html`<a href=${linkTo(id)} aria-current=${id === shown.id ? 'page' : undefined}>${label}</a>`)}
        <a href="/docs">Docs</a>
      </nav>
      <${AsOf} value=${params.as_of} onChange=${(as_of) => set({ as_of })} />
      <${SignOut} />
    </header>
    <main id="main" tabindex="-1">
      ${broken ? html`<section class="fault" role="alert"><h2>This page failed</h2><p>${String(broken.message)}</p></section>` : html`<${shown.component} key=${shownTo} params=${params} set=${set} linkTo=${linkTo} />`}
    </main></div>`;
}

// The address is the state of the view, so a jump within the page must not change it.
function skip(event) {
  event.preventDefault();
  document.querySelector('#main').focus();
}

render(html`<${App} />`, document.querySelector('#app'));
