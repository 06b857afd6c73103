// The start page: takes the key that `npm start` put into the address, and shows which data are served and what they have to tell.
import { Feeds } from './feeds.js';
import { Live } from './home/live.js';
import { SignOut } from './components.js';
import './keys.js';
import { linkTo } from './home/links.js';
import { html, render } from './lib/preact.js';
import { Menu } from './menu.js';
import { SampleNote } from './sample.js';
import { isSignedIn, onKey, takeKey } from './session.js';

takeKey();
const header = document.querySelector('header');
header.replaceChildren();
render(html`<${Menu} current=${null} linkTo=${linkTo} /><${SampleNote} place="home" /><${SignOut} />`, header);
render(html`<${Live} />`, document.querySelector('#live'));
render(html`<${Feeds} />`, document.querySelector('#feeds'));
const state = document.querySelector('#state');
const first = document.querySelector('#first');

function offer(params, text) {
  first.href = linkTo('series', params);
  first.textContent = text;
}

/** Collected data may have no US payrolls, and what they have takes a key. Without one the link stays that of the search. */
async function offerRevised() {
  if (!isSignedIn()) return;
  const [{ firstRevised }, { get, getText }, names] = await Promise.all([
    import('./home/first.js'),
    import('./api.js'),
    fetch('/pages/names.json').then((answer) => answer.json()),
  ]);
  const found = await firstRevised({ get, getText, places: names.places });
  if (found !== null) offer(found.params, `${found.name}, every vintage`);
}
/** The rest of the page shows a failure. */
const tryToOffer = () => offerRevised().catch(() => {});

try {
  const answer = await fetch('/ready');
  const body = await answer.json();
  const isSample = body.data?.serves === 'sample';
  // The banner says that a sample is invented.
  state.textContent = answer.ok
    ? `${isSample ? '' : 'This is collected data. '}Known up to ${body.data.knowledgeCutoff.slice(0, 10)}.`
    : `Not ready: ${body.error.message}`;
  if (isSample)
    offer({ indicator_id: 'us_nonfarm_payrolls', source_id: 'fred_md', transform: 'change', range: '3' }, 'US payrolls, every vintage');
  else if (answer.ok) {
    onKey(tryToOffer);
    await tryToOffer();
  }
} catch {
  state.textContent = 'Cannot reach the service.';
}
