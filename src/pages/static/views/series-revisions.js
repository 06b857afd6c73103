// The revisions of a series by age: each print minus the first.
import { html, useMemo } from '../lib/preact.js';
import { instantText, Tabs } from '../components.js';
import { Chart } from '../charts/chart.js';
import { differenceUnit, unitText } from '../numbers.js';
import { differenceAt, fanOf, LEAST_PATHS, revisionPaths } from '../charts/vintages.js';

const MOST_LINES = 60;

const SPANS = [
  { id: '365', label: 'One year' },
  { id: '1095', label: 'Three years' },
  { id: 'all', label: 'All' },
];

export function RevisionChart({ name, series, periods, moment, until, picture, onUntil, height }) {
  const span = SPANS.some(({ id }) => id === until) ? until : '365';
  const unit = differenceUnit(unitText(series.unit));
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
    <${Chart} label=${`Each print of ${name} minus the first, by days since the first, in ${unit}; ${paths.length} periods`} lines=${lines} data=${data} bands=${[{ series: [high, low] }]} isTime=${false} xTitle="days after the first print" unit=${unit} xText=${(days) => `${days} days after the first print`} height=${height} picture=${picture} />
    <p class="legend">
      <strong>${name}</strong>
      <span>each print minus the first, by days since the first print: ${drawn.length < paths.length ? `the newest ${drawn.length} of ` : ''}${paths.length} periods</span>
      <span class="known">median</span><span class="band">10–90 %</span>
    </p>
    <p class="small">
      Periods with a first print; those loaded long after they ended, or with the first vintage of the series, have none. Median and band need at least ${LEAST_PATHS} periods of that age; in ${unit}${moment === null ? '' : `, prints known on ${instantText(moment)}`}.
    </p></div>`;
}
