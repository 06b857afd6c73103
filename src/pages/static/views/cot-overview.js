// All contracts of one report by their percentile: who stands furthest from the middle comes first.
import { html } from '../lib/preact.js';
import { getAll } from '../api.js';
import { Answer, Figure, Hints, Requests, Tabs, useAsked } from '../components.js';
import { Table } from '../tables/table.js';
import { overviewFields, overviewOf, REPORTS } from '../cot/positions.js';
import { counted, numberText } from '../numbers.js';
import { contractName } from '../cot/contracts.js';

const SHOWN = 50;
/** Pixels of the drawn place. */
const [WIDTH, HEIGHT] = [110, 14];

export function Overview({ params, set, linkTo }) {
  const report = REPORTS.find(({ id }) => id === params.report) ?? REPORTS[0];
  const asked = {
    universe: 'entities',
    entity_type: 'futures_contract',
    // A comparison, so that the answer counts the contracts that it leaves out.
    filter: `${report.percentile}:gte:0`,
    columns: overviewFields(report),
    eligible_only: params.eligible_only,
    as_of: params.as_of,
    limit: 500,
  };
  const found = useAsked('/public/screener', asked, getAll);
  const of = report.classes.find(({ id }) => id === report.of).label;
  return html`<div>
    <div class="row"><${Tabs} label="Report" options=${REPORTS} value=${report.id} onChange=${(id) => set({ report: id })} /></div>
    <${Answer} asked=${found}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} />
        <${Contracts} key=${report.id} rows=${overviewOf(data, report)} left=${meta.screener.excludedIneligible} of=${of} report=${report} as_of=${params.as_of} onStale=${() => set({ eligible_only: 'false' })} linkTo=${linkTo} /></div>`}
    <//>
    <${Requests} requests=${[{ label: 'This table', path: '/public/screener', params: asked }]} /></div>`;
}

function Contracts({ rows, left, of, report, as_of, onStale, linkTo }) {
  const columns = [
    {
      id: 'name',
      label: 'Contract',
      value: (row) => row.name,
      isLong: true,
      show: (row) =>
        html`<a title=${row.name} href=${linkTo('cot', { entity: row.entityId, report: report.id })}>${contractName(row.name)}</a>`,
    },
    {
      id: 'percentile',
      label: 'Percentile, three years',
      value: (row) => row.percentile,
      isNumber: true,
      show: (row) => html`<a href=${linkTo('provenance', { id: row.observationId })}><${Figure} value=${row.percentile} /></a>`,
    },
    { id: 'place', label: '0 to 100', value: (row) => row.percentile, isDrawn: true, show: (row) => html`<${Place} row=${row} />` },
    { id: 'change', label: 'Weekly change', value: (row) => row.change, isNumber: true, why: () => 'no previous week' },
    { id: 'net', label: 'Net, contracts', value: (row) => row.net, isNumber: true },
    {
      id: 'share',
      label: 'Net, % of open interest',
      value: (row) => row.share,
      isNumber: true,
    },
    { id: 'week', label: 'Week to', value: (row) => row.week },
    { id: 'crowding', label: 'Distance from 50', value: (row) => row.crowding, isNumber: true },
  ];
  const then = as_of ? ` as of ${as_of}` : '';
  return html`<div>
    <p class="small">${of}: at 100 their net position is the largest of three years, at 0 the smallest.${' '}
      ${left > 0 && html`${counted(left, 'contract without a new report is', 'contracts without a new report are')} left out. <button type="button" class="quiet" onClick=${onStale}>${left === 1 ? 'Show it' : 'Show them'}</button>`}</p>
    <${Table} columns=${columns} rows=${rows} most=${SHOWN} rowKey=${(row) => row.entityId} caption=${`${of}: net positions, furthest from the middle first${then}`} name=${`cot-${report.id}`} empty=${`No contract of the report “${report.label}” has a new percentile.`} /></div>`;
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
