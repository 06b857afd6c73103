// A second series over the first: its choice and its values.
import { html, useState } from '../lib/preact.js';
import { Answer, Fault, useAsked } from '../components.js';
import { getText } from '../api.js';
import { useNames } from '../names.js';
import { unitText } from '../numbers.js';
import { PRINT_COLUMNS } from '../charts/vintages.js';
import { seriesParams } from './search.js';

const SHOWN = 12;
const KEYS = ['indicator_id', 'source_id', 'entity', 'frequency'];

/** The parameters of a series as one parameter of the address, and back; undefined if there is none. */
const written = (row) => KEYS.map((key) => seriesParams(row)[key]).join('~');
/** The parameters of the second series in an address; undefined if it names none. */
export function readOver(text) {
  const parts = (text ?? '').split('~');
  return parts.length === KEYS.length && !parts.includes('') ? Object.fromEntries(KEYS.map((key, at) => [key, parts[at]])) : undefined;
}

/** → { series, text, asked }: the series named by `over` and all its prints since `startDate`; null for what is not there (yet). */
export function useOverlay(over, startDate, limit) {
  const own = readOver(over);
  const found = useAsked(own === undefined ? null : '/indicators/series', own ?? {});
  const params = { ...own, vintage: 'all', start_date: startDate, format: 'csv', columns: PRINT_COLUMNS, limit };
  const prints = useAsked(own === undefined ? null : '/observations', own === undefined ? {} : params, getText);
  return { series: found.answer?.data[0] ?? null, text: prints.answer?.text ?? null, asked: { found, prints } };
}

/** Suggests the same indicator of other countries, until something is typed. */
export function OverlayChoice({ series, overlay, over, set }) {
  const names = useNames();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useAsked(isOpen ? '/indicators' : null, { q: text === '' ? series.canonicalIndicatorId : text, limit: SHOWN });
  const { found: named, prints } = overlay.asked;
  const failed = [named, prints].find(({ state }) => state === 'failed');
  // An address that names no series in full names none.
  if (readOver(over) !== undefined) {
    const isRefused = named.fault?.code === 'bad_request';
    const name = overlay.series === null ? over.split('~')[0] : `${overlay.series.name}, ${names.entity(overlay.series.entityId)}`;
    return html`<div>
      <p class="small">Over it: <strong>${name}</strong>${overlay.series !== null && ` in ${unitText(overlay.series.unit)}`} <button type="button" class="quiet" onClick=${() => set({ over: '' })}>Remove</button></p>
      ${(isRefused || (named.state === 'answered' && overlay.series === null)) && html`<p class="note">There is no such series.</p>`}
      ${failed !== undefined && !isRefused && html`<${Fault} fault=${failed.fault} retry=${failed.retry} />`}
    </div>`;
  }
  const others = ({ data }) => data.filter((row) => written(row) !== written(series));
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Lay another series over it</summary>
    <p><label>Which <input type="search" value=${text} onInput=${(event) => setText(event.target.value.trim())} placeholder=${series.name} /></label></p>
    <${Answer} asked=${found}>
      ${(answer) =>
        others(answer).length === 0
          ? html`<p class="note">No other series. Try another word.</p>`
          : html`<ul class="offers">
              ${others(answer).map((row) => html`<li><button type="button" class="quiet" onClick=${() => set({ over: written(row) })}>${row.name}, ${names.entity(row.entityId)}</button> <span class="small">${unitText(row.unit)} · ${row.frequency} · ${names.source(row.sourceId)}</span></li>`)}
            </ul>`}
    <//>
  </details>`;
}
