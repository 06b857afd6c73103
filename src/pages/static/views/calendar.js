// Calendar: scheduled releases and their results, one week at a time, as known on any day.
import { html, useEffect, useState } from '../lib/preact.js';
import { get, getAll } from '../api.js';
import { Answer, Badge, DayField, Hints, instantText, Requests, useAsked, useTitle } from '../components.js';
import { Table } from '../tables/table.js';
import { rowsInParts, sourceColumn, useIndicatorNames, useNames } from '../names.js';
import { exactText, unitText } from '../numbers.js';
import { lacksRate, ratesIn, spanAround, withRates } from '../calendar/decisions.js';
import { daysAfter, isDay, longDay, mondayOf } from '../calendar/weeks.js';

const IMPORTANCES = ['', 'high', 'medium', 'low'];
const STATUSES = ['', 'scheduled', 'released', 'postponed', 'cancelled', 'unconfirmed'];

const today = () => new Date().toISOString().slice(0, 10);

export function Calendar({ params, set, linkTo }) {
  const dayThen = (params.as_of ?? '').slice(0, 10);
  const filters = { country: params.country, importance: params.importance, status: params.status, as_of: params.as_of };
  const isNamed = isDay(params.week);
  const wanted = mondayOf(isNamed ? params.week : isDay(dayThen) ? dayThen : today());
  // If the address names no week and the week is empty, the page shows another one: { of: the empty week, week, which }.
  const [moved, setMoved] = useState(null);
  const key = JSON.stringify([wanted, filters]);
  const instead = !isNamed && moved?.of === key ? moved : null;
  const week = instead?.week ?? wanted;
  const asked = { start_date: week, end_date: daysAfter(week, 6), ...filters };
  useTitle(
    ['Calendar', `${week} to ${asked.end_date}`, params.country, params.importance && `${params.importance} importance`, params.status]
      .filter(Boolean)
      .join(', '),
  );
  const move = isNamed || instead !== null ? null : (found) => setMoved({ of: key, ...found });
  const choice = (name, label, options) => html`<label>${label}${' '}
    <select value=${params[name] ?? ''} onChange=${(event) => set({ [name]: event.target.value })}>
      ${options.map((option) => html`<option value=${option} selected=${option === (params[name] ?? '')}>${option === '' ? 'any' : option}</option>`)}
    </select></label>`;
  return html`<section><h1>Calendar</h1>
    <div class="row">
      <button type="button" onClick=${() => set({ week: daysAfter(week, -7) })}>← Previous week</button>
      <label>Week of <${DayField} value=${week} onDay=${(day) => set({ week: mondayOf(day) })} /></label>
      <button type="button" onClick=${() => set({ week: daysAfter(week, 7) })}>Next week →</button>
      <label>Country <input size="4" maxlength="60" value=${params.country ?? ''} onChange=${(event) => set({ country: event.target.value.trim() })} placeholder="US" /></label>
      ${choice('importance', 'Importance', IMPORTANCES)} ${choice('status', 'Status', STATUSES)}
    </div>
    ${instead !== null && html`<p class="note" role="status">No releases in the week of ${wanted}. This is the ${instead.which} week with entries.</p>`}
    <${Week} key=${JSON.stringify(asked)} asked=${asked} move=${move} set=${set} linkTo=${linkTo} />
    <${Requests} requests=${[{ label: 'This week', path: '/economic-calendar', params: asked }]} /></section>`;
}

const NONE = [];

/** One answer with its own dates: another week is another table. `move({ week, which })` shows another week in place of an empty one; null keeps it. */
function Week({ asked, move, set, linkTo }) {
  const found = useAsked('/economic-calendar', asked, getAll);
  const names = useNames();
  const indicators = useIndicatorNames(idsOf(found.answer?.data ?? []), asked.as_of);
  const later = useLaterPrints(found.answer?.data ?? NONE, asked);
  const rows = useRates(found.answer?.data ?? NONE, asked);
  const { start_date, end_date, as_of } = asked;
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} />
      <${Table} columns=${columnsOf(linkTo, names, indicators, later)} rows=${rows} rowKey=${(row) => `${row.eventId} ${row.indicatorId}`} groupOf=${({ scheduledAt }) => longDay(scheduledAt.slice(0, 10))} caption=${`${start_date} to ${end_date}${as_of ? `, as known on ${as_of}` : ''}`} name=${`calendar-${start_date}`} empty=${`No releases in the week of ${start_date}.`} />
      <${Jumps} asked=${asked} isEmpty=${data.length === 0} move=${move} set=${set} />
      <p class="small">Times are UTC. Previous is the value known before the release; revised to is the same value after it. Moved is actual minus the previous value as it stands after the release. The forecast is our statistical baseline. Consensus is the median of an official survey before the release; surprise is actual minus consensus. A later print is of a period that already had another value. After a decision of a central bank, Actual is its policy rate in the period shown, the first one in which the decision is in force. A released entry without a number has no print in the data yet.</p></div>`}
  <//>`;
}

const idsOf = (rows) =>
  [...new Set(rows.flatMap(({ indicatorId }) => (indicatorId === null ? [] : [indicatorId])))].toSorted((a, b) => (a < b ? -1 : 1));

/** The observations of these entries that revised a value: a second estimate is no first print. */
function useLaterPrints(rows, { start_date, end_date, as_of }) {
  const ids = idsOf(rows.filter(({ observationId }) => observationId !== null));
  const asked = { ids, as_of, vintage: 'all', observed_from: start_date, observed_to: end_date, columns: 'observationId,revised' };
  const { answer } = useAsked(ids.length === 0 ? null : '/observations', asked, rowsInParts);
  return new Set((answer ?? []).flatMap(({ observationId, revised }) => (revised ? [observationId] : [])));
}

/** Entries with the policy rates around the decisions among them. */
function useRates(entries, asked) {
  const { answer } = useAsked(entries.some(lacksRate) ? '/observations' : null, spanAround(asked), ratesIn);
  return answer === null ? entries : withRates(entries, answer);
}

/** The nearest weeks before and after this one that have entries. */
function Jumps({ asked, isEmpty, move, set }) {
  const one = { ...asked, limit: 1, sort: 'scheduled_at' };
  const before = useAsked(
    '/economic-calendar',
    { ...one, start_date: undefined, end_date: daysAfter(asked.start_date, -1), order: 'desc' },
    get,
  );
  const after = useAsked(
    '/economic-calendar',
    { ...one, end_date: undefined, start_date: daysAfter(asked.end_date, 1), order: 'asc' },
    get,
  );
  const weekOf = ({ answer }) => (answer?.data[0] === undefined ? null : mondayOf(answer.data[0].scheduledAt.slice(0, 10)));
  const [earlier, later] = [weekOf(before), weekOf(after)];
  const isKnown = before.answer !== null && after.answer !== null;
  const instead =
    !isEmpty || !isKnown || move === null ? null : later !== null ? { week: later, which: 'next' } : { week: earlier, which: 'last' };
  const isElsewhere = (instead?.week ?? null) !== null;
  useEffect(() => {
    if (isElsewhere) move(instead);
  }, [isElsewhere]);
  if (isEmpty && isKnown && earlier === null && later === null) return html`<p class="note">No other week has entries that match.</p>`;
  const jump = (week, label) => week !== null && html`<button type="button" onClick=${() => set({ week })}>${label} ${week}</button>`;
  return html`<p class="row">${jump(earlier, '← Last entries before: week of')} ${jump(later, 'Next entries: week of')}</p>`;
}

const KINDS = { released: 'good', cancelled: 'bad', postponed: 'bad', unconfirmed: 'bad' };

/** The day, which a heading above makes needless, then the hour if it is known; marks estimated and tentative times. */
function When({ row: { scheduledAt, timePrecision } }) {
  const day = scheduledAt.slice(0, 10);
  const time = timePrecision === 'exact' ? instantText(scheduledAt).slice(11) : timePrecision === 'date_only' ? '' : timePrecision;
  return html`<span><span class=${time === '' ? '' : 'day'}>${day} </span>${time}</span>`;
}

const value = (name, label) => ({ id: name, label, value: (row) => row[name], isNumber: true, beside: 'unit' });

/** The difference of two decimals, rounded to their digits. */
const minus = (a, b) => (a === null || b === null ? null : Number((a - b).toPrecision(12)));
const surpriseOf = ({ actual, consensus }) => minus(actual, consensus);
/** Actual minus the previous value, as revised by this release: otherwise the change would contain that revision. */
const movedOf = ({ actual, previous, revisedPrevious }) => minus(actual, revisedPrevious ?? previous);

const columnsOf = (linkTo, names, indicators, later) => [
  { id: 'scheduledAt', label: 'When', value: (row) => row.scheduledAt, show: (row) => html`<${When} row=${row} />` },
  { id: 'country', label: 'Country', value: (row) => row.country, show: (row) => names.country(row.country) },
  {
    id: 'title',
    label: 'Release',
    value: (row) => row.title,
    isLong: true,
    show: (row) =>
      html`<span>${row.title}<br /><span class="small">${row.importance} importance${row.indicatorId !== null && html`, <a href=${linkTo('series', { indicator_id: row.indicatorId, entity: row.entityId, period_end: row.periodEnd ?? undefined })} title=${row.indicatorId}>${indicators.get(row.indicatorId) ?? row.indicatorId}</a>`}</span></span>`,
  },
  { id: 'importance', label: 'Importance', value: (row) => row.importance, isOnlyInCsv: true },
  { id: 'status', label: 'Status', value: (row) => row.status, show: (row) => html`<${Badge} kind=${KINDS[row.status]}>${row.status}<//>` },
  {
    id: 'period',
    label: 'Period',
    value: (row) => row.period,
    show: (row) => html`<span>${row.period}${later.has(row.observationId) && html`<br /><span class="small">a later print</span>`}</span>`,
  },
  {
    ...value('actual', 'Actual'),
    show: (row, figure) =>
      row.observationId === null
        ? figure
        : html`<a href=${linkTo('provenance', { id: row.observationId })} title=${row.rate && `${row.rate.indicatorName}, ${row.rate.period}`}>${figure}</a>`,
  },
  value('consensus', 'Consensus'),
  { id: 'surprise', label: 'Surprise', value: surpriseOf, isNumber: true, beside: 'unit' },
  value('previous', 'Previous'),
  value('revisedPrevious', 'Revised to'),
  {
    id: 'moved',
    label: 'Moved',
    value: movedOf,
    isNumber: true,
    beside: 'unit',
    show: (row, figure) => html`<span class=${movedOf(row) > 0 ? 'up' : movedOf(row) < 0 ? 'down' : ''}>${figure}</span>`,
  },
  {
    ...value('forecast', 'Forecast'),
    show: (row, figure) =>
      row.forecastLower === null
        ? figure
        : html`<span title=${`${exactText(row.forecast)}; ${row.forecastMethod}, between ${exactText(row.forecastLower)} and ${exactText(row.forecastUpper)}`}>${figure}</span>`,
  },
  { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
  sourceColumn(names),
];
