// The parts of Series: the prints of a period, the facts of the newest row, the forecast with its record.
import { get } from '../api.js';
import { html } from '../lib/preact.js';
import { Answer, Badge, DayField, Figure, Hints, instantText, Missing, useAsked } from '../components.js';
import { PRINT_COLUMNS } from '../tables/prints.js';
import { Table } from '../tables/table.js';
import { differenceUnit, numberText, textsBeside, unitText } from '../numbers.js';
import { fileName } from '../series/picture-text.js';
import { revisedText } from '../series/revised-text.js';

/** `gaps`: those between all vintages. `history`: the moments of the period, as `historyOf` has them; `shown`: what their results are, { label, text }, null for the levels alone. */
export function Prints({ own, gaps, period, periods, as_of, history, shown, onPeriod, linkTo, unit }) {
  const asked =
    period === null ? null : { ...own, vintage: 'all', start_date: period.periodEnd, end_date: period.periodEnd, as_of, limit: 500 };
  const found = useAsked(asked === null ? null : '/observations', asked ?? {});
  const at = periods.indexOf(period);
  const step = (by) => onPeriod(periods[at + by].periodEnd);
  return html`<section class="prints" aria-label="Prints of a period">
    <h2>Release history, ${period?.period ?? '–'}</h2>
    <div class="row">
      <button type="button" class="quiet" disabled=${at <= 0} onClick=${() => step(-1)}>← Before</button>
      <label>Period ends <${DayField} value=${period?.periodEnd ?? ''} onDay=${onPeriod} /></label>
      <button type="button" class="quiet" disabled=${at < 0 || at >= periods.length - 1} onClick=${() => step(1)}>After →</button>
    </div>
    <${Answer} asked=${found}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} />
        <${Table} columns=${printColumns(shown, linkTo)} rows=${printRows(data, history, shown !== null)} caption=${captionOf(shown, unitText(unit))} name=${fileName(own.indicator_id, period?.period, 'prints', shown?.id, as_of)} empty="Nothing was known then. Set a later as-of." /><${Gaps} of=${gaps} history=${history} /></div>`}
    <//>
  </section>`;
}

/** The gaps after which this period was revised. */
function Gaps({ of: gaps, history }) {
  const ended = gaps.filter(([, to]) => history.slice(1).some(({ from }) => from.startsWith(to)));
  return ended.map(
    ([from, to]) => html`<p class="small">There are no vintages between ${from} and ${to}: a value known from ${to} may be older.</p>`,
  );
}

/** The units of the columns, and of results how they are made. */
function captionOf(shown, unit) {
  if (shown !== null) return `${shown.text} Revised by is in ${differenceUnit(shown.unit)}, the level in ${unit}.`;
  return `In ${unit}${differenceUnit(unit) === unit ? '' : `, revisions in ${differenceUnit(unit)}`}`;
}

/** The first period that ends on a day or later; the last one if there is none. */
export const nearest = (periods, day) => periods.find(({ periodEnd }) => periodEnd >= day) ?? periods.at(-1);

/**
 * The prints that the interface has, with the moments of their history; a moment without a print of its own has no `observationId`. `isOfResults`: `revisedBy`
 * compares the results that the chart shows, not the levels.
 */
function printRows(prints, history, isOfResults) {
  const byMoment = new Map(prints.map((print) => [print.observedAt, print]));
  let before = null;
  return history.flatMap(({ from, vintage, value, result, revised }) => {
    const print = byMoment.get(from);
    if (revised === null && print === undefined) return [];
    const shown = isOfResults ? result : value;
    const revisedBy = before === null || shown === null ? null : Number((shown - before).toPrecision(12));
    before = shown;
    return [
      { observedAt: from, vintage, actual: value, revisedBy, transformed: result, observationId: print?.observationId ?? null, revised },
    ];
  });
}

const REVISED_BY = { id: 'revisedBy', label: 'Revised by', value: (row) => row.revisedBy, isNumber: true };

/** First what the chart shows: the levels, or what a transform makes of them. */
function printColumns(shown, linkTo) {
  const [from, vintage, actual] = PRINT_COLUMNS;
  const transformed = {
    id: 'transformed',
    label: shown?.label,
    value: (row) => row.transformed,
    isNumber: true,
    why: () => 'nothing to compare with',
  };
  return [
    from,
    vintage,
    ...(shown === null ? [actual, REVISED_BY] : [transformed, REVISED_BY, { ...actual, label: 'Level' }]),
    {
      id: 'observationId',
      label: 'From',
      value: (row) => row.observationId,
      show: (row) => html`<a href=${linkTo('provenance', { id: row.observationId })}>provenance</a>`,
      why: (row) => `${row.revised} revised`,
    },
  ];
}

const TIERS = {
  central_bank: 'central bank',
  official_national: 'official, national',
  official_supranational: 'official, supranational',
  service_derived: 'computed by the service',
  multilateral_fallback: 'multilateral, fallback',
  market_data: 'market data',
};

/** The answer with its own as-of: while the next one is on its way it stays, and its row may be unknown at the next as-of. */
const getThen = async (path, params, options) => ({ ...(await get(path, params, options)), askedAsOf: params.as_of });

/** The facts of the newest row, as of the day. */
/** `days`: of the vintages known by then. */
export function Facts({ own, as_of, days, linkTo }) {
  const latest = useAsked('/observations/latest', { ...own, as_of, limit: 1 }, getThen);
  const record = useAsked('/indicators/series', { ...own, as_of });
  return html`<section aria-label="Newest row">
    <h2>Newest row${as_of ? ` as of ${as_of}` : ''}</h2>
    <${Answer} asked=${latest}>
      ${({ data, meta, askedAsOf }) => html`<div><${Hints} meta=${meta} />${data.length === 0 ? html`<p class="note">Nothing was known then. Set a later as-of.</p>` : html`<${Row} row=${data[0]} as_of=${askedAsOf} linkTo=${linkTo} />`}</div>`}
    <//>
    <${Answer} asked=${record}>${({ data: [series] }) => (series === undefined ? html`<p class="note">Not known yet.</p>` : html`<${Revised} series=${series} hasLater=${days.length > 1} />`)}<//>
  </section>`;
}

/** The revisions of its first prints, as known by then. `hasLater`: a vintage after the first one, which can revise it. */
function Revised({ series, hasLater }) {
  const { medianReleaseLagDays } = series;
  const revised = hasLater ? revisedText(series) : null;
  return html`<dl class="facts">
    <dt>First prints revised</dt>
    <dd>${revised ?? html`<${Missing} why=${hasLater ? 'no value was seen when it was new' : 'no record: there is one vintage'} />`}</dd>
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
  const surprise = row.surprise === null ? '' : `, surprise ${numberText(row.surprise)}`;
  return html`<dt>Consensus</dt><dd>${numberText(row.consensus)}${surprise}</dd>`;
}

/** One series has one row for a period, so no other row is preferred to it here. */
function preferredText({ preferredForFactor, scoringEligible }) {
  if (preferredForFactor) return 'for its country, factor and period';
  return scoringEligible ? 'no: it has no factor' : 'no: it is not eligible';
}

function Row({ row, as_of, linkTo }) {
  const chain = useAsked(`/provenance/observations/${row.observationId}`, { as_of });
  const reasons = chain.answer?.data.scoring.reasons ?? [];
  const texts = textsBeside([row.actual, row.previous, row.revisedPrevious]);
  return html`<div><${Verdicts} row=${row} />
    <dl class="facts">
      <dt>${row.period}</dt>
      <dd>${row.actual === null ? html`<${Missing} why="withdrawn or missing" />` : html`<strong><${Figure} value=${row.actual} texts=${texts} /></strong> ${unitText(row.unit)}`}, known from ${instantText(row.observedAt)}</dd>
      <dt>Previous</dt>
      <dd>${row.previous === null ? html`<${Missing} />` : texts.get(row.previous)}${row.revisedPrevious !== null && row.revisedPrevious !== row.previous && ` → ${texts.get(row.revisedPrevious)}`}</dd>
      <${Consensus} row=${row} />
      ${reasons.length > 0 && html`<dt>Not eligible for</dt><dd>${reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}</dd>`}
      ${row.ceasedFinalPeriod !== null && html`<dt>Final period</dt><dd>${row.ceasedFinalPeriod}</dd>`}
      ${row.successorIndicatorId !== null && html`<dt>Continues as</dt><dd><a href=${linkTo('series', { indicator_id: row.successorIndicatorId })}>${row.successorIndicatorId}</a></dd>`}
      <dt>Preferred</dt>
      <dd>${preferredText(row)}</dd>
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
          <dd><strong>${html`<${Figure} value=${row.forecast} />`}</strong> ${unitText(row.unit)}: our statistical baseline, not a consensus</dd>
          <dt>${Math.round(row.forecastLevel * 100)} % interval</dt>
          <dd>${html`<${Figure} value=${row.forecastLower} />`} to ${html`<${Figure} value=${row.forecastUpper} />`}</dd>
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
