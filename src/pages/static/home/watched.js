// The watch-list on the start page: the newest value of each watched series.
import { html, useEffect, useState } from '../lib/preact.js';
import { Answer, instantText, useAsked } from '../components.js';
import { useNamesOf } from '../names.js';
import { unitText } from '../numbers.js';
import { Table } from '../tables/table.js';
import { onWatched, rowsOfWatched, toggleWatched, watchedNow } from '../watched.js';

/** The list, and again whenever it changes. */
export function useWatched() {
  const [watched, setWatched] = useState(watchedNow);
  useEffect(() => onWatched(() => setWatched(watchedNow())), []);
  return watched;
}

export function Watched({ linkTo }) {
  const watched = useWatched();
  const ids = [...new Set(watched.map(({ indicator_id }) => indicator_id))].join(',');
  const asked = useAsked(ids === '' ? null : '/observations/latest', { indicator_id: ids, limit: 500 });
  if (ids === '') return null;
  return html`<section><h2>Watched</h2>
    <${Answer} asked=${asked}>
      ${({ data }) => html`<${Newest} rows=${rowsOfWatched(watched, data)} linkTo=${linkTo} />`}
    <//></section>`;
}

function Newest({ rows, linkTo }) {
  const names = useNamesOf(rows.flatMap(({ instrumentId }) => instrumentId ?? []));
  return html`<${Table} columns=${columnsOf(linkTo, names)} rows=${rows} caption="Newest values of watched series" name="watched" empty="The watched series have no row for this key." />`;
}

const paramsOf = ({ indicatorId, sourceId, frequency }) => ({ indicator_id: indicatorId, source_id: sourceId, frequency });

const columnsOf = (linkTo, names) => [
  {
    id: 'indicatorName',
    label: 'Indicator',
    value: (row) => row.indicatorName,
    isLong: true,
    show: (row) => html`<a href=${linkTo('series', paramsOf(row))}>${row.indicatorName}</a>`,
  },
  {
    id: 'of',
    label: 'Of',
    value: (row) => row.instrumentId ?? row.country,
    show: (row) => (row.instrumentId === null ? names.country(row.country) : names.entity(row.instrumentId)),
  },
  { id: 'period', label: 'Period', value: (row) => row.period },
  { id: 'actual', label: 'Value', value: (row) => row.actual, isNumber: true, beside: 'unit' },
  { id: 'previous', label: 'Previous', value: (row) => row.previous, isNumber: true, beside: 'unit' },
  { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
  { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
  {
    id: 'remove',
    label: '',
    value: (row) => row.indicatorId,
    isDrawn: true,
    show: (row) =>
      html`<button type="button" class="quiet" aria-label=${`Stop watching ${row.indicatorName}`} onClick=${() => toggleWatched(paramsOf(row))}>×</button>`,
  },
];
