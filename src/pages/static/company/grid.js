// The multiples as a compact grid: value, course over ten years, place within its own history and within the sector.
import { html, useMemo } from '../lib/preact.js';
import { getAll, getText } from '../api.js';
import { Missing, useAsked } from '../components.js';
import { counted, exactText } from '../numbers.js';
import { parseCsv } from '../tables/csv.js';
import { Sparkline } from '../charts/sparkline.js';
import { aboutLines, historyAsked, historyIn, LEAST_MONTHS, MULTIPLES, percentileOf, textsIn } from './multiples.js';

const MOST_PEERS = 1000;
const getPeers = (path, params, options) => getAll(path, params, { ...options, most: MOST_PEERS });
const isNumber = (value) => value !== null && value !== undefined;

export function Multiples({ of: company, as_of, chosen, onChoose }) {
  const asked = historyAsked(company.companyId, as_of, new Date().toISOString().slice(0, 10));
  const history = useAsked('/panels', asked, getText);
  const peers = useAsked(company.sector === null ? null : '/public/companies', { sector: company.sector, as_of }, getPeers);
  const courses = useMemo(() => historyIn(parseCsv(history.answer?.text ?? '')), [history.answer]);
  const others = peers.answer?.data ?? [];
  const known = [...courses.values()].flat().filter(({ value }) => value !== null);
  const from = known.reduce((first, { periodEnd }) => (first === null || periodEnd < first ? periodEnd : first), null);
  const hasSector = others.length > 1 && Object.values(company.multiples).some(isNumber);
  const span = { from: from ?? asked.to, to: asked.to };
  const texts = textsIn(company.multiples);
  return html`<div><ul class="multiples" aria-label="Multiples">
      ${Object.entries(MULTIPLES).map(
        ([id, [indicator, label]]) =>
          html`<${Multiple}
            key=${id}
            label=${label}
            text=${texts(id, label)}
            value=${company.multiples[id]}
            course=${(courses.get(indicator) ?? []).filter(({ value }) => value !== null)}
            span=${span}
            peers=${others.map(({ multiples }) => multiples[id]).filter(isNumber)}
            isChosen=${id === chosen}
            onChoose=${() => onChoose(id)}
          />`,
      )}
    </ul>
    ${history.state === 'answered' && html`<p class="small">${aboutLines({ from, as_of, hasSector })}</p>`}</div>`;
}

function Multiple({ label, text, value, course, span, peers, isChosen, onChoose }) {
  const own = percentileOf(
    value,
    course.map((point) => point.value),
    LEAST_MONTHS,
  );
  const isShort = isNumber(value) && course.length > 0 && course.length < LEAST_MONTHS;
  const sector = percentileOf(value, peers);
  const place = (name, percentile, count, of) =>
    percentile === null
      ? null
      : html`<span class="whole" title=${`${percentile} % of ${count} ${of} are lower`}>${name} ${percentile} %</span>`;
  const places = [
    isShort
      ? html`<span class="whole" title=${`From ${LEAST_MONTHS} month ends on there is a percentile`}>${counted(course.length, 'month end')}</span>`
      : place('own', own, course.length, 'month ends'),
    place('sector', sector, peers.length, 'companies'),
  ].filter((one) => one !== null);
  return html`<li><button type="button" aria-pressed=${isChosen} onClick=${onChoose}>
    <span class="label">${label}</span>
    <span class="value"><${Shown} value=${value} text=${text} /></span>
    <${Sparkline} points=${course} from=${span.from} to=${span.to} />
    <span class="small">${places.map((one, at) => html`${at > 0 && ' · '}${one}`)}</span>
  </button></li>`;
}

/** The number of a tile, with all of it under the pointer. */
function Shown({ value, text }) {
  if (!isNumber(value)) return html`<${Missing} />`;
  return text === exactText(value) ? text : html`<span title=${exactText(value)}>${text}</span>`;
}
