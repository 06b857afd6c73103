// uPlot in the colours of the page. A chart is redrawn if its lines change, and only refilled if its values change.
import { html, useEffect, useMemo, useRef, useState } from '../lib/preact.js';
import { SaveButton } from '../components.js';
import uPlot from '../lib/uplot.js';
import { markTexts } from '../numbers.js';
import { endsOf, withoutZeroBars } from './bars.js';
import { tipRows } from './tip.js';
import { incrementsOf, markNames, marksBetween } from './ticks.js';

/** Kind of line → colour (a variable of the style), width and dashes. */
const KINDS = {
  thin: { colour: '--line-thin', width: 1.25 },
  strong: { colour: '--line-strong', width: 2 },
  known: { colour: '--line-known', width: 2.5 },
  pin: { colour: '--line-pin', width: 2, dash: [6, 4] },
  edge: { colour: '--line-known', width: 1, dash: [3, 3] },
  first: { colour: '--line-first', width: 1.5 },
  other: { colour: '--line-first', width: 1.5 },
  beside: { colour: '--line-beside', width: 2 },
  zero: { colour: '--muted', width: 1, dash: [2, 4] },
};

const NONE = [];
const LEAST_WIDTH = 200;
/** Of a saved picture, in pixels of the style, whatever the window. */
const PICTURE_WIDTH = 1000;

const isOfBars = ({ isBars = false }) => isBars;
const hasRoomFor = (column, lines) => column !== null || lines.some(isOfBars);

/**
 * `lines`: [{ label, legend?, kind, isPoints?, isStep?, isBars?, isDots?, isRight?, isBeyond? }]; `data`: [xs, ...ys], xs in seconds if `isTime` (the default), with a
 * value for every `step` at most: 'day', 'month', 'quarter' or 'year', whose names the axis has. A y is null for no value, undefined if the line has no such period. A line that `isRight` has the axis of `rightUnit`; one that `isBeyond` does not widen the axis.
 * `range`: the two ends of the left axis. If it is null, the smallest and the largest value are the ends.
 * `bands`: [{ series: [upper, lower], kind }] by position in `data`. `onPick(index)` when a point is chosen. `label` describes the chart for screen readers.
 * Pointing at it shows `xText(x, index)` and the values of all lines that are not thin, in `unit`, which the axis has too. If a line `isOther`, the row
 * `headText(index)` names the own series above its values.
 * `shades`: [[from, to]] on the x-axis. The chart draws them behind everything. If `to` is null, a shade ends at the right edge.
 * `picture`: { name, title, notes, shadeText? } offers the chart as a file, with `shadeText` for the shades in its legend. `xTitle` is below the x-axis. Charts of the same `column` (of `useColumn`) stand above each other: they begin at the same
 * place, zoom together, and have their pointers at the same x. A zoomed chart has a button that shows all of it again.
 */
export function Chart({
  label,
  lines,
  data,
  bands = [],
  shades = NONE,
  height = 340,
  isTime = true,
  step = 'day',
  xText,
  headText,
  xTitle,
  unit = '',
  rightUnit = null,
  range = null,
  onPick,
  picture,
  column = null,
}) {
  const place = useRef(null);
  const plot = useRef(null);
  const now = useRef(null);
  const { isZoomed, zoom, reset } = useZoom(place, plot, column);
  now.current = { onPick, shades, headText, xText: xText ?? (isTime ? dayText : String), lines, units: [unit, rightUnit ?? unit], data };
  const isDark = useIsDark();
  const shape = JSON.stringify([lines, bands, height, isTime, step, xTitle, unit, rightUnit, range, isDark]);
  const hasRoom = hasRoomFor(column, lines);
  const asked = { lines, bands, height, isTime, step, xTitle, unit, rightUnit, range, hasRoom, shade: shader(now) };
  const drawnData = useMemo(() => withoutZeroBars(data, lines), [data, shape]);
  useEffect(() => {
    const width = Math.max(LEAST_WIDTH, Math.floor(place.current.clientWidth));
    const drawn = new uPlot(optionsOf({ ...asked, width, column, point: pointer(now), zoom }), drawnData, place.current);
    column?.plots.add(drawn);
    const choose = () => drawn.cursor.idx !== null && drawn.cursor.idx !== undefined && now.current.onPick?.(drawn.cursor.idx);
    drawn.over.addEventListener('click', choose);
    // Without this module a chart still works.
    if (navigator.maxTouchPoints > 0) letFingersZoom(drawn, column).catch(() => {});
    const resized = new ResizeObserver(([entry]) => {
      const across = Math.floor(entry.contentRect.width);
      if (across > 0 && across !== drawn.width) drawn.setSize({ width: across, height });
    });
    resized.observe(place.current);
    plot.current = drawn;
    return () => {
      resized.disconnect();
      column?.plots.delete(drawn);
      drawn.destroy();
      plot.current = null;
    };
  }, [shape]);
  const shaded = useRef(shades);
  useEffect(() => {
    // A new chart draws its shades by itself.
    if (shaded.current !== shades) plot.current?.redraw(false);
    shaded.current = shades;
  }, [shades]);
  useEffect(() => plot.current?.data !== drawnData && plot.current?.setData(drawnData), [drawnData]);
  const saved = (form) => async () => {
    const [files, { wholeNotes }] = await Promise.all([import('../series/picture.js'), import('../series/picture-text.js')]);
    const shown = { ...pictureOf(picture, lines, bands), notes: await wholeNotes(picture.notes), shades };
    const drawn = await forPicture({ ...asked, column }, drawnData, plot.current.scales.x);
    const file = await files[form](drawn, shown, coloursNow());
    drawn.destroy();
    return file;
  };
  return html`<div><div class="chart" role="img" tabindex="-1" aria-label=${label} ref=${place}></div>
    <${Buttons} onReset=${isZoomed ? reset : null} picture=${picture} saved=${saved} /></div>`;
}

/** Below a chart. `onReset` is null if it shows everything, `picture` undefined if it offers none; `saved(form)` makes the file. */
function Buttons({ onReset, picture, saved }) {
  if (onReset === null && picture === undefined) return null;
  const file = (form, label) =>
    html`<${SaveButton} name=${`${picture.name}.${label.toLowerCase()}`} label=${label} content=${saved(form)} />`;
  return html`<p class="pictures">
    ${onReset !== null && html`<button type="button" class="quiet" onClick=${onReset}>Reset zoom</button>`}
    ${picture !== undefined && html`${file('pngOf', 'PNG')} ${file('svgOf', 'SVG')}`}
  </p>`;
}

/** Tells whether the axis leaves out some of the points, as a hook of uPlot. */
function zoomed(tell) {
  return (plot, key) => {
    const [xs] = plot.data;
    const { min, max } = plot.scales.x;
    if (key === 'x' && min !== null && xs.length > 0) tell(min > xs[0] || max < xs.at(-1));
  };
}

/** Whether the chart is zoomed, the hook of uPlot that finds out, and what shows all of its column again. */
function useZoom(place, plot, column) {
  const [isZoomed, setZoomed] = useState(false);
  const reset = () => {
    for (const one of column?.plots ?? [plot.current]) one.setData(one.data);
    // The button goes, so the focus moves to its chart.
    place.current.focus();
  };
  return { isZoomed, zoom: zoomed(setZoomed), reset };
}

/** For charts above each other, which have the same xs and no right axis. */
export function useColumn() {
  return useMemo(() => ({ key: `column ${(columns += 1)}`, plots: new Set() }), []);
}
let columns = 0;

/** Only for devices with a touch screen. */
async function letFingersZoom(plot, column) {
  const { zoomByTouch } = await import('./touch.js');
  zoomByTouch(plot, (part) => (column?.plots ?? [plot]).forEach((one) => one.setScale('x', part)));
}

/** The room left of the plot for marks of these texts, or what another chart of the column needs. There are no texts before the chart has a scale. */
function gutterOf(plot, texts, column) {
  if (texts === null) return LEAST_GUTTER;
  plot.needs = LEAST_GUTTER + 8 * Math.max(0, ...texts.map(({ length }) => length));
  plot.takes = column === null ? plot.needs : widestOf([plot, ...column.plots]);
  return plot.takes;
}
const LEAST_GUTTER = 20;

const widestOf = (plots) => Math.max(...plots.map(({ needs = 0 }) => needs));

/** Draws the other charts of the column again if their left edge differs from that of the drawn one. */
function follow(drawn, column) {
  const plots = [...column.plots];
  for (const plot of plots) if (plot !== drawn && plot.takes !== undefined && plot.takes !== widestOf(plots)) plot.redraw(true, true);
}

/** Variable of the style → its value in the present scheme. */
function colourReader() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}

function coloursNow() {
  const colour = colourReader();
  return {
    ground: colour('--ground'),
    text: colour('--text'),
    grid: colour('--grid'),
    band: colour('--band'),
    shade: colour('--recession'),
  };
}

function pictureOf(picture, lines, bands) {
  const colour = colourReader();
  const ground = colour('--ground');
  const looks = lines.map((line) => ({ ...line, ...KINDS[line.kind], colour: colour(KINDS[line.kind].colour), ground }));
  return { ...picture, looks, bands };
}

const dayText = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** A hook of uPlot that draws the box beside the pointer: the values at the index of the cursor, as published. */
function pointer(now) {
  const box = document.createElement('div');
  box.className = 'tip';
  box.hidden = true;
  const row = (className, text) => {
    const line = document.createElement('div');
    line.className = className;
    line.textContent = text;
    return line;
  };
  return (plot) => {
    const { idx, left } = plot.cursor;
    if (box.parentNode !== plot.over) plot.over.append(box);
    box.hidden = idx === null || idx === undefined || left < 0;
    if (box.hidden) return;
    const { lines, units, xText, data, headText } = now.current;
    // The drawn data lack zeros of bars.
    const values = data.slice(1).map((line) => line[idx]);
    const told = tipRows({ lines, values, units, head: headText?.(idx) }).map(([kind, text]) => row(kind, text));
    box.replaceChildren(row('when', xText(plot.data[0][idx], idx)), ...told);
    // Beside the pointer, on the side with more room.
    const isRight = left > plot.over.clientWidth / 2;
    box.style.left = isRight ? '' : `${left + 12}px`;
    box.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : '';
  };
}

/** Left edge and width of a shade between the ends of the axis, in the unit of `place(x)`; null if it lies outside. */
export function shadeWithin([from, to], { min, max }, place) {
  const [begin, end] = [Math.max(from, min), Math.min(to ?? max, max)];
  return end <= begin ? null : [place(begin), place(end) - place(begin)];
}

/** Fills the shades before uPlot draws over them. */
function shader(now) {
  return (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = colourReader()('--recession');
    for (const one of now.current.shades) {
      const found = shadeWithin(one, plot.scales.x, (x) => plot.valToPos(x, 'x', true));
      if (found !== null) ctx.fillRect(found[0], bbox.top, found[1], bbox.height);
    }
    ctx.restore();
  };
}

function useIsDark() {
  const asked = window.matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setDark] = useState(asked.matches);
  useEffect(() => {
    const changed = () => setDark(asked.matches);
    asked.addEventListener('change', changed);
    return () => asked.removeEventListener('change', changed);
  }, []);
  return isDark;
}

/** Draws the chart again at the width of pictures, from `min` to `max`. uPlot has drawn it when a timer of 0 ms ends. */
async function forPicture({ column, ...asked }, data, { min, max }) {
  const nothing = () => {};
  // It begins at the place of the pictures of its column, which it does not move.
  const aside = column === null ? null : { plots: new Set([{ needs: widestOf([...column.plots]) }]) };
  const drawn = new uPlot(optionsOf({ ...asked, width: PICTURE_WIDTH, column: aside, point: nothing, zoom: nothing }), data);
  drawn.setScale('x', { min, max });
  await new Promise((resolve) => setTimeout(resolve, 0));
  return drawn;
}

/** `hasRoom`: for whole bars at the ends. Charts above each other all have it, so that they have one axis. */
function optionsOf({ width, lines, bands, height, isTime, step, xTitle, unit, rightUnit, range, column, hasRoom, point, shade, zoom }) {
  const colour = colourReader();
  const axis = { stroke: colour('--text'), grid: { stroke: colour('--grid'), width: 1 }, ticks: { stroke: colour('--grid'), width: 1 } };
  const valuesAxis = (text, more) => ({
    ...axis,
    size: (plot, texts) => gutterOf(plot, texts, column),
    values: (_plot, marks) => markTexts(marks),
    ...titled(text),
    ...more,
  });
  const right = rightUnit === null ? [] : [valuesAxis(rightUnit, { scale: 'right', side: 1, grid: { show: false } })];
  return {
    width,
    height,
    scales: { x: { time: isTime, ...(isTime ? { range: axisOf(step, hasRoom) } : {}) }, ...(range === null ? {} : { y: { range } }) },
    axes: [{ ...axis, ...(isTime ? timeAxis(step) : {}), ...titled(xTitle) }, valuesAxis(unit, {}), ...right],
    legend: { show: false },
    cursor: { points: { show: false }, ...(column === null ? {} : { sync: { key: column.key, setSeries: false } }) },
    series: [{}, ...lines.map((line) => seriesOf(line, colour))],
    bands: bands.map(({ series }) => ({ series, fill: colour('--band') })),
    hooks: { setCursor: [point], setScale: [zoom], drawClear: [shade], draw: column === null ? [] : [(plot) => follow(plot, column)] },
  };
}

const titled = (text) => (text ? { label: text, labelSize: 20, labelGap: 0 } : {});

const axisOf = (step, hasRoom) => (plot, min, max) => endsOf(plot.data[0], min, max, incrementsOf(step)[0], hasRoom);

const timeAxis = (step) => ({
  incrs: incrementsOf(step),
  splits: (_plot, _at, min, max, increment) => marksBetween(min, max, increment),
  values: (_plot, marks, _at, _space, increment) => markNames(marks, increment, step),
});

function seriesOf({ label, kind, isPoints = false, isDots = false, isRight = false, isBeyond = false, ...shape }, colour) {
  const { colour: name, width, dash } = KINDS[kind];
  const paths = isDots ? () => null : pathsOf(shape);
  return {
    label,
    scale: isRight ? 'right' : 'y',
    auto: !isBeyond,
    stroke: colour(name),
    width,
    ...(dash === undefined ? {} : { dash }),
    ...(paths === null ? {} : { paths }),
    ...(shape.isBars ? { fill: colour(name) } : {}),
    points: isDots ? { show: true, size: 6, width: 1.5, fill: colour('--ground') } : { show: isPoints, fill: colour('--ground') },
    spanGaps: false,
  };
}

function pathsOf({ isStep, isBars }) {
  if (isBars) return uPlot.paths.bars({ size: [0.7, 12] });
  return isStep ? uPlot.paths.stepped({ align: 1 }) : null;
}
