// The start page of a visitor with a key: a search, the watch-list, three examples of revisions, the age of the data, and the releases and revisions of the
// last week.
import { html, useMemo, useState } from '../lib/preact.js';
import { get, getText } from '../api.js';
import { writeAddress } from '../address.js';
import { Chart } from '../charts/chart.js';
import { Answer, KeyWanted, useAsked, useHasScope, useIsSignedIn } from '../components.js';
import { freshnessOf, troubleText } from '../health/freshness.js';
import { useNames } from '../names.js';
import { numberText } from '../numbers.js';
import { indicatorSuggestion, SuggestingField } from '../search/suggestions.js';
import { parseCsv } from '../tables/csv.js';
import { periodText, PRINT_COLUMNS, readPrints, stepOf } from '../charts/vintages.js';
import { Released, Revised, windowOf } from '../views/today.js';
import { linkTo } from './links.js';
import { pathOf, QUARTERS, revisionsOf } from './revised.js';
import { Then } from './then.js';
import { Watched } from './watched.js';

const [GDP, PAYROLLS] = ['us_gdp_growth_qoq', 'us_nonfarm_payrolls'];
const YEARS = 3;
const HEIGHT = 170;
const SHOWN = 6;
const MOST_PRINTS = 20_000;

export function Live() {
  if (!useIsSignedIn()) return html`<${KeyWanted} title="Sign in to look around" />`;
  const today = new Date().toISOString().slice(0, 10);
  const { released, revised } = windowOf({ day: today, days: 7, importance: 'high' });
  return html`<div>
    <${Search} />
    <${Watched} linkTo=${linkTo} />
    <div class="pictures-of-home">
      <${Quarter} />
      <${Payrolls} today=${today} />
      <${Then} today=${today} />
    </div>
    <${Freshness} />
    <h2>Released this week</h2>
    <${Released} asked=${released} linkTo=${linkTo} most=${SHOWN} />
    <h2>Revised this week</h2>
    <${Revised} asked=${revised} linkTo=${linkTo} most=${SHOWN} />
    <p><a href=${linkTo('today')}>More of the last days</a>. <a href=${linkTo('revisions', { days: '365' })}>Most revised in a year</a>. As they stood on another day: open Today and choose an as-of.</p>
    </div>`;
}

function Search() {
  const [text, setText] = useState('');
  const open = (address) => window.location.assign(`/explore${address}`);
  const submit = (event) => {
    event.preventDefault();
    open(writeAddress('search', { q: text.trim() }));
  };
  return html`<form class="row" role="search" onSubmit=${submit}>
    <${SuggestingField} label="Find" value=${text} onInput=${setText} placeholder="us payrolls, fed funds, gold" question=${indicatorsCalled} suggestionOf=${suggestionOf} open=${open} />
    <button type="submit">Search</button>
  </form>`;
}

const indicatorsCalled = (q) => ({ path: '/indicators', params: { q } });
const suggestionOf = indicatorSuggestion(writeAddress);

/** Asks for the first quarter of the list that was revised since its first print. */
async function anyQuarter(path, params, options) {
  for (const period of QUARTERS) {
    const { text, asOf } = await getText(path, { ...params, period }, options);
    const [found] = readPrints(text);
    if (found !== undefined && pathOf(found, found.prints.at(-1).from) !== null) return { found, source: sourceIn(text), asOf };
  }
  return { found: null };
}

const ALL_PRINTS = { vintage: 'all', format: 'csv', columns: `${PRINT_COLUMNS},source_id`, limit: MOST_PRINTS };
/** The source of the first row of a CSV with these columns, its last cell. */
const sourceIn = (text) => parseCsv(text)[1]?.at(-1) ?? null;

/** For a chart as a file. */
function usePicture(name, title, { unit, source, asOf }) {
  const names = useNames();
  return { name, title, notes: [`${unit}; as known on ${asOf?.slice(0, 10)}; source: ${names.source(source)}`] };
}

/** A crisis quarter: its first print, and its value now. */
function Quarter() {
  const asked = useAsked('/observations', { indicator_id: GDP, entity: 'us', ...ALL_PRINTS }, anyQuarter);
  return html`<${Answer} asked=${asked}>
    ${({ found, source, asOf }) => html`<div>${found !== null && html`<${QuarterChart} of=${found} source=${source} asOf=${asOf} />`}</div>`}
  <//>`;
}

function QuarterChart({ of: period, source, asOf }) {
  const title = `US growth in ${period.period}, by the day on which it was known`;
  const picture = usePicture(`${GDP}-${period.period}`, title, { unit: '%, quarterly', source, asOf });
  const path = useMemo(() => pathOf(period, new Date().toISOString()), [period]);
  if (path === null) return null;
  const { first, last, data } = path;
  return html`<section><h2>US growth in ${period.period}</h2>
    <p class="small">First published as <strong>${numberText(first.value)} %</strong> on ${first.from.slice(0, 10)}, now <strong>${numberText(last.value)} %</strong>. <a href=${linkTo('series', { indicator_id: GDP, entity: 'us', period_end: period.periodEnd })}>All vintages</a></p>
    <${Chart} label=${`Growth of ${period.period} by the day on which it was known`} lines=${[{ label: 'known as', kind: 'known', isStep: true }]} data=${data} height=${HEIGHT} unit="%" picture=${picture} /></section>`;
}

/** Asks for all prints of a series from its preferred source. A print of another source is no revision. */
async function ofPreferred(path, params, options) {
  const { data } = await get('/observations/latest', { indicator_id: params.indicator_id, limit: 20 }, options);
  const row = data.find(({ preferredForFactor }) => preferredForFactor) ?? data[0];
  return row === undefined
    ? { text: '', asOf: null }
    : getText(path, { ...params, source_id: row.sourceId, frequency: row.frequency }, options);
}

/** The revision of each month since its first print. */
function Payrolls({ today }) {
  const start_date = `${Number(today.slice(0, 4)) - YEARS}${today.slice(4, 7)}-01`;
  const asked = useAsked('/observations', { indicator_id: PAYROLLS, start_date, ...ALL_PRINTS }, ofPreferred);
  return html`<${Answer} asked=${asked}>${({ text, asOf }) => html`<${PayrollsChart} text=${text} asOf=${asOf} />`}<//>`;
}

function PayrollsChart({ text, asOf }) {
  const title = 'US payrolls: as known now minus the first print, by month';
  const picture = usePicture(`${PAYROLLS}-revised`, title, { unit: 'thousands, monthly', source: sourceIn(text), asOf });
  const { periods, data, largest } = useMemo(() => revisionsOf(readPrints(text)), [text]);
  if (largest === null) return html`<div></div>`;
  return html`<section><h2>US payrolls: revised since the first print</h2>
    <p class="small">The largest of these months: ${largest.period}, <strong>${numberText(largest.difference)}</strong> thousand. <a href=${linkTo('series', { indicator_id: PAYROLLS, source_id: sourceIn(text), transform: 'change', range: '3' })}>Every vintage</a></p>
    <${Chart} label="Payrolls now minus the first print, by month" lines=${[{ label: 'now minus first', kind: 'beside', isBars: true }]} data=${data} height=${HEIGHT} unit="thousands" step=${stepOf(periods)} xText=${(_seconds, index) => periodText(periods[index])} picture=${picture} /></section>`;
}

/** How old the data are, in two lines; nothing if the key may not see it. */
function Freshness() {
  const { answer } = useAsked(useHasScope('ops:read') ? '/source-health' : null, { limit: 500 });
  if (answer === null) return null;
  const found = freshnessOf(answer.data, Date.now());
  const { newest } = found;
  return html`<section aria-label="Freshness"><p class="note">
    ${newest !== null && html`<span>The newest data came in ${newest.age} ago, from ${newest.name}.</span><br />`}
    ${troubleText(found)}${' '}
    <a href=${linkTo('health')}>Data health</a></p></section>`;
}
