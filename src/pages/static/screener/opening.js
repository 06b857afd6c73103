// The ready screen with which the screener opens, and a ready screen that has hardly any rows as of a day.
import { html, useEffect, useRef } from '../lib/preact.js';
import { get } from '../api.js';
import { useAsked } from '../components.js';
import { counted } from '../numbers.js';
import { fullerScreen, openingScreen, readyOf, withoutScreen } from './then.js';

/**
 * → { opening, opened }: the answer that finds the screen, and the parameters of the screen; null if the address has a query (`isAsked`) or no screen has rows.
 * If you set another as-of, the screen that you see goes into the address, so that it stays.
 */
export function useOpening({ universe, eligible_only, as_of }, isAsked, set) {
  const seen = useRef(null);
  const isSeen = !isAsked && seen.current !== null && seen.current.universe === universe && seen.current.as_of !== as_of;
  const opening = useAsked(isAsked || isSeen ? null : '/public/screener', { universe, eligible_only, as_of }, openingOf);
  const opened = isAsked ? null : isSeen ? seen.current.screen : (opening.answer?.screen ?? null);
  useEffect(() => {
    if (isSeen) set(seen.current.screen, { replace: true });
    else if (opening.state !== 'asking') seen.current = opened === null ? null : { universe, as_of, screen: opened };
  });
  return { opening, opened };
}

/** → { screen }: the parameters of the screen to open with, or null. */
const openingOf = async (path, { as_of, ...asked }, options) => ({ screen: await openingScreen(asked, matchedOf(path, as_of, options)) });

/** Of the parameters of a screen, its number of rows. A field that this data does not have is no reason to fail. */
const matchedOf = (path, as_of, options) => async (screen) => {
  try {
    const { meta } = await get(path, { ...screen, as_of, limit: 1 }, options);
    return meta.screener.matched;
  } catch (fault) {
    if (fault.code === 'bad_request') return 0;
    throw fault;
  }
};

/** Under an as-of, says that a ready screen has hardly any rows, and offers a fuller one. It does not change the screen. */
export function HardlyAny({ params, set }) {
  const { as_of, eligible_only } = params;
  const shown = as_of ? readyOf(params) : undefined;
  const { answer } = useAsked(shown === undefined ? null : '/public/screener', { id: shown?.id, as_of, eligible_only }, fullerOf);
  if (shown === undefined || answer === null || answer.isFull) return html`<div></div>`;
  const { matched, fuller } = answer;
  const rows = matched === 0 ? 'no rows' : `hardly any rows (${matched})`;
  return html`<div><p class="hint" role="status">“${shown.label}” has ${rows} as of ${as_of}.${' '}
    ${fuller !== null && html`<button type="button" class="quiet" onClick=${() => set({ ...withoutScreen, ...fuller.params })}>${`Show “${fuller.label}” (${counted(fuller.matched, 'row')})`}</button>`}</p></div>`;
}

const fullerOf = (path, { id, as_of, eligible_only }, options) => fullerScreen(id, { eligible_only }, matchedOf(path, as_of, options));
