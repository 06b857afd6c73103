// Series: every vintage of one series, its revisions, and its values as known on any day.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { getText } from '../api.js';
import { Answer, CsvButton, Hints, Requests, Table, Tabs, useAsked } from '../components.js';
import { asKnown, isMoment, momentOf, PRINT_COLUMNS, printAt, readPrints, vintageDays } from '../vintages.js';
import { seriesParams } from './search.js';
import { Facts, Forecast, LevelChart, NEXT, Prints, RevisionChart } from './series-parts.js';

const MODES = [
  { id: 'level', label: 'Levels' },
  { id: 'revision', label: 'Revisions' },
];
const RANGES = [
  { id: '3', label: '3 years' },
  { id: '10', label: '10 years' },
  { id: '25', label: '25 years' },
  { id: 'all', label: 'All' },
];
/** The limit for one series; a longer one is shown over a shorter range. */
const MOST_PRINTS = 300_000;

export function Series({ params, set, linkTo }) {
  const wanted = { indicator_id: params.indicator_id, source_id: params.source_id, entity: params.entity, frequency: params.frequency };
  const isAsked = params.indicator_id !== undefined || params.entity !== undefined;
  // The series itself does not depend on the day; its known values do.
  const found = useAsked(isAsked ? '/indicators/series' : null, { ...wanted, limit: 200 });
  const refused = useAsked(isMoment(params.as_of) ? null : '/observations/latest', { ...wanted, as_of: params.as_of, limit: 1 });
  if (!isMoment(params.as_of))
    return html`<section><h1>Series</h1><${Answer} asked=${refused}>${() => html`<p class="note">Choose a valid as-of day.</p>`}<//></section>`;
  if (!isAsked) return html`<section><h1>Series</h1><p>Choose one in <a href=${linkTo('search')}>Search</a>.</p></section>`;
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => {
      if (data.length === 1)
        return html`<${OneSeries} key=${data[0].indicatorId + data[0].entityId + data[0].sourceId} series=${data[0]} params=${params} set=${set} linkTo=${linkTo} />`;
      return html`<section><h1>Series</h1><${Hints} meta=${{ ...meta, isCut: meta.pagination.has_more }} /><${Choice} rows=${data} linkTo=${linkTo} /></section>`;
    }}
  <//>`;
}

function Choice({ rows, linkTo }) {
  const columns = [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a href=${linkTo('series', seriesParams(row))}>${row.name}</a>`,
    },
    { id: 'indicatorId', label: 'Indicator', value: (row) => row.indicatorId },
    { id: 'entityId', label: 'Of', value: (row) => row.entityId },
    { id: 'sourceId', label: 'Source', value: (row) => row.sourceId },
    { id: 'frequency', label: 'Frequency', value: (row) => row.frequency },
    { id: 'unit', label: 'Unit', value: (row) => row.unit },
    { id: 'vintageCount', label: 'Prints', value: (row) => row.vintageCount, isNumber: true },
  ];
  return html`<${Table} columns=${columns} rows=${rows} caption="Several series: choose one" name="series" empty="No such series. Look it up in Search." />`;
}

/** The first day of the shown periods, '' for all. */
function startOf({ latestPeriodEnd, frequency }, range) {
  const years = range ?? (frequency === 'daily' || frequency === 'weekly' ? '10' : '25');
  if (years === 'all' || latestPeriodEnd === null) return '';
  return `${Number(latestPeriodEnd.slice(0, 4)) - Number(years)}${latestPeriodEnd.slice(4)}`.replace(/-02-29$/, '-02-28');
}

function OneSeries({ series, params, set, linkTo }) {
  const own = seriesParams(series);
  const asked = {
    ...own,
    vintage: 'all',
    start_date: startOf(series, params.range),
    format: 'csv',
    columns: PRINT_COLUMNS,
    limit: MOST_PRINTS,
  };
  const prints = useAsked('/observations', asked, getText);
  const mode = params.mode === 'revision' ? 'revision' : 'level';
  const range = params.range ?? (series.frequency === 'daily' || series.frequency === 'weekly' ? '10' : '25');
  return html`<section><h1>${series.name}</h1>
    <p class="small"><code>${series.indicatorId}</code> · ${series.entityId} · ${series.unit} · ${series.frequency} · ${series.sourceId}</p>
    <div class="row">
      <${Tabs} label="Chart" options=${MODES} value=${mode} onChange=${(id) => set({ mode: id })} />
      <${Tabs} label="Periods" options=${RANGES} value=${range} onChange=${(id) => set({ range: id })} />
      <${CsvButton} name=${series.indicatorId} label="All prints as CSV" text=${() => getText('/observations', asked).then(({ text }) => text)} />
    </div>
    <${Answer} asked=${prints}>
      ${({ text, isCut }) => html`<${Vintages} text=${text} isCut=${isCut} series=${series} own=${own} mode=${mode} params=${params} set=${set} linkTo=${linkTo} />`}
    <//>
    <${Requests}
      requests=${[
        { label: 'All prints', path: '/observations', params: asked },
        { label: 'As known then', path: '/observations', params: { ...own, start_date: asked.start_date, as_of: params.as_of } },
        { label: 'Newest row', path: '/observations/latest', params: { ...own, as_of: params.as_of } },
        { label: 'Revisions so far', path: '/indicators/series', params: { ...own, as_of: params.as_of } },
        { label: 'Forecast', path: '/platform/macro-data', params: { ...own, as_of: params.as_of, ...NEXT } },
      ]}
    /></section>`;
}

function Vintages({ text, isCut, series, own, mode, params, set, linkTo }) {
  const periods = useMemo(() => readPrints(text), [text]);
  const days = useMemo(() => vintageDays(periods), [periods]);
  // While the slider is dragged its day is only here; on release it goes into the address.
  const [dragged, setDragged] = useState(null);
  useEffect(() => setDragged(null), [params.as_of]);
  const moment = momentOf(dragged ?? params.as_of);
  const known = useMemo(() => asKnown(periods, moment), [periods, moment]);
  if (periods.length === 0) return html`<p class="note">No prints of these periods.</p>`;
  const chosen = periods.find(({ periodEnd }) => periodEnd === params.period_end) ?? lastKnown(periods, moment);
  const pick = (at) => set({ period_end: periods[at].periodEnd });
  const pins = (params.pins ?? '').split(',').filter((day) => days.includes(day));
  const shared = { series, periods, days, moment, known, pins, onPick: pick, until: params.until, onUntil: (until) => set({ until }) };
  return html`<div><${Hints} meta=${{ isCut }} />
    ${mode === 'level' ? html`<${LevelChart} ...${shared} />` : html`<${RevisionChart} ...${shared} />`}
    <${Slider} days=${days} moment=${moment} onDrag=${setDragged} onRelease=${(as_of) => set({ as_of })} pins=${pins} onPin=${(day) => set({ pins: toggled(pins, day) })} />
    <div class="cards">
      <${Prints} own=${own} period=${chosen} periods=${periods} as_of=${params.as_of} onPeriod=${(period_end) => set({ period_end })} linkTo=${linkTo} unit=${series.unit} />
      <${Facts} own=${own} as_of=${params.as_of} linkTo=${linkTo} />
      <${Forecast} own=${own} as_of=${params.as_of} series=${series} />
    </div></div>`;
}

function lastKnown(periods, moment) {
  return periods.findLast((period) => printAt(period, moment) !== null) ?? null;
}

const toggled = (pins, day) =>
  (pins.includes(day) ? pins.filter((one) => one !== day) : [...pins, day].sort((a, b) => (a < b ? -1 : 1))).join(',');

/** Over the days with new knowledge; the right end means now. */
function Slider({ days, moment, onDrag, onRelease, pins, onPin }) {
  const at = moment === null ? days.length - 1 : days.findLastIndex((day) => day <= moment.slice(0, 10));
  const day = moment === null ? null : moment.slice(0, 10);
  const shown = at < 0 ? 'before the first vintage' : `vintage of ${days[at]}`;
  return html`<div><div class="slider">
      <label for="as-of-slider">Known on</label>
      <input
        id="as-of-slider"
        type="range"
        min="0"
        max=${days.length - 1}
        step="1"
        value=${Math.max(at, 0)}
        aria-valuetext=${shown}
        onInput=${(event) => onDrag(days[Number(event.target.value)])}
        onChange=${(event) => onRelease(days[Number(event.target.value)])}
      />
      <output for="as-of-slider">${day ?? 'now'}</output>
    </div>
    <p class="small">
      ${days.length} vintage days from ${days[0]} to ${days.at(-1)}; ${shown}.${' '}
      ${at >= 0 && html`<button type="button" class="quiet" aria-pressed=${pins.includes(days[at])} onClick=${() => onPin(days[at])}>${pins.includes(days[at]) ? 'Unpin' : 'Pin'} this vintage</button>`}
      ${pins.map((pin) => html` <button type="button" class="quiet" onClick=${() => onPin(pin)} aria-label=${`Unpin ${pin}`}>${pin} ×</button>`)}
    </p></div>`;
}
