// The days, the importance and the country that Today and Most revised ask for, and the fields that choose them.
import { html } from '../lib/preact.js';
import { Choose, Tabs } from '../components.js';
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
