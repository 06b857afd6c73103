// The parts of Series: two charts, the prints of a period, the facts of the newest row, the forecast with its record.
import { html, useMemo } from '../lib/preact.js';
import { Answer, Badge, Hints, instantText, Missing, numberText, Table, Tabs, useAsked } from '../components.js';
import { Chart } from '../chart.js';
import { asKnown, differenceAt, evenly, fanOf, LEAST_PATHS, momentOf, revisionPaths } from '../vintages.js';

const MOST_LINES = 60;

const secondsOf = (day) => Date.parse(`${day}T00:00:00Z`) / 1000;

export function LevelChart({ series, periods, days, moment, known, pins, onPick }) {
  const xs = useMemo(() => periods.map(({ periodEnd }) => secondsOf(periodEnd)), [periods]);
  const drawn = useMemo(() => evenly(days, MOST_LINES), [days]);
  const thin = useMemo(() => drawn.map((day) => asKnown(periods, momentOf(day))), [periods, drawn]);
  const newest = useMemo(() => asKnown(periods, null), [periods]);
  const pinned = useMemo(() => pins.map((day) => asKnown(periods, momentOf(day))), [periods, pins.join()]);
  const nothing = useMemo(() => periods.map(() => null), [periods]);
  const isThen = moment !== null;
  const data = useMemo(
    () => [
      xs,
      ...thin.map((line, at) => (isThen && momentOf(drawn[at]) > moment ? nothing : line)),
      ...pinned,
      newest,
      isThen ? known : nothing,
    ],
    [xs, thin, pinned, newest, known, moment],
  );
  const lines = [
    ...drawn.map((day) => ({ label: day, kind: 'thin' })),
    ...pins.map((day) => ({ label: day, kind: 'pin' })),
    { label: 'latest', kind: 'strong', isPoints: periods.length < 3 },
    { label: 'as known then', kind: 'known', isPoints: periods.length < 3 },
  ];
  const shownThen = isThen ? drawn.filter((day) => momentOf(day) <= moment).length : drawn.length;
  return html`<div><${Chart} label=${`${series.name} in ${series.unit}, ${periods.length} periods, ${days.length} vintages`} lines=${lines} data=${data} onPick=${onPick} />
    <p class="legend">
      <span>${shownThen === days.length ? `every vintage (${days.length})` : `${shownThen} of ${days.length} vintages${isThen ? ', known by then' : ''}`}</span>
      <span class="strong">latest${isThen ? ' (not yet known then)' : ''}</span>
      ${isThen && html`<span class="known">as known on ${instantText(moment)}</span>`} ${pins.map((day) => html`<span class="pin">${day}</span>`)}
    </p></div>`;
}

const SPANS = [
  { id: '365', label: 'One year' },
  { id: '1095', label: 'Three years' },
  { id: 'all', label: 'All' },
];

export function RevisionChart({ series, periods, moment, until, onUntil }) {
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
    ...Array.from({ length: MOST_LINES }, (_, at) => ({ label: `path ${at}`, kind: 'thin', isStep: true })),
    { label: '90 %', kind: 'edge', isStep: true },
    { label: '10 %', kind: 'edge', isStep: true },
    { label: 'median', kind: 'known', isStep: true },
  ];
  if (paths.length === 0)
    return html`<p class="note">No period here has a first print: each was loaded long after it ended, or with the first vintage of the series. Choose newer periods.</p>`;
  const [high, low] = [MOST_LINES + 1, MOST_LINES + 2];
  return html`<div><${Tabs} label="How long after the first print" options=${SPANS} value=${span} onChange=${onUntil} />
    <${Chart} label=${`Each print of ${series.name} minus the first, by days since the first, in ${series.unit}; ${paths.length} periods`} lines=${lines} data=${data} bands=${[{ series: [high, low] }]} isTime=${false} />
    <p class="legend">
      <span>each print minus the first, by days since the first print: ${drawn.length < paths.length ? `the newest ${drawn.length} of ` : ''}${paths.length} periods</span>
      <span class="known">median</span><span class="band">10–90 %</span>
    </p>
    <p class="small">
      Periods with a first print; those loaded long after they ended, or with the first vintage of the series, have none. Median and band need at least ${LEAST_PATHS} periods of that age; in ${series.unit}${moment === null ? '' : `, prints known on ${instantText(moment)}`}.
    </p></div>`;
}

export function Prints({ own, period, periods, as_of, onPeriod, linkTo, unit }) {
  const asked = period === null ? null : { ...own, vintage: 'all', start_date: period.periodEnd, end_date: period.periodEnd, as_of };
  const found = useAsked(asked === null ? null : '/observations', asked ?? {});
  const at = periods.indexOf(period);
  const step = (by) => onPeriod(periods[at + by].periodEnd);
  return html`<section aria-label="Prints of a period">
    <h2>Release history, ${period?.period ?? '–'}</h2>
    <div class="row">
      <button type="button" class="quiet" disabled=${at <= 0} onClick=${() => step(-1)}>← Before</button>
      <label>Period ends <input type="date" value=${period?.periodEnd ?? ''} onChange=${(event) => onPeriod(nearest(periods, event.target.value))} /></label>
      <button type="button" class="quiet" disabled=${at < 0 || at >= periods.length - 1} onClick=${() => step(1)}>After →</button>
    </div>
    <${Answer} asked=${found}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} />
        <${Table} columns=${printColumns(linkTo)} rows=${data.map((row, index) => ({ ...row, before: index === 0 ? null : data[index - 1].actual }))} caption=${`In ${unit}`} name="prints" empty="Nothing was known then. Set a later as-of." /></div>`}
    <//>
  </section>`;
}

const nearest = (periods, day) => (periods.find(({ periodEnd }) => periodEnd >= day) ?? periods.at(-1)).periodEnd;

const printColumns = (linkTo) => [
  { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
  { id: 'vintage', label: 'Vintage', value: (row) => row.vintage },
  { id: 'actual', label: 'Value', value: (row) => row.actual, isNumber: true, why: () => 'withdrawn or missing' },
  {
    id: 'change',
    label: 'Revised by',
    value: (row) => (row.before === null || row.actual === null ? null : Number((row.actual - row.before).toPrecision(12))),
    isNumber: true,
  },
  {
    id: 'observationId',
    label: 'From',
    value: (row) => row.observationId,
    show: (row) => html`<a href=${linkTo('provenance', { id: row.observationId })}>provenance</a>`,
  },
];

const TIERS = {
  central_bank: 'central bank',
  official_national: 'official, national',
  official_supranational: 'official, supranational',
  service_derived: 'computed by the service',
  multilateral_fallback: 'multilateral, fallback',
  market_data: 'market data',
};

/** The facts of the newest row, as of the day. */
export function Facts({ own, as_of, linkTo }) {
  const latest = useAsked('/observations/latest', { ...own, as_of, limit: 1 });
  const record = useAsked('/indicators/series', { ...own, as_of });
  return html`<section aria-label="Newest row">
    <h2>Newest row${as_of ? ` as of ${as_of}` : ''}</h2>
    <${Answer} asked=${latest}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} />${data.length === 0 ? html`<p class="note">Nothing was known then. Set a later as-of.</p>` : html`<${Row} row=${data[0]} as_of=${as_of} linkTo=${linkTo} />`}</div>`}
    <//>
    <${Answer} asked=${record}>${({ data: [series] }) => (series === undefined ? html`<p class="note">Not known yet.</p>` : html`<${Revised} series=${series} />`)}<//>
  </section>`;
}

/** The revisions of its first prints, as known by then. */
function Revised({ series: { revisedShare, meanAbsRevision, medianReleaseLagDays, unit } }) {
  return html`<dl class="facts">
    <dt>First prints revised</dt>
    <dd>${revisedShare === null ? html`<${Missing} why="none was seen when it was new" />` : `${numberText(Math.round(revisedShare * 1000) / 10)} %, by ${numberText(Number(meanAbsRevision.toPrecision(4)))} ${unit} on average`}</dd>
    <dt>Release lag</dt>
    <dd>${medianReleaseLagDays === null ? html`<${Missing} />` : `${medianReleaseLagDays} days, median`}</dd>
  </dl>`;
}

function Verdicts({ row }) {
  return html`<p>
    <${Badge} kind=${FRESHNESS[row.freshnessStatus]}>${row.freshnessStatus}<//>
    ${' '}<${Badge} kind=${row.scoringEligible ? 'good' : 'bad'}>${row.scoringEligible ? 'eligible for scoring' : 'not eligible'}<//>
    ${' '}<${Badge}>${TIERS[row.sourceTier] ?? row.sourceTier ?? 'tier unknown'}<//>
    ${row.collectionStatus === 'ceased' && html` <${Badge} kind="bad">ceased<//>`}
  </p>`;
}

const FRESHNESS = { fresh: 'good', stale: 'bad', unknown: 'plain' };

function Consensus({ row }) {
  if (row.consensus === null) return null;
  const surprise = row.surprise === null ? '' : `, surprise ${numberText(Number(row.surprise.toPrecision(4)))}`;
  return html`<dt>Consensus</dt><dd>${numberText(row.consensus)}${surprise}</dd>`;
}

function Row({ row, as_of, linkTo }) {
  const chain = useAsked(`/provenance/observations/${row.observationId}`, { as_of });
  const reasons = chain.answer?.data.scoring.reasons ?? [];
  return html`<div><${Verdicts} row=${row} />
    <dl class="facts">
      <dt>${row.period}</dt>
      <dd>${row.actual === null ? html`<${Missing} why="withdrawn or missing" />` : html`<strong>${numberText(row.actual)}</strong> ${row.unit}`}, known from ${instantText(row.observedAt)}</dd>
      <dt>Previous</dt>
      <dd>${row.previous === null ? html`<${Missing} />` : numberText(row.previous)}${row.revisedPrevious !== null && row.revisedPrevious !== row.previous && ` → ${numberText(row.revisedPrevious)}`}</dd>
      <${Consensus} row=${row} />
      ${reasons.length > 0 && html`<dt>Not eligible for</dt><dd>${reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}</dd>`}
      ${row.ceasedFinalPeriod !== null && html`<dt>Final period</dt><dd>${row.ceasedFinalPeriod}</dd>`}
      ${row.successorIndicatorId !== null && html`<dt>Continues as</dt><dd><a href=${linkTo('series', { indicator_id: row.successorIndicatorId })}>${row.successorIndicatorId}</a></dd>`}
      <dt>Preferred</dt>
      <dd>${row.preferredForFactor ? 'for its country, factor and period' : 'not this row'}</dd>
      <dt>Attribution</dt>
      <dd>${row.attribution}</dd>
      <dt>Rights</dt>
      <dd>${row.rights.license}${row.rights.redistributable ? '' : ' (no redistribution)'}${row.rights.note === null ? '' : `; ${row.rights.note}`}</dd>
      <dt>From</dt>
      <dd><a href=${linkTo('provenance', { id: row.observationId })}>provenance of this number</a></dd>
    </dl></div>`;
}

/** The newest row only, which has the forecast of the next period. */
export const NEXT = { sort: 'period_end', order: 'desc', limit: 1 };

/** The baseline of the next period, and the errors of earlier ones. */
export function Forecast({ own, as_of, series }) {
  const next = useAsked('/platform/macro-data', { ...own, as_of, ...NEXT });
  const record = useAsked('/derived-indicators/forecast_baseline', { as_of });
  return html`<section aria-label="Forecast">
    <h2>Baseline forecast</h2>
    <${Answer} asked=${next}>
      ${({ data: [row] }) => {
        if (row === undefined || row.forecast === null)
          return html`<p class="note">No forecast for this series${as_of ? ' as of that day' : ''}.</p>`;
        return html`<dl class="facts">
          <dt>${row.forecastPeriod}</dt>
          <dd><strong>${shortText(row.forecast)}</strong> ${row.unit}: our statistical baseline, not a consensus</dd>
          <dt>${Math.round(row.forecastLevel * 100)} % interval</dt>
          <dd>${shortText(row.forecastLower)} to ${shortText(row.forecastUpper)}</dd>
          <dt>Method</dt>
          <dd><code>${row.forecastMethod}</code>, version ${row.forecastModelVersion}</dd>
          <dt>Predicts</dt>
          <dd>${row.forecastTarget === 'revised' ? 'the value after revisions' : row.forecastTarget}</dd>
          <dt>Made</dt>
          <dd>${instantText(row.forecastOrigin)}</dd>
        </dl>`;
      }}
    <//>
    <${Answer} asked=${record}>
      ${({ data }) => {
        const one = data.metadata.backtest?.series.find(
          ({ indicatorId, sourceId }) => indicatorId === series.indicatorId && sourceId === series.sourceId,
        );
        return one === undefined ? html`<p class="note">No forecast record for this series.</p>` : html`<${Record} one=${one} />`;
      }}
    <//>
  </section>`;
}

function Record({ one }) {
  const measure = (value, text) => (value === null ? html`<${Missing} why="too few scored" />` : text(value));
  return html`<dl class="facts">
    <dt>Scored</dt>
    <dd>${one.scoredCount} of ${one.originCount} releases</dd>
    <dt>Error</dt>
    <dd>${measure(one.mase, (value) => `MASE ${value.toFixed(2)}`)}; naive ${measure(one.naiveMase, (value) => value.toFixed(2))}</dd>
    <dt>Inside the interval</dt>
    <dd>${measure(one.coverage, (value) => `${(value * 100).toFixed(0)} %`)} of values; the interval is for ${Math.round(one.forecastLevel * 100)} %</dd>
  </dl>`;
}

const shortText = (value) => numberText(Number(value.toPrecision(7)));
