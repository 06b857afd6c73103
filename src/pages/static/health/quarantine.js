// Counts the findings of quarantine by rule, and lists the findings of the chosen rule. Shows names; the tooltip of a name is its id.
import { html } from '../lib/preact.js';
import { sourceColumn, useIndicatorNames, useNames, useNamesOf } from '../names.js';
import { groupedBy } from '../tables/groups.js';
import { Table } from '../tables/table.js';
import { badge, countColumn, instantColumn } from './columns.js';

/** Rule → its name. */
const RULES = {
  schema_drift: 'Unknown layout',
  unit_mismatch: 'Another unit',
  scale_jump: 'Jump by a factor of 10 or more',
  out_of_range: 'Impossible value',
  sign_flip: 'Changed sign',
  future_period: 'Period in the future',
  time_travel: 'Dated after its download',
  duplicate_conflict: 'Two values for one moment',
  period_regression: 'Old copy of a file',
  identity_unresolved: 'Unknown or uncertain series',
  reconciliation_failed: 'Numbers that should agree',
};
const nameOf = (rule) => RULES[rule] ?? rule.replaceAll('_', ' ');

/** Text with its id under the pointer. */
const named = (id, name) => html`<span title=${id}>${name}</span>`;
const listed = (parts) => parts.map((part, at) => html`${at > 0 && ', '}${part}`);

export function Quarantine({ rows, rule, set, linkTo }) {
  const names = useNames();
  const groups = groupedBy(rows, (row) => row.rule);
  const byRule = [...groups].map(([id, found]) => ({
    rule: id,
    findings: found.length,
    blocking: found.filter(({ severity }) => severity === 'block').length,
    sources: [...new Set(found.map(({ sourceId }) => sourceId))].toSorted((a, b) => a.localeCompare(b)),
    newest: found.reduce((latest, { detectedAt }) => (detectedAt > latest ? detectedAt : latest), ''),
  }));
  const columns = [
    {
      id: 'rule',
      label: 'Rule',
      value: (row) => row.rule,
      sortBy: (row) => nameOf(row.rule),
      show: (row) =>
        html`<button type="button" class="quiet" title=${row.rule} aria-pressed=${row.rule === rule} onClick=${() => set({ rule: row.rule === rule ? '' : row.rule })}>${nameOf(row.rule)}</button>`,
    },
    countColumn('findings', 'Findings'),
    countColumn('blocking', 'Blocking'),
    {
      id: 'sources',
      label: 'Sources',
      value: (row) => row.sources.join(', '),
      isLong: true,
      show: (row) => html`<span>${listed(row.sources.map((id) => named(id, names.source(id))))}</span>`,
    },
    instantColumn('newest', 'Newest'),
  ];
  return html`<div>
    <${Table} columns=${columns} rows=${byRule} caption="Findings by rule; choose one to see them" name="quarantine-by-rule" isCurrent=${(row) => row.rule === rule} isOfNow empty="The quarantine is empty." />
    ${groups.has(rule) && html`<${Findings} key=${rule} rows=${groups.get(rule)} rule=${rule} linkTo=${linkTo} />`}
  </div>`;
}

/** A long list costs seconds; the CSV has all rows. */
const SHOWN = 100;
/** Names to ask for. */
const MOST_NAMED = 200;

function Findings({ rows, rule, linkTo }) {
  const idsOf = (name) => [...new Set(rows.flatMap((row) => row[name] ?? []))].slice(0, MOST_NAMED);
  const indicators = useIndicatorNames(idsOf('indicatorId'));
  const names = useNamesOf(idsOf('entityId'));
  return html`<${Table} columns=${findingColumns(linkTo, names, indicators)} rows=${rows} most=${SHOWN} caption=${`Findings: ${nameOf(rule)}`} name=${`quarantine-${rule}`} rowKey=${(row) => row.quarantineId} />`;
}

const findingColumns = (linkTo, names, indicators) => [
  instantColumn('detectedAt', 'Detected'),
  sourceColumn(names),
  {
    id: 'indicatorId',
    label: 'Indicator',
    value: (row) => row.indicatorId ?? row.entityId,
    isLong: true,
    show: (row) =>
      row.indicatorId === null
        ? named(row.entityId, names.entity(row.entityId))
        : named(row.indicatorId, indicatorText(row, names, indicators)),
  },
  { id: 'period', label: 'Period', value: (row) => row.period },
  { id: 'severity', label: 'Severity', value: (row) => row.severity },
  { id: 'status', label: 'Status', value: (row) => row.status, show: (row) => badge(row.status) },
  {
    id: 'observedValue',
    label: 'Value',
    value: (row) => row.observedValue,
    show: (row) =>
      row.observationId === null
        ? row.observedValue
        : html`<a href=${linkTo('provenance', { id: row.observationId })}>${row.observedValue}</a>`,
  },
  { id: 'reason', label: 'Why', value: (row) => row.reason, isLong: true },
];

/** The name of an indicator with its entity; the id of one without a value. */
function indicatorText({ indicatorId, entityId }, names, indicators) {
  const name = indicators.get(indicatorId);
  return name === undefined ? indicatorId : [name, entityId && names.entity(entityId)].filter(Boolean).join(', ');
}
