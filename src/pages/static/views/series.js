// Series: every vintage of one series, its revisions, and its values as known on any day.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { getText } from '../api.js';
import { Answer, Choose, CsvButton, Hints, instantText, Requests, Tabs, useAsked, useComponent, useTitle } from '../components.js';
import { Table } from '../tables/table.js';
import { useWatched } from '../home/watched.js';
import { isWatched, toggleWatched } from '../watched.js';
import { sourceColumn, useNames, useNamesOf } from '../names.js';
import { unitText } from '../numbers.js';
import { gapsOf, gapText } from '../series/gaps.js';
import { daysText } from '../series/known-days.js';
import { rangeButtons, rangeWith, reachOf, spanOf } from '../series/range.js';
import { historyShown, useBeside, useKnownDays, useTransformed } from '../series/shown.js';
import { momentText, picturesOf } from '../series/picture-text.js';
import { TRANSFORMS, unitOf } from '../series/transforms.js';
import { isBare, usualView } from '../series/usual.js';
import { isMoment, momentOf, PRINT_COLUMNS, printAt, readPrints } from '../charts/vintages.js';
import { seriesParams } from '../series/params.js';
import { LevelChart } from './series-charts.js';
import { OverlayChoice, readOver, useOverlay } from './series-overlay.js';
import { Facts, Forecast, nearest, NEXT, Prints } from './series-parts.js';
import { isWholeDay } from '../calendar/weeks.js';

const MODES = [
  { id: 'level', label: 'All vintages' },
  { id: 'compare', label: 'Two vintages' },
  { id: 'revision', label: 'Revisions' },
];
/** The limit for one series; a longer one is shown over a shorter range. */
const MOST_PRINTS = 300_000;
const REST_MS = 300;

export function Series({ params: written, set, linkTo }) {
  // An empty parameter counts as absent.
  const params = useMemo(() => Object.fromEntries(Object.entries(written).filter(([, value]) => value !== '')), [JSON.stringify(written)]);
  const wanted = { indicator_id: params.indicator_id, entity: params.entity, frequency: params.frequency };
  const isAsked = params.indicator_id !== undefined || params.entity !== undefined;
  // The series itself does not depend on the day; its known values do.
  const found = useAsked(isAsked ? '/indicators/series' : null, { ...wanted, limit: 200 });
  const asked = { ...wanted, source_id: params.source_id, as_of: params.as_of, limit: 1 };
  const refused = useAsked(isMoment(params.as_of) ? null : '/observations/latest', asked);
  if (!isMoment(params.as_of))
    return html`<section><h1>Series</h1><${Answer} asked=${refused}>${() => html`<p class="note">Choose a valid as-of day.</p>`}<//></section>`;
  if (!isAsked) return html`<${Late} of=${START} as_of=${params.as_of} linkTo=${linkTo} />`;
  return html`<${Answer} asked=${found}>${(answer) => html`<${Found} answer=${answer} params=${params} set=${set} linkTo=${linkTo} />`}<//>`;
}

/** The first look at a series does not need these modules. */
const START = { id: 'series-start', load: async () => (await import('./series-start.js')).SeriesStart };
const COMPARED = { id: 'series-compare', load: async () => (await import('./series-compare.js')).Compared };
const EMBED = { id: 'series-embed', load: async () => (await import('../series/embed.js')).Offer };
const REVISIONS = { id: 'series-revisions', load: async () => (await import('./series-revisions.js')).RevisionChart };

function Late({ of, ...props }) {
  const View = useComponent(of);
  return html`<div>${View !== null && html`<${View} ...${props} />`}</div>`;
}

/** Its content is loaded only when you open it. */
function Embed(props) {
  const [isOpened, setOpened] = useState(false);
  return html`<details class="requests" onToggle=${() => setOpened(true)}><summary>Embed this chart</summary>${isOpened && html`<${Late} of=${EMBED} ...${props} />`}</details>`;
}

/** One number has a series from each of its sources: the one asked for, otherwise the preferred one. Of several numbers the visitor chooses. */
function Found({ answer: { data, meta }, params, set, linkTo }) {
  const isOneNumber = new Set(data.map(({ indicatorId, entityId }) => `${indicatorId} ${entityId}`)).size === 1;
  const isOpen = isOneNumber && data.length > 1;
  const canonical = useAsked(isOpen ? '/canonical-indicators' : null, { q: data[0]?.canonicalIndicatorId, limit: 20 });
  const asked = params.source_id === undefined ? data : data.filter(({ sourceId }) => sourceId === params.source_id);
  if (asked.length === 0 || !isOneNumber)
    if (asked.length !== 1)
      return html`<section><h1>Series</h1><${Hints} meta=${{ ...meta, isCut: meta.pagination.has_more }} /><${Choice} rows=${asked} linkTo=${linkTo} /></section>`;
  if (asked.length > 1 && canonical.state === 'asking') return html`<p class="note" role="status">Loading …</p>`;
  const order =
    canonical.answer?.data.find(({ canonicalIndicatorId }) => canonicalIndicatorId === data[0].canonicalIndicatorId)?.preferredSourceIds ??
    [];
  const rank = ({ sourceId }) => (order.includes(sourceId) ? order.indexOf(sourceId) : order.length);
  const sources = data.toSorted((a, b) => rank(a) - rank(b));
  const series = sources.find((row) => asked.includes(row));
  return html`<${OneSeries} key=${[series.indicatorId, series.entityId, series.sourceId, series.frequency].join(' ')} series=${series} sources=${isOpen ? sources : []} params=${params} set=${set} linkTo=${linkTo} />`;
}

/** The series of the same number from its sources, the preferred one first. */
function Sources({ series, sources, set }) {
  const names = useNames();
  const isOneFrequency = new Set(sources.map(({ frequency }) => frequency)).size === 1;
  const idOf = ({ sourceId, frequency }) => `${sourceId} ${frequency}`;
  const options = sources.map((row) => ({
    id: idOf(row),
    label: isOneFrequency ? names.source(row.sourceId) : `${names.source(row.sourceId)}, ${row.frequency}`,
  }));
  const choose = (id) => {
    const [source_id, frequency] = id.split(' ');
    set({ source_id, ...(isOneFrequency ? {} : { frequency }) });
  };
  return html`<span>Source <${Tabs} label="Source" options=${options} value=${idOf(series)} onChange=${choose} /></span>`;
}

function Choice({ rows, linkTo }) {
  const names = useNamesOf(rows.map(({ entityId }) => entityId));
  const columns = [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a href=${linkTo('series', seriesParams(row))}>${row.name}</a>`,
    },
    { id: 'indicatorId', label: 'Indicator', value: (row) => row.indicatorId },
    { id: 'entityId', label: 'Of', value: (row) => row.entityId, show: (row) => names.entity(row.entityId) },
    sourceColumn(names),
    { id: 'frequency', label: 'Frequency', value: (row) => row.frequency },
    { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
    { id: 'vintageCount', label: 'Prints', value: (row) => row.vintageCount, isNumber: true },
  ];
  return html`<${Table} columns=${columns} rows=${rows} caption="Several series: choose one" name="series" empty="No such series. Look it up in Search." />`;
}

function OneSeries({ series, sources, params: written, set: write, linkTo }) {
  const [opened] = useState(() => usualView(series, written));
  const usual = isBare(written) ? opened : {};
  const params = { ...written, ...usual };
  // If you change one parameter of the usual view, the others stay. Only the view of revisions drops them: it has all years.
  const set = (patch, options) => write(patch.mode === 'revision' ? patch : { ...usual, ...patch }, options);
  const names = useNamesOf([series.entityId], params.as_of);
  const title = `${series.name}, ${names.entity(series.entityId)}`;
  useTitle(title);
  const own = seriesParams(series);
  const transform = TRANSFORMS.some(({ id }) => id === params.transform) ? params.transform : 'level';
  const range = rangeWith(series, params.range, params);
  // What is compared with a year before needs that year too.
  const looksBack = transform !== 'level' && transform !== 'index';
  const asked = {
    ...own,
    vintage: 'all',
    start_date: spanOf(series, range, { yearsBefore: looksBack ? 1 : 0, as_of: params.as_of }).from,
    format: 'csv',
    columns: PRINT_COLUMNS,
    limit: MOST_PRINTS,
  };
  const prints = useAsked('/observations', asked, getText);
  const overlay = useOverlay(params.over, asked.start_date, MOST_PRINTS);
  const mode = MODES.some(({ id }) => id === params.mode) ? params.mode : 'level';
  const buttons = rangeButtons(reachOf(series, mode === 'level' ? overlay.series : null), range, params.as_of);
  return html`<section><h1>${title}</h1>
    <p class="small"><code>${series.indicatorId}</code> · ${unitText(series.unit)} · ${series.frequency} · ${names.source(series.sourceId)}${series.canonicalIndicatorId !== null && html` · <a href=${linkTo('indicator', { id: series.canonicalIndicatorId, entity: series.entityId })}>${series.entityId.includes('_') ? 'All with this indicator' : 'All countries'}</a>`} <${WatchButton} of=${own} /></p>
    <div class="row">
      ${sources.length > 1 && html`<${Sources} series=${series} sources=${sources} set=${set} />`}
      <${Tabs} label="Chart" options=${MODES} value=${mode} onChange=${(id) => set({ mode: id })} />
      <${Tabs} label="Periods" options=${buttons.options} value=${buttons.value} onChange=${(id) => set({ range: id, ...(rangeWith(series, id, params) === id ? {} : { period_end: '' }) })} />
      ${buttons.note !== null && html`<span class="small">${buttons.note}</span>`}
      ${mode !== 'revision' && html`<${Choose} label="Show" options=${TRANSFORMS} value=${transform} onChange=${(id) => set({ transform: id === 'level' ? '' : id })} />`}
      <${AllPrints} series=${series} own=${own} over=${mode === 'level' ? readOver(params.over) : undefined} startDate=${asked.start_date} />
    </div>
    <${Answer} asked=${prints}>
      ${({ text, isCut, asOf }) => html`<${Vintages} title=${title} text=${text} isCut=${isCut} asOf=${asOf} span=${spanOf(series, range, { as_of: params.as_of })} startDate=${asked.start_date} series=${series} own=${own} mode=${mode} transform=${transform} overlay=${overlay} params=${params} set=${set} linkTo=${linkTo} />`}
    <//>
    <${Embed} series=${series} params=${params} />
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

/** `over`: the parameters of the series over it, undefined without one. */
function AllPrints({ series, own, over, startDate }) {
  const name = [series.indicatorId, ...(over === undefined ? [] : [over.indicator_id])].join('-');
  const text = async () => {
    const { askedPrints } = await import('../series/prints-file.js');
    return askedPrints(over === undefined ? [own] : [own, over], startDate, MOST_PRINTS);
  };
  return html`<${CsvButton} name=${name} label="All prints as CSV" text=${text} />`;
}

/** Keeps the series on the start page. */
function WatchButton({ of: series }) {
  useWatched();
  const isOn = isWatched(series);
  return html`<button type="button" class="quiet" aria-pressed=${isOn} onClick=${() => toggleWatched(series)}>${isOn ? 'Watched' : 'Watch'}</button>`;
}

const NOTHING_OVER = { series: null, text: null };

function Vintages({ title, text, isCut, asOf, span, startDate, series, own, mode, transform, overlay, params, set, linkTo }) {
  const all = useMemo(() => readPrints(text), [text]);
  const { periods, at, firsts, base } = useTransformed(all, span, transform, series.frequency);
  const names = useNamesOf(
    [series, overlay.series].flatMap((one) => one?.entityId ?? []),
    params.as_of,
  );
  const over = useBeside(mode === 'level' ? overlay : NOTHING_OVER, span, transform, names);
  const { days, isWhole } = useKnownDays(series, own, all, startDate, MOST_PRINTS);
  // While the slider is dragged its day is only here; on release it goes into the address.
  const [dragged, setDragged] = useState(null);
  useEffect(() => setDragged(null), [params.as_of]);
  // Of a day before all shown periods nothing was known: the chart goes there once the slider rests.
  useEffect(() => {
    if (dragged === null || dragged >= span.from) return undefined;
    const rest = setTimeout(() => set({ as_of: dragged }, { replace: true }), REST_MS);
    return () => clearTimeout(rest);
  }, [dragged, span.from]);
  const moment = momentOf(dragged ?? params.as_of);
  const known = useMemo(() => at(moment), [at, moment]);
  // The cards follow on release: a drag asks for nothing.
  const cards = useMemo(() => {
    const then = momentOf(params.as_of);
    const chosen = (isWholeDay(params.period_end) && nearest(periods, params.period_end)) || lastKnown(periods, then);
    // The chart of revisions is one of levels, whatever the transform.
    const made = mode === 'revision' ? 'level' : transform;
    const { history, shown } = historyShown(all, made === 'level' ? null : base, made, unitText(series.unit), chosen, then);
    return html`<div class="cards">
      <${Prints} own=${own} gaps=${gapsOf(days)} period=${chosen} periods=${periods} as_of=${params.as_of} history=${history} shown=${shown} onPeriod=${(period_end) => set({ period_end })} linkTo=${linkTo} unit=${series.unit} />
      <${Facts} own=${own} as_of=${params.as_of} days=${then === null ? days : days.filter((day) => momentOf(day) <= then)} linkTo=${linkTo} />
      <${Forecast} own=${own} as_of=${params.as_of} series=${series} />
    </div>`;
  }, [own, all, base, periods, days, params, mode, transform, series, set, linkTo]);
  if (periods.length === 0) return html`<p class="note">No prints of these periods.</p>`;
  const pick = (index) => set({ period_end: periods[index].periodEnd });
  const pins = (params.pins ?? '').split(',').filter((day) => days.includes(day));
  const shared = {
    series,
    name: title,
    periods,
    days,
    at,
    moment,
    unit: unitOf(transform, unitText(series.unit)),
  };
  const picture = picturesOf({ series, over: over === null ? null : overlay.series, mode, transform, names });
  const then = momentText(moment, asOf);
  const charts = {
    level: () =>
      html`<div><${LevelChart} ...${shared} country=${series.country} firsts=${firsts} known=${known} pins=${pins} over=${over} isLevel=${transform === 'level'} picture=${picture(`as known on ${then}`, dayOf(moment))} onPick=${pick} /><p class="small">Drag sideways over the chart to zoom. Press a period for its prints.</p></div>`,
    compare: () => html`<${Late} of=${COMPARED} ...${shared} pictureOf=${picture} a=${params.a} b=${params.b} set=${set} />`,
    revision: () =>
      html`<${Late} of=${REVISIONS} ...${shared} picture=${picture(`prints known on ${then}`, dayOf(moment))} until=${params.until} onUntil=${(until) => set({ until })} />`,
  };
  return html`<div><${Hints} meta=${{ isCut }} />
    ${charts[mode]()}
    ${mode === 'level' && html`<${OverlayChoice} series=${series} overlay=${overlay} over=${params.over} set=${set} />`}
    ${mode !== 'compare' && html`<${Slider} days=${days} isWhole=${isWhole} moment=${moment} onDrag=${setDragged} onRelease=${(as_of) => set({ as_of })} pins=${pins} onPin=${(day) => set({ pins: toggled(pins, day) })} />`}
    ${cards}</div>`;
}

/** For the name of a file; nothing for now. */
const dayOf = (moment) => instantText(moment)?.replaceAll(':', '');

function lastKnown(periods, moment) {
  return periods.findLast((period) => printAt(period, moment) !== null) ?? null;
}

const toggled = (pins, day) =>
  (pins.includes(day) ? pins.filter((one) => one !== day) : [...pins, day].sort((a, b) => (a < b ? -1 : 1))).join(',');

/** Over the days with new knowledge; the right end means now. */
function Slider({ days, isWhole, moment, onDrag, onRelease, pins, onPin }) {
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
      ${daysText(days, isWhole, gapText(gapsOf(days)))}; ${shown}.${' '}
      ${at >= 0 && html`<button type="button" class="quiet" aria-pressed=${pins.includes(days[at])} onClick=${() => onPin(days[at])}>${pins.includes(days[at]) ? 'Unpin' : 'Pin'} this vintage</button>`}
      ${pins.map((pin) => html` <button type="button" class="quiet" onClick=${() => onPin(pin)} aria-label=${`Unpin ${pin}`}>${pin} ×</button>`)}
    </p></div>`;
}
