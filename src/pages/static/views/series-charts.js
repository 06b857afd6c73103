// The chart of Series: its vintages.
import { html, useMemo } from '../lib/preact.js';
import { instantText } from '../components.js';
import { Chart } from '../charts/chart.js';
import { betweenText } from '../series/prints-text.js';
import { useRecessions } from '../series/recessions.js';
import { shadesOf } from '../series/shades.js';
import { evenly, momentOf, periodText, placeOf, stepOf, vintageDays } from '../charts/vintages.js';

const MOST_LINES = 60;
const NOT_YET = ' (not yet known then)';
const FIRSTS = 'first prints that were revised';
const RECESSIONS = 'recessions that the NBER had dated by then';

/**
 * `at(moment)`: the values of all periods as known then, transformed. `unit`: of these. `over`: a second series { label, unit, periods, at }, or null. The
 * chart has the periods of both. `days`: of all vintages of the series. `isLevel`: no transform. `country`: whose recessions to shade, or null.
 */
export function LevelChart({
  name,
  country,
  unit,
  periods,
  days,
  at,
  firsts,
  moment,
  known,
  pins,
  over,
  isLevel,
  picture,
  onPick,
  height,
}) {
  const recessions = useRecessions(country);
  const step = stepOf(periods, over?.periods ?? []);
  const shades = useMemo(() => shadesOf(recessions, moment, step === 'day'), [recessions, moment, step]);
  const { xs, own, other } = useMemo(() => joined(periods, over?.periods ?? []), [periods, over?.periods]);
  // The other vintages of the series have no other values of these periods.
  const apart = useMemo(() => vintageDays(periods), [periods]);
  const drawn = useMemo(() => evenly(apart, MOST_LINES), [apart]);
  const thin = useMemo(() => drawn.map((day) => spread(own, at(momentOf(day)))), [at, drawn, own]);
  const newest = useMemo(() => at(null), [at]);
  const pinned = useMemo(() => pins.map((day) => spread(own, at(momentOf(day)))), [at, pins.join(), own]);
  const beside = useMemo(() => (over === null ? null : spread(other, over.at(moment))), [over?.at, moment, other]);
  const nothing = useMemo(() => xs.map(() => null), [xs]);
  const isThen = moment !== null;
  const data = useMemo(() => {
    const top = isThen ? known : newest;
    const first = firsts.map((print, index) =>
      print === null || (isThen && print.from > moment) || print.value === top[index] ? null : print.value,
    );
    return [
      xs,
      ...thin.map((line, index) => (isThen && momentOf(drawn[index]) > moment ? nothing : line)),
      ...pinned,
      ...(beside === null ? [] : [beside]),
      spread(own, newest),
      isThen ? spread(own, known) : nothing,
      spread(own, first),
    ];
  }, [xs, thin, pinned, beside, firsts, newest, known, moment]);
  const isPoints = periods.length < 3;
  const lines = [
    ...drawn.map((day) => ({ label: day, kind: 'thin', group: 'vintages' })),
    ...pins.map((day) => ({ label: day, kind: 'pin', isBeyond: isThen && momentOf(day) > moment })),
    ...(over === null
      ? []
      : [
          {
            label: over.label,
            legend: besideText(over, unit),
            kind: 'beside',
            isOther: true,
            isRight: over.unit !== unit,
            isPoints: over.periods.length < 3,
          },
        ]),
    { label: `latest${isThen ? NOT_YET : ''}`, kind: 'strong', isPoints, isBeyond: isThen },
    { label: 'as known then', kind: 'known', isPoints },
    // Last, so that no line covers the marks.
    { label: 'first print', legend: FIRSTS, kind: 'first', isDots: true },
  ];
  const printsAt = (index) => (own[index] === -1 ? '' : printCount(periods[own[index]], moment, isLevel));
  const told = (_seconds, index) => `${pointText(periods[own[index]], over?.periods[other[index]])}${over === null ? printsAt(index) : ''}`;
  const head = over === null ? undefined : (index) => `${name}${printsAt(index)}`;
  return html`<div><${Chart} label=${`${name} in ${unit}, ${periods.length} periods, ${days.length} vintages`} lines=${lines} data=${data} unit=${unit} rightUnit=${over === null || over.unit === unit ? null : over.unit} step=${step} xText=${told} headText=${head} shades=${shades} onPick=${(index) => own[index] >= 0 && onPick(own[index])} height=${height} picture=${picture && { ...picture, head: name, shadeText: RECESSIONS }} />
    <${LevelLegend} name=${name} days=${days} drawn=${drawn} isEvery=${drawn.length === apart.length} firsts=${firsts} moment=${moment} over=${over} unit=${unit} pins=${pins} shades=${shades} from=${xs[0]} /></div>`;
}

/** The series over the chart, and its axis if that is another. */
const besideText = (over, unit) => `${over.label}${over.unit === unit ? '' : `, ${over.unit}, right axis`}`;

/** How many of all vintages are lines. `isEvery`: each one with a value of its own of these periods is. */
function vintagesText(drawn, all, isEvery, isThen) {
  if (drawn === all) return `every vintage (${all})`;
  if (isThen) return `${drawn} of ${all} vintages, known by then`;
  return isEvery ? `every vintage of these periods (${drawn} of ${all})` : `${drawn} of ${all} vintages`;
}

function LevelLegend({ name, days, drawn, isEvery, firsts, moment, over, unit, pins, shades, from }) {
  const isThen = moment !== null;
  const shownThen = isThen ? drawn.filter((day) => momentOf(day) <= moment).length : drawn.length;
  return html`<p class="legend">
    <strong>${name}</strong>
    <span class="thin">${vintagesText(shownThen, days.length, isEvery, isThen)}</span>
    ${firsts.some((print) => print !== null) && html`<span class="first">${FIRSTS}</span>`}
    <span class="strong">latest${isThen ? NOT_YET : ''}</span>
    ${isThen && html`<span class="known">as known on ${instantText(moment)}</span>`} ${over !== null && html`<span class="beside">${besideText(over, unit)}</span>`}
    ${pins.map((day) => html`<span class="pin">${day}</span>`)}
    <${RecessionLegend} shades=${shades} from=${from} />
  </p>`;
}

/** The periods at a point: of the series, and of the one over it if that is another. */
function pointText(period, beside) {
  if (period === undefined) return periodText(beside);
  const besideIt = beside === undefined || beside.period === period.period ? '' : `; over it ${periodText(beside)}`;
  return `${periodText(period)}${besideIt}`;
}

function RecessionLegend({ shades, from }) {
  const isSeen = shades.some(([, to]) => to === null || to > from);
  return isSeen ? html`<span class="recession">${RECESSIONS}</span>` : null;
}

/** Merges the x of the periods of two series, in order. Beside each x are its indexes in both series, -1 if that series lacks it. */
function joined(periods, others) {
  const indexOf = (list) => new Map(list.map((period, index) => [placeOf(period), index]));
  const [own, other] = [indexOf(periods), indexOf(others)];
  const xs = others.length === 0 ? [...own.keys()] : [...new Set([...own.keys(), ...other.keys()])].sort((a, b) => a - b);
  return { xs, own: xs.map((x) => own.get(x) ?? -1), other: xs.map((x) => other.get(x) ?? -1) };
}

/** Values by their own periods → by those of the chart. A line goes on over a period that only the other series has. */
const spread = (indexes, values) => indexes.map((index) => (index === -1 ? undefined : values[index]));

/** How often a period was published by then; the prints of levels too, because one between the first and the latest has no point. */
function printCount({ prints }, moment, isLevel) {
  const known = prints.filter(({ from }) => moment === null || from <= moment);
  if (known.length === 0) return ', no print by then';
  return known.length === 1 ? ', one print' : `, ${known.length} prints${isLevel ? betweenText(known) : ''}`;
}
