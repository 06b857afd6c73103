// Commitments of Traders: all contracts by their percentile, or the net positions of one, and their percentile within three years, with the bands of 10 and 90.
import { html, useMemo } from '../lib/preact.js';
import { getAll, getText } from '../api.js';
import { Answer, CsvButton, Hints, instantText, Requests, Tabs, useAsked, useTitle } from '../components.js';
import { AsOfNote } from '../as-of-note.js';
import { Table } from '../tables/table.js';
import { counted, numberText } from '../numbers.js';
import { Chart } from '../charts/chart.js';
import { contractName } from '../cot/contracts.js';
import { listNames } from '../cot/list-names.js';
import { useContractPrice } from '../cot/price.js';
import { useNames } from '../names.js';
import {
  CROWDED_LONG,
  CROWDED_SHORT,
  fromFirstPercentile,
  groupOf,
  netOf,
  newestWeek,
  POSITION_COLUMNS,
  pricesOf,
  readWeeks,
  REPORTS,
} from '../cot/positions.js';
import { Overview } from './cot-overview.js';

const RANGES = [
  { id: '3', label: '3 years' },
  { id: '10', label: '10 years' },
  { id: 'all', label: 'All' },
];
const MOST_ROWS = 100_000;
/** So few weeks have points on their line. */
const FEW_WEEKS = 30;

const secondsOf = (instant) => Date.parse(instant.length === 10 ? `${instant}T00:00:00Z` : instant) / 1000;

export function Cot({ params, set, linkTo }) {
  const contracts = useAsked('/entities', { entity_type: 'futures_contract', as_of: params.as_of }, getAll);
  const chosen = contracts.answer?.data.find(({ entityId }) => entityId === params.entity);
  return html`<section><h1>${chosen !== undefined && `${contractName(chosen.name)}: `}Commitments of Traders</h1>
    <${Answer} asked=${contracts}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Contract} contracts=${data} params=${params} set=${set} linkTo=${linkTo} /></div>`}
    <//></section>`;
}

function Contract({ contracts, params, set, linkTo }) {
  const chosen = contracts.find(({ entityId }) => entityId === params.entity);
  const isOne = params.entity !== undefined && params.entity !== '';
  const names = useMemo(() => listNames(contracts.map(({ name }) => name)), [contracts]);
  if (contracts.length === 0) return html`<div><p class="note">No contracts are known.</p><${AsOfNote} /></div>`;
  return html`<div>
    <p><label>Contract${' '}
      <select value=${params.entity ?? ''} title=${chosen?.name} onChange=${(event) => set({ entity: event.target.value, report: '' })}>
        <option value="" selected=${!isOne}>all</option>
        ${isOne && chosen === undefined && html`<option value=${params.entity} selected>${params.entity} (unknown)</option>`}
        ${contracts.map(({ entityId, name }) => html`<option value=${entityId} title=${name} selected=${entityId === chosen?.entityId}>${names.get(name)}</option>`)}
      </select>
    </label></p>
    ${
      !isOne
        ? // Each report has its own fields, so the other one starts anew.
          html`<${Overview} key=${params.report} params=${params} set=${set} linkTo=${linkTo} />`
        : chosen === undefined
          ? html`<div><p class="note">There is no contract ${params.entity}${params.as_of ? ` as of ${params.as_of}` : ''}. Choose one.</p><${AsOfNote} /></div>`
          : html`<${Reports} key=${chosen.entityId} contract=${chosen} params=${params} set=${set} linkTo=${linkTo} />`
    }
  </div>`;
}

/** Few contracts are in both reports: this offers those that have it. */
function Reports({ contract, params, set, linkTo }) {
  useTitle(`${contractName(contract.name)}, COT`);
  const found = useAsked('/indicators', { entity: contract.entityId, as_of: params.as_of, limit: 500 });
  const range = RANGES.some(({ id }) => id === params.range) ? params.range : RANGES[0].id;
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => {
      const offered = REPORTS.filter(({ source }) => data.some(({ sourceId }) => sourceId === source));
      const report = offered.find(({ id }) => id === params.report) ?? offered[0];
      if (report === undefined)
        return html`<div><${Hints} meta=${meta} /><p class="note">No report has positions of ${contractName(contract.name)}.</p><${AsOfNote} /></div>`;
      return html`<div>
        <div class="row">
          <${Tabs} label="Report" options=${offered} value=${report.id} onChange=${(id) => set({ report: id })} />
          <${Tabs} label="Weeks" options=${RANGES} value=${range} onChange=${(id) => set({ range: id })} />
        </div>
        <${Positions} key=${report.id} contract=${contract} report=${report} range=${range} as_of=${params.as_of} linkTo=${linkTo} />
      </div>`;
    }}
  <//>`;
}

/** The first day to show, undefined for all. */
function startOf(latest, range) {
  if (range === 'all' || latest === null) return undefined;
  return `${Number(latest.slice(0, 4)) - Number(range)}${latest.slice(4)}`.replace(/-02-29$/, '-02-28');
}

/** The last day of the month of a day; undefined for none. */
function endOfMonth(day) {
  if (day === null) return undefined;
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function Positions({ contract, report, range, as_of, linkTo }) {
  const start_date = startOf(contract.latestPeriodEnd, range);
  const asked = {
    entity: contract.entityId,
    source_id: report.source,
    start_date,
    as_of,
    format: 'csv',
    columns: POSITION_COLUMNS,
    limit: MOST_ROWS,
  };
  const percentile = {
    indicator_id: `${contract.entityId}_${report.percentile}`,
    start_date,
    as_of,
    sort: 'period_end',
    order: 'asc',
  };
  const positions = useAsked('/observations', asked, getText);
  const percentiles = useAsked('/derived-observations', percentile, getAll);
  const price = useContractPrice(contract.identifiers.cftcContractCode, {
    start_date,
    end_date: endOfMonth(contract.latestPeriodEnd),
    as_of,
  });
  return html`<div>
    <${Answer} asked=${percentiles}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Percentiles} rows=${data} contract=${contract} report=${report} as_of=${as_of} linkTo=${linkTo} /></div>`}
    <//>
    <${Answer} asked=${positions}>
      ${({ text, isCut }) => html`<div><${Hints} meta=${{ isCut }} /><${Nets} text=${text} price=${price} contract=${contract} report=${report} linkTo=${linkTo} as_of=${as_of} /></div>`}
    <//>
    <p><${CsvButton} name=${`${contract.entityId}-${report.id}`} label="All positions as CSV" text=${() => getText('/observations', asked).then(({ text }) => text)} /></p>
    <${Requests}
      requests=${[
        { label: 'Positions', path: '/observations', params: asked },
        { label: 'Percentile', path: '/derived-observations', params: percentile },
        ...(price === null ? [] : [{ label: price.label, path: '/observations', params: price.params }]),
      ]}
    /></div>`;
}

/** Of which day a picture is. */
const knownOn = (as_of) => `as known on ${as_of ?? new Date().toISOString().slice(0, 10)}`;

const REASONS = { insufficient_history: 'too few weeks' };

const [LOWEST, HIGHEST] = [0, 100];
/** Between the lines of the chart by number: from the highest to the upper limit, from the lower limit to the lowest. */
const CROWDED_BANDS = [{ series: [4, 2] }, { series: [3, 5] }];

/** For the net position of one class, as computed by the interface: the share of weeks within three years that are below. */
function Percentiles({ rows, contract, report, as_of, linkTo }) {
  const of = groupOf(report);
  const names = useNames();
  const shown = useMemo(() => fromFirstPercentile(rows), [rows]);
  const data = useMemo(
    () => [
      shown.map(({ periodEnd }) => secondsOf(periodEnd)),
      shown.map(({ valueNumeric }) => valueNumeric),
      shown.map(() => CROWDED_LONG),
      shown.map(() => CROWDED_SHORT),
      shown.map(() => HIGHEST),
      shown.map(() => LOWEST),
    ],
    [shown],
  );
  const newest = rows.at(-1);
  if (newest === undefined)
    return html`<div><p class="note">No percentile of ${contractName(contract.name)} in the report “${report.label}”.</p><${AsOfNote} /></div>`;
  const { net, weeklyChange, percentile1y, percentile3y, zScore3y, windowCount, reason } = newest.metadata;
  const picture = {
    name: `${contract.entityId}-${report.id}-percentile`,
    title: `${contractName(contract.name)}: three-year percentile of the net position of ${of.toLowerCase()}`,
    notes: [`percentile, weekly; to ${newest.periodEnd.slice(0, 10)}; ${knownOn(as_of)}; source: ${names.source(report.source)}`],
  };
  const lines = [
    { label: 'percentile', kind: 'strong', isPoints: shown.length <= FEW_WEEKS },
    { label: `crowded long from ${CROWDED_LONG} on`, kind: 'edge' },
    { label: `crowded short up to ${CROWDED_SHORT}`, kind: 'edge' },
    ...[HIGHEST, LOWEST].map((label) => ({ label, kind: 'zero' })),
  ];
  const why = reason === null ? undefined : (REASONS[reason] ?? reason.replaceAll('_', ' '));
  // Each figure is of another kind.
  const facts = [
    { name: 'Net position, contracts', value: net },
    { name: 'Weekly change of net position, contracts', value: weeklyChange, why: 'no previous week' },
    { name: 'Percentile, three years', value: percentile3y, why },
    { name: 'Percentile, one year', value: percentile1y, why },
    { name: 'Standard deviations from the mean, three years', value: zScore3y, why },
    { name: 'Weeks in the window', value: windowCount },
  ].map((fact) => ({ ...fact, unit: fact.name }));
  const columns = [
    { id: 'figure', label: `${of}, week to ${newest.periodEnd.slice(0, 10)}`, value: (row) => row.name },
    { id: 'value', label: 'Value', value: (row) => row.value, isNumber: true, beside: 'unit', why: (row) => row.why },
  ];
  return html`<div><h2>${of}: 3-year percentile</h2>
    <${Chart} label=${`Percentile of the net position of ${of.toLowerCase()} in ${contractName(contract.name)}, ${counted(shown.length, 'week')}, with bands at ${CROWDED_SHORT} and ${CROWDED_LONG}`} lines=${lines} data=${data} bands=${CROWDED_BANDS} range=${[LOWEST, HIGHEST]} unit="percentile" height=${260} picture=${picture} />
    ${shown.length < rows.length && html`<p class="small">From ${shown[0].periodEnd.slice(0, 10)}: the ${counted(rows.length - shown.length, 'week')} before have no percentile, which needs the reports of two years.</p>`}
    <p class="legend"><span class="strong">percentile of three years</span><span class="band">crowded: long from ${CROWDED_LONG} on, short up to ${CROWDED_SHORT}</span></p>
    <${Table} columns=${columns} rows=${facts} caption=${`Known from ${instantText(newest.observedAt)}`} name=${`${contract.entityId}-percentile`} />
    <p class="small"><a href=${linkTo('provenance', { id: newest.id })}>Inputs</a></p></div>`;
}

/** A thin line has neither a name in a saved picture nor a value under the pointer. */
const KINDS = ['strong', 'known', 'pin', 'other', 'edge'];

/** The colour of no class of traders. */
const PRICE_KIND = 'beside';

function Nets({ text, price, contract, report, linkTo, as_of }) {
  const names = useNames();
  const weeks = useMemo(() => readWeeks(text, contract.entityId, report), [text]);
  const shown = report.classes.filter(({ id }) => weeks.some(({ values }) => netOf(values, id) !== null));
  const priceOfWeek = useMemo(
    () =>
      price === null
        ? null
        : pricesOf(
            weeks.map(({ week }) => week),
            price.prices,
            price.frequency,
          ),
    [weeks, price],
  );
  const data = useMemo(
    () => [
      weeks.map(({ week }) => secondsOf(week)),
      ...shown.map(({ id }) => weeks.map(({ values }) => netOf(values, id))),
      ...(priceOfWeek === null ? [] : [priceOfWeek]),
    ],
    [weeks, priceOfWeek],
  );
  if (weeks.length === 0)
    return html`<div><p class="note">No positions of ${contractName(contract.name)} in the report “${report.label}” in these weeks.</p><${AsOfNote} /></div>`;
  const isPoints = weeks.length < 3;
  const over =
    price === null
      ? []
      : [{ label: `${price.label} (right)`, kind: PRICE_KIND, isPoints, isStep: price.frequency === 'monthly', isRight: true }];
  const lines = [...shown.map(({ label }, at) => ({ label, kind: KINDS[at], isPoints })), ...over];
  const columns = [
    {
      id: 'class',
      label: 'Traders',
      value: (row) => row.label,
      show: (row) =>
        html`<a href=${linkTo('series', { indicator_id: `${contract.entityId}_${report.prefix}${row.id}_long`, source_id: report.source, as_of })}>${row.label}</a>`,
    },
    { id: 'long', label: 'Long', value: (row) => row.long, isNumber: true },
    { id: 'short', label: 'Short', value: (row) => row.short, isNumber: true },
    { id: 'net', label: 'Net', value: (row) => row.net, isNumber: true },
    { id: 'change', label: 'Weekly change of net, contracts', value: (row) => row.change, isNumber: true, why: () => 'no previous week' },
  ];
  const newest = weeks.at(-1);
  const ofPrice = price === null ? [] : [`${price.label}: ${price.unit}, ${price.frequency}; source: ${names.source(price.sourceId)}`];
  const picture = {
    name: `${contract.entityId}-${report.id}-net`,
    title: `${contractName(contract.name)}: net positions by traders`,
    notes: [`contracts, weekly; to ${newest.week}; ${knownOn(as_of)}; source: ${names.source(report.source)}`, ...ofPrice],
  };
  const interest = newest.values['open_interest'] ?? null;
  return html`<div><h2>Net positions${price === null ? '' : ' and price'}</h2>
    <${Chart} label=${`Net positions in ${contractName(contract.name)} by traders${price === null ? '' : `, and ${price.label}`}, ${counted(weeks.length, 'week')}`} lines=${lines} data=${data} unit="contracts" rightUnit=${price === null ? null : price.unit} height=${300} picture=${picture} />
    <p class="legend">${shown.map(({ label }, at) => html`<span class=${KINDS[at]}>${label}</span>`)}${price !== null && html`<span class=${PRICE_KIND}>${price.label} (right)</span>`}</p>
    ${price !== null && html`<${AboutPrice} price=${price} linkTo=${linkTo} as_of=${as_of} />`}
    <${Table} columns=${columns} rows=${newestWeek(weeks, report)} caption=${`Week to ${newest.week}${interest === null ? '' : `, open interest ${numberText(interest)}`}`} name=${`${contract.entityId}-${newest.week}`} />
    <p class="small">Net is long minus short.</p></div>`;
}

/** The newest price that is known, with its day, unit and source. */
function AboutPrice({ price, linkTo, as_of }) {
  const names = useNames();
  const { day, value } = price.prices.findLast((one) => one.value !== null);
  const series = { indicator_id: price.indicatorId, source_id: price.sourceId, frequency: price.frequency, as_of };
  return html`<p class="small about-price"><a href=${linkTo('series', series)}>${price.label}</a>: ${numberText(value)} ${price.unit}, ${price.frequency}, to ${day}; source: ${names.source(price.sourceId)}.</p>`;
}
