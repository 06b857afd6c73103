// The scores of a company: of the as-of, and as they were known at the ends of the quarters before it.
import { html, useMemo, useState } from '../lib/preact.js';
import { get } from '../api.js';
import { Answer, instantText, useAsked } from '../components.js';
import { Chart } from '../charts/chart.js';
import { counted, numberText } from '../numbers.js';
import { Table } from '../tables/table.js';
import { quarterEnds } from './statements.js';
import { rankedAmong } from './then.js';

const SCORES = { composite: 'Composite', value: 'Value', quality: 'Quality', growth: 'Growth', financialHealth: 'Financial health' };
const QUARTERS = 8;

const percentText = (ratio) => `${numberText(Math.round(ratio * 100))} %`;
const secondsOf = (day) => Date.parse(day) / 1000;

export function Scored({ of: company, as_of }) {
  const scores = Object.entries(SCORES).map(([id, label]) => ({ id, label, value: company.scores[id] }));
  const columns = [
    { id: 'score', label: 'Score', value: (row) => row.label },
    { id: 'value', label: 'Value', value: (row) => row.value, isNumber: true },
  ];
  const about =
    company.scoreAsOf === null
      ? 'Scores'
      : `Scores of ${instantText(company.scoreAsOf)}, 0 to 100 ${rankedAmong(company.sector, as_of)}, from ${percentText(company.scoreCoverage)} of their inputs`;
  return html`<${Table} columns=${columns} rows=${scores} caption=${about} name=${`${company.companyId}-scores`} />`;
}

/** As known at the ends of the last quarters: one request for each. */
export function Scores({ of: company, asked, as_of }) {
  const { companyId: id } = company;
  const [isOpen, setOpen] = useState(false);
  const day = (as_of ?? new Date().toISOString()).slice(0, 10);
  const found = useAsked(isOpen ? '/public/companies' : null, asked, async (path, params, options) => {
    const rows = [];
    // The last one is the as-of itself, because the end of its day may have later values.
    for (const end of [...quarterEnds(day, QUARTERS), as_of ?? day]) {
      const { data } = await get(path, { ...params, as_of: end, limit: 500 }, options);
      const row = data.find(({ companyId }) => companyId === id);
      rows.push({
        end,
        scores: row?.scores ?? {},
        coverage: row?.scoreCoverage ?? null,
        among: row === undefined ? null : (row.sector ?? 'all companies'),
        why: row === undefined ? 'not known yet' : row.rightsNote,
      });
    }
    return { data: rows };
  });
  const columns = [
    { id: 'as_of', label: 'As of', value: (row) => row.end },
    ...Object.entries(SCORES).map(([name, label]) => ({
      id: name,
      label,
      value: (row) => row.scores[name] ?? null,
      isNumber: true,
      why: (row) => row.why ?? undefined,
    })),
    { id: 'coverage', label: 'Coverage', value: (row) => row.coverage, isNumber: true, show: (row) => percentText(row.coverage) },
    { id: 'among', label: 'Ranked within', value: (row) => row.among },
  ];
  if (!isOpen) return html`<p><button type="button" onClick=${() => setOpen(true)}>Load the last ${QUARTERS} quarters</button></p>`;
  return html`<${Answer} asked=${found}>
    ${({ data }) => html`<div><${ScoreChart} of=${company} rows=${data} /><${Table} columns=${columns} rows=${data} caption="Scores as they were known" name=${`${id}-scores-through-time`} /></div>`}
  <//>`;
}

function ScoreChart({ of: company, rows }) {
  const data = useMemo(() => [rows.map(({ end }) => secondsOf(end)), rows.map(({ scores }) => scores.composite ?? null)], [rows]);
  if (data[1].every((value) => value === null)) return null;
  const picture = {
    name: `${company.companyId}-composite-score`,
    title: `${company.name}: composite score`,
    notes: [`0 to 100 within the sector, or among all companies; each score as known on its day, ${rows[0].end} to ${rows.at(-1).end}`],
  };
  return html`<${Chart} label=${`Composite score, as known on ${counted(rows.length, 'day')}`} lines=${[{ label: 'composite', kind: 'strong', isPoints: true }]} data=${data} height=${200} picture=${picture} />`;
}
