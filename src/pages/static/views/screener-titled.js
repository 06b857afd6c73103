// The screener, whose tab is named after its screen.
import { html } from '../lib/preact.js';
import { useTitle } from '../components.js';
import { READY } from '../screener/then.js';
import { Screener } from './screener.js';

/** The name of the ready screen with this filter, else the filter; then the day as of which it is. */
function titleOf({ universe, filter, as_of }) {
  const ready = READY.find(({ params }) => params.filter === filter && params.universe === (universe ?? params.universe));
  const screen = filter === undefined ? null : (ready?.label ?? filter);
  return ['Screener', screen, as_of && `as of ${as_of}`].filter(Boolean).join(', ');
}

export function TitledScreener(props) {
  useTitle(titleOf(props.params));
  return html`<${Screener} ...${props} />`;
}
