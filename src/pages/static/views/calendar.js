// Calendar: scheduled releases and their results, one week at a time, as known on any day.
import { html } from '../lib/preact.js';
import { getAll } from '../api.js';
import { Answer, Badge, Figure, Hints, instantText, Requests, useAsked } from '../components.js';
import { Table } from '../table.js';
import { useNames } from '../names.js';
import { exactText, numberText, unitText } from '../numbers.js';
import { daysAfter, isDay, mondayOf } from '../weeks.js';

const IMPORTANCES = ['', 'high', 'medium', 'low'];
const STATUSES = ['', 'scheduled', 'released', 'postponed', 'cancelled', 'unconfirmed'];

const today = () => new Date().toISOString().slice(0, 10);

export function Calendar({ params, set, linkTo }) {
  const dayThen = (params.as_of ?? '').slice(0, 10);
  const week = mondayOf(isDay(params.week) ? params.week : isDay(dayThen) ? dayThen : today());
  const asked = {
    start_date: week,
    end_date: daysAfter(week, 6),
    country: params.country,
    importance: params.importance,
    status: params.status,
    as_of: params.as_of,
  };
  const choice = (name, label, options) => html`<label>${label}${' '}
    <select value=${params[name] ?? ''} onChange=${(event) => set({ [name]: event.target.value })}>
      ${options.map((option) => html`<option value=${option} selected=${option === (params[name] ?? '')}>${option === '' ? 'any' : option}</option>`)}
    </select></label>`;
  return html`<section><h1>Calendar</h1>
    <div class="row">
      <button type="button" onClick=${() => set({ week: daysAfter(week, -7) })}>← Previous week</button>
      <label>Week of <input type="date" value=${week} onChange=${(event) => isDay(event.target.value) && set({ week: mondayOf(event.target.value) })} /></label>
      <button type="button" onClick=${() => set({ week: daysAfter(week, 7) })}>Next week →</button>
      <label>Country <input size="4" maxlength="60" value=${params.country ?? ''} onChange=${(event) => set({ country: event.target.value.trim() })} placeholder="US" /></label>
      ${choice('importance', 'Importance', IMPORTANCES)} ${choice('status', 'Status', STATUSES)}
    </div>
    <${Week} key=${JSON.stringify(asked)} asked=${asked} linkTo=${linkTo} />
    <${Requests} requests=${[{ label: 'This week', path: '/economic-calendar', params: asked }]} /></section>`;
}

/** One answer with its own dates: another week is another table. */
function Week({ asked, linkTo }) {
  const found = useAsked('/economic-calendar', asked, getAll);
  const names = useNames();
  const { start_date, end_date, as_of } = asked;
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} />
      <${Table} columns=${columnsOf(linkTo, names)} rows=${data} rowKey=${(row) => `${row.eventId} ${row.indicatorId}`} caption=${`${start_date} to ${end_date}${as_of ? `, as known on ${as_of}` : ''}`} name=${`calendar-${start_date}`} empty=${`No releases in the week of ${start_date}${as_of ? ` as of ${as_of}` : ''}. Choose another week.`} />
      <p class="small">Times are UTC. Previous is the value known before the release; revised previous is the same value after it. The forecast is our statistical baseline. Consensus is the median of an official survey before the release; surprise is actual minus consensus.</p></div>`}
  <//>`;
}

const KINDS = { released: 'good', cancelled: 'bad', postponed: 'bad', unconfirmed: 'bad' };

/** The hour if it is known; marks estimated and tentative times. */
function whenText({ scheduledAt, timePrecision }) {
  if (timePrecision === 'exact') return instantText(scheduledAt);
  const day = scheduledAt.slice(0, 10);
  return timePrecision === 'date_only' ? day : `${day} (${timePrecision})`;
}

const value = (name, label) => ({ id: name, label, value: (row) => row[name], isNumber: true });

/** Actual minus consensus. The difference of two decimals is rounded to their digits. */
const surpriseOf = ({ actual, consensus }) => (actual === null || consensus === null ? null : Number((actual - consensus).toPrecision(12)));

const columnsOf = (linkTo, names) => [
  { id: 'scheduledAt', label: 'When', value: (row) => row.scheduledAt, show: whenText },
  { id: 'country', label: 'Country', value: (row) => row.country, show: (row) => names.country(row.country) },
  {
    id: 'title',
    label: 'Release',
    value: (row) => row.title,
    isLong: true,
    show: (row) =>
      row.indicatorId === null
        ? row.title
        : html`<span>${row.title}<br /><a href=${linkTo('series', { indicator_id: row.indicatorId, entity: row.entityId, period_end: row.periodEnd ?? undefined })}>${row.indicatorId}</a></span>`,
  },
  { id: 'importance', label: 'Importance', value: (row) => row.importance },
  { id: 'status', label: 'Status', value: (row) => row.status, show: (row) => html`<${Badge} kind=${KINDS[row.status]}>${row.status}<//>` },
  { id: 'period', label: 'Period', value: (row) => row.period },
  {
    id: 'actual',
    label: 'Actual',
    value: (row) => row.actual,
    isNumber: true,
    show: (row) =>
      row.observationId === null
        ? html`<${Figure} value=${row.actual} />`
        : html`<a href=${linkTo('provenance', { id: row.observationId })}><${Figure} value=${row.actual} /></a>`,
  },
  value('consensus', 'Consensus'),
  { id: 'surprise', label: 'Surprise', value: surpriseOf, isNumber: true },
  value('previous', 'Previous'),
  value('revisedPrevious', 'Revised previous'),
  {
    id: 'forecast',
    label: 'Forecast',
    value: (row) => row.forecast,
    isNumber: true,
    show: (row) =>
      row.forecastLower === null
        ? html`<${Figure} value=${row.forecast} />`
        : html`<span title=${`${exactText(row.forecast)}; ${row.forecastMethod}, between ${exactText(row.forecastLower)} and ${exactText(row.forecastUpper)}`}>${numberText(row.forecast)}</span>`,
  },
  { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
  {
    id: 'sourceId',
    label: 'Source',
    value: (row) => row.sourceId,
    show: (row) => html`<span title=${names.source(row.sourceId)}>${row.sourceId}</span>`,
  },
];
