// A second series over the first: its choice and its values.
import { html, useState } from '../lib/preact.js';
import { Answer, Fault, useAsked } from '../components.js';
import { getText } from '../api.js';
import { useNamesOf } from '../names.js';
import { unitText } from '../numbers.js';
import { PRINT_COLUMNS } from '../charts/vintages.js';
import { seriesParams } from '../series/params.js';

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

/** The second series, or the choice of one. An address that names no series in full names none. */
export function OverlayChoice({ series, overlay, over, set }) {
  if (readOver(over) === undefined) return html`<${Choice} series=${series} set=${set} />`;
  return html`<${Chosen} overlay=${overlay} over=${over} set=${set} />`;
}

function Chosen({ overlay: { series, asked }, over, set }) {
  const names = useNamesOf(series === null ? [] : [series.entityId]);
  const { found, prints } = asked;
  const failed = [found, prints].find(({ state }) => state === 'failed');
  const isRefused = found.fault?.code === 'bad_request';
  const name = series === null ? over.split('~')[0] : `${series.name}, ${names.entity(series.entityId)}`;
  return html`<div>
    <p class="small">Over it: <strong>${name}</strong>${series !== null && ` in ${unitText(series.unit)}`} <button type="button" class="quiet" onClick=${() => set({ over: '' })}>Remove</button></p>
    ${(isRefused || (found.state === 'answered' && series === null)) && html`<p class="note">There is no such series.</p>`}
    ${failed !== undefined && !isRefused && html`<${Fault} fault=${failed.fault} retry=${failed.retry} />`}
  </div>`;
}

/** Suggests the same indicator of other countries, until something is typed. */
function Choice({ series, set }) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  // The field keeps what is typed, blanks too: one that is taken away would join two words.
  const asked = text.trim();
  const found = useAsked(isOpen ? '/indicators' : null, { q: asked === '' ? series.canonicalIndicatorId : asked, limit: SHOWN });
  const offered = (found.answer?.data ?? []).filter((row) => written(row) !== written(series));
  const names = useNamesOf(offered.map(({ entityId }) => entityId));
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Lay another series over it</summary>
    <p><label>Which <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} placeholder=${series.name} /></label></p>
    <${Answer} asked=${found}>
      ${() =>
        offered.length === 0
          ? html`<p class="note">No other series. Try another word.</p>`
          : html`<ul class="offers">
              ${offered.map((row) => html`<li><button type="button" class="quiet" onClick=${() => set({ over: written(row) })}>${row.name}, ${names.entity(row.entityId)}</button> <span class="small">${unitText(row.unit)} · ${row.frequency} · ${names.source(row.sourceId)}</span></li>`)}
            </ul>`}
    <//>
  </details>`;
}
