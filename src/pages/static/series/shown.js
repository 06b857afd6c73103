// The periods that a chart of a series shows, and their values as known at any moment.
import { useCallback, useMemo } from '../lib/preact.js';
import { getText } from '../api.js';
import { useAsked } from '../components.js';
import { unitText } from '../numbers.js';
import { asKnown, readPrints, vintageDays } from '../charts/vintages.js';
import { historyOf } from './history.js';
import { isAllFrom, joinedDays } from './known-days.js';
import { baseOf, firstPrints, toldOf, transformed, TRANSFORMS, unitOf } from './transforms.js';

/** The periods of a span (of `spanOf`), and what `transform` makes of them: `at(moment)` as known then, `firsts` as first published. */
export function useTransformed(all, { from, to }, transform, frequency) {
  const base = useMemo(() => (transform === 'level' ? null : baseOf(all, transform, frequency)), [all, transform]);
  const cut = useMemo(() => {
    const first = all.findIndex(({ periodEnd }) => periodEnd >= from);
    return [Math.max(0, first), to === '' ? all.length : all.findLastIndex(({ periodEnd }) => periodEnd <= to) + 1];
  }, [all, from, to]);
  const periods = useMemo(() => all.slice(...cut), [all, cut]);
  const at = useCallback((moment) => transformed(asKnown(all, moment), base, transform).slice(...cut), [all, base, transform, cut]);
  const firsts = useMemo(() => firstPrints(all, base, transform).slice(...cut), [all, base, transform, cut]);
  return { periods, at, firsts, base };
}

/** For the release history of a period: its moments by `moment`, and what `transform` shows beside the level: { id, label, unit, text }, null if nothing. */
export function historyShown(all, base, transform, unit, period, moment) {
  const index = all.indexOf(period);
  const from = base === null || index === -1 ? undefined : all[base[index]]?.period;
  const shown =
    transform === 'level'
      ? null
      : {
          id: transform,
          label: TRANSFORMS.find(({ id }) => id === transform).label,
          unit: unitOf(transform, unit),
          text: toldOf(transform, from, unit),
        };
  return { history: index === -1 ? [] : historyOf(all, index, base, transform, moment), shown };
}

/** The second series for the chart: { label, unit, periods, at }. It is null without one, and until its answer arrives. */
export function useBeside({ series, text }, span, transform, names) {
  const all = useMemo(() => (text === null ? [] : readPrints(text)), [text]);
  const { periods, at } = useTransformed(all, span, transform, series?.frequency);
  if (series === null || text === null) return null;
  return { label: `${series.name}, ${names.entity(series.entityId)}`, unit: unitOf(transform, unitText(series.unit)), periods, at };
}

/**
 * `all`: the periods that are at hand, from the day `from` on. → { days, isWhole }. Until the other days arrive, and if they cannot be read, `days` has
 * only the vintage days of `all`.
 */
export function useKnownDays(series, own, all, from, limit) {
  const isAll = isAllFrom(series, from);
  const asked = { ...own, vintage: 'all', format: 'csv', columns: 'observed_at', limit };
  const { answer, state } = useAsked(isAll ? null : '/observations', isAll ? {} : asked, getText);
  const shown = useMemo(() => vintageDays(all), [all]);
  const days = useMemo(() => joinedDays(shown, answer?.text ?? ''), [shown, answer]);
  return { days, isWhole: isAll || (state === 'answered' && !answer.isCut) };
}
