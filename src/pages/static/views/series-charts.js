// The charts of Series: its vintages, and its revisions by age.
import { html, useMemo } from '../lib/preact.js';
import { instantText, Tabs } from '../components.js';
import { Chart } from '../charts/chart.js';
import { unitText } from '../numbers.js';
import { useRecessions } from '../series/recessions.js';
import { shadesOf } from '../series/shades.js';
import { differenceAt, evenly, fanOf, LEAST_PATHS, momentOf, periodText, placeOf, revisionPaths, stepOf } from '../charts/vintages.js';

const MOST_LINES = 60;

/**
 * `at(moment)`: the values of all periods as known then, transformed. `unit`: of these. `over`: a second series { label, unit, periods, at }, or null. The
 * chart has the periods of both. `country`: whose recessions to shade, or null.
 */
export function LevelChart({ name, country, unit, periods, days, at, firsts, moment, known, pins, over, picture, onPick, height }) {
  const recessions = useRecessions(country);
  const step = stepOf(periods, over?.periods ?? []);
  const shades = useMemo(() => shadesOf(recessions, moment, step === 'day'), [recessions, moment, step]);
  const { xs, own, other } = useMemo(() => joined(periods, over?.periods ?? []), [periods, over?.periods]);
  const drawn = useMemo(() => evenly(days, MOST_LINES), [days]);
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
      spread(own, first),
      spread(own, newest),
      isThen ? spread(own, known) : nothing,
    ];
  }, [xs, thin, pinned, beside, firsts, newest, known, moment]);
  const isPoints = periods.length < 3;
  const lines = [
    ...drawn.map((day) => ({ label: day, kind: 'thin', group: 'vintages' })),
    ...pins.map((day) => ({ label: day, kind: 'pin', isBeyond: isThen && momentOf(day) > moment })),
    ...(over === null ? [] : [{ label: over.label, kind: 'beside', isRight: over.unit !== unit, isPoints: over.periods.length < 3 }]),
    { label: 'first print', kind: 'first', isDots: true },
    { label: 'latest', kind: 'strong', isPoints, isBeyond: isThen },
    { label: 'as known then', kind: 'known', isPoints },
  ];
  const told = (_seconds, index) => pointText(periods[own[index]], over?.periods[other[index]], moment);
  return html`<div><${Chart} label=${`${name} in ${unit}, ${periods.length} periods, ${days.length} vintages`} lines=${lines} data=${data} unit=${unit} rightUnit=${over === null || over.unit === unit ? null : over.unit} step=${step} xText=${told} shades=${shades} onPick=${(index) => own[index] >= 0 && onPick(own[index])} height=${height} picture=${picture} />
    <${LevelLegend} name=${name} days=${days} drawn=${drawn} firsts=${firsts} moment=${moment} over=${over} unit=${unit} pins=${pins} shades=${shades} from=${xs[0]} /></div>`;
}

function LevelLegend({ name, days, drawn, firsts, moment, over, unit, pins, shades, from }) {
  const isThen = moment !== null;
  const shownThen = isThen ? drawn.filter((day) => momentOf(day) <= moment).length : drawn.length;
  return html`<p class="legend">
    <strong>${name}</strong>
    <span class="thin">${shownThen === days.length ? `every vintage (${days.length})` : `${shownThen} of ${days.length} vintages${isThen ? ', known by then' : ''}`}</span>
    ${firsts.some((print) => print !== null) && html`<span class="first">first prints that were revised</span>`}
    <span class="strong">latest${isThen ? ' (not yet known then)' : ''}</span>
    ${isThen && html`<span class="known">as known on ${instantText(moment)}</span>`} ${over !== null && html`<span class="beside">${over.label}${over.unit === unit ? '' : `, ${over.unit}, right axis`}</span>`}
    ${pins.map((day) => html`<span class="pin">${day}</span>`)}
    <${RecessionLegend} shades=${shades} from=${from} />
  </p>`;
}

/** The periods at a point: of the series, with its prints by then, and of the one over it, where it is another. */
function pointText(period, beside, moment) {
  if (period === undefined) return periodText(beside);
  const besideIt = beside === undefined || beside.period === period.period ? '' : `; over it ${periodText(beside)}`;
  return `${periodText(period)}${printCount(period, moment)}${besideIt}`;
}

function RecessionLegend({ shades, from }) {
  const isSeen = shades.some(([, to]) => to === null || to > from);
  return isSeen ? html`<span class="recession">recessions that the NBER had dated by then</span>` : null;
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

/** How often a period was published by then. */
function printCount({ prints }, moment) {
  const count = prints.filter(({ from }) => moment === null || from <= moment).length;
  if (count === 0) return ', no print by then';
  return count === 1 ? ', one print' : `, ${count} prints`;
}

const SPANS = [
  { id: '365', label: 'One year' },
  { id: '1095', label: 'Three years' },
  { id: 'all', label: 'All' },
];

export function RevisionChart({ name, series, periods, moment, until, picture, onUntil, height }) {
  const span = SPANS.some(({ id }) => id === until) ? until : '365';
  const paths = useMemo(() => revisionPaths(periods, moment), [periods, moment]);
  const fan = useMemo(() => fanOf(paths, span === 'all' ? Infinity : Number(span)), [paths, span]);
  const drawn = paths.slice(-MOST_LINES);
  const data = useMemo(() => {
    const lines = Array.from({ length: MOST_LINES }, (_, at) =>
      fan.days.map((day) => (drawn[at] === undefined ? null : (differenceAt(drawn[at], day) ?? null))),
    );
    return [fan.days, ...lines, fan.high, fan.low, fan.median];
  }, [fan]);
  const lines = [
    ...Array.from({ length: MOST_LINES }, (_, at) => ({ label: `path ${at}`, kind: 'thin', isStep: true, group: 'periods' })),
    { label: '90 %', kind: 'edge', isStep: true },
    { label: '10 %', kind: 'edge', isStep: true },
    { label: 'median', kind: 'known', isStep: true },
  ];
  if (paths.length === 0)
    return html`<p class="note">No period here has a first print: each was loaded long after it ended, or with the first vintage of the series. Choose newer periods.</p>`;
  const [high, low] = [MOST_LINES + 1, MOST_LINES + 2];
  return html`<div><${Tabs} label="How long after the first print" options=${SPANS} value=${span} onChange=${onUntil} />
    <${Chart} label=${`Each print of ${name} minus the first, by days since the first, in ${unitText(series.unit)}; ${paths.length} periods`} lines=${lines} data=${data} bands=${[{ series: [high, low] }]} isTime=${false} unit=${unitText(series.unit)} xText=${(days) => `${days} days after the first print`} height=${height} picture=${picture} />
    <p class="legend">
      <strong>${name}</strong>
      <span>each print minus the first, by days since the first print: ${drawn.length < paths.length ? `the newest ${drawn.length} of ` : ''}${paths.length} periods</span>
      <span class="known">median</span><span class="band">10–90 %</span>
    </p>
    <p class="small">
      Periods with a first print; those loaded long after they ended, or with the first vintage of the series, have none. Median and band need at least ${LEAST_PATHS} periods of that age; in ${unitText(series.unit)}${moment === null ? '' : `, prints known on ${instantText(moment)}`}.
    </p></div>`;
}
