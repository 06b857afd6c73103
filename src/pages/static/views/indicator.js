// Indicator: one number in all countries, as known on any day: on an axis, and as a table.
import { html, useMemo } from '../lib/preact.js';
import { getText } from '../api.js';
import { Answer, Hints, instantText, Requests, Tabs, useAsked, useTitle } from '../components.js';
import { sourceColumn, useNames } from '../names.js';
import { AsOfNote } from '../as-of-note.js';
import { Table } from '../tables/table.js';
import { counted, numberText, unitText } from '../numbers.js';
import {
  HISTORY_COLUMNS,
  historiesOf,
  historyFrom,
  isRelative,
  keyOf,
  medianOf,
  rowsOf,
  seriesOfEntities,
  unitsOf,
} from '../indicator/countries.js';
import { Strip } from '../indicator/strip.js';
import { Sparkline } from '../charts/sparkline.js';

const LATEST_COLUMNS =
  'indicatorId,sourceId,frequency,unit,period,periodEnd,actual,observedAt,observationId,collectionStatus,freshnessStatus,comparisonBasis';
const MOST = 500;
const MOST_POINTS = 100_000;

export function Indicator({ params, set, linkTo }) {
  const { id, as_of } = params;
  const isAsked = id !== undefined;
  const asked = { indicator_id: id, as_of, limit: MOST };
  const canonical = useAsked(isAsked ? '/canonical-indicators' : null, { q: id, limit: 20 });
  const entities = useAsked(isAsked ? '/indicators/entities' : null, asked);
  const latest = useAsked(isAsked ? '/observations/latest' : null, { ...asked, columns: LATEST_COLUMNS });
  const series = useAsked(isAsked ? '/indicators/series' : null, asked);
  if (!isAsked) return html`<section><h1>Indicator</h1><p>Choose one in <a href=${linkTo('search')}>Search</a>.</p></section>`;
  return html`<div><${Answer} asked=${entities}>
      ${(found) => html`<${Answer} asked=${latest}>
        ${(newest) => html`<${Answer} asked=${canonical}>
          ${({ data }) => html`<${Countries} of=${data.find(({ canonicalIndicatorId }) => canonicalIndicatorId === (series.answer?.data[0]?.canonicalIndicatorId ?? id)) ?? null} entities=${found} latest=${newest} series=${series.answer?.data ?? null} params=${params} set=${set} linkTo=${linkTo} />`}
        <//>`}
      <//>`}
    <//>
    <${Requests}
      requests=${[
        { label: 'Newest values', path: '/observations/latest', params: asked },
        { label: 'Countries', path: '/indicators/entities', params: asked },
      ]}
    /></div>`;
}

/** `of`: the canonical indicator, null for one that has no other countries. */
function Countries({ of, entities, latest, series, params, set, linkTo }) {
  const title = of?.name ?? params.id;
  useTitle(title);
  const units = unitsOf(latest.data, of?.unit);
  const unit = units.some((one) => one.unit === params.unit) ? params.unit : units[0]?.unit;
  const chosen = useMemo(
    () => seriesOfEntities(latest.data, entities.data, unit, of?.preferredSourceIds ?? []),
    [latest, entities, unit, of],
  );
  const counts = useMemo(() => (series === null ? null : new Map(series.map((row) => [keyOf(row), row]))), [series]);
  const meta = { hints: entities.meta.hints, isCut: entities.meta.pagination.has_more || latest.meta.pagination.has_more };
  return html`<section><h1>${title}</h1>
    ${of !== null && html`<p class="small"><code>${of.canonicalIndicatorId}</code> · ${of.category.replaceAll('_', ' ')} · ${of.frequency}</p><p>${of.description}</p>`}
    <${Hints} meta=${meta} />
    ${units.length > 1 && html`<div class="row">Unit <${Tabs} label="Unit" options=${units.map((one) => ({ id: one.unit, label: `${unitText(one.unit)} (${one.count})` }))} value=${unit} onChange=${(next) => set({ unit: next })} /></div>`}
    ${
      chosen.length === 0
        ? html`<div><p class="note">No values are known.</p><${AsOfNote} /></div>`
        : html`<${Values} key=${`${params.id} ${unit}`} title=${title} chosen=${chosen} counts=${counts} unit=${unit} params=${params} set=${set} linkTo=${linkTo} />`
    }</section>`;
}

function Values({ title, chosen, counts, unit, params, set, linkTo }) {
  const names = useNames();
  const sources = [...new Set(chosen.map(({ latest: { sourceId } }) => sourceId))];
  const from = historyFrom(chosen);
  const asked = {
    indicator_id: params.id,
    source_id: sources.length === 1 ? sources[0] : undefined,
    start_date: from,
    as_of: params.as_of,
    sort: 'period_end',
    order: 'desc',
    format: 'csv',
    columns: HISTORY_COLUMNS,
    limit: MOST_POINTS,
  };
  const history = useAsked('/observations', asked, getText);
  const histories = useMemo(() => (history.answer === null ? null : historiesOf(history.answer.text)), [history.answer]);
  const rows = useMemo(() => rowsOf(chosen, histories, counts), [chosen, histories, counts]);
  const to = rows.reduce((newest, { periodEnd }) => (periodEnd > newest ? periodEnd : newest), '');
  const columns = columnsOf(rows, { from, to, linkTo, names });
  const then = params.as_of ? `, as known on ${params.as_of}` : '';
  return html`<div>
    <${Dots} rows=${rows} unit=${unit} title=${title} chosen=${params.entity} linkTo=${linkTo} />
    ${history.state === 'failed' && html`<${Answer} asked=${history}>${() => null}<//>`}
    <${Table} columns=${columns} rows=${rows} rowKey=${(row) => row.entityId} caption=${`${title}: ${rows.length} in ${unitText(unit)}${then}`} name=${params.id}
      isCurrent=${(row) => row.entityId === params.entity} sort=${params.sort ?? ''} onSort=${(sort) => set({ sort }, { replace: true })} />
    <p class="small">Change is from the period before. Both changes compare values known together. Revisions are prints after the first of their period. Each name has the series of its preferred source.</p></div>`;
}

/** The values as dots, with the ends and the median in words. A series that ended has no dot. */
function Dots({ rows, unit, title, chosen, linkTo }) {
  const shown = rows.filter(({ actual, isEnded }) => actual !== null && !isEnded).toSorted((a, b) => a.actual - b.actual);
  if (shown.length < 2) return null;
  const dots = shown.map((row) => ({
    id: row.entityId,
    name: row.name,
    value: row.actual,
    about: row.period,
    href: seriesLink(row, linkTo),
    isOld: row.isOld,
  }));
  const median = medianOf(shown.map(({ actual }) => actual));
  const [low, high] = [shown[0], shown.at(-1)];
  const old = shown.filter(({ isOld }) => isOld).length;
  const left = rows.length - shown.length;
  return html`<div>
    <${Strip} label=${`${title}: ${counted(shown.length, 'value')} in ${unitText(unit)}`} unit=${unitText(unit)} dots=${dots} median=${median} chosen=${chosen} />
    <p class="small">
      In ${unitText(unit)}. Lowest: ${low.name}, ${numberText(low.actual)}. Median: ${numberText(median)}. Highest: ${high.name}, ${numberText(high.actual)}.
      ${old > 0 && ` Hollow: ${old} of more than a year before the newest.`}
      ${left > 0 && ` No dot: ${left} that ended or have no value.`}
    </p></div>`;
}

const seriesLink = ({ indicatorId, entityId, sourceId, frequency }, linkTo) =>
  linkTo('series', { indicator_id: indicatorId, source_id: sourceId, entity: entityId, frequency });

function columnsOf(rows, { from, to, linkTo, names }) {
  const isPercent = rows.some(isRelative);
  const has = (name) => new Set(rows.map((row) => row[name])).size > 1;
  const change = (id, label) => ({
    id,
    label,
    value: (row) => row[id],
    isNumber: true,
    show: (row, figure) => html`<span>${row[id] > 0 ? '+' : ''}${figure}${isPercent ? ' %' : ''}</span>`,
  });
  return [
    { id: 'name', label: 'Name', value: (row) => row.name, show: (row) => html`<a href=${seriesLink(row, linkTo)}>${row.name}</a>` },
    { id: 'entityId', label: 'Entity', value: (row) => row.entityId, isOnlyInCsv: true },
    {
      id: 'course',
      label: `Since ${from.slice(0, 4)}`,
      value: (row) => (row.points.length < 2 ? null : row.points.length),
      show: (row) => html`<${Sparkline} points=${row.points} from=${from} to=${to} />`,
      isDrawn: true,
    },
    {
      id: 'actual',
      label: 'Latest',
      value: (row) => row.actual,
      isNumber: true,
      show: (row, figure) => html`<a href=${linkTo('provenance', { id: row.observationId })}>${figure}</a>`,
      why: () => 'withdrawn or missing',
    },
    { id: 'period', label: 'Period', value: (row) => row.period, sortBy: (row) => row.periodEnd },
    {
      id: 'observedAt',
      label: 'Known from',
      value: (row) => row.observedAt,
      show: (row) => html`<span title=${row.observedAt}>${instantText(row.observedAt).slice(0, 10)}</span>`,
    },
    change('change', 'Change'),
    change('yearChange', 'In a year'),
    { id: 'revisions', label: 'Revisions', value: (row) => row.revisions, isNumber: true },
    ...(has('frequency') ? [{ id: 'frequency', label: 'Frequency', value: (row) => row.frequency }] : []),
    ...(has('sourceId') ? [sourceColumn(names)] : []),
    ...(has('freshnessStatus')
      ? [{ id: 'freshnessStatus', label: 'Freshness', value: (row) => (row.isEnded ? 'ended' : row.freshnessStatus) }]
      : []),
  ];
}
