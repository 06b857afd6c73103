// Company: facts, statements as filed and as known on any day, multiples and scores over time, splits. Withheld values show their reason once.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { getAll, getText } from '../api.js';
import { Answer, CsvButton, Hints, instantText, Requests, Tabs, useAsked } from '../components.js';
import { AsOfNote } from '../as-of-note.js';
import { getPages, usePages } from '../tables/pages.js';
import { Table } from '../tables/table.js';
import { useNames } from '../names.js';
import { counted, exactText, numberText, unitText } from '../numbers.js';
import { Chart } from '../charts/chart.js';
import { parseCsv, toCsv } from '../tables/csv.js';
import { Multiples } from '../company/grid.js';
import { Header } from '../company/head.js';
import { firstKnown } from '../company/then.js';
import { NotYet } from '../company/not-yet.js';
import { MULTIPLES, readAs, unitRead } from '../company/multiples.js';
import { momentText } from '../series/picture-text.js';
import { Scored, Scores } from '../company/scores.js';
import { growthOf, scaleOf, splitBetween, splitsOf, tableOf, textsOf } from '../company/statements.js';

const STATEMENTS = [
  { id: 'income', label: 'Income' },
  { id: 'balance_sheet', label: 'Balance sheet' },
  { id: 'cash_flow', label: 'Cash flow' },
];
const PERIODS = [
  { id: 'annual', label: 'Years' },
  { id: 'quarterly', label: 'Quarters' },
  { id: 'ttm', label: 'Twelve months' },
];
const BASES = [
  { id: 'most_recent', label: 'As last restated' },
  { id: 'as_reported', label: 'As first filed' },
];

const secondsOf = (instant) => Date.parse(instant.length === 10 ? `${instant}T00:00:00Z` : instant) / 1000;
const oneOf = (options, id) => (options.some((one) => one.id === id) ? id : options[0].id);

export function Company({ params, set, linkTo }) {
  const [text, setText] = useState(params.q ?? '');
  useEffect(() => setText(params.q ?? ''), [params.q]);
  const isChosen = params.id !== undefined;
  const asked = { q: params.q, as_of: params.as_of, limit: 50 };
  const { pages, addPage } = usePages(asked);
  const found = useAsked(isChosen ? null : '/public/companies', { ...asked, pages }, getPages);
  const submit = (event) => {
    event.preventDefault();
    set({ q: text.trim(), id: '' });
  };
  return html`<section>${!isChosen && html`<h1>Company</h1>`}
    <form class="row" role="search" onSubmit=${submit}>
      <label>Name or ticker <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
      <button type="submit">Search</button>
    </form>
    <${Answer} asked=${found}>
      ${({
        data,
        meta,
      }) => html`<div><${Hints} meta=${{ ...meta, isCut: false }} /><${Table} columns=${choiceColumns(linkTo, params.q)} rows=${data} caption=${`${meta.isCut ? 'The first ' : ''}${counted(data.length, 'company', 'companies')}`} name="companies" empty=${emptyText(params)} />
        ${meta.isCut && html`<p><button type="button" onClick=${addPage}>Find more</button></p>`}</div>`}
    <//>
    ${isChosen && html`<${OneCompany} key=${params.id} params=${params} set=${set} linkTo=${linkTo} />`}</section>`;
}

function emptyText({ q, as_of }) {
  if (q) return 'No matching company. Try another name or ticker.';
  return as_of ? 'No company is known.' : 'This data has no companies. The source sec brings them.';
}

const choiceColumns = (linkTo, q) => [
  {
    id: 'name',
    label: 'Name',
    value: (row) => row.name,
    show: (row) => html`<a href=${linkTo('company', { q, id: row.companyId })}>${row.name}</a>`,
  },
  { id: 'ticker', label: 'Ticker', value: (row) => row.ticker },
  { id: 'cik', label: 'CIK', value: (row) => row.cik },
  { id: 'sector', label: 'Sector', value: (row) => row.sector },
  { id: 'latestPeriodEnd', label: 'Statements to', value: (row) => row.latestPeriodEnd },
];

const CIK_DIGITS = 10;
/** `company_0000320193` → `0000320193`. */
const cikOf = (companyId) => companyId.replace(/^company_/, '');

/** The company with this id, CIK or ticker. */
function companyIn(rows, id) {
  const isNamed = ({ cik, tickers }) => cik === id.padStart(CIK_DIGITS, '0') || tickers.includes(id.toUpperCase());
  return rows.find(({ companyId }) => companyId === id) ?? rows.find(isNamed) ?? null;
}

/**
 * Asks for a company. If its ticker became known after the as-of, the ticker of today leads to its id. `today` is its row of now if the company itself
 * became known after the as-of.
 */
const rowOf = (id) => async (path, params, options) => {
  const find = async (asked) => {
    const answer = await getAll(path, asked, { ...options, most: 1000 });
    return { ...answer, data: companyIn(answer.data, id) };
  };
  const found = await find(params);
  if (found.data !== null || params.as_of === undefined) return found;
  const { data: today } = await find({ ...params, as_of: undefined });
  if (today === null) return found;
  const then = await getAll(path, { ...params, q: today.cik }, { ...options, most: 1000 });
  return { ...then, data: companyIn(then.data, today.companyId), today };
};

function OneCompany({ params, set, linkTo }) {
  const asked = { q: cikOf(params.id), as_of: params.as_of };
  const found = useAsked('/public/companies', asked, rowOf(params.id));
  // The company has its name as the heading.
  const isNamed = (found.answer?.data ?? found.answer?.today ?? null) !== null;
  return html`<div>${!isNamed && html`<h1>Company</h1>`}<${Answer} asked=${found}>
    ${({ data, meta, today = null }) =>
      data === null && today !== null
        ? html`<${NotYet} key=${today.companyId} of=${today} as_of=${params.as_of} />`
        : data === null
          ? html`<div><p class="note">There is no company ${params.id}${params.as_of ? ` as of ${params.as_of}` : ''}. Search for its name or ticker.</p><${AsOfNote} /></div>`
          : html`<div><${Hints} meta=${meta} /><${Known} key=${data.companyId} of=${data} params=${params} set=${set} linkTo=${linkTo} /></div>`}
  <//></div>`;
}

function Known({ of: company, params, set, linkTo }) {
  const { as_of } = params;
  const { companyId: id, cik } = company;
  const asked = { q: cik, as_of };
  const statement = oneOf(STATEMENTS, params.statement);
  const period = statement === 'balance_sheet' && params.period === 'ttm' ? 'annual' : oneOf(PERIODS, params.period);
  const filings = { statement, period, basis: oneOf(BASES, params.basis), as_of, sort: 'period_end', order: 'desc' };
  const path = `/companies/${encodeURIComponent(cik)}/financials`;
  const multiple = Object.hasOwn(MULTIPLES, params.multiple ?? '') ? params.multiple : 'priceToEarnings';
  const [indicator, label] = MULTIPLES[multiple];
  const history = { entity: id, indicator_id: `indicator_${indicator}`, as_of, sort: 'period_end', order: 'asc' };
  const closes = { ...history, indicator_id: 'indicator_price_close_split_adjusted' };
  return html`<div>
    <${Header} of=${company} as_of=${as_of} linkTo=${linkTo} />
    <h2>Multiples${company.priceAsOf === null ? '' : `, at the close of ${company.priceAsOf}`}</h2>
    <${Multiples} of=${company} as_of=${as_of} chosen=${multiple} onChoose=${(one) => set({ multiple: one })} />
    <h2>${label} through time</h2>
    <${History} key=${multiple} of=${company} history=${history} label=${label} linkTo=${linkTo} />
    <h2>Statements</h2>
    <div class="row">
      <${Tabs} label="Statement" options=${STATEMENTS} value=${statement} onChange=${(one) => set({ statement: one })} />
      <${Tabs} label="Periods" options=${statement === 'balance_sheet' ? PERIODS.slice(0, 2) : PERIODS} value=${period} onChange=${(one) => set({ period: one })} />
      <${Tabs} label="Which figures" options=${BASES} value=${filings.basis} onChange=${(one) => set({ basis: one })} />
    </div>
    <${Filed} key=${JSON.stringify(filings)} path=${path} filings=${filings} name=${`${id}-${statement}-${period}`} />
    <h2>Scores</h2>
    <${Scored} of=${company} as_of=${as_of} />
    <${Scores} key=${as_of} of=${company} asked=${asked} as_of=${as_of} />
    <h2>Splits</h2>
    <${Splits} closes=${closes} isWithheld=${hidesPrices(company)} />
    <${Requests}
      requests=${[
        { label: 'The company', path: '/public/companies', params: asked },
        { label: 'Statements', path, params: filings },
        { label, path: '/derived-observations', params: history },
        { label: 'Closes and splits', path: '/derived-observations', params: closes },
      ]}
    /></div>`;
}

/** A whole history has thousands of days, so only these columns of it are asked for. */
const WHOLE_HISTORY = { format: 'csv', columns: 'id,periodEnd,valueNumeric,unit,frequency,sourceId', limit: 50_000 };

function History({ of: company, history, label, linkTo }) {
  const found = useAsked('/derived-observations', { ...history, ...WHOLE_HISTORY }, getText);
  return html`<${Answer} asked=${found}>
    ${({ text, isCut, asOf }) => html`<div><${Hints} meta=${{ isCut }} /><${HistoryChart} of=${company} text=${text} asOf=${asOf} history=${history} label=${label} linkTo=${linkTo} /></div>`}
  <//>`;
}

const DAY_COLUMNS = [
  { label: 'periodEnd', value: (row) => row.day },
  { label: 'value', value: (row) => row.value },
  { label: 'unit', value: (row) => row.unit },
  { label: 'sourceId', value: (row) => row.sourceId },
  { label: 'id', value: (row) => row.id },
];

function HistoryChart({ of: company, text, asOf, history, label, linkTo }) {
  const names = useNames();
  const rows = useMemo(() => {
    const [, ...lines] = parseCsv(text);
    return lines.map(([id, periodEnd, value, unit, frequency, sourceId]) => ({
      id,
      day: periodEnd.slice(0, 10),
      value: value === '' ? null : Number(value),
      unit,
      frequency,
      sourceId,
    }));
  }, [text]);
  const data = useMemo(() => [rows.map(({ day }) => secondsOf(day)), rows.map(({ value }) => readAs(label, value))], [rows]);
  const unit = unitRead(label);
  const newest = rows.at(-1);
  if (newest === undefined) return html`<${NoHistory} history=${history} isWithheld=${hidesPrices(company)} />`;
  const missing = rows.filter(({ value }) => value === null);
  const known = `as known on ${momentText(history.as_of ?? null, asOf)}`;
  const picture = {
    name: `${company.companyId}-${history.indicator_id.replace(/^indicator_/, '')}`,
    title: `${company.name}: ${label === 'PEG' ? label : label[0].toLowerCase() + label.slice(1)}`,
    notes: [`${unit || unitText(newest.unit)}, ${newest.frequency}; ${known}; source: ${names.source(newest.sourceId)}`],
  };
  return html`<div><${Chart} label=${`${label}, ${rows.length} days`} lines=${[{ label, kind: 'strong', isPoints: rows.length < 3 }]} data=${data} height=${240} unit=${unit} picture=${picture} />
    ${missing.length > 0 && html`<${WhyMissing} count=${missing.length} day=${missing.at(-1).day} history=${history} />`}
    <p class="small"><${CsvButton} name=${picture.name} text=${() => toCsv(DAY_COLUMNS, rows)} label="All days as CSV" /> <a href=${linkTo('provenance', { id: newest.id })}>Inputs of the newest value</a></p></div>`;
}

/** True if prices may not be shown. The header has the notice of it, with the command that changes it. */
const hidesPrices = ({ rightsNote }) => rightsNote !== null;

/** Why there is no history: the as-of, or what it needs. Only an answer as JSON has the day from which it is known. */
function NoHistory({ history, isWithheld }) {
  const found = useAsked('/derived-observations', { ...history, limit: 1 });
  const first = firstKnown(found.answer?.meta);
  if (found.answer === null) return html`<div></div>`;
  if (first !== null)
    return html`<div><p class="note">Nothing was known of it as of ${history.as_of}: its history is known from ${first} on.</p><${AsOfNote} /></div>`;
  if (isWithheld) return html`<p class="note">No history: it needs prices, which are left out here.</p>`;
  return html`<div><p class="note">No history. It needs prices.</p><${Hints} meta=${found.answer.meta} /></div>`;
}

/** The reason of the newest day without a value, in a request of its own. */
function WhyMissing({ count, day, history }) {
  const found = useAsked('/derived-observations', { ...history, start_date: day, end_date: day });
  const reason = found.answer?.data[0]?.metadata?.reason ?? 'no value';
  if (found.answer === null) return null;
  return html`<p class="small">${counted(count, 'day has', 'days have')} no value; the newest is ${day}: ${reason.replaceAll('_', ' ')}.</p>`;
}

function Splits({ closes, isWithheld }) {
  const found = useAsked('/derived-observations', closes, getAll);
  const columns = [
    { id: 'day', label: 'From', value: (row) => row.day },
    { id: 'ratio', label: 'New shares per old share', value: (row) => row.ratio, isNumber: true },
  ];
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => {
      const [first, last] = [data[0], data.at(-1)];
      const span = first === undefined ? '' : ` from ${first.periodEnd.slice(0, 10)} to ${last.periodEnd.slice(0, 10)}`;
      const known = firstKnown(meta);
      return html`<div>${known === null && !isWithheld && html`<${Hints} meta=${meta} />`}${
        first === undefined
          ? html`<p class="note">${noCloses(known, closes.as_of, isWithheld)}</p>`
          : html`<${Table} columns=${columns} rows=${splitsOf(data)} caption=${`Splits${span}`} name="splits" empty=${`No splits${span}.`} />`
      }</div>`;
    }}
  <//>`;
}

function noCloses(known, as_of, isWithheld) {
  if (known !== null) return `No closing prices were known as of ${as_of}.`;
  return isWithheld ? 'No splits: they come with prices, which are left out here.' : 'No closing prices are known.';
}

function Filed({ path, filings, name }) {
  const found = useAsked(path, filings, getAll);
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Statements} rows=${data} as_of=${filings.as_of} name=${name} /></div>`}
  <//>`;
}

function Statements({ rows, as_of, name }) {
  const { columns, lines } = useMemo(() => tableOf(rows), [rows]);
  if (columns.length === 0) return html`<div><p class="note">No statements of this kind are known.</p><${AsOfNote} /></div>`;
  const scales = useMemo(() => scaleOf(lines), [lines]);
  const texts = useMemo(() => textsOf(lines, scales), [lines, scales]);
  const mainUnit = lines[0]?.unit;
  // A line has one unit: that of its newest period.
  const otherCurrency = ({ statement: { currency } }) => (currency === columns[0].statement.currency ? null : currency);
  const shown = [
    {
      id: 'line',
      label: 'Line',
      value: (line) => line.label,
      isLong: true,
      show: ({ label, unit }) =>
        unit === mainUnit ? label : html`<span>${label}<br /><span class="small">${unitOf(unit, scales.get(unit))}</span></span>`,
    },
    { id: 'unit', label: 'Unit', value: (line) => line.unit, isOnlyInCsv: true },
    ...columns.map((column) => ({
      id: [column.label, column.statement.periodEnd, column.statement.accessionNumber, otherCurrency(column)].filter(Boolean).join(' '),
      label: html`<span title=${aboutOf(column.statement)}>${[column.label, otherCurrency(column)].filter(Boolean).join(', ')}<br /><span class="small">${column.statement.periodEnd}</span></span>`,
      value: (line) => line.cells[column.id]?.value ?? null,
      isNumber: true,
      why: () => undefined,
      show: (line) =>
        html`<${Amount} cell=${line.cells[column.id]} text=${texts.get(line.key)(line.cells[column.id].value / scales.get(line.unit))} growth=${growthOf(line, column, columns)} split=${splitBetween(line, column, columns, lines)} statement=${column.statement} />`,
    })),
  ];
  const filings = columns.map(({ label, statement }) => ({ label, ...statement }));
  const isSplit = lines.some((line) =>
    columns.some((column) => line.cells[column.id] !== undefined && splitBetween(line, column, columns, lines) !== null),
  );
  return html`<div>
    ${isSplit && html`<p class="hint">The number of shares changed so much between two of these periods that their figures per share do not compare. The usual reason is a split: some figures are from before it, others from after it. In place of a change you see by how much the shares were multiplied.</p>`}
    <${Table} columns=${shown} rows=${lines} isFixed isGrid rowKey=${(line) => line.key} caption=${`${unitOf(mainUnit, scales.get(mainUnit))}, ${counted(columns.length, 'period')}${as_of ? `, as known on ${as_of}` : ''}, newest first; below a number is its change from the same period a year earlier`} name=${name} />
    <details><summary>Filings</summary>
      <${Table} columns=${FILING_COLUMNS} rows=${filings} rowKey=${(row) => row.statementId} caption="Filings" name=${`${name}-filings`} />
    </details></div>`;
}

function aboutOf({ form, accessionNumber, observedAt, revisionStatus, restated, derivation }) {
  const how = derivation === 'none' ? '' : `, ${derivation.replaceAll('_', ' ')}`;
  return `${form} ${accessionNumber}, known from ${instantText(observedAt)}, ${revisionStatus}${restated ? ', restated' : ''}${how}`;
}

const aboutCell = ({ concept, quality }, statement) => `${concept}, ${quality}; ${aboutOf(statement)}`;

const unitOf = (unit, scale) => (scale === 1 ? unit : `${unit} millions`);

/** A number of a statement in the unit and the decimals of its line, with its growth; pointing at it shows all digits and the filing. */
function Amount({ cell, text, growth, split, statement }) {
  const below = split !== null ? `shares × ${numberText(Number(split.toPrecision(3)))}` : growth === null ? null : growthText(growth);
  return html`<span title=${`${exactText(cell.value)}; ${aboutCell(cell, statement)}`}>${text}${below !== null && html`<br /><span class="small">${below}</span>`}</span>`;
}

const growthText = (growth) => `${growth > 0 ? '+' : growth < 0 ? '-' : '±'}${Math.abs(growth).toFixed(1)} %`;

const FILING_COLUMNS = [
  { id: 'period', label: 'Period', value: (row) => row.label },
  { id: 'periodEnd', label: 'Ends', value: (row) => row.periodEnd },
  { id: 'form', label: 'Form', value: (row) => row.form },
  {
    id: 'accessionNumber',
    label: 'Filing',
    value: (row) => row.accessionNumber,
    show: (row) => html`<a href=${row.sourceUrl} rel="noreferrer">${row.accessionNumber}</a>`,
  },
  { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
  { id: 'revisionStatus', label: 'Revision', value: (row) => row.revisionStatus },
  { id: 'derivation', label: 'How', value: (row) => row.derivation.replaceAll('_', ' ') },
];
