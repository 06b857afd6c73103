// Company: facts, statements as filed and as known on any day, multiples and scores over time, splits. Withheld values show their reason.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { get, getAll } from '../api.js';
import { Answer, Figure, Hints, instantText, Missing, Requests, Tabs, useAsked, useTitle } from '../components.js';
import { Table } from '../table.js';
import { useNames } from '../names.js';
import { exactText, numberText } from '../numbers.js';
import { Chart } from '../chart.js';
import { quarterEnds, splitsOf, tableOf } from '../statements.js';

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
/** Field of `multiples` → indicator, name. */
const MULTIPLES = {
  priceToEarnings: ['price_to_earnings', 'Price to earnings'],
  priceToBook: ['price_to_book', 'Price to book'],
  priceToSales: ['price_to_sales', 'Price to sales'],
  priceToFreeCashFlow: ['price_to_free_cash_flow', 'Price to free cash flow'],
  priceToOperatingCashFlow: ['price_to_operating_cash_flow', 'Price to operating cash flow'],
  evToEbitda: ['ev_to_ebitda', 'Enterprise value to EBITDA'],
  evToEbit: ['ev_to_ebit', 'Enterprise value to EBIT'],
  evToSales: ['ev_to_sales', 'Enterprise value to sales'],
  evToFreeCashFlow: ['ev_to_free_cash_flow', 'Enterprise value to free cash flow'],
  earningsYield: ['earnings_yield', 'Earnings yield'],
  freeCashFlowYield: ['free_cash_flow_yield', 'Free cash flow yield'],
  dividendYield: ['dividend_yield', 'Dividend yield'],
  peg: ['peg', 'PEG'],
};
const SCORES = { composite: 'Composite', value: 'Value', quality: 'Quality', growth: 'Growth', financialHealth: 'Financial health' };
const QUARTERS = 8;

const secondsOf = (instant) => Date.parse(instant.length === 10 ? `${instant}T00:00:00Z` : instant) / 1000;
const oneOf = (options, id) => (options.some((one) => one.id === id) ? id : options[0].id);

export function Company({ params, set, linkTo }) {
  const [text, setText] = useState(params.q ?? '');
  useEffect(() => setText(params.q ?? ''), [params.q]);
  const isChosen = params.id !== undefined;
  const found = useAsked(isChosen ? null : '/public/companies', { q: params.q, as_of: params.as_of, limit: 50 });
  const submit = (event) => {
    event.preventDefault();
    set({ q: text.trim(), id: '' });
  };
  return html`<section><h1>Company</h1>
    <form class="row" role="search" onSubmit=${submit}>
      <label>Name or ticker <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
      <button type="submit">Search</button>
    </form>
    <${Answer} asked=${found}>
      ${({ data, meta }) => html`<div><${Hints} meta=${{ ...meta, isCut: meta.pagination.has_more }} /><${Table} columns=${choiceColumns(set)} rows=${data} caption="Companies" name="companies" empty=${emptyText(params)} /></div>`}
    <//>
    ${isChosen && html`<${OneCompany} key=${params.id} params=${params} set=${set} linkTo=${linkTo} />`}</section>`;
}

function emptyText({ q, as_of }) {
  if (q) return 'No matching company. Try another name or ticker.';
  return as_of ? 'No company was known on that day.' : 'This data has no companies. The source sec brings them.';
}

const choiceColumns = (set) => [
  {
    id: 'name',
    label: 'Name',
    value: (row) => row.name,
    show: (row) => html`<button type="button" class="quiet" onClick=${() => set({ id: row.companyId })}>${row.name}</button>`,
  },
  { id: 'ticker', label: 'Ticker', value: (row) => row.ticker },
  { id: 'cik', label: 'CIK', value: (row) => row.cik },
  { id: 'sector', label: 'Sector', value: (row) => row.sector },
  { id: 'latestPeriodEnd', label: 'Statements to', value: (row) => row.latestPeriodEnd },
];

/** The row of a company by its id, selected from the rows that a search by its CIK finds. */
const rowOf = (id) => async (path, params, options) => {
  const answer = await getAll(path, params, { ...options, most: 1000 });
  return { ...answer, data: answer.data.find(({ companyId }) => companyId === id) ?? null };
};

function OneCompany({ params, set, linkTo }) {
  const cik = params.id.replace(/^company_/, '');
  const asked = { q: cik, as_of: params.as_of };
  const found = useAsked('/public/companies', asked, rowOf(params.id));
  const statement = oneOf(STATEMENTS, params.statement);
  const period = statement === 'balance_sheet' && params.period === 'ttm' ? 'annual' : oneOf(PERIODS, params.period);
  const filings = { statement, period, basis: oneOf(BASES, params.basis), as_of: params.as_of, sort: 'period_end', order: 'desc' };
  const path = `/companies/${encodeURIComponent(cik)}/financials`;
  const multiple = Object.hasOwn(MULTIPLES, params.multiple ?? '') ? params.multiple : 'priceToEarnings';
  const history = {
    entity: params.id,
    indicator_id: `indicator_${MULTIPLES[multiple][0]}`,
    as_of: params.as_of,
    sort: 'period_end',
    order: 'asc',
  };
  const closes = { ...history, indicator_id: 'indicator_price_close_split_adjusted' };
  return html`<div>
    <${Answer} asked=${found}>
      ${({ data, meta }) =>
        data === null
          ? html`<p class="note">There is no company ${params.id}${params.as_of ? ` as of ${params.as_of}` : ''}.</p>`
          : html`<div><${Hints} meta=${meta} /><${Facts} of=${data} linkTo=${linkTo} /><${Now} of=${data} multiple=${multiple} set=${set} /></div>`}
    <//>
    <h2>${MULTIPLES[multiple][1]} through time</h2>
    <${History} key=${multiple} history=${history} multiple=${multiple} linkTo=${linkTo} />
    <h2>Scores through time</h2>
    <${Scores} key=${params.as_of} id=${params.id} asked=${asked} as_of=${params.as_of} />
    <h2>Splits</h2>
    <${Splits} closes=${closes} />
    <h2>Statements</h2>
    <div class="row">
      <${Tabs} label="Statement" options=${STATEMENTS} value=${statement} onChange=${(id) => set({ statement: id })} />
      <${Tabs} label="Periods" options=${statement === 'balance_sheet' ? PERIODS.slice(0, 2) : PERIODS} value=${period} onChange=${(id) => set({ period: id })} />
      <${Tabs} label="Which figures" options=${BASES} value=${filings.basis} onChange=${(id) => set({ basis: id })} />
    </div>
    <${Filed} key=${JSON.stringify(filings)} path=${path} filings=${filings} name=${`${params.id}-${statement}-${period}`} />
    <${Requests}
      requests=${[
        { label: 'The company', path: '/public/companies', params: asked },
        { label: 'Statements', path, params: filings },
        { label: MULTIPLES[multiple][1], path: '/derived-observations', params: history },
        { label: 'Closes and splits', path: '/derived-observations', params: closes },
      ]}
    /></div>`;
}

function Facts({ of: company, linkTo }) {
  useTitle(company.name);
  const names = useNames();
  const number = (value) =>
    value === null ? html`<${Missing} why=${company.rightsNote ?? undefined} />` : html`<${Figure} value=${value} />`;
  const facts = [
    ['Company', html`<code>${company.companyId}</code>`],
    ['Tickers', company.tickers.length === 0 ? html`<${Missing} />` : company.tickers.join(', ')],
    ['Sector', company.sector ?? html`<${Missing} />`],
    ['Industry', company.industry ?? html`<${Missing} />`],
    ['Country', names.country(company.country) ?? html`<${Missing} />`],
    ['Year ends', company.fiscalYearEnd ?? html`<${Missing} />`],
    ['Statements to', company.latestPeriodEnd ?? html`<${Missing} />`],
    ['Last filed', instantText(company.latestFiledAt) ?? html`<${Missing} />`],
    [
      'Shares',
      html`<span>${company.sharesOutstanding === null ? html`<${Missing} />` : html`<${Figure} value=${company.sharesOutstanding} />`} ${company.sharesAsOf ? `on ${company.sharesAsOf}` : ''}</span>`,
    ],
    ['Close', html`<span>${number(company.price)} ${company.priceAsOf ? `on ${company.priceAsOf}` : ''}</span>`],
    ['Market value', number(company.marketCap)],
    ['Freshness', company.freshnessStatus],
  ];
  return html`<div><h2><a href=${linkTo('series', { entity: company.entityId })}>${company.name}</a></h2>
    ${company.rightsNote !== null && html`<p class="hint">${company.rightsNote}</p>`}
    <dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl></div>`;
}

function Now({ of: company, multiple, set }) {
  const why = company.rightsNote ?? 'cannot be computed from the statements and prices known';
  const multiples = Object.entries(MULTIPLES).map(([id, [, label]]) => ({ id, label, value: company.multiples[id] }));
  const scores = Object.entries(SCORES).map(([id, label]) => ({ id, label, value: company.scores[id] }));
  const value = { id: 'value', label: 'Value', value: (row) => row.value, isNumber: true, why: () => why };
  const choice = {
    id: 'multiple',
    label: 'Multiple',
    value: (row) => row.label,
    show: (row) =>
      html`<button type="button" class="quiet" aria-pressed=${row.id === multiple} onClick=${() => set({ multiple: row.id })}>${row.label}</button>`,
  };
  return html`<div class="cards">
    <${Table} columns=${[choice, value]} rows=${multiples} caption=${company.priceAsOf === null ? 'Multiples' : `Multiples, at the close of ${company.priceAsOf}; choose one to see it through time`} name=${`${company.companyId}-multiples`} />
    <${Table} columns=${[{ id: 'score', label: 'Score', value: (row) => row.label }, value]} rows=${scores} caption=${company.scoreAsOf === null ? 'Scores' : `Scores of ${instantText(company.scoreAsOf)}, 0 to 100 within the sector, from ${numberText(Math.round(company.scoreCoverage * 100))} % of their inputs`} name=${`${company.companyId}-scores`} />
  </div>`;
}

function History({ history, multiple, linkTo }) {
  const found = useAsked('/derived-observations', history, getAll);
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${HistoryChart} rows=${data} label=${MULTIPLES[multiple][1]} linkTo=${linkTo} /></div>`}
  <//>`;
}

function HistoryChart({ rows, label, linkTo }) {
  const data = useMemo(() => [rows.map(({ periodEnd }) => secondsOf(periodEnd)), rows.map(({ valueNumeric }) => valueNumeric)], [rows]);
  const newest = rows.at(-1);
  if (newest === undefined) return html`<p class="note">No history. It needs prices, and the right to show them.</p>`;
  const reasons = [
    ...new Set(rows.flatMap(({ valueNumeric, metadata }) => (valueNumeric === null ? [metadata?.reason ?? 'no value'] : []))),
  ];
  return html`<div><${Chart} label=${`${label}, ${rows.length} days`} lines=${[{ label, kind: 'strong', isPoints: rows.length < 3 }]} data=${data} height=${240} />
    ${reasons.length > 0 && html`<p class="small">Days without a value: ${reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}.</p>`}
    <p class="small"><a href=${linkTo('provenance', { id: newest.id })}>Inputs of the newest value</a></p></div>`;
}

/** As known at the ends of the last quarters: one request for each. */
function Scores({ id, asked, as_of }) {
  const [isOpen, setOpen] = useState(false);
  const day = (as_of ?? new Date().toISOString()).slice(0, 10);
  const found = useAsked(isOpen ? '/public/companies' : null, asked, async (path, params, options) => {
    const rows = [];
    // The last one is the as-of itself, because the end of its day may have later values.
    for (const end of [...quarterEnds(day, QUARTERS), as_of ?? day]) {
      const { data } = await get(path, { ...params, as_of: end, limit: 500 }, options);
      const row = data.find(({ companyId }) => companyId === id);
      rows.push({
        end,
        scores: row?.scores ?? {},
        coverage: row?.scoreCoverage ?? null,
        why: row === undefined ? 'not known yet' : row.rightsNote,
      });
    }
    return { data: rows };
  });
  const columns = [
    { id: 'as_of', label: 'As of', value: (row) => row.end },
    ...Object.entries(SCORES).map(([name, label]) => ({
      id: name,
      label,
      value: (row) => row.scores[name] ?? null,
      isNumber: true,
      why: (row) => row.why ?? undefined,
    })),
    { id: 'coverage', label: 'Coverage', value: (row) => row.coverage, isNumber: true },
  ];
  if (!isOpen) return html`<p><button type="button" onClick=${() => setOpen(true)}>Load the last ${QUARTERS} quarters</button></p>`;
  return html`<${Answer} asked=${found}>
    ${({ data }) => html`<div><${ScoreChart} rows=${data} /><${Table} columns=${columns} rows=${data} caption="Scores as they were known" name=${`${id}-scores-through-time`} /></div>`}
  <//>`;
}

function ScoreChart({ rows }) {
  const data = useMemo(() => [rows.map(({ end }) => secondsOf(end)), rows.map(({ scores }) => scores.composite ?? null)], [rows]);
  if (data[1].every((value) => value === null)) return null;
  return html`<${Chart} label=${`Composite score, as known on ${rows.length} days`} lines=${[{ label: 'composite', kind: 'strong', isPoints: true }]} data=${data} height=${200} />`;
}

function Splits({ closes }) {
  const found = useAsked('/derived-observations', closes, getAll);
  const columns = [
    { id: 'day', label: 'From', value: (row) => row.day },
    { id: 'ratio', label: 'New shares per old share', value: (row) => row.ratio, isNumber: true },
  ];
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => {
      const [first, last] = [data[0], data.at(-1)];
      const span = first === undefined ? '' : ` from ${first.periodEnd.slice(0, 10)} to ${last.periodEnd.slice(0, 10)}`;
      return html`<div><${Hints} meta=${meta} />${
        first === undefined
          ? html`<p class="note">No closing prices are known, or they may not be shown.</p>`
          : html`<${Table} columns=${columns} rows=${splitsOf(data)} caption=${`Splits${span}`} name="splits" empty=${`No splits${span}.`} />`
      }</div>`;
    }}
  <//>`;
}

function Filed({ path, filings, name }) {
  const found = useAsked(path, filings, getAll);
  return html`<${Answer} asked=${found}>
    ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Statements} rows=${data} as_of=${filings.as_of} name=${name} /></div>`}
  <//>`;
}

function Statements({ rows, as_of, name }) {
  const { columns, lines } = useMemo(() => tableOf(rows), [rows]);
  if (columns.length === 0) return html`<p class="note">No statements of this kind are known${as_of ? ` as of ${as_of}` : ''}.</p>`;
  const shown = [
    { id: 'line', label: 'Line', value: (line) => line.label },
    { id: 'unit', label: 'Unit', value: (line) => line.unit },
    ...columns.map(({ id, label, statement }) => ({
      id: `${label} ${statement.accessionNumber}`,
      label: html`<span title=${aboutOf(statement)}>${label}<br /><span class="small">${statement.periodEnd}</span></span>`,
      value: (line) => line.cells[id]?.value ?? null,
      isNumber: true,
      why: () => undefined,
      show: (line) =>
        html`<span title=${`${exactText(line.cells[id].value)}; ${aboutCell(line.cells[id], statement)}`}>${numberText(line.cells[id].value)}</span>`,
    })),
  ];
  const filings = columns.map(({ label, statement }) => ({ label, ...statement }));
  return html`<div>
    <${Table} columns=${shown} rows=${lines} isFixed isGrid rowKey=${(line) => line.key} caption=${`${columns.length} periods${as_of ? `, as known on ${as_of}` : ''}, newest first`} name=${name} />
    <details><summary>Filings</summary>
      <${Table} columns=${FILING_COLUMNS} rows=${filings} rowKey=${(row) => row.statementId} caption="Filings" name=${`${name}-filings`} />
    </details></div>`;
}

function aboutOf({ form, accessionNumber, observedAt, revisionStatus, restated, derivation }) {
  const how = derivation === 'none' ? '' : `, ${derivation.replaceAll('_', ' ')}`;
  return `${form} ${accessionNumber}, known from ${instantText(observedAt)}, ${revisionStatus}${restated ? ', restated' : ''}${how}`;
}

const aboutCell = ({ concept, quality }, statement) => `${concept}, ${quality}; ${aboutOf(statement)}`;

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
