// Contracts by their percentile: who stands furthest from the middle comes first. All contracts in one list, or those of one report.
import { html, useState } from '../lib/preact.js';
import { getAll } from '../api.js';
import { AsOfNote } from '../as-of-note.js';
import { Answer, Badge, Hints, Requests, Tabs, useAsked } from '../components.js';
import { Table } from '../tables/table.js';
import {
  ALL_FIELDS,
  ANY_PERCENTILE,
  CROWDED_LONG,
  CROWDED_SHORT,
  crowdedOf,
  elsewhereOf,
  groupOf,
  newestOf,
  onlyElsewhere,
  overviewFields,
  overviewOf,
  PERCENTILES,
  recentOf,
  REPORTS,
  sideText,
} from '../cot/positions.js';
import { counted, numberText } from '../numbers.js';
import { contractName } from '../cot/contracts.js';
import { shortName } from '../cot/list-names.js';

/** Pixels of the drawn place. */
const [WIDTH, HEIGHT] = [110, 14];
const ALL = { id: 'all', label: 'All contracts' };

export function Overview({ params, set, linkTo }) {
  const report = REPORTS.find(({ id }) => id === params.report) ?? null;
  return html`<div>
    <div class="row"><${Tabs} label="Report" options=${[ALL, ...REPORTS]} value=${report?.id ?? ALL.id} onChange=${(id) => set({ report: id === ALL.id ? '' : id })} /></div>
    <${Listed} key=${report?.id} report=${report} params=${params} set=${set} linkTo=${linkTo} /></div>`;
}

/** The ready screen of that name: of all contracts only those that are crowded. */
export const Crowded = ({ params, set, linkTo }) =>
  html`<${Listed} report=${null} isOnlyCrowded=${true} params=${params} set=${set} linkTo=${linkTo} />`;

/** If every report is stale, the stale ones: → the answer, with `isStale`. */
async function liveOrStale(path, params, options) {
  const live = await getAll(path, params, options);
  if (live.data.length > 0 || params.eligible_only === 'false' || live.meta.screener.excludedIneligible === 0)
    return { ...live, isStale: false };
  return { ...(await getAll(path, { ...params, eligible_only: 'false' }, options)), isStale: true };
}

/** `report`: null for all of them. */
function Listed({ report, isOnlyCrowded = false, params, set, linkTo }) {
  const asked = {
    universe: 'entities',
    entity_type: 'futures_contract',
    // A comparison, so that the answer counts the contracts that it leaves out.
    filter: report === null ? ANY_PERCENTILE : `${report.percentile}:gte:0`,
    columns: report === null ? ALL_FIELDS : overviewFields(report),
    eligible_only: params.eligible_only,
    as_of: params.as_of,
    limit: 500,
  };
  const found = useAsked('/public/screener', asked, liveOrStale);
  const shown = ({ data, meta, isStale }) => {
    const all = report === null ? crowdedOf(data) : overviewOf(data, report);
    if (all.length === 0) return html`<${None} report=${report} as_of=${params.as_of} />`;
    const tableOf = (rows) =>
      html`<${Contracts} rows=${rows} left=${meta.screener.excludedIneligible} isOnlyCrowded=${isOnlyCrowded} report=${report} as_of=${params.as_of} onStale=${() => set({ eligible_only: 'false' })} linkTo=${linkTo} />`;
    return isStale ? html`<${Stale} rows=${all}>${tableOf}<//>` : tableOf(all);
  };
  return html`<div>
    <${Answer} asked=${found}>
      ${(answer) => html`<div><${Hints} meta=${answer.meta} />${shown(answer)}</div>`}
    <//>
    ${report !== null && html`<${Elsewhere} report=${report} params=${params} />`}
    <${Requests} requests=${[{ label: 'This table', path: '/public/screener', params: asked }]} /></div>`;
}

const MOST_NAMES = 8;

/** The contracts that this report lacks, and the reports that have them. */
function Elsewhere({ report, params: { eligible_only, as_of } }) {
  const asked = {
    universe: 'entities',
    entity_type: 'futures_contract',
    filter: onlyElsewhere(report),
    columns: PERCENTILES,
    eligible_only,
    as_of,
    limit: 500,
  };
  const { answer } = useAsked('/public/screener', asked, getAll);
  const others = elsewhereOf(answer?.data ?? []);
  if (others.length === 0) return html`<div></div>`;
  const named = ({ label, names }) => {
    const left = names.length - MOST_NAMES;
    const listed = names.slice(0, MOST_NAMES).map((name) => html`<span title=${name}>${shortName(name)}</span>`);
    return html`<li><strong>${label}</strong>: ${listed.map((name, at) => html`${at > 0 && '; '}${name}`)}${left > 0 && ` and ${numberText(left)} more`}</li>`;
  };
  return html`<div class="elsewhere"><p class="small">These contracts have no percentile in the report “${report.label}”, only in another one:</p><ul class="small">${others.map(named)}</ul></div>`;
}

/** A table of stale reports has the contracts of the five weeks up to the newest one. A button adds the others. */
function Stale({ rows, children }) {
  const [areOldShown, showOld] = useState(false);
  const recent = recentOf(rows);
  const left = areOldShown ? 0 : rows.length - recent.length;
  return html`<div><p class="hint">No contract has a new report, so you see the stale ones. The newest is of the week to ${newestOf(rows)}.${' '}
    ${left > 0 && html`${counted(left, 'contract has', 'contracts have')} no report of the five weeks before. <button type="button" class="quiet" onClick=${() => showOld(true)}>Show ${left === 1 ? 'it' : 'them'}</button>`}</p>
    ${children(areOldShown ? rows : recent)}</div>`;
}

const LEGEND = `The percentile ranks their net position within its own three years: of 156 weeks, the largest has 99.68 and the smallest 0.32. From ${CROWDED_LONG} on it is crowded long, up to ${CROWDED_SHORT} crowded short. A position that is crowded short for its three years can still be net long.`;

function Contracts({ rows, left, isOnlyCrowded, report, as_of, onStale, linkTo }) {
  const crowded = rows.filter(({ side }) => side !== null);
  const then = as_of ? ` as of ${as_of}` : '';
  const of = report === null ? 'All contracts' : groupOf(report);
  const title = isOnlyCrowded ? 'Crowded futures' : `${of}: net positions`;
  return html`<div>
    <p role="status"><strong>${numberText(crowded.length)}</strong> of ${counted(rows.length, 'contract')} ${crowded.length === 1 ? 'is' : 'are'} crowded${then}.${' '}
      ${left > 0 && html`${counted(left, 'contract without a new report is', 'contracts without a new report are')} left out. <button type="button" class="quiet" onClick=${onStale}>${left === 1 ? 'Show it' : 'Show them'}</button>`}</p>
    <p class="small">${report === null ? 'Each contract has the group of traders that stands for its speculators: managed money in commodities, leveraged funds in financial contracts, non-commercial traders if a contract is only in the legacy report. ' : ''}${LEGEND}</p>
    <${Table} columns=${columnsOf(rows, report, linkTo)} rows=${isOnlyCrowded ? crowded : rows} rowKey=${(row) => row.entityId} caption=${`${title}, furthest from the middle first${then}`} name=${`cot-${report?.id ?? ALL.id}`} empty=${`No contract is crowded${then}.`} /></div>`;
}

function None({ report, as_of }) {
  const where = report === null ? '' : ` in the report “${report.label}”`;
  return html`<div><p class="note">No contract has a percentile${where}${as_of ? ` as of ${as_of}` : ''}. It needs the reports of two years.</p><${AsOfNote} /></div>`;
}

function columnsOf(rows, report, linkTo) {
  const hasStale = rows.some(({ freshness }) => freshness !== 'fresh');
  return [
    {
      id: 'name',
      label: 'Contract',
      value: (row) => row.name,
      isLong: true,
      show: (row) =>
        html`<a title=${row.name} href=${linkTo('cot', { entity: row.entityId, report: row.report })}>${contractName(row.name)}</a>`,
    },
    ...(report === null ? [{ id: 'group', label: 'Group of traders', value: (row) => row.group }] : []),
    {
      id: 'percentile',
      label: 'Percentile, three years',
      value: (row) => row.percentile,
      isNumber: true,
      show: (row, figure) => html`<a href=${linkTo('provenance', { id: row.observationId })}>${figure}</a>`,
    },
    { id: 'place', label: '0 to 100', value: (row) => row.percentile, isDrawn: true, show: (row) => html`<${Place} row=${row} />` },
    {
      id: 'crowded',
      label: 'Crowded',
      value: sideText,
      show: (row) => (row.side === null ? 'no' : html`<${Crowding} text=${sideText(row)} />`),
    },
    {
      id: 'change',
      label: 'Weekly change of percentile, points',
      value: (row) => row.change,
      isNumber: true,
      why: () => 'no previous week',
    },
    { id: 'net', label: 'Net, contracts', value: (row) => row.net, isNumber: true },
    { id: 'share', label: 'Net, % of open interest', value: (row) => row.share, isNumber: true },
    { id: 'week', label: 'Week to', value: (row) => row.week },
    ...(hasStale ? [{ id: 'freshness', label: 'Report', value: (row) => row.freshness }] : []),
    { id: 'crowding', label: 'Distance from 50', value: (row) => row.crowding, isNumber: true },
  ];
}

/** `short, but net long`: the side as a badge, the rest below it. */
function Crowding({ text }) {
  const [side, but = ''] = text.split(', ');
  return html`<span><${Badge} kind="bad">${side}<//>${but !== '' && html`<span class="small">, <br />${but}</span>`}</span>`;
}

/** A mark between 0 and 100, with the outer tenths shaded. */
function Place({ row: { percentile } }) {
  const x = 5 + (percentile / 100) * (WIDTH - 10);
  return html`<svg class="place" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${`${numberText(percentile)} of 100`}>
    <rect class="outer" x="5" y="2" width=${(WIDTH - 10) / 10} height=${HEIGHT - 4} />
    <rect class="outer" x=${WIDTH - 5 - (WIDTH - 10) / 10} y="2" width=${(WIDTH - 10) / 10} height=${HEIGHT - 4} />
    <line x1="5" x2=${WIDTH - 5} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
    <circle cx=${x} cy=${HEIGHT / 2} r="4" />
  </svg>`;
}
