// /embed: one chart for other people's pages. It never reads or sends a key: /embed/observations has what anyone may see.
import { get, getText } from './api.js';
import { writeAddress } from './address.js';
import { Answer, Hints, instantText, useAsked, useTitle } from './components.js';
import { html, render, useErrorBoundary, useMemo, useState } from './lib/preact.js';
import { useNames } from './names.js';
import { unitText } from './numbers.js';
import { SAMPLE_TEXT, useSample } from './sample.js';
import { spanOf } from './series/range.js';
import { useBeside, useTransformed } from './series/shown.js';
import { TRANSFORMS, unitOf } from './series/transforms.js';
import { Compared } from './views/series-compare.js';
import { LevelChart } from './views/series-charts.js';
import { readOver } from './views/series-overlay.js';
import { RevisionChart } from './views/series-revisions.js';
import { isMoment, momentOf, PRINT_COLUMNS, readPrints, vintageDays } from './charts/vintages.js';

/** The most that the service gives a chart. */
const MOST_PRINTS = 20_000;
const HEIGHT = 260;
const OWN = ['indicator_id', 'source_id', 'entity', 'frequency'];

const nothing = () => {};
const openly = (ask) => (path, params, options) => ask(path, params, { ...options, isOpen: true });
const [getOpen, getOpenText] = [openly(get), openly(getText)];

/** The newest row of each series that the address means, the preferred one first. */
const newestOf = (params) => ({ ...params, limit: 20 });

function useSeries(own) {
  const found = useAsked(own === null ? null : '/embed/observations/latest', own === null ? {} : newestOf(own), getOpen);
  const rows = found.answer?.data ?? [];
  const row = rows.find(({ preferredForFactor }) => preferredForFactor) ?? rows[0] ?? null;
  return { found, row };
}

const rowParams = ({ indicatorId, sourceId, frequency }, { entity }) => ({
  indicator_id: indicatorId,
  source_id: sourceId,
  entity,
  frequency,
});
const printsOf = (own) => ({ ...own, vintage: 'all', format: 'csv', columns: PRINT_COLUMNS, limit: MOST_PRINTS });

function Page() {
  const [broken] = useErrorBoundary();
  const [params, setParams] = useState(() => Object.fromEntries(new URLSearchParams(window.location.search)));
  const own = Object.fromEntries(OWN.flatMap((name) => (params[name] ? [[name, params[name]]] : [])));
  const isNamed = own.indicator_id !== undefined;
  const { found, row } = useSeries(isNamed ? own : null);
  if (broken) return html`<p class="note" role="alert">This chart failed: ${String(broken.message)}</p>`;
  if (!isNamed) return html`<p class="note">This address names no series. Copy the snippet from the page of a series.</p>`;
  if (!isMoment(params.as_of)) return html`<p class="note">The as-of of this address is neither a day nor an instant.</p>`;
  const set = (patch) => setParams({ ...params, ...patch });
  return html`<${Answer} asked=${found}>
    ${({ meta }) => (row === null ? html`<${NotPublic} own=${own} params=${params} meta=${meta} />` : html`<${Shown} row=${row} own=${own} params=${params} set=${set} />`)}
  <//>`;
}

/** Hints that advise another key. */
const OF_PERIODS = ['period', 'start_date', 'end_date'];

/** Why there is no chart, in the interface's words. */
function NotPublic({ own, params, meta }) {
  return html`<div><h1>${own.indicator_id}</h1>
    <p class="note">No public values of this series. It is unknown, its licence does not allow passing it on, or it has no value of the last 24 months.</p>
    <${Hints} meta=${{ hints: meta.hints?.filter(({ parameter }) => !OF_PERIODS.includes(parameter)) }} />
    <${Origin} params=${params} /></div>`;
}

function Shown({ row, own, params, set }) {
  const asked = rowParams(row, own);
  const prints = useAsked('/embed/observations', printsOf(asked), getOpenText);
  const over = useOver(params.over);
  return html`<${Answer} asked=${prints}>
    ${({ text }) => html`<${Chart} row=${row} text=${text} over=${over} params=${params} set=${set} />`}
  <//>`;
}

/** The second series of the address: { series, text }. Each is null until its answer arrives. */
function useOver(over) {
  const own = readOver(over) ?? null;
  const { row } = useSeries(own);
  const prints = useAsked(own === null ? null : '/embed/observations', own === null ? {} : printsOf(own), getOpenText);
  const series = row === null ? null : { name: row.indicatorName, entityId: own.entity, unit: row.unit, frequency: row.frequency };
  return { series, text: series === null ? null : (prints.answer?.text ?? null) };
}

function Chart({ row, text, over, params, set }) {
  const names = useNames();
  const of = params.entity === undefined ? names.country(row.country) : names.entity(params.entity);
  const series = {
    name: row.indicatorName,
    indicatorId: row.indicatorId,
    unit: row.unit,
    frequency: row.frequency,
    latestPeriodEnd: row.periodEnd,
  };
  const transform = TRANSFORMS.some(({ id }) => id === params.transform) ? params.transform : 'level';
  const all = useMemo(() => readPrints(text), [text]);
  const span = spanOf(series, params.range);
  const { periods, at, firsts } = useTransformed(all, span, transform, series.frequency);
  const days = useMemo(() => vintageDays(periods), [periods]);
  const beside = useBeside(over, span, transform, names);
  const moment = momentOf(params.as_of);
  const known = useMemo(() => at(moment), [at, moment]);
  const unit = unitOf(transform, unitText(series.unit));
  const title = [series.name, of].filter(Boolean).join(', ');
  useTitle(title);
  const pins = (params.pins ?? '').split(',').filter((day) => days.includes(day));
  const shared = { series, name: title, unit, periods, days, at, moment, height: HEIGHT };
  const charts = {
    compare: () => html`<${Compared} ...${shared} a=${params.a} b=${params.b} isShort=${true} set=${set} />`,
    revision: () => html`<${RevisionChart} ...${shared} until=${params.until} onUntil=${(until) => set({ until })} />`,
  };
  const level = () =>
    html`<${LevelChart} ...${shared} country=${row.country} firsts=${firsts} known=${known} pins=${pins} over=${beside} isLevel=${transform === 'level'} onPick=${nothing} />`;
  return html`<div><h1>${title}</h1>
    <p class="small">${unit}, ${series.frequency}${transform === 'level' ? '' : `, ${TRANSFORMS.find(({ id }) => id === transform).label.toLowerCase()}`} · ${moment === null ? `as known now; newest value known from ${instantText(row.observedAt)}` : `as known on ${instantText(moment)}`} · the last 24 months</p>
    <${Origin} params=${params} row=${row} />
    ${periods.length === 0 ? html`<p class="note">No public values of these periods.</p>` : (Object.hasOwn(charts, params.mode ?? '') ? charts[params.mode] : level)()}</div>`;
}

/** Where the numbers come from, and the way back to all of them. */
function Origin({ params, row }) {
  const names = useNames();
  const isSample = useSample(null);
  return html`<p class="small">${isSample && html`<strong>${SAMPLE_TEXT}</strong> `}${row && html`Source: ${row.attribution ?? names.source(row.sourceId)}. `}<a href=${`/explore${writeAddress('series', params)}`} target="_blank" rel="noopener">Every vintage on asof</a></p>`;
}

render(html`<${Page} />`, document.querySelector('#embed'));
