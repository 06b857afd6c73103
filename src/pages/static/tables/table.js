// The table of every view: sorted by its heads, its first column in sight while the rest scrolls, its rows as cards on a phone, all of it as CSV.
import { html, useMemo, useState } from '../lib/preact.js';
import { AsOfNote } from '../as-of-note.js';
import { barOf, scalesOf } from './bars.js';
import { CsvButton, Figure, Missing } from '../components.js';
import { decimalsOfAll, decimalsOfRow, numberText, textOfColumn, textsApart, textsBeside } from '../numbers.js';
import { toCsv } from './csv.js';
import { directionOf, nextSort, sortedRows } from './sorting.js';

/** A longer text wraps. */
const LONG = 28;
/** Narrower tables fit on a phone as they are. */
const LEAST_FOR_CARDS = 4;
/** Cards of a phone to begin with, if there are more than some: each is as high as many rows. */
const FIRST_CARDS = 10;
const MOST_CARDS = 14;
const isPhone = () => window.matchMedia('(max-width: 700px)').matches;
const firstRows = (most, hasCards, count) => (hasCards && count > MOST_CARDS && isPhone() ? Math.min(most, FIRST_CARDS) : most);
/** With so many columns they stand closer. */
const LEAST_WIDE = 11;

/**
 * `columns`: [{ id, label, value(row), show?(row), why?(row), sortBy?(row), isNumber?, isLong?, isNarrow?, isDrawn?, isUnordered?, isOnlyInCsv?, beginsLine?, bar?, beside?, textOf?, isPublished? }]: `value` goes into the CSV, and into the table unless
 * `show` returns something else; null is shown as missing, with `why(row)` if the column has it. Texts of a column that `isLong` or `isNarrow` wrap; a long one has more room. Numbers of a column have the same number of decimals. Columns with the same `beside` share it, for each `unit` of the rows. `textOf(value)` of a column replaces this. `show(row, figure)` gets the number as it would be shown. One that `isUnordered` has no order; one that `isDrawn` has none and is not in the CSV. `sort` and `onSort` keep the order elsewhere, for example
 * in the address. On a card one that `beginsLine` stands at the left. A table that `isFixed` has an order of its own; one that `isGrid` stays a grid on a phone; one that `isOfNow` has the rows of now under any as-of.
 * `rowKey(row, at)` and `isCurrent(row)` are of the rows. `groupOf(row)` is the heading above the rows that follow each other with the same one;
 * a table that you sort has none.
 */
export function Table({
  columns,
  rows,
  caption,
  name,
  empty = 'No rows.',
  most = Infinity,
  sort,
  onSort,
  isFixed = false,
  isGrid = false,
  isOfNow = false,
  ...more
}) {
  const [own, setOwn] = useState('');
  const [isAll, setAll] = useState(false);
  const order = sort ?? own;
  const inOrder = useMemo(() => sortedRows(rows, columns, order), [rows, columns, order]);
  const scales = useMemo(() => scalesOf(columns, rows), [rows, columns]);
  const textsIn = useMemo(() => textsInRows(columns, rows), [rows, columns]);
  if (rows.length === 0) return html`<${NoRows} text=${empty} isOfNow=${isOfNow} />`;
  const shown = columns.filter(({ isOnlyInCsv = false }) => !isOnlyInCsv);
  const heads = { columns: shown, sort: order, onSort: isFixed || rows.length < 2 ? null : (onSort ?? setOwn) };
  const hasCards = !isGrid && shown.length >= LEAST_FOR_CARDS;
  const limit = isAll ? Infinity : firstRows(most, hasCards, rows.length);
  return html`<div class=${classOf(shown.length, hasCards)}>
    ${hasCards && html`<${SortChoice} ...${heads} />`}
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table role="table">
        <caption>
          ${caption}
        </caption>
        <${Heads} ...${heads} />
        <${Rows} ...${more} columns=${shown} rows=${inOrder.slice(0, limit)} scales=${scales} textsIn=${textsIn} isSorted=${order !== ''} />
      </table>
    </div>
    <${Foot} name=${name} columns=${columns} rows=${inOrder} rest=${rows.length - limit} showAll=${() => setAll(true)} />
  </div>`;
}

const classOf = (columnCount, hasCards) => `table${hasCards ? ' with-cards' : ''}${columnCount >= LEAST_WIDE ? ' wide' : ''}`;

const NoRows = ({ text, isOfNow }) => html`<div><p class="note">${text}</p>${!isOfNow && html`<${AsOfNote} />`}</div>`;

/** `rest`: how many rows are not shown. */
function Foot({ name, columns, rows, rest, showAll }) {
  const text = () => toCsv(columns.filter(({ isDrawn = false }) => !isDrawn).map(csvColumn), rows);
  return html`<p class="small"><${CsvButton} name=${name} text=${text} />${rest > 0 && html` <button type="button" class="quiet" onClick=${showAll}>Show all ${numberText(rows.length)} rows</button>`}</p>`;
}

const csvColumn = ({ id, label, value }) => ({ label: id ?? label, value });

const MARKS = { ascending: ' ▲', descending: ' ▼', none: '' };

function Rows({ columns, rows, scales, textsIn, rowKey = (_row, at) => at, isCurrent = () => false, groupOf, isSorted }) {
  const heading = (at) =>
    groupOf === undefined || isSorted || (at > 0 && groupOf(rows[at - 1]) === groupOf(rows[at])) ? null : groupOf(rows[at]);
  return html`<tbody role="rowgroup">
    ${rows.flatMap((row, at) => [
      heading(at) !== null &&
        html`<tr role="row" class="group" key=${`group ${at}`}><th role="rowheader" scope="rowgroup" colspan=${columns.length}>${heading(at)}</th></tr>`,
      html`<tr role="row" key=${rowKey(row, at)} aria-current=${isCurrent(row) ? 'true' : undefined}>
        ${columns.map((column) => html`<${Cell} column=${column} row=${row} scale=${scales.get(column.bar)} texts=${textsIn(column, row)} />`)}
      </tr>`,
    ])}
  </tbody>`;
}

/** `onSort` is null for a table without an order to choose. */
function Heads({ columns, sort, onSort }) {
  return html`<thead role="rowgroup">
    <tr role="row">
      ${columns.map((column) => html`<${Head} column=${column} sort=${sort} onSort=${onSort} />`)}
    </tr>
  </thead>`;
}

function Head({ column, sort, onSort }) {
  const { id, label, isNumber, isDrawn, isUnordered } = column;
  const className = isNumber ? 'number' : '';
  if (onSort === null || isDrawn || isUnordered) return html`<th role="columnheader" scope="col" class=${className}>${label}</th>`;
  const direction = directionOf(sort, id);
  return html`<th role="columnheader" scope="col" class=${className} aria-sort=${direction}>
    <button type="button" class="sort" onClick=${() => onSort(nextSort(sort, column))}>${label}<span aria-hidden="true">${MARKS[direction]}</span></button>
  </th>`;
}

/** The heads of a phone, whose cards have none. */
function SortChoice({ columns, sort, onSort }) {
  if (onSort === null) return null;
  const options = columns
    .filter(({ label, isDrawn = false, isUnordered = false }) => typeof label === 'string' && !isDrawn && !isUnordered)
    .flatMap(choicesOf);
  return html`<p class="sort-choice">Order <select aria-label="Order" value=${sort} onChange=${(event) => onSort(event.target.value)}>
    <option value="" selected=${sort === ''}>as given</option>
    ${options.map(({ id, text }) => html`<option value=${id} selected=${id === sort}>${text}</option>`)}
  </select></p>`;
}

function choicesOf({ id, label, isNumber }) {
  const [up, down] = isNumber ? ['smallest first', 'largest first'] : ['ascending', 'descending'];
  const choices = [
    { id, text: `${label}, ${up}` },
    { id: `-${id}`, text: `${label}, ${down}` },
  ];
  return isNumber ? choices.toReversed() : choices;
}

const isMissing = (value) => value === null || value === undefined || value === '';

function Cell({ column, row, scale, texts }) {
  const { label } = column;
  const value = column.value(row);
  return html`<td role="cell" class=${cellClass(column, value)} data-label=${typeof label === 'string' ? label : undefined}>${contentOf(column, row, value, texts)}${scale !== undefined && html`<${Bar} of=${barOf(value, scale)} />`}</td>`;
}

function cellClass({ isNumber = false, isLong = false, isNarrow = false, beginsLine = false }, value) {
  const wraps = isLong || (!isNumber && typeof value === 'string' && value.length > LONG);
  const width = isNumber ? 'number' : isNarrow ? 'narrow' : wraps ? 'long' : '';
  return [width, beginsLine && 'begins'].filter(Boolean).join(' ');
}

/** Only for the eye: the number beside it says the same. */
function Bar({ of: bar }) {
  if (bar === null) return null;
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class=${bar.isNegative ? 'negative' : ''} x=${bar.from} width=${bar.width} height="4" /></svg>`;
}

function contentOf({ show, why, isNumber, isPublished }, row, value, texts) {
  if (isMissing(value)) return html`<${Missing} why=${why?.(row)} />`;
  const figure = isNumber ? html`<${Figure} value=${value} isPublished=${isPublished} texts=${texts} />` : String(value);
  return show === undefined ? figure : show(row, figure);
}

/**
 * → (column, row) → { get(value) }: the text of a number there. A column has one number of decimals. Columns with the same `beside` have it together, for
 * each `unit` of the rows, or more in a row whose numbers would look the same.
 */
function textsInRows(columns, rows) {
  const once = new Map();
  const found = (key, make) => (once.has(key) ? once : once.set(key, make())).get(key);
  const published = (column) => found(column, () => textsBeside(rows.map(column.value)));
  const down = (column) => found(column, () => ({ get: textOfColumn(rows.map(column.value)) }));
  const across = ({ beside }, row) => {
    const group = columns.filter((one) => one.beside === beside);
    const alike = () => rows.filter(({ unit }) => unit === row.unit);
    const decimals = found(`${beside} ${row.unit}`, () => decimalsOfAll(alike().flatMap((one) => group.map(({ value }) => value(one)))));
    const values = group.map(({ value }) => value(row));
    return textsApart(values, decimalsOfRow(values, decimals));
  };
  return (column, row) => {
    if (!column.isNumber) return undefined;
    if (column.textOf !== undefined) return { get: column.textOf };
    if (column.isPublished) return published(column);
    return column.beside === undefined ? down(column) : across(column, row);
  };
}
