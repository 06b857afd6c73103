// Provenance: the publisher's file, its run, the steps, the row; and the inputs of a computed row as a tree.
import { html, useEffect, useState } from '../lib/preact.js';
import { get } from '../api.js';
import { asOfText } from '../as-of-note.js';
import { Answer, Badge, CopyButton, Figure, instantText, Missing, Requests, useAsked } from '../components.js';
import { PRINT_COLUMNS } from '../tables/prints.js';
import { Table } from '../tables/table.js';
import { sourceColumn, useIndicatorNames, useNamesOf } from '../names.js';
import { counted, exactText, unitText } from '../numbers.js';
import { fileChecksOf } from '../snippets.js';
import { fileName } from '../series/picture-text.js';
import { areaColumn, areaOf } from '../today/area.js';

const NEWEST = 8;
const NEWEST_COLUMNS = 'indicatorId,indicatorName,country,instrumentId,period,actual,unit,observedAt,observationId,sourceId';

/** The observation id in a text: the id itself, or a link to it or to its chain. */
export function idIn(text) {
  const [, id] = /(?:[?&]id=|\/provenance\/observations\/)([^&?#\s]+)/.exec(text) ?? [];
  return id === undefined ? text.trim() : decodeURIComponent(id);
}

export function Provenance({ params, set, linkTo }) {
  const [text, setText] = useState(params.id ?? '');
  useEffect(() => setText(params.id ?? ''), [params.id]);
  const path = params.id === undefined ? null : `/provenance/observations/${encodeURIComponent(params.id)}`;
  const found = useAsked(path, { as_of: params.as_of });
  const submit = (event) => {
    event.preventDefault();
    set({ id: idIn(text) });
  };
  return html`<section><h1>Provenance</h1>
    <form class="row" onSubmit=${submit}>
      <label>Observation id or link <input size="36" value=${text} onInput=${(event) => setText(event.target.value)} placeholder="obs_…" required /></label>
      <button type="submit">Show</button>
    </form>
    ${path === null && html`<${Start} as_of=${params.as_of} linkTo=${linkTo} />`}
    <${Answer} asked=${found}>${({ data }) => html`<${Chain} chain=${data} as_of=${params.as_of} linkTo=${linkTo} />`}<//>
    ${path !== null && html`<${Requests} requests=${[{ label: 'This chain', path, params: { as_of: params.as_of } }]} />`}</section>`;
}

/** The newest rows of important macro indicators. If none is important, the newest rows of all. */
async function importantFirst(path, params, options) {
  const important = await get(path, { ...params, type: 'macro', importance: 'high' }, options);
  return important.data.length > 0 ? important : get(path, params, options);
}

/** What the page is for, and rows to try it with. */
function Start({ as_of, linkTo }) {
  const asked = { as_of, sort: 'observed_at', order: 'desc', columns: NEWEST_COLUMNS, limit: NEWEST };
  const found = useAsked('/observations/latest', asked, importantFirst);
  const names = useNamesOf(
    (found.answer?.data ?? []).flatMap(({ instrumentId }) => instrumentId ?? []),
    as_of,
  );
  const columns = [
    {
      id: 'indicatorId',
      label: 'Indicator',
      value: (row) => row.indicatorId,
      isLong: true,
      show: (row) => html`<a href=${linkTo('provenance', { id: row.observationId })}>${row.indicatorName ?? row.indicatorId}</a>`,
    },
    {
      id: 'place',
      label: 'Of',
      value: (row) => row.instrumentId ?? areaOf(row, names),
      show: (row) => (row.instrumentId === null ? areaColumn(names).show(row) : names.entity(row.instrumentId)),
    },
    { id: 'period', label: 'Period', value: (row) => row.period },
    { id: 'actual', label: 'Value', value: (row) => row.actual, isNumber: true, why: () => 'withdrawn or missing' },
    { id: 'unit', label: 'Unit', value: (row) => row.unit, show: (row) => unitText(row.unit) },
    { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
    sourceColumn(names),
  ];
  return html`<div>
    <p>Where a number comes from: the publisher's file, the run that read it, each step, and the inputs of a computed number.</p>
    <p class="note">Numbers in the tables of the other pages link here. In an answer of the interface it is the <code>observationId</code>.</p>
    <${Answer} asked=${found}>
      ${({ data }) => html`<${Table} columns=${columns} rows=${data} rowKey=${(row) => row.observationId} caption=${`Newest records of this server${asOfText(as_of)}: choose one`} name="newest-records" empty="This server has no records." />`}
    <//></div>`;
}

/** A number of the chain. */
const Value = ({ of: actual }) =>
  actual === null ? html`<${Missing} why="withdrawn or missing" />` : html`<${Figure} value=${actual} isPublished=${true} />`;

function Chain({ chain, as_of, linkTo }) {
  const names = useNamesOf([chain.entityId], as_of);
  const indicatorName = useIndicatorNames([chain.indicatorId], as_of).get(chain.indicatorId) ?? chain.indicatorId;
  const { source, rawPayload, ingestionRun, transformations, inputs, vintages, scoring } = chain;
  const isComputed = inputs.length > 0 || rawPayload === null;
  return html`<div><p>
      <strong><${Value} of=${chain.actual} /></strong> ${unitText(chain.unit ?? '')} ·${' '}
      <a href=${linkTo('series', { indicator_id: chain.indicatorId, entity: chain.entityId, source_id: source.sourceId })}>${indicatorName}</a> · ${names.entity(chain.entityId)} · ${chain.period} · known from ${instantText(chain.observedAt)}${asOfText(as_of)}
      ${' '}<${Badge} kind=${scoring.eligible ? 'good' : 'bad'}>${scoring.eligible ? 'eligible for scoring' : `not eligible: ${scoring.reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}`}<//>
    </p>
    <p>${isComputed ? html`Computed by <strong>asof</strong> from ${inputsText(inputs)}. No publisher stated it: the publishers and files are those of the numbers below.` : html`Published by <strong>${source.publisher}</strong>.`}</p>
    <ol class="chain">
      ${isComputed ? html`<${Computed} chain=${chain} as_of=${as_of} linkTo=${linkTo} />` : html`<${Publisher} chain=${chain} />`}
      ${rawPayload !== null && html`<li><h2>Publisher file</h2><${File} of=${rawPayload} source=${fileSourceOf(chain)} address=${chain.sourceUrl} /></li>`}
      ${ingestionRun !== null && html`<li><h2>Run</h2><${Run} of=${ingestionRun} /></li>`}
      <li>
        <h2>Steps</h2>
        <ol>
          ${transformations.map(
            ({ name, version, params }) => html`<li>
              <code>${name}</code> ${version}${Object.entries(params).map(([key, value]) => html`<br /><span class="small">${key}: <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></span>`)}
            </li>`,
          )}
        </ol>
      </li>
      <li>
        <h2>Row</h2>
        <${Pairs} of=${[
          ['Observation', html`<code>${chain.observationId}</code>`],
          ['Vintage', chain.vintage],
          ['Known from', chain.observedAt],
          ['Hash of the chain', html`<code>${chain.chainHash}</code>`],
        ]} />
        <${Table} columns=${vintageColumns(linkTo)} rows=${vintages} caption="Prints of this period" name=${fileName(chain.indicatorId, chain.period, 'prints', as_of)} isCurrent=${(row) => row.observationId === chain.observationId} />
      </li>
    </ol></div>`;
}

/** A multiple is listed under the source of its price, and its file is of the filings. */
const fileSourceOf = ({ source, transformations }) => ({ ...source, publisher: transformations[0]?.params.publisher ?? source.publisher });

const outside = (href) => href && html`<a href=${href} rel="noreferrer">${href}</a>`;

function Publisher({ chain: { source, sourceUrl } }) {
  return html`<li>
    <h2>Publisher</h2>
    <${Pairs} of=${[
      ['Publisher', source.publisher],
      ['Data set', `${source.name} (${source.sourceId})`],
      ['Licence', source.license],
      ['Home', outside(source.homepageUrl)],
      ['Source address', outside(sourceUrl)],
    ]} />
  </li>`;
}

/** How many of each kind: `1 number and 3 facts of filings`. */
function inputsText(inputs) {
  const facts = inputs.filter(isFact).length;
  const others = inputs.length - facts;
  const parts = [
    ...(others > 0 || facts === 0 ? [counted(others, inputs.some((one) => !isNumber(one) && !isFact(one)) ? 'document' : 'number')] : []),
    ...(facts > 0 ? [counted(facts, 'fact of filings', 'facts of filings')] : []),
  ];
  return parts.join(' and ');
}

/** A few are opened at once. */
const MOST_OPEN = 4;

/** Who computed a number, and from which ones. */
function Computed({ chain: { source, inputs }, as_of, linkTo }) {
  return html`<li>
    <h2>Computed by</h2>
    <${Pairs} of=${[['Name', 'asof'], ['Listed under', `${source.name} (${source.sourceId})`], ['Licence', source.license]]} />
  </li>
  <li>
    <h2>Computed from</h2>
    ${inputs.length === 0 && html`<p class="note">This number has no inputs that this key may see.</p>`}
    <ul class="tree">
      ${inputs.map((input) => html`<${Input} key=${input.observationId} of=${input} isFirst=${inputs.length <= MOST_OPEN} as_of=${as_of} linkTo=${linkTo} depth=${0} />`)}
    </ul>
  </li>`;
}

function Pairs({ of }) {
  return html`<dl class="facts">
    ${of.map(([label, value]) => html`<dt>${label}</dt><dd>${value === null || value === undefined || value === '' ? html`<${Missing} />` : value}</dd>`)}
  </dl>`;
}

function File({ of: file, source, address }) {
  return html`<div><${Pairs} of=${[
    ['Publisher', source.publisher],
    ['Download', outside(address) ?? html`<${Missing} why="this file came from a folder and has no address" />`],
    ['SHA-256', html`<code>${file.sha256}</code> <${CopyButton} label="Copy" text=${() => file.sha256} />`],
    ['Retrieved', instantText(file.retrievedAt)],
    ['Bytes', exactText(file.bytes)],
    ['Type', file.mediaType],
    ['Archived', file.available ? (file.locator === null ? 'yes' : html`<code>${file.locator}</code>`) : 'no longer'],
    ['Payload', html`<code>${file.payloadId}</code>`],
  ]} />
    <details class="requests"><summary>Check the file</summary>
      <p>asof read exactly the bytes with this SHA-256. A file with the same one is the same file. If the publisher's file has another one, it was replaced after ${instantText(file.retrievedAt)}; the archived one stays.</p>
      ${fileChecksOf(file, address).map(({ label, text }) => html`<figure><figcaption>${label} <${CopyButton} label="Copy" text=${() => text} /></figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`)}
      <p class="small">The interface does not hand out archived files, because licences differ: download the file from its publisher, or ask the operator of this server for the archived one${file.locator === null ? '' : html`, which is at <code>${file.locator}</code> in its <code>DATA_DIR</code>`}.</p>
    </details></div>`;
}

function Run({ of: run }) {
  return html`<${Pairs} of=${[
    ['Run', html`<code>${run.runId}</code> ${run.status}`],
    ['Reader', `${run.connectorId} ${run.connectorVersion}, asof ${run.codeRevision}`],
    ['When', `${instantText(run.startedAt)} to ${instantText(run.finishedAt)}`],
    ['Rows', `${exactText(run.rowsRead)} read, ${exactText(run.rowsWritten)} written, ${exactText(run.rowsQuarantined)} quarantined`],
  ]} />`;
}

const MOST_DEPTH = 6;

/** A fact of a filing has no chain: it is in the file of the number itself. */
const isFact = ({ role }) => role === 'fact';
/** Only numbers have a chain; a text is in the file. */
const isNumber = ({ observationId }) => observationId.startsWith('obs_');

/** An input of another row, which may be computed itself: it is fetched when it is opened. */
function Input({ of: input, isFirst = false, as_of, linkTo, depth }) {
  const [isOpen, setOpen] = useState(isFirst);
  const found = useAsked(isOpen && isNumber(input) ? `/provenance/observations/${input.observationId}` : null, { as_of });
  const href = linkTo('provenance', { id: input.observationId });
  return html`<li>
    <details open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>${input.role.replaceAll('_', ' ')}: ${input.indicatorId}</summary>
      <p class="small">
        ${isNumber(input) ? html`<a href=${href}>Provenance of <code>${input.observationId}</code></a>` : html`<code>${input.observationId}</code>`}
        ${input.payloads.map(({ sha256 }) => html`<br />file <code>${sha256}</code>`)}
      </p>
      <${Answer} asked=${found}>
        ${({
          data,
        }) => html`<div><p><strong><${Value} of=${data.actual} /></strong> ${unitText(data.unit ?? '')} · ${data.period} · known from ${instantText(data.observedAt)} · ${data.inputs.length > 0 || data.rawPayload === null ? 'computed by asof' : `published by ${data.source.publisher}`}</p>
          ${data.rawPayload !== null && html`<${File} of=${data.rawPayload} source=${fileSourceOf(data)} address=${data.sourceUrl} />`}
          ${
            data.inputs.length > 0 &&
            depth < MOST_DEPTH &&
            html`<ul class="tree">
            ${data.inputs.map((one) => html`<${Input} key=${one.observationId} of=${one} as_of=${as_of} linkTo=${linkTo} depth=${depth + 1} />`)}
          </ul>`
          }</div>`}
      <//>
    </details>
  </li>`;
}

const vintageColumns = (linkTo) => [
  ...PRINT_COLUMNS,
  {
    id: 'observationId',
    label: 'Row',
    value: (row) => row.observationId,
    show: (row) => html`<a href=${linkTo('provenance', { id: row.observationId })}><code>${row.observationId}</code></a>`,
  },
];
