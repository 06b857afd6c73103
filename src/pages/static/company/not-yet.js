// A company that became known after the as-of: its name, and the day from which on it is known.
import { html } from '../lib/preact.js';
import { get } from '../api.js';
import { AsOfNote } from '../as-of-note.js';
import { useAsked, useTitle } from '../components.js';
import { firstDay, lastWholeDay } from './then.js';

/** `of`: its row of today. */
export function NotYet({ of: company, as_of }) {
  useTitle(company.name);
  const asked = { q: company.cik, limit: 100, as_of: lastWholeDay(as_of) };
  const found = useAsked('/public/companies', asked, async (path, params, options) => {
    const isKnown = async (day) => {
      const { data } = await get(path, { ...params, as_of: day }, options);
      return data.some(({ companyId }) => companyId === company.companyId);
    };
    return firstDay(params.as_of, new Date().toISOString().slice(0, 10), isKnown);
  });
  return html`<div><h1>${company.name}</h1>
    <p class="note">${company.name} was not known yet as of ${as_of}.${found.answer !== null && ` It is known from ${found.answer} on.`}</p>
    <${AsOfNote} /></div>`;
}
