// The menu of every page that the browser draws: the name of the service, the views, the documentation.
import { html } from './lib/preact.js';
import { VIEWS } from './views/index.js';

/** `current`: the id of the view that is shown, null on the start page. `linkTo(view)`: the address of a view. */
export function Menu({ current, linkTo }) {
  return [
    html`<a class="brand" href="/" aria-current=${current === null ? 'page' : undefined}>asof</a>`,
    html`<nav aria-label="Views">
      ${VIEWS.filter(({ within }) => within === undefined).map(({ id, label }) => html`<a href=${linkTo(id)} aria-current=${id === current ? 'page' : undefined}>${label}</a>`)}
      <a href="/docs">Docs</a>
    </nav>`,
  ];
}
