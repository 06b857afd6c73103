// The table of series in Data health: the frozen and late ones, or those of one verdict.
import { html } from '../lib/preact.js';
import { sourceColumn, useIndicatorNames, useNamesOf } from '../names.js';
import { counted, numberText } from '../numbers.js';
import { Table } from '../tables/table.js';
import { durationText, inShort } from './reasons.js';
import { badge, countColumn, instantColumn } from './columns.js';

/** Worst first, as the service has them. */
export const VERDICTS = ['frozen', 'late', 'unknown', 'ceased', 'live'];
const isInTrouble = ({ verdict }) => verdict === 'frozen' || verdict === 'late';

/** `of`: the answer of /ops/liveness, worst verdicts first; `onMore` asks for more of it. Without a verdict you see the series that need your attention. */
export function Liveness({ of: { summary, series, nextCursor }, verdict, onMore, set, linkTo }) {
  const shown = verdict === undefined ? series.filter(isInTrouble) : series;
  const isCut = nextCursor !== null && shown.length === series.length;
  const names = useNamesOf(shown.map(({ entityId }) => entityId));
  const indicators = useIndicatorNames([...new Set(shown.map(({ indicatorId }) => indicatorId))]);
  const columns = [
    {
      id: 'indicatorId',
      label: 'Series',
      isLong: true,
      value: (row) => row.indicatorId,
      show: (row) =>
        html`<a title=${row.indicatorId} href=${linkTo('series', { indicator_id: row.indicatorId, entity: row.entityId, source_id: row.sourceId, frequency: row.frequency })}>${indicators.get(row.indicatorId) ?? row.indicatorId}</a>`,
    },
    { id: 'verdict', label: 'Verdict', value: (row) => row.verdict, show: (row) => badge(row.verdict) },
    { id: 'reasons', label: 'Why', value: (row) => row.reasons.join(' '), isLong: true, show: (row) => inShort(row.reasons.join(' ')) },
    {
      id: 'entityId',
      label: 'Of',
      isNarrow: true,
      value: (row) => row.entityId,
      show: (row) => html`<span title=${row.entityId}>${names.entity(row.entityId)}</span>`,
    },
    sourceColumn(names),
    { id: 'latestPeriodEnd', label: 'Newest period', value: (row) => row.latestPeriodEnd },
    { ...instantColumn('lastCheckedAt', 'Last checked'), isOnlyInCsv: true },
    { ...instantColumn('lastAdvanceAt', 'Last advance'), isOnlyInCsv: true },
    { id: 'expectedNextAt', label: 'Next expected', value: (row) => row.expectedNextAt, show: (row) => row.expectedNextAt.slice(0, 10) },
    {
      ...countColumn('overdueDays', 'Overdue'),
      show: (row) => html`<span title=${`${row.overdueDays} days`}>${durationText(row.overdueDays)}</span>`,
    },
  ];
  return html`<div>
    <div class="row" role="group" aria-label="Verdict">
      <button type="button" aria-pressed=${verdict === undefined} onClick=${() => set({ verdict: '' })}>frozen or late</button>
      ${VERDICTS.map((id) => html`<button type="button" aria-pressed=${verdict === id} onClick=${() => set({ verdict: id })}>${id} ${numberText(summary[id])}</button>`)}
    </div>
    <${Table} columns=${columns} rows=${shown} caption=${`${isCut ? 'The first ' : ''}${counted(shown.length, 'series', 'series')}, ${verdict ?? 'frozen or late'}`} name="liveness" isOfNow empty=${verdict === undefined ? 'No series is frozen or late.' : 'No series has this verdict.'} />
    ${isCut && html`<p><button type="button" onClick=${onMore}>Find more</button></p>`}
  </div>`;
}
