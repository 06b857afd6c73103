// Screener: clauses in a builder and the text of the filter, each updated from the other; results as of any day, and the excluded rows.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { get, getAll } from '../api.js';
import { Answer, Badge, Hints, instantText, Requests, useAsked } from '../components.js';
import { AsOfNote } from '../as-of-note.js';
import { entityName } from '../cot/contracts.js';
import { Table } from '../tables/table.js';
import { counted, exactText, numberText, unitText } from '../numbers.js';
import {
  ageOf,
  besideToday,
  changeSince,
  columnsAsked,
  emptyScreen,
  fileOf,
  insteadOfFirst,
  listed,
  isCrowdedFutures,
  matchesSince,
  rankedOnly,
  rankingOfSort,
  READY,
  readyOf,
  sortOfRanking,
  titleOf,
  withoutScreen,
} from '../screener/then.js';
import { Builder } from '../screener/builder.js';
import { HardlyAny, useOpening } from '../screener/opening.js';
import { sinceTexts } from '../screener/since-texts.js';
import { parseClauses, printClauses } from '../screener/text.js';
import { Crowded } from './cot-overview.js';

const UNIVERSES = ['countries', 'companies', 'entities'];
const PAGE = 50;

/** One of these is enough for a query. */
const asksFor = (params) => [params.filter, params.rank_by, params.columns].some((one) => one !== undefined);

export function Screener({ params, set, linkTo }) {
  const fields = useAsked('/public/screener/filters', { as_of: params.as_of }, getAll);
  const isAsked = asksFor(params);
  // An address without a query opens with a ready screen. It stays as it is until you change something.
  const { opening, opened } = useOpening(params, isAsked, set);
  const shown = { ...opened, ...params };
  const setShown = (patch) => set(opened === null || isOnlyUniverse(patch) ? patch : { ...opened, ...patch });
  const why = insteadOfFirst(opened, params);
  const isDecided = isAsked || opened !== null || opening.state === 'answered' || opening.state === 'failed';
  return html`<section><h1>Screener</h1>
    <${Ready} params=${shown} set=${set} />
    ${why !== null && html`<p class="hint" role="status">${why}</p>`}
    ${isAsked && html`<${HardlyAny} params=${params} set=${set} />`}
    ${
      isDecided &&
      html`<${Answer} asked=${fields}>
        ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Question} fields=${data} params=${shown} isOpened=${opened !== null} set=${setShown} /></div>`}
      <//>`
    }
    ${
      asksFor(shown)
        ? isCrowdedFutures(shown)
          ? html`<${Crowded} params=${shown} set=${setShown} linkTo=${linkTo} />`
          : html`<${Results} key=${JSON.stringify([shown.filter, shown.universe, shown.rank_by, shown.columns, shown.eligible_only, shown.as_of])} fields=${fields.answer?.data ?? []} params=${shown} set=${setShown} linkTo=${linkTo} />`
        : html`<${Answer} asked=${opening}>${() => html`<div><p class="note">No ready screen has rows. Add a condition or write a filter, then choose Screen.</p><${AsOfNote} /></div>`}<//>`
    }</section>`;
}

/** Another universe opens with a ready screen of its own. */
const isOnlyUniverse = (patch) => Object.keys(patch).join() === 'universe';

/** What an as-of does here, and a way to set one. */
function Compared({ as_of, onAsOf }) {
  const before = yearBefore(new Date().toISOString().slice(0, 10));
  const about = as_of
    ? `As of ${as_of}: each field has the columns then, today and change.`
    : 'If you set an as-of, each field has the columns then, today and change.';
  return html`<p class="small">${about} ${as_of !== before && html`<button type="button" class="quiet" onClick=${() => onAsOf(before)}>Compare with a year ago</button>`}</p>`;
}

/** The same day a year earlier; the 28th for a 29 February. */
const yearBefore = (day) => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`.replace(/-02-29$/, '-02-28');

function Ready({ params, set }) {
  const shown = readyOf(params);
  return html`<div class="tabs" role="group" aria-label="Ready screens">
    ${READY.map((one) => html`<button type="button" aria-pressed=${one === shown} onClick=${() => set({ ...withoutScreen, ...one.params })}>${one.label}</button>`)}
  </div>`;
}

/** The draft terms and the text: the last edited one updates the other. `isOpened`: nobody has chosen this screen, so it does not replace a draft. */
function Question({ fields, params, isOpened, set }) {
  const [text, setText] = useState(params.filter ?? '');
  const [clauses, setClauses] = useState(() => parseClauses(params.filter ?? '').clauses ?? []);
  const [ranking, setRanking] = useState(params.rank_by ?? '');
  const [columns, setColumns] = useState(params.columns ?? '');
  const filled = useRef(params.filter ?? '');
  useEffect(() => {
    if (isOpened && text !== filled.current) return;
    filled.current = params.filter ?? '';
    write(filled.current);
  }, [params.filter]);
  useEffect(() => setRanking(params.rank_by ?? ''), [params.rank_by]);
  useEffect(() => setColumns(params.columns ?? ''), [params.columns]);
  const universe = UNIVERSES.includes(params.universe) ? params.universe : 'countries';
  const offered = fields.filter(({ universes }) => universes.includes(universe));
  const { problem } = parseClauses(text);
  // A field that nobody knows may not be readable as text. The builder that wrote it can show it.
  const isShown = problem === undefined || printClauses(clauses) === text;
  const draft = { filter: text, rank_by: ranking, columns };
  const isOld = asksFor(params) && Object.entries(draft).some(([name, value]) => value.trim() !== (params[name] ?? '').trim());
  const write = (next) => {
    setText(next);
    const read = parseClauses(next);
    // A draft with the same meaning is kept, including incomplete terms.
    if (read.clauses !== undefined && printClauses(clauses) !== next) setClauses(read.clauses);
  };
  const build = (next) => {
    setClauses(next);
    setText(printClauses(next));
  };
  const submit = (event) => {
    event.preventDefault();
    set({ filter: text.trim(), rank_by: ranking.trim(), columns: columns.trim() });
  };
  return html`<form onSubmit=${submit}>
    <div class="row">
      <label>Among${' '}
        <select value=${universe} onChange=${(event) => set({ universe: event.target.value })}>
          ${UNIVERSES.map((id) => html`<option value=${id} selected=${id === universe}>${id}</option>`)}
        </select>
      </label>
      <label class="check"><input type="checkbox" checked=${params.eligible_only !== 'false'} onChange=${(event) => set({ eligible_only: event.target.checked ? '' : 'false' })} /> exclude stale and unofficial values</label>
    </div>
    <datalist id="screener-fields">${offered.map(({ field, label }) => html`<option value=${field}>${label}</option>`)}</datalist>
    <datalist id="screener-names">${offered.map(({ label }) => html`<option value=${label}></option>`)}</datalist>
    ${
      isShown
        ? html`<${Builder} clauses=${clauses} fields=${fields} offered=${offered} onChange=${build} />`
        : html`<p class="hint" role="status">The builder cannot show this filter: ${problem}. Your text stays as written.</p>`
    }
    <label class="wide">Filter as text
      <textarea rows="2" spellcheck="false" value=${text} onInput=${(event) => write(event.target.value)} placeholder="cpi_inflation_yoy:gt:3;policy_rate@chg12:lt:0|unemployment_rate:gte:6"></textarea>
    </label>
    <div class="row">
      <label>Rank by <input size="30" list="screener-fields" spellcheck="false" value=${ranking} onInput=${(event) => setRanking(event.target.value)} placeholder="cpi_inflation_yoy:desc" /></label>
      <label>More columns <input size="30" spellcheck="false" value=${columns} onInput=${(event) => setColumns(event.target.value)} placeholder="unemployment_rate" /></label>
      <button type="submit">Screen</button>
      <a class="small" href="/docs/use/guides/screener">Filter syntax</a>
    </div>
    <p class="small">${orderText(ranking, columns, fields)}</p>
    ${isOld && html`<p class="hint" role="status">The result below is of the screen before your changes${params.filter ? html`, <code>${params.filter}</code>` : ''}. Choose Screen.</p>`}
  </form>`;
}

/** The ranking and the columns by their names. */
function orderText(ranking, columns, fields) {
  const sort = sortOfRanking(ranking);
  const first = titleOf(sort.replace(/^-/, ''), fields);
  const order = sort === '' ? '' : `Ranked by ${first}, the ${sort.startsWith('-') ? 'largest' : 'smallest'} first. `;
  const more = listed(columns).map((one) => titleOf(one.trim(), fields));
  return more.length === 0 ? order : `${order}More columns: ${more.join('; ')}.`;
}

// --- Results

function Results({ fields, params, set, linkTo }) {
  const [cursors, setCursors] = useState([null]);
  const asked = {
    filter: params.filter,
    universe: params.universe,
    rank_by: params.rank_by ?? rankingOf(params, fields),
    columns: columnsAsked(params),
    eligible_only: params.eligible_only,
    as_of: params.as_of,
    limit: PAGE,
  };
  // The answer contains its page: while the next one is fetched, the previous one stays visible.
  const found = useAsked('/public/screener', { ...asked, cursor: cursors.at(-1), page: cursors.length }, pageOf);
  // Under an as-of, the matches and the numbers of today stand beside those of then.
  const now = useAsked(params.as_of ? '/public/screener' : null, asked, bothWays);
  return html`<div><${Answer} asked=${found}>
      ${({ data, meta, page }) => html`<${Page} rows=${data} now=${now} fields=${fields} meta=${meta} page=${page} onNext=${(cursor) => setCursors([...cursors, cursor])} onBack=${() => setCursors(cursors.slice(0, -1))} onStale=${() => set({ eligible_only: 'false' })} onAsOf=${(as_of) => set({ as_of })} ranking=${asked.rank_by} onRank=${(rank_by) => set({ rank_by })} screen=${params} linkTo=${linkTo} />`}
    <//>
    <${Requests} requests=${[{ label: 'This screen', path: '/public/screener', params: asked }]} /></div>`;
}

/** → { before, now, beforeValues, nowValues, names }: all matches as of the day and those of today, and the values of every entity at both times. */
const bothWays = async (path, { as_of, ...params }, options) => {
  const all = async (more) => (await getAll(path, { ...params, limit: 500, ...more }, options)).data;
  const [before, now] = [await all({ as_of }), await all({})];
  const names = namesIn([...before, ...now]);
  const values = { filter: undefined, rank_by: undefined, columns: names.join(','), eligible_only: 'false' };
  if (names.length === 0) return { before, now, names, beforeValues: [], nowValues: [] };
  return { before, now, names, beforeValues: await all({ ...values, as_of }), nowValues: await all(values) };
};

/** A screen of columns alone has every row: it begins with those that have a value, by its first number. */
function rankingOf({ filter, columns = '' }, fields) {
  const [first] = columns.split(',').map((name) => name.trim());
  const isNumber = fields.some(({ field, type }) => field === first.split('@')[0] && type === 'number');
  return filter === undefined && isNumber ? `${first}:desc` : undefined;
}

const pageOf = async (path, { page, ...params }, options) => ({ ...(await get(path, params, options)), page });

const namesIn = (rows) => [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];

/** `now`: the question about today's matches and values, not asked without an as-of. */
function Page({ rows, now, fields, meta, page, onNext, onBack, onStale, onAsOf, ranking, onRank, screen, linkTo }) {
  const { as_of } = screen;
  const then = as_of && now.state === 'answered' ? now.answer : null;
  const since = then === null ? null : matchesSince(then.before, then.now);
  const columns = [
    nameColumn(linkTo),
    { id: 'rank', label: 'Rank', value: (row) => row.rank, isNumber: true },
    { id: 'entityId', label: 'Of', value: (row) => row.entityId, isOnlyInCsv: true },
    ...(since === null ? [] : [fateColumn(since)]),
    ...namesIn(rows).flatMap((name) => fieldColumns(name, { rows, fields, linkTo, both: then })),
  ];
  const before = (page - 1) * PAGE;
  const isOnePage = page === 1 && meta.pagination.next_cursor === null;
  // The order of several pages is that of the ranking: a head asks the service for it.
  const order = isOnePage
    ? { columns }
    : { columns: rankedOnly(columns), sort: sortOfRanking(ranking), onSort: (sort) => onRank(rankingOfSort(sort)) };
  return html`<div>
    <${Counts} of=${meta.screener} as_of=${as_of} onStale=${onStale} />
    <${Hints} meta=${meta} />
    ${since !== null && html`<${Since} then=${then} since=${since} as_of=${as_of} />`}
    <${Compared} as_of=${as_of} onAsOf=${onAsOf} />
    <${Table} ...${order} rows=${then === null ? rows : besideToday(rows, then.nowValues)} rowKey=${(row) => row.entityId} caption=${rows.length === 0 ? 'Matches' : `Matches ${numberText(before + 1)} to ${numberText(before + rows.length)}`} name=${fileOf(screen, page)} empty=${emptyScreen(as_of, then?.now.length ?? null)} />
    ${now.state === 'failed' && html`<p class="hint">The numbers of today could not be read: ${now.fault.message}</p>`}
    <div class="row">
      <button type="button" disabled=${page === 1} onClick=${onBack}>← Previous page</button>
      <button type="button" disabled=${meta.pagination.next_cursor === null} onClick=${() => onNext(meta.pagination.next_cursor)}>Next page →</button>
    </div>
    ${since !== null && html`<${Added} then=${then} rows=${since.added} fields=${fields} screen=${screen} linkTo=${linkTo} />`}</div>`;
}

/** How many match, and how many are left out. `of`: the counts of the answer. */
function Counts({ of: { evaluated, matched, excludedMissing, excludedIneligible }, as_of, onStale }) {
  return html`<p role="status"><strong>${numberText(matched)}</strong> of ${numberText(evaluated)} ${matched === 1 ? 'matches' : 'match'}${as_of ? ` as of ${as_of}` : ''}. Left out: ${counted(excludedMissing, 'has no value', 'have no value')}; ${counted(excludedIneligible, 'is stale or unofficial', 'are stale or unofficial')}.${' '}
      ${excludedIneligible > 0 && html`<button type="button" class="quiet" onClick=${onStale}>Show them</button>`}</p>`;
}

const nameColumn = (linkTo) => ({
  id: 'name',
  label: 'Name',
  value: (row) => row.name,
  show: (row) =>
    html`<a title=${row.name} href=${row.entityType === 'company' ? linkTo('company', { id: row.entityId }) : row.entityType === 'futures_contract' ? linkTo('cot', { entity: row.entityId }) : linkTo('search', { kind: 'indicators', country: row.country ?? undefined })}>${entityName(row)}</a>`,
});

const fateColumn = ({ fateOf }) => ({
  id: 'since',
  label: 'Since then',
  value: (row) => fateOf(row.entityId),
  show: (row) => (fateOf(row.entityId) === 'stayed' ? 'stayed' : html`<${Badge} kind="bad">dropped out<//>`),
});

/** The matches of then and today in numbers. */
function Since({ then: { before, beforeValues, names }, since: { fateOf, added }, as_of }) {
  const stayed = before.filter(({ entityId }) => fateOf(entityId) === 'stayed').length;
  const known = new Set(beforeValues.filter(({ values }) => (values[names[0]]?.value ?? null) !== null).map(({ entityId }) => entityId));
  const unknown = added.filter(({ entityId }) => !known.has(entityId)).length;
  return html`<p>Since ${as_of}: <strong>${stayed}</strong> stayed, <strong>${before.length - stayed}</strong> dropped out, <strong>${added.length}</strong> new${unknown === 0 ? '' : ` (${unknown} without a value then)`}.</p>`;
}

/** The matches of today that did not match then, with the values of both times. */
function Added({ then, rows, fields, screen, linkTo }) {
  const { as_of } = screen;
  if (rows.length === 0) return html`<div></div>`;
  const valuesThen = new Map(then.beforeValues.map(({ entityId, values }) => [entityId, values]));
  const both = besideToday(rows, then.nowValues).map((row) => ({ ...row, values: valuesThen.get(row.entityId) ?? {} }));
  const columns = [
    nameColumn(linkTo),
    { id: 'entityId', label: 'Of', value: (row) => row.entityId, isOnlyInCsv: true },
    ...then.names.flatMap((name) => fieldColumns(name, { rows, fields, linkTo, both: then })),
  ];
  return html`<div><h2>New since ${as_of}</h2>
    <${Table} columns=${columns} rows=${both} most=${PAGE} isOfNow=${true} rowKey=${(row) => row.entityId} caption=${`${counted(rows.length, 'match', 'matches')} of today that did not match as of ${as_of}`} name=${`${fileOf(screen)}-new`} /></div>`;
}

/** The value and its period; under an as-of (`both`: of `bothWays`, null without one) also the value of today and the change. Numbers have bars, then and today on one scale. */
function fieldColumns(name, { rows, fields, linkTo, both }) {
  const isCompared = both !== null;
  const title = `${titleOf(name, fields)}${unitOf(rows, name)}`;
  const isNumber = rows.every(({ values }) => typeof values[name]?.value !== 'string');
  // On a card, a value and its period stand beside each other.
  const texts = isCompared && isNumber ? sinceTexts([...both.before, ...both.now].map(({ values }) => values[name]?.value ?? null)) : null;
  const shape = { beginsLine: true, ...(isNumber ? { isNumber, bar: name, textOf: texts?.textOf } : {}) };
  const then = {
    id: name,
    label: isCompared ? `${title}: then` : title,
    isRank: isNumber,
    value: (row) => row.values[name]?.value ?? null,
    why: (row) => whyNot(row.values[name]),
    ...shape,
    show: (row, figure) => cellOf(row.values[name], figure, linkTo),
  };
  const period = periodColumn(`${name}.period`, (row) => row.values[name]);
  if (!isCompared) return isNumber ? [then, period] : [then];
  return [
    then,
    period,
    {
      id: `${name}.today`,
      label: 'today',
      value: (row) => row.today[name]?.value ?? null,
      why: (row) => whyNot(row.today[name]),
      ...shape,
      show: (row, figure) => cellOf(row.today[name], figure, linkTo),
    },
    periodColumn(`${name}.today.period`, (row) => row.today[name]),
    ...(isNumber ? [changeColumn(name, texts)] : []),
  ];
}

/** The period of a value, and whether it was too old to count. */
const periodColumn = (id, valueOf) => ({
  id,
  label: 'of',
  value: (row) => valueOf(row)?.period ?? null,
  show: (row) => html`<span>${valueOf(row).period}${ageOf(valueOf(row)) && ` (${ageOf(valueOf(row))})`}</span>`,
});

const changeColumn = (name, { changeOf }) => ({
  id: `${name}.change`,
  label: 'change',
  beginsLine: true,
  value: (row) => changeSince(row.values[name], row.today[name]),
  isNumber: true,
  bar: `${name}.change`,
  show: (row) =>
    html`<span title=${exactText(changeSince(row.values[name], row.today[name]))}>${changeOf(row.values[name].value, row.today[name].value)}</span>`,
});

function unitOf(rows, name) {
  const unit = rows.map(({ values }) => values[name]?.unit ?? null).find((one) => one !== null);
  return unit === undefined ? '' : `, ${unitText(unit)}`;
}

function whyNot(cell) {
  return cell === undefined || cell.value === null ? 'no value' : undefined;
}

function cellOf(cell, figure, linkTo) {
  const title = [
    typeof cell.value === 'number' && exactText(cell.value),
    cell.observedAt && `known from ${instantText(cell.observedAt)}`,
    cell.percentile !== null && `percentile ${numberText(cell.percentile)}`,
    cell.scoringEligible === false && 'not eligible for scoring',
    cell.freshnessStatus,
  ]
    .filter(Boolean)
    .join(', ');
  return cell.observationId === null
    ? html`<span title=${title}>${figure}</span>`
    : html`<a title=${title} href=${linkTo('provenance', { id: cell.observationId })}>${figure}</a>`;
}
