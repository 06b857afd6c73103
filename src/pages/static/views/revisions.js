// Most revised: the series whose values were revised within some days, the largest revision first.
import { html } from '../lib/preact.js';
import { getText } from '../api.js';
import { daysAfter } from '../calendar/weeks.js';
import { parseCsv } from '../tables/csv.js';
import { Answer, Requests, useAsked, useTitle } from '../components.js';
import { Table } from '../tables/table.js';
import { sourceColumn, useNames } from '../names.js';
import { unitText } from '../numbers.js';
import { areaColumn } from '../today/area.js';
import { newestChanges } from '../today/newest.js';
import {
  changesIn,
  HISTORY_COLUMNS,
  historiesOf,
  measuredOf,
  mostRevisedOf,
  REVISION_COLUMNS,
  revisedSeriesOf,
  usualChangesOf,
  valuesIn,
} from '../today/today.js';
import { CutNote, knownColumn, titleOf, windowIn, WindowFields } from '../today/window.js';

const SPANS = [
  { id: '7', label: 'A week' },
  { id: '30', label: '30 days' },
  { id: '365', label: 'A year' },
];
const SHOWN = 40;
/** First values are among the changes, and many come with a first download. */
const MOST_CHANGES = 300_000;
/** Series whose usual change is asked for, and indicators that one question takes. */
const [MOST_MEASURED, MOST_IDS] = [300, 50];
const MOST_VALUES = 100_000;

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

/** The revised series, the largest revision first, measured by what was known before these days. */
async function askMostRevised(path, params, options) {
  const { texts, since } = await newestChanges(path, params, options);
  const series = revisedSeriesOf(texts.flatMap((text) => changesIn(parseCsv(text), REVISION_COLUMNS)));
  const { observed_from: from } = params;
  const asked = { as_of: daysAfter(from, -1), type: 'macro', columns: HISTORY_COLUMNS, format: 'csv', limit: MOST_VALUES };
  const history = [];
  // One after another: a key has few bulk answers at a time.
  for (const one of historiesOf(measuredOf(series, MOST_MEASURED), from, MOST_IDS)) {
    const { text } = await getText('/observations', { ...one, ...asked }, options);
    history.push(valuesIn(parseCsv(text), HISTORY_COLUMNS));
  }
  return { rows: mostRevisedOf(series, usualChangesOf(history.flat())), since };
}

/** One answer with its own days: others are another list. */
function List({ asked, linkTo }) {
  const found = useAsked('/observations/changes', asked, askMostRevised);
  return html`<${Answer} asked=${found}>
    ${({ rows, since }) => html`<div><${CutNote} since=${since} /><${Revised} rows=${rows} from=${asked.observed_from} to=${asked.observed_to} linkTo=${linkTo} /></div>`}
  <//>`;
}

function Revised({ rows, from, to, linkTo }) {
  const names = useNames();
  const left =
    rows.length > MOST_MEASURED
      ? ` Of ${rows.length} revised series ${MOST_MEASURED} are measured: of each unit those with the largest changes.`
      : '';
  return html`<div>
    <p class="small">Ranked by size: the revision divided by how much the series usually changes from one period to the next. 2 is twice its usual change, whether it is a rate near zero or a level.${left}</p>
    <${Table} columns=${columnsOf(linkTo, names)} rows=${rows} most=${SHOWN} rowKey=${(row) => `${row.indicatorId} ${row.sourceId}`} caption=${`Most revised from ${from} to ${to}`} name=${`most-revised-${to}`} empty=${`Nothing was revised from ${from} to ${to}. Choose more days or another importance.`} />
    <p class="small">A row has the period of a series that changed most, from its value before these days to its last one in them. The usual change is the median of its changes in the years before, the last 40 at most, without their signs and as known before ${from}. A series with fewer than 8, or that rarely changes, has no size and comes last.</p></div>`;
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
  areaColumn(names),
  { id: 'size', label: 'Size, usual changes', value: (row) => row.size, isNumber: true },
  { id: 'period', label: 'Period', value: (row) => row.period },
  { id: 'before', label: 'Before', value: (row) => row.before, isNumber: true, beside: 'unit', why: () => 'no value' },
  {
    id: 'after',
    label: 'Now',
    value: (row) => row.after,
    isNumber: true,
    beside: 'unit',
    why: () => 'withdrawn',
    show: (row, figure) => html`<a href=${linkTo('provenance', { id: row.observationId })}>${figure}</a>`,
  },
  { id: 'change', label: 'Change', value: (row) => row.change, isNumber: true, beside: 'unit' },
  { id: 'usual', label: 'Usual change', value: (row) => row.usual, isNumber: true, beside: 'unit' },
  { id: 'unit', label: 'Unit', value: (row) => row.unit, isNarrow: true, show: (row) => unitText(row.unit) },
  { id: 'periods', label: 'Revised periods', value: (row) => row.periods, isNumber: true },
  knownColumn,
  sourceColumn(names),
];
