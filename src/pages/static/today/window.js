// The days, the importance and the country that Today and Most revised ask for, and the fields that choose them.
import { html } from '../lib/preact.js';
import { Choose, instantText, Tabs } from '../components.js';
import { daysAfter, isDay } from '../calendar/weeks.js';

const IMPORTANCES = ['high', 'medium', 'low', 'any'].map((id) => ({ id, label: id }));

/**
 * What the address asks for. The days end with the as-of, else with today. `spans`: [{ id, label }], ids in days; `usual`: the id if the address
 * names none of them. → { from, to, span, importance, asked }; `asked`: the parameters that both questions share.
 */
export function windowIn(params, spans, usual) {
  const then = (params.as_of ?? '').slice(0, 10);
  const to = isDay(then) ? then : new Date().toISOString().slice(0, 10);
  const span = spans.some(({ id }) => id === params.days) ? params.days : usual;
  const importance = IMPORTANCES.some(({ id }) => id === params.importance) ? params.importance : 'high';
  const { country, as_of } = params;
  return {
    from: daysAfter(to, 1 - Number(span)),
    to,
    span,
    importance,
    asked: { importance: importance === 'any' ? undefined : importance, country, as_of },
  };
}

/** The fields of a window, with a link to the other view as `children`. */
export function WindowFields({ spans, chosen: { span, importance }, country, set, children }) {
  return html`<div class="row">
    <${Tabs} label="Days" options=${spans} value=${span} onChange=${(id) => set({ days: id })} />
    <${Choose} label="Importance" options=${IMPORTANCES} value=${importance} onChange=${(id) => set({ importance: id })} />
    <label>Country <input size="4" maxlength="60" value=${country ?? ''} onChange=${(event) => set({ country: event.target.value.trim() })} placeholder="US" /></label>
    ${children}
  </div>`;
}

/** Of a window: `Today, 2026-11-01 to 2026-11-07, US`. */
export const titleOf = (name, { from, to, asked }) =>
  [name, from === to ? to : `${from} to ${to}`, asked.country].filter(Boolean).join(', ');

/** The column of a wide table with the time from which a row is known: its day in one piece. */
export const knownColumn = {
  id: 'observedAt',
  label: 'Known from',
  value: (row) => row.observedAt,
  isNarrow: true,
  show: (row) => {
    const [day, ...time] = instantText(row.observedAt).split(' ');
    return html`<span class="whole">${day}</span> <span class="whole">${time.join(' ')}</span>`;
  },
};

/** The period of a window in words: `today, 2026-11-07` or `the week from 2026-11-01 to 2026-11-07`. */
export function periodOf({ from, to, span }, isNow) {
  if (from === to) return isNow ? `today, ${to}` : to;
  return `${span === '7' ? 'the week' : `the ${span} days`} from ${from} to ${to}`;
}

/** What a list of changes lacks. `since`: the moment from which it has all of them, null if it has all. */
export function CutNote({ since }) {
  if (since === null) return null;
  return html`<p class="hint">There are more changes than this page reads. It has all that became known from ${instantText(since)} on, and only a part of the earlier ones. Choose fewer days, a country or another importance.</p>`;
}
