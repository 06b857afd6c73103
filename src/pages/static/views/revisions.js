// Most revised: the series whose values were revised within some days, the largest revision first.
import { html, useMemo } from '../lib/preact.js';
import { getText } from '../api.js';
import { parseCsv } from '../tables/csv.js';
import { Answer, Figure, Hints, instantText, Requests, useAsked, useTitle } from '../components.js';
import { Table } from '../tables/table.js';
import { sourceColumn, useNames } from '../names.js';
import { unitText } from '../numbers.js';
import { changesIn, mostRevisedOf, REVISION_COLUMNS } from '../today/today.js';
import { titleOf, windowIn, WindowFields } from '../today/window.js';

const SPANS = [
  { id: '7', label: 'A week' },
  { id: '30', label: '30 days' },
  { id: '365', label: 'A year' },
];
const SHOWN = 100;
/** First values are among the changes, and many come with a first download. */
const MOST_CHANGES = 300_000;

export function Revisions({ params, set, linkTo }) {
  const chosen = windowIn(params, SPANS, '30');
  const asked = {
    observed_from: chosen.from,
    observed_to: chosen.to,
    ...chosen.asked,
    type: 'macro',
    limit: MOST_CHANGES,
    columns: REVISION_COLUMNS,
    format: 'csv',
  };
  useTitle(titleOf('Most revised', chosen));
  return html`<section><h1>Most revised</h1>
    <${WindowFields} spans=${SPANS} chosen=${chosen} country=${params.country} set=${set}>
      <a href=${linkTo('today', { days: chosen.span, importance: params.importance, country: params.country })}>All releases and revisions</a>
    <//>
    <${List} key=${JSON.stringify(asked)} asked=${asked} linkTo=${linkTo} />
    <${Requests} requests=${[{ label: 'Changes, first values included', path: '/observations/changes', params: asked }]} /></section>`;
}

/** One answer with its own days: others are another list. */
function List({ asked, linkTo }) {
  const found = useAsked('/observations/changes', asked, getText);
  return html`<${Answer} asked=${found}>
    ${({ text, isCut }) => html`<div><${Hints} meta=${{ isCut }} /><${Revised} text=${text} from=${asked.observed_from} to=${asked.observed_to} linkTo=${linkTo} /></div>`}
  <//>`;
}

function Revised({ text, from, to, linkTo }) {
  const names = useNames();
  const rows = useMemo(() => mostRevisedOf(changesIn(parseCsv(text), REVISION_COLUMNS)), [text]);
  return html`<div>
    <${Table} columns=${columnsOf(linkTo, names)} rows=${rows} most=${SHOWN} rowKey=${(row) => `${row.indicatorId} ${row.sourceId}`} caption=${`Most revised from ${from} to ${to}`} name=${`most-revised-${to}`} empty=${`Nothing was revised from ${from} to ${to}. Choose more days or another importance.`} />
    <p class="small">A row has the period of a series that changed most, from its value before these days to its last one in them. The size is the change in percent of the larger of the two values: it lets thousands and rates stand in one list, and is large for rates near zero.</p></div>`;
}

const columnsOf = (linkTo, names) => [
  {
    id: 'indicatorName',
    label: 'Indicator',
    value: (row) => row.indicatorName ?? row.indicatorId,
    isLong: true,
    show: (row) =>
      html`<a href=${linkTo('series', { indicator_id: row.indicatorId, source_id: row.sourceId, period_end: row.periodEnd })} title=${row.indicatorId}>${row.indicatorName ?? row.indicatorId}</a>`,
  },
  { id: 'country', label: 'Country', value: (row) => row.country, show: (row) => names.country(row.country) },
  { id: 'percent', label: 'Size, %', value: (row) => row.percent, isNumber: true, why: () => 'withdrawn' },
  { id: 'period', label: 'Period', value: (row) => row.period },
  { id: 'before', label: 'Before', value: (row) => row.before, isNumber: true, why: () => 'no value' },
  {
    id: 'after',
    label: 'Now',
    value: (row) => row.after,
    isNumber: true,
    why: () => 'withdrawn',
    show: (row) => html`<${Figure} value=${row.after} />`,
  },
  { id: 'change', label: 'Change', value: (row) => row.change, isNumber: true },
  { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
  { id: 'periods', label: 'Revised periods', value: (row) => row.periods, isNumber: true },
  { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
  sourceColumn(names),
];
