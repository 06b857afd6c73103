// Values of one day as dots on an axis, the median marked. Pointing at a dot or moving to it with the arrow keys names it, Enter opens it.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { markTexts, numberText, publishedText } from '../numbers.js';
import { axisOf, stacked } from './places.js';

const [RADIUS, MARGIN, TOP, BOTTOM] = [5, 26, 34, 26];
const MARK_WIDTH = 90;

/** `dots`: [{ id, name, value, about, href, isOld }], an old one is hollow; `chosen` is the id of one to stress. */
export function Strip({ label, unit, dots, median, chosen }) {
  const place = useRef(null);
  const width = useWidth(place);
  const sorted = dots.toSorted((a, b) => a.value - b.value);
  const axis = axisOf(
    sorted.map(({ value }) => value),
    Math.max(2, Math.floor(width / MARK_WIDTH)),
  );
  const xOf = (value) => MARGIN + axis.at(value) * (width - 2 * MARGIN);
  const rows = stacked(
    sorted.map(({ value }) => xOf(value)),
    2 * RADIUS + 1,
  );
  const height = TOP + BOTTOM + (Math.max(...rows) + 1) * (2 * RADIUS + 1);
  const ground = height - BOTTOM;
  const placed = sorted.map((dot, at) => ({ ...dot, x: xOf(dot.value), y: ground - RADIUS - 2 - rows[at] * (2 * RADIUS + 1) }));
  const texts = axis.isLog ? axis.marks.map(numberText) : markTexts(axis.marks);
  return html`<div class="strip" ref=${place}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${height} role="group" aria-label=${label}>
      <line class="axis" x1=${MARGIN} x2=${width - MARGIN} y1=${ground} y2=${ground} />
      ${axis.marks.map(
        (mark, at) => html`<g>
          <line class="axis" x1=${xOf(mark)} x2=${xOf(mark)} y1=${ground} y2=${ground + 5} />
          <text x=${xOf(mark)} y=${ground + 19} text-anchor="middle">${texts[at]}</text>
        </g>`,
      )}
      <line class="median" x1=${xOf(median)} x2=${xOf(median)} y1=${TOP - 8} y2=${ground} />
      <text class="median" x=${Math.min(Math.max(xOf(median), 60), width - 60)} y="12" text-anchor="middle">median ${numberText(median)}</text>
      <${Dots} dots=${placed} unit=${unit} chosen=${chosen} width=${width} />
    </svg>`
    }
  </div>`;
}

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };

/** One stop of the Tab key, as a strip may have a hundred dots. */
function Dots({ dots, unit, chosen, width }) {
  const [named, setNamed] = useState(null);
  const [stop, setStop] = useState(chosen);
  const links = useRef(new Map());
  const first = dots.some(({ id }) => id === stop) ? stop : dots[0].id;
  const press = (event, at) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    links.current.get(dots[Math.max(0, Math.min(dots.length - 1, at + step))].id)?.focus();
  };
  const shown = dots.find(({ id }) => id === named) ?? null;
  return html`<g>
    ${dots.map(
      ({ id, name, value, about, href, isOld, x, y }, at) => html`<a
        key=${id}
        href=${href}
        class=${`dot${id === chosen ? ' chosen' : ''}${isOld ? ' old' : ''}`}
        tabindex=${id === first ? 0 : -1}
        aria-label=${`${name}: ${publishedText(value)} ${unit}, ${about}`}
        ref=${(link) => (link === null ? links.current.delete(id) : links.current.set(id, link))}
        onFocus=${() => {
          setStop(id);
          setNamed(id);
        }}
        onBlur=${() => setNamed(null)}
        onPointerEnter=${() => setNamed(id)}
        onPointerLeave=${() => setNamed(null)}
        onKeyDown=${(event) => press(event, at)}
      ><circle cx=${x} cy=${y} r=${RADIUS} /></a>`,
    )}
    ${shown !== null && html`<${Name} dot=${shown} unit=${unit} width=${width} />`}
  </g>`;
}

/** In place of the text of the median, so that it covers no dot. */
function Name({ dot: { name, value, about, x }, unit, width }) {
  const text = `${name}: ${publishedText(value)} ${unit}, ${about}`;
  const half = Math.min(width / 2, 3.6 * text.length + 8);
  const middle = Math.min(Math.max(x, half), width - half);
  return html`<g class="name" aria-hidden="true">
    <rect x=${middle - half} y="0" width=${2 * half} height="20" rx="4" />
    <text x=${middle} y="14" text-anchor="middle">${text}</text>
  </g>`;
}

function useWidth(place) {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const resized = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    resized.observe(place.current);
    return () => resized.disconnect();
  }, []);
  return width;
}
