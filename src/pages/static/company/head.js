// The head of a company: name, price and market value, then the facts. What was not known at the as-of says so.
import { html } from '../lib/preact.js';
import { get } from '../api.js';
import { Figure, instantText, Missing, useAsked, useTitle } from '../components.js';
import { useNames } from '../names.js';
import { shortText } from '../numbers.js';
import { firstDay, lastWholeDay, unknownThen } from './then.js';

/** The service takes closes in dollars only, and converts statements in another currency. */
const PRICED_IN = 'USD';

/** Name, price and market value, then the facts; one notice if prices are withheld. */
export function Header({ of: company, as_of, linkTo }) {
  const isPartial = [company.sector, company.industry, company.country, company.ticker].includes(null);
  const now = useAsked(as_of && isPartial ? '/public/companies' : null, { q: company.cik });
  const today = now.answer?.data.find(({ companyId }) => companyId === company.companyId);
  // What became known later says so. What nobody knows is only missing.
  const known = (name, nameOf = (value) => value) => {
    const [then, later] = [company[name], today?.[name] ?? null];
    const why = later === null ? undefined : `not known by ${as_of}; today ${nameOf(later)}`;
    return then === null ? html`<${Missing} why=${why} />` : nameOf(then);
  };
  useTitle(company.name);
  const names = useNames();
  const { href, hasPrices } = useSeries(company, linkTo);
  const facts = [
    ['Company', html`<code>${company.companyId}</code>`],
    ['Sector', known('sector')],
    ['Industry', known('industry')],
    ['Country', known('country', names.country)],
    ['Year ends', company.fiscalYearEnd ?? html`<${Missing} />`],
    ['Statements to', company.latestPeriodEnd ?? html`<${Missing} />`],
    ['Statements in', company.reportingCurrency ?? html`<${Missing} />`],
    ['Last filed', instantText(company.latestFiledAt) ?? html`<${Missing} />`],
    ['Freshness', company.freshnessStatus],
  ];
  return html`<div>
    <div class="headline">
      <h1>${href === null ? company.name : html`<a href=${href}>${company.name}</a>`} <span class="note">${tickersText(company, today, as_of)}</span></h1>
      <${Headline} label="Close" value=${company.price} unit=${PRICED_IN} since=${company.priceAsOf} />
      <${Headline} label="Market value" value=${company.marketCap} unit=${PRICED_IN} since=${company.priceAsOf} />
      <${Headline} label="Shares" value=${company.sharesOutstanding} text=${shortText} since=${company.sharesAsOf} />
    </div>
    ${company.rightsNote !== null && html`<p class="hint">${company.rightsNote}${hasPrices && html` The prices themselves are among <a href=${href}>its series</a>.`}</p>`}
    <dl class="facts wide">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
    ${today !== undefined && html`<${KnownSince} of=${company} today=${today} as_of=${as_of} />`}</div>`;
}

/** → { href, hasPrices }: the list of its series, null for a company without one, to which a link would be empty; true if closing prices are among them. */
function useSeries({ entityId }, linkTo) {
  const series = useAsked('/indicators/series', { entity: entityId, limit: 100 }).answer?.data ?? [];
  return {
    href: series.length > 0 ? linkTo('series', { entity: entityId }) : null,
    hasPrices: series.some(({ canonicalIndicatorId }) => canonicalIndicatorId === 'price_close'),
  };
}

function tickersText({ tickers }, today, as_of) {
  if (tickers.length > 0) return tickers.join(', ');
  return today?.ticker ? `ticker not known by ${as_of}; today ${today.tickers.join(', ')}` : '';
}

/** `unit`: undefined for a number of things; `text` of the number, undefined for the usual one. */
function Headline({ label, value, unit, text, since }) {
  return html`<p class="figure"><span class="small">${label}</span> <strong>${value === null ? html`<${Missing} />` : html`<${Figure} value=${value} texts=${text && new Map([[value, text(value)]])} />`}</strong>${value !== null && unit !== undefined && ` ${unit}`} <span class="small">${since === null ? '' : since}</span></p>`;
}

/** From which day on all facts were known that were not known at the as-of; nothing if all were. */
export function KnownSince({ of: company, today, as_of }) {
  const missing = unknownThen(company, today);
  const asked = { q: company.cik, limit: 100, as_of: lastWholeDay(as_of) };
  const found = useAsked(missing.length === 0 ? null : '/public/companies', asked, async (path, params, options) => {
    const isKnown = async (day) => {
      const { data } = await get(path, { ...params, as_of: day }, options);
      const row = data.find(({ companyId }) => companyId === company.companyId);
      return row !== undefined && unknownThen(row, today).length === 0;
    };
    return firstDay(params.as_of, new Date().toISOString().slice(0, 10), isKnown);
  });
  return html`<div>${found.answer !== null && html`<p class="small">Known since ${found.answer}: ${missing.join(', ')}.</p>`}</div>`;
}
