// Search: indicators, entities, companies, contracts.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { CompaniesFound } from '../search/companies.js';
import { indicatorSuggestion, SuggestingField } from '../search/suggestions.js';
import { chosenFacets, FACETS, NO_FACETS, valuesOf } from '../search/facets.js';
import { indicatorsOf } from '../search/rows.js';
import { useNames, useNamesOf } from '../names.js';
import { counted, unitText } from '../numbers.js';
import { asOfText } from '../as-of-note.js';
import { Answer, Choose, Hints, Requests, Tabs, useAsked, useTitle } from '../components.js';
import { entityName } from '../cot/contracts.js';
import { seriesParams } from '../series/params.js';
import { getPages, usePages } from '../tables/pages.js';
import { Table } from '../tables/table.js';

/** `of`: one of them, and several if that is not the same with an s. */
const KINDS = [
  { id: 'indicators', label: 'Indicators', of: ['indicator'] },
  { id: 'entities', label: 'Entities', of: ['entity', 'entities'] },
  { id: 'companies', label: 'Companies', of: ['company', 'companies'] },
  { id: 'contracts', label: 'Contracts', of: ['contract'] },
];

const SHOWN = 100;
/** Many series are one indicator. */
const MOST_SERIES = 500;
/** Rows to begin with. */
const FIRST_ROWS = 25;
const IMPORTANCES = ['any', 'high', 'medium', 'low'].map((id) => ({ id, label: id }));
/** The most names of countries in a row; after them stands the number of the others. */
const NAMED = 3;

/** Without a text, a list begins with the indicators of high importance. */
const importanceIn = ({ q, importance }) => importance ?? (q ? 'any' : 'high');

/** The request of each kind. */
function questionOf(kind, params) {
  const { q, country, as_of } = params;
  const common = { q, as_of, ...chosenFacets(kind, params), limit: SHOWN };
  if (kind === 'entities') return { path: '/entities', params: { ...common, country } };
  if (kind === 'companies') return { path: '/public/companies', params: { ...common, country } };
  if (kind === 'contracts') return { path: '/entities', params: { ...common, entity_type: 'futures_contract' } };
  const importance = importanceIn(params);
  return {
    path: '/indicators',
    params: { ...common, country, importance: importance === 'any' ? undefined : importance, limit: MOST_SERIES },
  };
}

function columnsOf(kind, linkTo, names) {
  if (kind === 'companies') return companyColumns(linkTo);
  return kind === 'indicators' ? indicatorColumns(linkTo, names) : entityColumns(linkTo, names);
}

function indicatorColumns(linkTo, names) {
  const listed = (texts) => texts.join(', ');
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      isLong: true,
      show: ({ id, name, best, members }) =>
        html`<a title=${id} href=${members.length > 1 ? linkTo('indicator', { id }) : linkTo('series', seriesParams(best))}>${name}</a>`,
    },
    {
      id: 'of',
      label: 'Of',
      value: ({ members }) => listed(members.map(({ entityId }) => names.entity(entityId))),
      sortBy: ({ members }) => members.length,
      isLong: true,
      show: (row) => html`<${Members} of=${row} linkTo=${linkTo} names=${names} />`,
    },
    { id: 'indicatorId', label: 'Indicator', value: (row) => row.id, isOnlyInCsv: true },
    { id: 'frequency', label: 'Frequency', value: (row) => listed(row.frequencies) },
    { id: 'unit', label: 'Unit', value: (row) => listed(row.units), show: (row) => listed(row.units.map(unitText)) },
    {
      id: 'sourceId',
      label: 'Source',
      value: (row) => listed(row.sourceIds),
      isNarrow: true,
      show: (row) => html`<span title=${listed(row.sourceIds)}>${listed(row.sourceIds.map(names.source))}</span>`,
    },
    { id: 'from', label: 'From', value: (row) => row.from },
    { id: 'to', label: 'To', value: (row) => row.to },
  ];
}

/** The members of an indicator that its row names, best first. */
const namedIn = ({ members }) => members.slice(0, members.length === NAMED + 1 ? members.length : NAMED);

/** Who has an indicator: the first ones by name, best first, then how many others. */
function Members({ of: { id, members }, linkTo, names }) {
  const named = namedIn({ members });
  const left = members.length - named.length;
  return html`<span>${named.map(({ entityId, series }, at) => html`${at > 0 && ', '}<a href=${linkTo('series', seriesParams(series))}>${names.entity(entityId)}</a>`)}${left > 0 && html` and <a href=${linkTo('indicator', { id })}>${left} more</a>`}</span>`;
}

/** A company has a page of its own, and perhaps no series. */
const pageOf = ({ entityType, entityId }, linkTo) =>
  entityType === 'company' ? linkTo('company', { id: entityId }) : linkTo('series', { entity: entityId });

function entityColumns(linkTo, names) {
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      show: (row) => html`<a title=${`${row.name} (${row.entityId})`} href=${pageOf(row, linkTo)}>${entityName(row)}</a>`,
    },
    { id: 'entityId', label: 'Entity', value: (row) => row.entityId, isOnlyInCsv: true },
    { id: 'entityType', label: 'Kind', value: (row) => row.entityType.replaceAll('_', ' ') },
    { id: 'country', label: 'Country', value: (row) => row.country, show: (row) => names.country(row.country) },
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
      show: (row) => html`<a title=${row.entityId} href=${linkTo('company', { id: row.companyId })}>${row.name}</a>`,
    },
    { id: 'ticker', label: 'Ticker', value: (row) => row.ticker },
    { id: 'entityId', label: 'Company', value: (row) => row.entityId, isOnlyInCsv: true },
    { id: 'sector', label: 'Sector', value: (row) => row.sector },
    { id: 'status', label: 'Status', value: (row) => row.status },
    { id: 'latestPeriodEnd', label: 'Statements to', value: (row) => row.latestPeriodEnd },
    { id: 'latestFiledAt', label: 'Filed', value: (row) => row.latestFiledAt },
  ];
}

function suggestionOf(kind, row, linkTo, names) {
  if (kind === 'companies')
    return { text: row.name, detail: row.ticker ?? row.sector ?? '', href: linkTo('company', { id: row.companyId }) };
  if (kind === 'indicators') return indicatorSuggestion(linkTo)(row, names);
  return { text: entityName(row), detail: row.entityType.replaceAll('_', ' '), href: pageOf(row, linkTo) };
}

export function Search({ params, set, linkTo }) {
  const kind = KINDS.some(({ id }) => id === params.kind) ? params.kind : 'indicators';
  const [text, setText] = useState(params.q ?? '');
  useEffect(() => setText(params.q ?? ''), [params.q]);
  useTitle(params.q ? `${params.q}, Search` : 'Search');
  const { path, params: asked } = questionOf(kind, params);
  const { pages, addPage } = usePages(path, asked);
  const found = useAsked(path, { ...asked, pages }, getPages);
  const submit = (event) => {
    event.preventDefault();
    set({ q: text.trim() });
  };
  return html`<section><h1>Search</h1>
    <div class="row">
      <${Tabs} label="Kind" options=${KINDS} value=${kind} onChange=${(id) => set({ kind: id, ...NO_FACETS })} />
      <form class="row" role="search" onSubmit=${submit}>
        <${SuggestingField} label="Text" isReady=${params.q === undefined} value=${text} onInput=${setText} placeholder="us payrolls, fed funds, gold" question=${(typed) => questionOf(kind, { country: params.country, as_of: params.as_of, q: typed })} suggestionOf=${(row, names) => suggestionOf(kind, row, linkTo, names)} />
        ${
          kind !== 'contracts' &&
          html`<label>Country <input size="4" maxlength="60" value=${params.country ?? ''} onChange=${(event) => set({ country: event.target.value.trim() })} placeholder="US" /></label>`
        }
        <button type="submit">Search</button>
      </form>
    </div>
    ${kind === 'indicators' && html`<${CompaniesFound} params=${params} linkTo=${linkTo} />`}
    <${Answer} asked=${found}>
      ${({
        data,
        meta,
      }) => html`<div><${Hints} meta=${{ ...meta, isCut: false }} /><${Facets} kind=${kind} found=${data} params=${params} set=${set} /><${Results} found=${data} isCut=${meta.isCut} kind=${kind} as_of=${params.as_of} linkTo=${linkTo} />
        ${meta.isCut && html`<p><button type="button" onClick=${addPage}>Find more</button></p>`}</div>`}
    <//>
    <${Requests} requests=${[{ label: 'These results', path, params: asked }]} /></section>`;
}

/** Values of columns that narrow the results, with the number of those at hand. */
function Facets({ kind, found, params, set }) {
  const names = useNames();
  const textOf = (id, value) => (id === 'source_id' ? names.source(value) : value.replaceAll('_', ' '));
  const choice = ({ id, label, column }) => {
    const values = valuesOf(found, column, params[id]);
    if (values.length < 2 && !params[id]) return null;
    const options = values.map(({ value, count }) => ({ id: value, label: `${textOf(id, value)} (${count})` }));
    return html`<${Choose} label=${label} options=${[{ id: '', label: 'any' }, ...options]} value=${params[id] ?? ''} onChange=${(value) => set({ [id]: value })} />`;
  };
  return html`<div class="row facets" role="group" aria-label="Narrow the results">
    ${kind === 'indicators' && html`<${Choose} label="Importance" options=${IMPORTANCES} value=${importanceIn(params)} onChange=${(importance) => set({ importance })} />`}
    ${FACETS[kind].map(choice)}
  </div>`;
}

function Results({ found, isCut, kind, as_of, linkTo }) {
  const rows = useMemo(() => (kind === 'indicators' ? indicatorsOf(found) : found), [found, kind]);
  const named = kind === 'indicators' ? rows.flatMap((row) => namedIn(row).map(({ entityId }) => entityId)) : [];
  const names = useNamesOf(named, as_of);
  const { of } = KINDS.find(({ id }) => id === kind);
  return html`<${Table} columns=${columnsOf(kind, linkTo, names)} rows=${rows} most=${FIRST_ROWS} caption=${`${isCut ? 'The first ' : ''}${counted(rows.length, ...of)}${asOfText(as_of)}`} name=${kind} empty="No results. Try another word or country." />`;
}
