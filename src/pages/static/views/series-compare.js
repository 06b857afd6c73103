// Two vintages of one series beside each other, with their difference as a chart and as a table.
import { html, useMemo, useState } from '../lib/preact.js';
import { Choose, Tabs } from '../components.js';
import { Table } from '../tables/table.js';
import { Chart, useColumn } from '../charts/chart.js';
import { comparedIn, differencesOf, ORDERS, pairOf } from '../series/pair.js';
import { differenceUnit, publishedText } from '../numbers.js';
import { momentOf, periodText, placeOf, stepOf } from '../charts/vintages.js';

/** A long table costs seconds; the CSV has all rows. */
const MOST_ROWS = 120;

/** `at(moment)`: the values of all periods as known then. `a` and `b` are days of `days`, or undefined; `moment` is the latest that may be compared.
 * `pictureOf`: as of `picturesOf`; undefined offers none. `isShort`: without the table. */
export function Compared({ name, series, unit, periods, days, at, moment, pictureOf, a, b, set, height, isShort = false }) {
  const pair = pairOf(days, moment, a, b);
  const rows = useMemo(() => differencesOf(periods, at(momentOf(pair.a)), at(momentOf(pair.b))), [periods, at, pair.a, pair.b]);
  const xs = useMemo(() => periods.map(placeOf), [periods]);
  const lines = useMemo(() => [xs, rows.map((row) => row.a), rows.map((row) => row.b)], [xs, rows]);
  // The line at zero keeps zero in the chart.
  const apart = useMemo(() => [xs, xs.map(() => 0), rows.map(({ difference }) => difference)], [xs, rows]);
  const column = useColumn();
  const picture = pictureOf?.(`as known on ${pair.a} (A) and on ${pair.b} (B)`, `${pair.a}-${pair.b}`);
  const options = days.toReversed().map((day) => ({ id: day, label: day }));
  const text = (_seconds, index) => periodText(periods[index]);
  const step = stepOf(periods);
  const points = differenceUnit(unit);
  if (days.length < 2)
    return html`<p class="note">These periods have one vintage only, of ${days[0]}. Choose more periods or another source.</p>`;
  return html`<div>
    <div class="row">
      <${Choose} label="Vintage A" options=${options} value=${pair.a} onChange=${(day) => set({ a: day, b: pair.b })} />
      <${Choose} label="Vintage B" options=${options} value=${pair.b} onChange=${(day) => set({ a: pair.a, b: day })} />
      <button type="button" class="quiet" onClick=${() => set({ a: pair.b, b: pair.a })}>Swap</button>
    </div>
    <p class="small">The last print of a vintage counts as of the end of its day.</p>
    <${Chart} label=${`${name} in ${unit}, as known on ${pair.a} and on ${pair.b}`} lines=${[
      { label: `A, ${pair.a}`, kind: 'beside' },
      { label: `B, ${pair.b}`, kind: 'strong' },
    ]} data=${lines} unit=${unit} height=${height} step=${step} xText=${text} column=${column} picture=${picture} />
    <p class="legend"><strong>${name}</strong><span class="beside">A, known on ${pair.a}</span><span class="strong">B, known on ${pair.b}</span></p>
    <h2>B minus A</h2>
    <p role="status">${saidOf(rows, points)}</p>
    <${Chart} label=${`${name}: as known on ${pair.b} minus as known on ${pair.a}, in ${points}`} lines=${[
      { label: 'zero', kind: 'zero' },
      { label: 'B minus A', kind: 'known', isBars: true },
    ]} data=${apart} unit=${points} height=${180} step=${step} xText=${text} column=${column} picture=${differencePicture(picture, pair, points)} />
    ${!isShort && html`<${Differences} rows=${rows} pair=${pair} unit=${unit} name=${`${series.indicatorId}-${pair.a}-${pair.b}`} />`}
  </div>`;
}

/** Undefined if the chart offers no picture. */
const differencePicture = (picture, pair, points) =>
  picture && { ...picture, name: `${picture.name}-difference`, title: `${picture.title}; ${pair.b} minus ${pair.a}, in ${points}` };

/** How much the two differ, in words. */
function saidOf(rows, unit) {
  const both = rows.filter(({ difference }) => difference !== null);
  const changed = both.filter(({ difference }) => difference !== 0);
  const added = rows.filter(({ a, b }) => a === null && b !== null).length;
  const fresh = added === 0 ? '' : ` ${added} more ${added === 1 ? 'is' : 'are'} only in B.`;
  if (both.length === 0) return `The two vintages have none of these periods in common. Choose a longer range.${fresh}`;
  if (changed.length === 0) return `No value of the ${both.length} common periods differs.${fresh}`;
  const most = changed.reduce((one, other) => (Math.abs(other.difference) > Math.abs(one.difference) ? other : one));
  return `${changed.length} of ${both.length} common periods differ, most ${most.period}: by ${publishedText(most.difference)} ${unit}.${fresh}`;
}

function Differences({ rows, pair, unit, name }) {
  const [order, setOrder] = useState(ORDERS[0].id);
  const shown = useMemo(() => comparedIn(order, rows), [order, rows]);
  const isOneGroup = new Set(shown.map(({ group }) => group)).size < 2;
  const orders = isOneGroup ? ORDERS.filter(({ id }) => id !== 'one') : ORDERS;
  const { text } = ORDERS.find(({ id }) => id === order);
  const number = (id, label) => ({
    id,
    label,
    value: (row) => row[id],
    isNumber: true,
    beside: 'difference',
  });
  const columns = [
    { id: 'period', label: 'Period', value: (row) => row.period },
    number('a', `A, ${pair.a}`),
    number('b', `B, ${pair.b}`),
    { ...number('difference', 'B minus A'), why: () => 'not in both' },
  ];
  return html`<div class="differences">
    <div class="row">Begin with <${Tabs} label="Order" options=${orders} value=${order} onChange=${setOrder} /></div>
    <${Table} key=${order} columns=${columns} rows=${shown} groupOf=${isOneGroup ? undefined : (row) => row.group} most=${MOST_ROWS} caption=${`Two vintages in ${unit}${differenceUnit(unit) === unit ? '' : `, their difference in ${differenceUnit(unit)}`}, ${text}`} name=${name} empty="Neither vintage has values." />
  </div>`;
}
