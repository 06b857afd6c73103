// The prints of one period, moment by moment.
import { printAt } from '../charts/vintages.js';
import { resultOf } from './transforms.js';

/**
 * The prints of the period at `index` of `all` that were known by `moment` (null: now), in order, each with what `transform` makes of it: [{ from, vintage,
 * value, result, revised }]. If a revision of the period of `base` changes the result, it has a row of its own: `revised` names that period, and is null in the other rows.
 */
export function historyOf(all, index, base, transform, moment) {
  const own = all[index];
  const other = base === null || base[index] === -1 ? null : all[base[index]];
  const isKnown = ({ from }) => moment === null || from <= moment;
  const rows = own.prints.filter(isKnown).map(({ from, vintage }) => ({ from, vintage, revised: null }));
  const moments = new Set(rows.map(({ from }) => from));
  const moved = (other === null || other === own ? [] : other.prints)
    .filter((print) => isKnown(print) && rows.length > 0 && print.from > rows[0].from && !moments.has(print.from))
    .map(({ from, vintage }) => ({ from, vintage, revised: other.period }));
  const told = [...rows, ...moved]
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .map((row) => {
      const value = printAt(own, row.from)?.value ?? null;
      const before = other === null ? null : (printAt(other, row.from)?.value ?? null);
      return { ...row, value, result: transform === 'level' ? null : resultOf(value, before, transform) };
    });
  return told.filter(({ revised, result }, at) => revised === null || result !== told[at - 1].result);
}
