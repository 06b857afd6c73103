// Data health: the state in tiles, sources from the worst on, late and frozen series, findings of quarantine by rule, the snapshot. Each part reports if the key
// may not see it.
import { html } from '../lib/preact.js';
import { get, getAll } from '../api.js';
import { Answer, Hints, instantText, Requests, Tabs, useAsked, useTitle } from '../components.js';
import { usePages } from '../tables/pages.js';
import { Table } from '../tables/table.js';
import { useNames } from '../names.js';
import { counted, numberText } from '../numbers.js';
import { groupedBy } from '../tables/groups.js';
import { badge, countColumn, instantColumn } from '../health/columns.js';
import { Liveness, VERDICTS } from '../health/liveness.js';
import { Quarantine } from '../health/quarantine.js';
import { isInTrouble, ORDER, reasonOf, worstFirst } from '../health/reasons.js';

const STATUSES = [
  { id: 'open', label: 'Open' },
  { id: 'all', label: 'All' },
];
const MOST_FINDINGS = 20_000;
const SERIES_SHOWN = 25;

export function Health({ params, set, linkTo }) {
  const verdict = VERDICTS.includes(params.verdict) ? params.verdict : undefined;
  const status = params.status === 'all' ? 'all' : 'open';
  const findings = { status: status === 'all' ? undefined : status, source_id: params.source_id };
  const liveness = { verdict, source_id: params.source_id, limit: SERIES_SHOWN };
  const { pages, addPage } = usePages(liveness);
  const asked = {
    sources: useAsked('/source-health', {}, getAll),
    liveness: useAsked('/ops/liveness', { ...liveness, pages }, seriesOf),
    quarantine: useAsked('/quarantine', findings, (path, given, options) => getAll(path, given, { ...options, most: MOST_FINDINGS })),
    snapshot: useAsked('/snapshot'),
  };
  const names = useNames();
  const only = params.source_id === undefined ? undefined : names.source(params.source_id);
  useTitle(titleOf(asked.sources.answer, only, verdict));
  return html`<section><h1>Data health</h1>
    <p class="note">This page always shows the current state; as-of has no effect.</p>
    <${Tiles} asked=${asked} />
    <h2>Sources</h2>
    <${Answer} asked=${asked.sources}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Sources} rows=${data} chosen=${params.source_id} set=${set} /></div>`}
    <//>
    ${
      only !== undefined &&
      html`<p>Only <strong title=${params.source_id}>${only}</strong>. <button type="button" class="quiet" onClick=${() => set({ source_id: '' })}>All sources</button></p>`
    }
    <h2>Series</h2>
    <${Answer} asked=${asked.liveness}>${({ data }) => html`<${Liveness} of=${data} verdict=${verdict} onMore=${addPage} set=${set} linkTo=${linkTo} />`}<//>
    <h2>Quarantine by rule</h2>
    <${Tabs} label="Which findings" options=${STATUSES} value=${status} onChange=${(id) => set({ status: id })} />
    <${Answer} asked=${asked.quarantine}>
      ${({ data, meta }) => html`<div><${Hints} meta=${meta} /><${Quarantine} rows=${data} rule=${params.rule} set=${set} linkTo=${linkTo} /></div>`}
    <//>
    <h2>Snapshot</h2>
    <${Answer} asked=${asked.snapshot}>${({ data }) => html`<${Snapshot} of=${data} />`}<//>
    <${Requests}
      requests=${[
        { label: 'Sources', path: '/source-health' },
        { label: 'Series', path: '/ops/liveness', params: liveness },
        { label: 'Quarantine', path: '/quarantine', params: findings },
        { label: 'Snapshot', path: '/snapshot' },
      ]}
    /></section>`;
}

/** The first `pages` of the series, as one answer. */
async function seriesOf(path, { pages, ...params }, options) {
  const series = [];
  for (let [page, cursor] = [1, null]; ; page += 1) {
    const answer = await get(path, { ...params, cursor }, options);
    series.push(...answer.data.series);
    cursor = answer.data.nextCursor;
    if (cursor === null || page >= pages) return { ...answer, data: { ...answer.data, series } };
  }
}

/** `found`: the answer with the sources, or null. */
function titleOf(found, source, verdict) {
  if (source === undefined && verdict === undefined)
    return found === null ? 'Data health' : `Data health, ${counted(found.data.filter(isInTrouble).length, 'source')} in trouble`;
  return ['Data health', source, verdict && `${verdict} series`].filter(Boolean).join(', ');
}

/** The state in a few words. A part that the key may not see has no tile. */
function Tiles({ asked: { sources, liveness, quarantine, snapshot } }) {
  const statuses = groupedBy(sources.answer?.data ?? [], ({ status }) => status);
  const verdicts = liveness.answer?.data.summary;
  const findings = quarantine.answer?.data;
  const tiles = [
    snapshot.answer && { label: 'Known up to', value: instantText(snapshot.answer.data.knowledgeCutoff), more: [] },
    sources.answer && {
      label: 'Sources',
      more: ORDER.filter((status) => statuses.has(status)).map((status) => [status, statuses.get(status).length]),
    },
    verdicts && {
      label: 'Series',
      more: VERDICTS.filter((verdict) => verdicts[verdict] > 0).map((verdict) => [verdict, verdicts[verdict]]),
    },
    findings && {
      label: 'Quarantine',
      more: [
        ['open', findings.filter(({ status }) => status === 'open').length],
        ['blocking', findings.filter(({ status, severity }) => status === 'open' && severity === 'block').length],
      ],
    },
  ].filter(Boolean);
  return html`<ul class="tiles" aria-label="State">
    ${tiles.map(
      ({ label, value, more }) => html`<li><span class="small">${label}</span>
        ${value && html`<strong>${value}</strong>`}
        ${more.map(([word, count]) => html`<span><strong>${numberText(count)}</strong> ${badge(word)}</span>`)}</li>`,
    )}
  </ul>`;
}

/** More tiles fill pages. */
const MOST_TILES = 8;

/** A tile for each source that is not well, with the reason beside the status, the first ones in sight; the healthy ones in a line that opens; those never asked for by name only. */
function Sources({ rows, chosen, set }) {
  const ordered = worstFirst(rows);
  const [healthy, untried] = ['healthy', 'unknown'].map((one) => ordered.filter(({ status }) => status === one));
  const others = ordered.filter((row) => !healthy.includes(row) && !untried.includes(row));
  const more = others.slice(MOST_TILES);
  const isChosen = ({ sourceId }) => sourceId === chosen;
  const tiles = { chosen, set };
  return html`<div>
    ${others.length === 0 && html`<p class="note">No source is in trouble.</p>`}
    <${SourceTiles} ...${tiles} label="Sources, worst first" name="large" rows=${others.slice(0, MOST_TILES)} />
    ${
      more.length > 0 &&
      html`<details open=${more.some(isChosen)}><summary>${counted(more.length, 'more source')}</summary>
        <${SourceTiles} ...${tiles} label="More sources" name="large" rows=${more} />
      </details>`
    }
    ${
      healthy.length > 0 &&
      html`<details open=${healthy.some(isChosen)}><summary>${counted(healthy.length, 'healthy source')}</summary>
        <${SourceTiles} ...${tiles} label="Healthy sources" name="" rows=${healthy} />
      </details>`
    }
    ${untried.length > 0 && html`<details><summary>${counted(untried.length, 'source')} not asked for yet</summary><p class="small">${untried.map(({ name }) => name).join('; ')}.</p></details>`}
    <details><summary>All sources as a table</summary>
      <${Table} columns=${sourceColumns(set)} rows=${ordered} caption=${`${counted(rows.length, 'source')}, worst first. Choose one to filter the series and findings below`} name="sources" isCurrent=${isChosen} />
    </details></div>`;
}

function SourceTiles({ label, name, rows, chosen, set }) {
  if (rows.length === 0) return null;
  return html`<ul class="tiles sources ${name}" aria-label=${label}>
    ${rows.map(
      (
        row,
      ) => html`<li key=${row.sourceId}><button type="button" title=${row.sourceId} aria-pressed=${row.sourceId === chosen} onClick=${() => set({ source_id: row.sourceId })}>
        <span><strong>${row.name}</strong> ${badge(row.status)}</span>
        <span class="small">${reasonOf(row)}</span>
        <span class="small">New data ${instantText(row.lastNewDataAt) ?? 'never'}${row.quarantinedOpen > 0 ? `, ${numberText(row.quarantinedOpen)} in quarantine` : ''}</span>
      </button></li>`,
    )}
  </ul>`;
}

function Snapshot({ of: { snapshotId, knowledgeCutoff, generatedAt, previousSnapshotId, contentHash, counts } }) {
  const facts = [
    ['Snapshot', html`<code>${snapshotId}</code>`],
    ['Known up to', instantText(knowledgeCutoff)],
    ['Made', instantText(generatedAt)],
    ['Previous snapshot', previousSnapshotId === null ? 'none' : html`<code>${previousSnapshotId}</code>`],
    ['Hash', html`<code>${contentHash}</code>`],
    [
      'Holds',
      Object.entries(counts)
        .map(([name, count]) => `${numberText(count)} ${name}`)
        .join(', '),
    ],
  ];
  return html`<dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

const sourceColumns = (set) => [
  {
    id: 'sourceId',
    label: 'Source',
    value: (row) => row.sourceId,
    sortBy: (row) => row.name,
    isLong: true,
    show: (row) =>
      html`<button type="button" class="quiet" title=${row.sourceId} onClick=${() => set({ source_id: row.sourceId })}>${row.name}</button>`,
  },
  { id: 'status', label: 'Status', value: (row) => row.status, show: (row) => badge(row.status) },
  { id: 'reason', label: 'Why', value: reasonOf, isLong: true },
  instantColumn('lastAttemptAt', 'Last asked'),
  instantColumn('lastSuccessAt', 'Last success'),
  instantColumn('lastNewDataAt', 'Last new data'),
  countColumn('seriesTotal', 'Series'),
  countColumn('seriesFresh', 'Fresh'),
  countColumn('seriesStale', 'Stale'),
  countColumn('seriesCeased', 'Ceased'),
  countColumn('quarantinedOpen', 'In quarantine'),
  countColumn('consecutiveFailures', 'Failures in a row'),
  {
    id: 'lastErrorMessage',
    label: 'Last error',
    value: (row) => row.lastErrorMessage,
    isLong: true,
    show: (row) => html`<span>${row.lastErrorMessage} <span class="small">${instantText(row.lastErrorAt)}</span></span>`,
  },
];
