// The start page: takes the key that `npm start` put into the address, and says what is served.
import { takeKey } from './session.js';

takeKey();
const state = document.querySelector('#state');
try {
  const answer = await fetch('/ready');
  const body = await answer.json();
  state.textContent = answer.ok
    ? `${body.data.serves === 'sample' ? 'A generated sample is served: invented numbers.' : 'What was collected is served.'} Known up to ${body.data.knowledgeCutoff.slice(0, 10)}.`
    : `Not ready: ${body.error.message}`;
} catch {
  state.textContent = 'The service does not answer.';
}
