// The companies that a search for indicators finds: a company has a page of its own, and many have no indicator.
import { html } from '../lib/preact.js';
import { useAsked } from '../components.js';

/** The most that are named. */
const NAMED = 3;

/** Links to the first companies with all words of the text; nothing without a text, or if a word was left out. */
export function CompaniesFound({ params: { q, country, as_of }, linkTo }) {
  const { answer } = useAsked(q ? '/public/companies' : null, { q, country, as_of, limit: NAMED });
  if (answer === null || answer.data.length === 0 || answer.meta.hints?.length > 0) return html`<div></div>`;
  const textOf = ({ name, ticker }) => (ticker === null ? name : `${name} (${ticker})`);
  return html`<div><p>Companies:${' '}
    ${answer.data.map((row, at) => html`${at > 0 && ', '}<a href=${linkTo('company', { id: row.companyId })}>${textOf(row)}</a>`)}
    ${answer.meta.pagination.has_more && html`, <a href=${linkTo('search', { kind: 'companies', q, country })}>more</a>`}</p></div>`;
}
