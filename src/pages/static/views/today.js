// Today: what was released and what was revised within some days, beside what was expected of it.
import { html, useMemo } from '../lib/preact.js';
import { getAll } from '../api.js';
import { parseCsv } from '../tables/csv.js';
import { Answer, Hints, Parts, Requests, useAsked, useTitle } from '../components.js';
import { Feeds } from '../feeds.js';
import { Table } from '../tables/table.js';
import { sourceColumn, useNames } from '../names.js';
import { unitText } from '../numbers.js';
import {
  besideBaseline,
  CHANGE_COLUMNS,
  changesIn,
  forecastable,
  RELEASE_COLUMNS,
  releasedOf,
  releasesInOrder,
  revisedOf,
} from '../today/today.js';
import { areaColumn } from '../today/area.js';
import { newestChanges } from '../today/newest.js';
import { CutNote, knownColumn, periodOf, titleOf, windowIn, WindowFields } from '../today/window.js';
import { daysAfter } from '../calendar/weeks.js';

const SPANS = [
  { id: '1', label: 'One day' },
  { id: '7', label: 'A week' },
  { id: '30', label: '30 days' },
];
const PARTS = { released: 'Released', revised: 'Revised' };
/** Indicators that one question takes. */
const MOST_IDS = 50;
const SHOWN = 40;
/** First values are among the changes, and many come with a first download. */
const MOST_CHANGES = 50_000;

export function Today({ params, set, linkTo }) {
  const chosen = windowIn(params, SPANS, '7');
  const { released, revised } = windowOf({ day: chosen.to, days: Number(chosen.span), ...chosen.asked });
  const asked = JSON.stringify(revised);
  useTitle(titleOf('Today', chosen));
  return html`<section><h1>Released and revised: ${periodOf(chosen, !params.as_of)}</h1>
    <${WindowFields} spans=${SPANS} chosen=${chosen} country=${params.country} set=${set}>
      <a href=${linkTo('revisions', { days: chosen.span === '1' ? '7' : chosen.span, importance: params.importance, country: params.country })}>Most revised</a>
    <//>
    <${Parts} ids=${PARTS} />
    <h2 id="released" tabindex="-1">Released</h2>
    <${Released} key=${`released ${asked}`} asked=${released} linkTo=${linkTo} />
    <h2 id="revised" tabindex="-1">Revised</h2>
    <${Revised} key=${`revised ${asked}`} asked=${revised} linkTo=${linkTo} />
    <${Feeds} />
    <${Requests}
      requests=${[
        { label: 'Released', path: '/observations/latest', params: released },
        { label: 'Revised', path: '/observations/changes', params: revised },
      ]}
    /></section>`;
}

/** The two questions for what became known within so many days up to one. */
export function windowOf({ day, days, importance, country, as_of }) {
  const window = { observed_from: daysAfter(day, 1 - days), observed_to: day, importance, country, type: 'macro', as_of, limit: 500 };
  return {
    released: { ...window, freshness: 'fresh', sort: 'observed_at', order: 'desc', columns: RELEASE_COLUMNS },
    revised: { ...window, columns: CHANGE_COLUMNS, format: 'csv', limit: MOST_CHANGES },
  };
}

const MOST_ROWS = { most: 2000 };
const getSome = (path, params, options) => getAll(path, params, { ...options, ...MOST_ROWS });

/** `most`: rows to show. */
export function Released({ asked, linkTo, most = SHOWN }) {
  const found = useAsked('/observations/latest', asked, getSome);
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Releases} rows=${data} from=${asked.observed_from} to=${asked.observed_to} most=${most} linkTo=${linkTo} /></div>`}
  <//>`;
}

function Releases({ rows, from, to, most, linkTo }) {
  const names = useNames();
  const released = useMemo(() => releasedOf(rows, names.places), [rows, names.places]);
  const ids = forecastable(released, MOST_IDS);
  // As forecast before the first of these days.
  const before = daysAfter(from, -1);
  const forecasts = useAsked(
    ids.length === 0 ? null : '/platform/macro-data',
    { indicator_id: ids.join(','), as_of: before, observed_from: daysAfter(before, -400), sort: 'period_end', order: 'desc', limit: 500 },
    getSome,
  );
  const shown = useMemo(
    () => releasesInOrder(besideBaseline(released, forecasts.answer?.data ?? []), names.places),
    [released, forecasts.answer, names.places],
  );
  const number = (id, label) => ({ id, label, value: (row) => row[id], isNumber: true, beside: 'unit' });
  const columns = [
    nameColumn(linkTo),
    areaColumn(names),
    { id: 'period', label: 'Period', value: (row) => row.period },
    {
      ...number('actual', 'Actual'),
      show: (row, figure) => html`<a href=${linkTo('provenance', { id: row.observationId })}>${figure}</a>`,
    },
    number('previous', 'Previous'),
    ...[number('revisedPrevious', 'Revised to'), number('consensus', 'Consensus'), number('surprise', 'Surprise')].filter(({ id }) =>
      shown.some((row) => row[id] !== null),
    ),
    number('baseline', 'Baseline'),
    {
      ...number('beyondBaseline', 'Actual − baseline'),
      show: (row, figure) => (row.isOutside ? html`<strong title="outside the 80 % interval of the forecast">${figure}</strong>` : figure),
    },
    { id: 'unit', label: 'Unit', value: (row) => row.unit, isNarrow: true, show: (row) => unitText(row.unit) },
    knownColumn,
    sourceColumn(names),
  ];
  return html`<div>
    <${Table} columns=${columns} rows=${shown} most=${most} rowKey=${(row) => row.observationId} caption=${`Releases from ${from} to ${to}`} name=${`released-${to}`} empty=${`Nothing was released from ${from} to ${to}. Choose more days or another importance.`} />
    <p class="small">Important releases come first; then countries and indicators as the search ranks them, and large surprises. A number that was revised since its first print stands under Revised. Consensus is the median of an official survey, and surprise is actual minus consensus. The baseline is our statistical forecast as it stood on ${before}; a difference in bold lies outside its 80 % interval.</p></div>`;
}

/** `most`: rows to show. */
export function Revised({ asked, linkTo, most = SHOWN }) {
  const names = useNames();
  const found = useAsked('/observations/changes', asked, newestChanges);
  const { observed_from: from, observed_to: to } = asked;
  const columns = [
    nameColumn(linkTo),
    areaColumn(names),
    { id: 'periods', label: 'Revised periods', value: (row) => row.periods, isNumber: true },
    { id: 'period', label: 'Newest of them', value: (row) => row.period },
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
    { id: 'unit', label: 'Unit', value: (row) => row.unit, isNarrow: true, show: (row) => unitText(row.unit) },
    knownColumn,
    sourceColumn(names),
  ];
  return html`<${Answer} asked=${found}>
    ${({ texts, since }) => html`<div><${CutNote} since=${since} />
      <${Table} columns=${columns} rows=${revisedOf(changesOf(texts), names.places)} most=${most} rowKey=${(row) => row.observationId} caption=${`Revisions from ${from} to ${to}`} name=${`revised-${to}`} empty=${`Nothing was revised from ${from} to ${to}. Choose more days or another importance.`} /></div>`}
  <//>`;
}

const changesOf = (texts) => texts.flatMap((text) => changesIn(parseCsv(text)));

function nameColumn(linkTo) {
  return {
    id: 'indicatorId',
    label: 'Indicator',
    value: (row) => row.indicatorId,
    isLong: true,
    show: (row) =>
      html`<a href=${linkTo('series', { indicator_id: row.indicatorId, source_id: row.sourceId })}>${row.indicatorName ?? row.indicatorId}</a>`,
  };
}
