// Search: indicators, entities, companies, contracts.
import { html, useEffect, useState } from '../lib/preact.js';
import { Answer, Hints, Requests, Table, Tabs, useAsked } from '../components.js';

const KINDS = [
  { id: 'indicators', label: 'Indicators' },
  { id: 'entities', label: 'Entities' },
  { id: 'companies', label: 'Companies' },
  { id: 'contracts', label: 'Contracts' },
];

const SHOWN = 100;

/** The request of each kind, and the columns of its rows. */
function questionOf(kind, { q, country, as_of }, linkTo) {
  const common = { q, as_of, limit: SHOWN };
  if (kind === 'entities') return { path: '/entities', params: { ...common, country }, columns: entityColumns(linkTo) };
  if (kind === 'companies') return { path: '/public/companies', params: { ...common, country }, columns: companyColumns(linkTo) };
  if (kind === 'contracts')
    return { path: '/entities', params: { ...common, entity_type: 'futures_contract' }, columns: entityColumns(linkTo) };
  return { path: '/indicators', params: { ...common, country }, columns: indicatorColumns(linkTo) };
}

export const seriesParams = ({ indicatorId, sourceId, entityId, frequency }) => ({
  indicator_id: indicatorId,
  source_id: sourceId,
  entity: entityId,
  frequency,
});

function indicatorColumns(linkTo) {
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a href=${linkTo('series', seriesParams(row))}>${row.name}</a>`,
    },
    { id: 'indicatorId', label: 'Indicator', value: (row) => row.indicatorId, show: (row) => html`<code>${row.indicatorId}</code>` },
    { id: 'entityId', label: 'Of', value: (row) => row.entityId },
    { id: 'frequency', label: 'Frequency', value: (row) => row.frequency },
    { id: 'unit', label: 'Unit', value: (row) => row.unit },
    { id: 'sourceId', label: 'Source', value: (row) => row.sourceId },
    { id: 'firstPeriodEnd', label: 'From', value: (row) => row.firstPeriodEnd },
    { id: 'latestPeriodEnd', label: 'To', value: (row) => row.latestPeriodEnd },
    { id: 'vintageCount', label: 'Prints', value: (row) => row.vintageCount, isNumber: true },
    { id: 'freshnessStatus', label: 'Freshness', value: (row) => row.freshnessStatus },
  ];
}

function entityColumns(linkTo) {
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a href=${linkTo('series', { entity: row.entityId })}>${row.name}</a>`,
    },
    { id: 'entityId', label: 'Entity', value: (row) => row.entityId, show: (row) => html`<code>${row.entityId}</code>` },
    { id: 'entityType', label: 'Kind', value: (row) => row.entityType.replaceAll('_', ' ') },
    { id: 'country', label: 'Country', value: (row) => row.country },
    { id: 'contract', label: 'Contract', value: (row) => row.identifiers.cftcContractCode },
    { id: 'indicatorCount', label: 'Indicators', value: (row) => row.indicatorCount, isNumber: true },
    { id: 'latestPeriodEnd', label: 'To', value: (row) => row.latestPeriodEnd },
  ];
}

function companyColumns(linkTo) {
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a href=${linkTo('company', { id: row.companyId })}>${row.name}</a>`,
    },
    { id: 'ticker', label: 'Ticker', value: (row) => row.ticker },
    { id: 'entityId', label: 'Company', value: (row) => row.entityId, show: (row) => html`<code>${row.entityId}</code>` },
    { id: 'sector', label: 'Sector', value: (row) => row.sector },
    { id: 'status', label: 'Status', value: (row) => row.status },
    { id: 'latestPeriodEnd', label: 'Statements to', value: (row) => row.latestPeriodEnd },
    { id: 'latestFiledAt', label: 'Filed', value: (row) => row.latestFiledAt },
  ];
}

export function Search({ params, set, linkTo }) {
  const kind = KINDS.some(({ id }) => id === params.kind) ? params.kind : 'indicators';
  const [text, setText] = useState(params.q ?? '');
  useEffect(() => setText(params.q ?? ''), [params.q]);
  const { path, params: asked, columns } = questionOf(kind, params, linkTo);
  const found = useAsked(path, asked);
  const submit = (event) => {
    event.preventDefault();
    set({ q: text.trim() });
  };
  return html`<section><h1>Search</h1>
    <div class="row">
      <${Tabs} label="Kind" options=${KINDS} value=${kind} onChange=${(id) => set({ kind: id })} />
      <form class="row" role="search" onSubmit=${submit}>
        <label>Text <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} placeholder="payroll, united, gold" /></label>
        ${
          kind !== 'contracts' &&
          html`<label>Country <input size="4" maxlength="60" value=${params.country ?? ''} onChange=${(event) => set({ country: event.target.value.trim() })} placeholder="US" /></label>`
        }
        <button type="submit">Search</button>
      </form>
    </div>
    <${Answer} asked=${found}>
      ${({ data, meta }) => html`<div><${Hints} meta=${{ ...meta, isCut: meta.pagination?.has_more }} />
        <${Table} columns=${columns} rows=${data} caption=${`${data.length} ${KINDS.find(({ id }) => id === kind).label.toLowerCase()}`} name=${kind} empty="No results. Try another word or country." /></div>`}
    <//>
    <${Requests} requests=${[{ label: 'These results', path, params: asked }]} /></section>`;
}
