// A search field with suggestions: the best matches while you type, best first. The arrow keys choose one, Enter opens it.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { useAsked } from '../components.js';
import { useNamesOf } from '../names.js';
import { seriesParams } from '../series/params.js';
import { suggestedOf } from './rows.js';

const PAUSE_MS = 200;
const LEAST_LETTERS = 2;
const SHOWN = 8;
/** Many series are one indicator, whose entities are counted. */
const MOST_SERIES = 200;
const INDICATORS = '/indicators';

/** Of `linkTo(view, params)` → `suggestionOf` for a field that finds indicators. */
export const indicatorSuggestion =
  (linkTo) =>
  ({ series, all, isCut }, names) => {
    const { name: text, entityId, sourceId } = series;
    if (all === null)
      return { text, detail: `${names.entity(entityId)}, ${names.source(sourceId)}`, href: linkTo('series', seriesParams(series)) };
    const detail = `all ${all.count}${isCut ? '+' : ''}${all.isOfCountries ? ' countries' : ''}`;
    return { text, detail, href: linkTo('indicator', { id: all.id }) };
  };

/**
 * @param question the request for a text: `{ path, params }`
 * @param suggestionOf a row (of indicators: of `suggestedOf`) and the names of entities, of `useNamesOf` → `{ text, detail, href }`
 * @param isReady true if you can type at once when the field appears
 * @param open opens the href of the chosen suggestion
 */
export function SuggestingField({ label, value, onInput, placeholder, question, suggestionOf, isReady = false, open = toHash }) {
  const field = useRef(null);
  useEffect(() => {
    if (isReady) field.current.focus({ preventScroll: true });
  }, []);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const text = useSettled(value.trim());
  const { path, params } = question(text);
  const isOfIndicators = path === INDICATORS;
  const asked = useAsked(isOpen && text.length >= LEAST_LETTERS ? path : null, { ...params, limit: isOfIndicators ? MOST_SERIES : SHOWN });
  const rows = isOpen && asked.answer !== null ? rowsOf(asked.answer, isOfIndicators) : [];
  // Rows of entities have their own names.
  const entities = rows.flatMap(({ series }) => series?.entityId ?? []);
  const names = useNamesOf(entities, params.as_of);
  const found = rows.map((row) => suggestionOf(row, names));
  const close = () => {
    setOpen(false);
    setChosen(-1);
  };
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen(Math.max(-1, Math.min(found.length - 1, chosen + step)));
    } else if (event.key === 'Enter') {
      close();
      if (found[chosen] === undefined) return;
      event.preventDefault();
      open(found[chosen].href);
    }
  };
  const type = (event) => {
    setOpen(true);
    setChosen(-1);
    onInput(event.target.value);
  };
  return html`<span class="suggesting">
    <label>${label} <input ref=${field} type="search" size="28" role="combobox" aria-autocomplete="list" aria-expanded=${String(found.length > 0)} aria-controls="suggestions"
      aria-activedescendant=${chosen < 0 ? undefined : `suggestion-${chosen}`} autocomplete="off" value=${value} placeholder=${placeholder}
      onInput=${type} onKeyDown=${press} onBlur=${close} /></label>
    <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden=${found.length === 0}>
      ${found.map(
        (
          one,
          at,
        ) => html`<li id=${`suggestion-${at}`} role="option" aria-selected=${String(at === chosen)} onPointerDown=${(event) => event.preventDefault()}
          onClick=${() => {
            close();
            open(one.href);
          }}>${one.text} <span class="small">${one.detail}</span></li>`,
      )}
    </ul>
  </span>`;
}

const rowsOf = ({ data, meta }, isOfIndicators) =>
  isOfIndicators ? suggestedOf(data, SHOWN).map((one) => ({ ...one, isCut: meta.pagination.has_more })) : data;

function toHash(href) {
  window.location.hash = href;
}

/** The text as it is once the typist pauses. */
function useSettled(text) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const later = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(later);
  }, [text]);
  return settled;
}
