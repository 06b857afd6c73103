// A screen of some years ago beside today on the start page: who entered, who left, and by how much.
import { html } from '../lib/preact.js';
import { get } from '../api.js';
import { Answer, useAsked } from '../components.js';
import { exactText, unitText } from '../numbers.js';
import { sinceTexts } from '../screener/since-texts.js';
import { ageOf, changeSince, fieldOf, membersSince, READY } from '../screener/then.js';
import { Table } from '../tables/table.js';
import { linkTo } from './links.js';

const SCREENS = READY.filter(({ params }) => params.universe === 'countries');
/** Some years ago, the longest first: young data have nothing to tell about the oldest of them. */
const YEARS_AGO = [5, 3, 1];
const SHOWN = 9;
const MOST = 500;

/** The first ready screen of countries that had matches some years ago, as of then and as of today. */
const screenThen = (today) => async (path, params, options) => {
  for (const years of YEARS_AGO) {
    const day = `${Number(today.slice(0, 4)) - years}${today.slice(4, 7)}-01`;
    for (const { label, params: screen } of SCREENS) {
      const field = fieldOf(screen);
      const rowsOf = async (more) => (await get(path, { ...params, columns: field, limit: MOST, ...more }, options)).data;
      const before = await rowsOf({ ...screen, columns: field, as_of: day });
      if (before.length === 0) continue;
      // Every country with a value: the others have no bar.
      const all = { universe: screen.universe, filter: `${field}:is:notnull`, eligible_only: 'false' };
      const [now, allBefore, allNow] = await Promise.all([
        rowsOf({ ...screen, columns: field }),
        rowsOf({ ...all, as_of: day }),
        rowsOf(all),
      ]);
      return { label, screen, field, day, ...membersSince({ before, now, allBefore, allNow }, SHOWN) };
    }
  }
  return { rows: [] };
};

export function Then({ today }) {
  const asked = useAsked('/public/screener', {}, screenThen(today));
  return html`<${Answer} asked=${asked}>${(answer) => html`<div>${answer.rows.length > 0 && html`<${ThenTable} ...${answer} />`}</div>`}<//>`;
}

const FATES = { new: 'New', left: 'No longer', stayed: 'Then and today' };

/** How many countries have a fate, and how many of them the table shows if not all. */
function headOf(fate, count, rows) {
  const shown = rows.filter((row) => row.fate === fate).length;
  return `${FATES[fate]} (${shown < count ? `${shown} of ${count}` : count})`;
}

function ThenTable({ label, screen, field, rows, counts, day }) {
  const valueOf = (cell) => cell?.value ?? null;
  // As on the page of the screen.
  const texts = sinceTexts(rows.flatMap(({ values, today }) => [valueOf(values[field]), valueOf(today[field])]));
  const number = (id, head, cellOf) => ({
    id,
    label: head,
    value: (row) => valueOf(cellOf(row)),
    isNumber: true,
    bar: 'value',
    textOf: texts.textOf,
    show: (row, figure) =>
      html`<span>${figure}${ageOf(cellOf(row)) && html`<br /><span class="small">${ageOf(cellOf(row))}</span>`}</span>`,
  });
  const columns = [
    { id: 'name', label: 'Country', value: (row) => row.name },
    number('before', day, ({ values }) => values[field]),
    number('today', 'Today', ({ today }) => today[field]),
    {
      id: 'change',
      label: 'Change',
      value: (row) => changeSince(row.values[field], row.today[field]),
      isNumber: true,
      show: ({ values, today }) =>
        html`<${Change} of=${changeSince(values[field], today[field])} text=${texts.changeOf(values[field].value, today[field].value)} />`,
    },
    { id: 'since', label: 'Since', value: (row) => row.fate, isOnlyInCsv: true },
  ];
  const unit = rows.map(({ values, today }) => values[field]?.unit ?? today[field]?.unit).find(Boolean);
  return html`<section><h2>${label}</h2>
    <p class="small">As it was known on ${day} and is today${unit === undefined ? '' : `, ${unitText(unit)}`}. <a href=${linkTo('screener', { ...screen, as_of: day })}>The whole screen</a></p>
    <${Table} columns=${columns} rows=${rows} groupOf=${({ fate }) => headOf(fate, counts[fate], rows)} isGrid=${true} caption=${`${label}, then and today`} name="then-and-today" /></section>`;
}

/** A difference with its sign; pointing at it shows all digits. */
const Change = ({ of: change, text }) => html`<span title=${exactText(change)}>${change > 0 ? '+' : ''}${text}</span>`;
