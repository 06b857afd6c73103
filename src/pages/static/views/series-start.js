// Series without one chosen: a field that finds one, and those that people look up most.
import { html, useState } from '../lib/preact.js';
import { get } from '../api.js';
import { asOfText } from '../as-of-note.js';
import { Answer, useAsked } from '../components.js';
import { sourceColumn, useNames, useNamesOf } from '../names.js';
import { unitText } from '../numbers.js';
import { indicatorSuggestion, SuggestingField } from '../search/suggestions.js';
import { oftenAsked, ofEach } from '../series/often.js';
import { Table } from '../tables/table.js';

/** Of whom these indicators are looked up first. */
const FIRST = 'us';

/** The series of one country, otherwise those of all. */
async function ofOneFirst(path, params, options) {
  const own = await get(path, { ...params, entity: FIRST }, options);
  return own.data.length > 0 ? own : get(path, params, options);
}

export function SeriesStart({ as_of, linkTo }) {
  const known = useNames();
  const [text, setText] = useState('');
  const ids = oftenAsked(known.places);
  const found = useAsked(ids.length === 0 ? null : '/indicators/series', { indicator_id: ids.join(','), as_of, limit: 200 }, ofOneFirst);
  const rows = ofEach(found.answer?.data ?? [], ids);
  const names = useNamesOf(
    rows.map(({ entityId }) => entityId),
    as_of,
  );
  const submit = (event) => {
    event.preventDefault();
    window.location.hash = linkTo('search', { q: text.trim() });
  };
  const columns = [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name,
      isLong: true,
      show: (row) => html`<a href=${linkTo('series', { indicator_id: row.indicatorId, entity: row.entityId })}>${row.name}</a>`,
    },
    { id: 'entityId', label: 'Of', value: (row) => row.entityId, show: (row) => names.entity(row.entityId) },
    { id: 'frequency', label: 'Frequency', value: (row) => row.frequency },
    { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
    { id: 'vintageCount', label: 'Prints', value: (row) => row.vintageCount, isNumber: true },
    { id: 'latestPeriodEnd', label: 'To', value: (row) => row.latestPeriodEnd },
    sourceColumn(names),
  ];
  return html`<section><h1>Series</h1>
    <p>All vintages of one series: what was known on any day, what was revised, and what comes next.</p>
    <form class="row" role="search" onSubmit=${submit}>
      <${SuggestingField} label="Find a series" isReady=${true} value=${text} onInput=${setText} placeholder="us payrolls, germany cpi, fed funds" question=${(q) => ({ path: '/indicators', params: { q, as_of } })} suggestionOf=${indicatorSuggestion(linkTo)} />
      <button type="submit">Search</button>
    </form>
    <${Answer} asked=${found}>
      ${() => html`<${Table} columns=${columns} rows=${rows} caption=${`Often looked up${asOfText(as_of)}: choose one`} name="series" empty="This server has none of the usual series. Look one up in Search." />`}
    <//></section>`;
}
