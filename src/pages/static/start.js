// The start page: takes the key that `npm start` put into the address, and shows which data are served and what they have to tell.
import { Feeds } from './feeds.js';
import { Live } from './home/live.js';
import { SignOut } from './components.js';
import './keys.js';
import { linkTo } from './home/links.js';
import { html, render } from './lib/preact.js';
import { Menu } from './menu.js';
import { SampleNote } from './sample.js';
import { takeKey } from './session.js';

takeKey();
const header = document.querySelector('header');
header.replaceChildren();
render(html`<${Menu} current=${null} linkTo=${linkTo} /><${SampleNote} place="home" /><${SignOut} />`, header);
render(html`<${Live} />`, document.querySelector('#live'));
render(html`<${Feeds} />`, document.querySelector('#feeds'));
const state = document.querySelector('#state');
const first = document.querySelector('#first');
try {
  const answer = await fetch('/ready');
  const body = await answer.json();
  state.textContent = answer.ok
    ? `${body.data.serves === 'sample' ? 'This is the sample: the numbers are invented.' : 'This is collected data.'} Known up to ${body.data.knowledgeCutoff.slice(0, 10)}.`
    : `Not ready: ${body.error.message}`;
  // Collected data may have no US payrolls; the sample always has them.
  if (answer.ok && body.data.serves === 'sample') {
    first.href = '/explore#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&transform=change&range=3';
    first.textContent = 'US payrolls, every vintage';
  }
} catch {
  state.textContent = 'Cannot reach the service.';
}
