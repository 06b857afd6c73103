// uPlot in the colours of the page. A chart is redrawn if its lines change, and only refilled if its values change.
import { html, useEffect, useRef, useState } from './lib/preact.js';
import uPlot from './lib/uplot.js';

/** Kind of line → colour (a variable of the style), width and dashes. */
const KINDS = {
  thin: { colour: '--line-thin', width: 1 },
  strong: { colour: '--line-strong', width: 2.5 },
  known: { colour: '--line-known', width: 2.5 },
  pin: { colour: '--line-pin', width: 2, dash: [6, 4] },
  edge: { colour: '--line-known', width: 1, dash: [3, 3] },
  zero: { colour: '--muted', width: 1, dash: [2, 4] },
};

/**
 * `lines`: [{ label, kind, isPoints?, isStep? }]; `data`: [xs, ...ys], xs in seconds if `isTime` (the default), null for no value.
 * `bands`: [{ series: [upper, lower], kind }] by position in `data`. `onPick(index)` when a point is chosen. `label` describes the chart for screen readers.
 */
export function Chart({ label, lines, data, bands = [], height = 340, isTime = true, xText, yText, onPick }) {
  const place = useRef(null);
  const plot = useRef(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const isDark = useIsDark();
  const shape = JSON.stringify([lines, bands, height, isTime, isDark]);
  useEffect(() => {
    const drawn = new uPlot(optionsOf({ place: place.current, lines, bands, height, isTime, xText, yText }), data, place.current);
    const choose = () => drawn.cursor.idx !== null && drawn.cursor.idx !== undefined && pick.current?.(drawn.cursor.idx);
    drawn.over.addEventListener('click', choose);
    const resized = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry.contentRect.width);
      if (width > 0 && width !== drawn.width) drawn.setSize({ width, height });
    });
    resized.observe(place.current);
    plot.current = drawn;
    return () => {
      resized.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(data), [data]);
  return html`<div class="chart" role="img" aria-label=${label} ref=${place}></div>`;
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

function optionsOf({ place, lines, bands, height, isTime, xText, yText }) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--text'), grid: { stroke: colour('--grid'), width: 1 }, ticks: { stroke: colour('--grid'), width: 1 } };
  const format = xText ?? (isTime ? (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10) : String);
  return {
    width: Math.max(200, Math.floor(place.clientWidth)),
    height,
    // Days are UTC, wherever the visitor is.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: { x: { time: isTime } },
    axes: [axis, { ...axis, size: 72, values: (_plot, ticks) => ticks.map((tick) => (yText ?? shortNumber)(tick)) }],
    legend: { show: false },
    cursor: { points: { show: false } },
    series: [{ value: (_plot, x) => (x === null ? '' : format(x)) }, ...lines.map((line) => seriesOf(line, colour))],
    bands: bands.map(({ series }) => ({ series, fill: colour('--band') })),
  };
}

function seriesOf({ label, kind, isPoints = false, isStep = false }, colour) {
  const { colour: name, width, dash } = KINDS[kind];
  return {
    label,
    stroke: colour(name),
    width,
    ...(dash === undefined ? {} : { dash }),
    ...(isStep ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
    points: { show: isPoints },
    spanGaps: false,
  };
}

const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 7 });
const shortNumber = (value) => SHORT.format(value);
