// A drawn chart as a file: SVG from its data and scales, PNG from that SVG; both with title, legend and notes.

import { shadeWithin } from '../charts/chart.js';
import { marksFirst } from '../charts/tip.js';
import { legendPlaces, wrapped } from './picture-places.js';

const [LINE, LEFT] = [18, 12];
const FONT = 'system-ui, sans-serif';

/** The width of a text in pixels. A picture is drawn in the browser that measures it. */
function widthIn(size, isBold = false) {
  const context = document.createElement('canvas').getContext('2d');
  context.font = `${isBold ? 'bold ' : ''}${size}px ${FONT}`;
  return (text) => context.measureText(text).width;
}

/**
 * One place for each line that has a value; thin lines share one. If there is a line of another series, the name of the own series comes first (`head`), and the
 * other line after the own ones. The shades have the last place, if the picture says what they are.
 */
function toldIn(plot, { looks, shades, shadeText, head }, shade) {
  const told = [];
  looks.forEach((look, at) => {
    const isEmpty = plot.data[at + 1].every((value) => value === null || value === undefined);
    if (isEmpty || look.kind === 'zero') return;
    if (look.kind !== 'thin') told.push(look);
    else if (told[0]?.kind !== 'thin') told.unshift({ ...look, label: look.group ?? 'vintages' });
  });
  const [thin, thick] = [told.filter(({ kind }) => kind === 'thin'), marksFirst(told.filter(({ kind }) => kind !== 'thin'))];
  const [others, own] = [thick.filter(({ isOther }) => isOther), [...thin, ...thick.filter(({ isOther }) => !isOther)]];
  const all = others.length === 0 ? own : [{ label: head, isHead: true }, ...own, ...others];
  const isShaded = shades.some((one) => shadeWithin(one, plot.scales.x, Number) !== null);
  return isShaded && shadeText !== undefined ? [...all, { label: shadeText, colour: shade, isShade: true }] : all;
}

/** `looks`: [{ label, legend?, kind, group?, colour, ground, width, dash?, isDots?, isStep?, isBars?, isRight?, isOther? }] by series. → sizes, legend and texts with their places. */
function frameOf(plot, { title, notes, ...drawn }, shade) {
  const inside = plot.width - 2 * LEFT;
  const heads = wrapped(title, inside, widthIn(16, true)).map((text, at) => ({ text, x: LEFT, y: 24 + 21 * at, size: 16, isBold: true }));
  const top = 19 + 21 * heads.length;
  const [plain, bold] = [widthIn(12), widthIn(12, true)];
  const widthOf = (look) => (look.isHead ? bold : plain)(nameOf(look));
  const legend = legendPlaces(toldIn(plot, drawn, shade), { left: LEFT, right: plot.width - LEFT }, widthOf).map(({ row, ...place }) => ({
    ...place,
    row,
    y: top + plot.height + LINE * (row + 1),
  }));
  const below = top + plot.height + LINE * ((legend.at(-1)?.row ?? 0) + 1);
  const small = widthIn(11);
  const feet = notes
    .flatMap((note) => wrapped(note, inside, small))
    .map((text, at) => ({ text, x: LEFT, y: below + LINE * (at + 1) + 4, size: 11 }));
  return { width: plot.width, height: below + LINE * (feet.length + 1), top, legend, texts: [...heads, ...feet] };
}

/** Pixels of a PNG for each of the picture, so that it is sharp on any screen. */
const DENSITY = 2;

/** The picture of `svgOf` in pixels, as a promise of a Blob. */
export async function pngOf(plot, picture, colours) {
  const { text, width, height } = drawingOf(plot, picture, colours);
  const image = new Image();
  // The policy of the pages allows no blobs as images.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [DENSITY * width, DENSITY * height];
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const short = (number) => Number(number.toFixed(2));

/** The chart with its frame, as a Blob. */
export function svgOf(plot, picture, colours) {
  return new Blob([drawingOf(plot, picture, colours).text], { type: 'image/svg+xml' });
}

/** The chart drawn anew: the text of an SVG and its size. */
function drawingOf(plot, picture, { ground, text, grid, band, shade }) {
  const { width, height, top, legend, texts } = frameOf(plot, picture, shade);
  const ratio = plot.ctx.canvas.width / plot.width;
  const box = Object.fromEntries(['left', 'top', 'width', 'height'].map((side) => [side, plot.bbox[side] / ratio]));
  const drawn = picture.looks.map((look, at) => lineOf(plot, look, at + 1)).join('');
  const filled = picture.bands.map(({ series }) => bandOf(plot, picture.looks, series, band)).join('');
  const shaded = picture.shades
    .map((one) => shadeWithin(one, plot.scales.x, (x) => plot.valToPos(x, 'x')))
    .filter((found) => found !== null)
    .map(([x, across]) => `<rect class="shade" x="${short(x)}" width="${short(across)}" height="${short(box.height)}" fill="${shade}"/>`)
    .join('');
  // A font that is wider elsewhere is set closer, so that the items do not overlap there.
  const told = legend.map(
    ({ look, x, y, sign, width: across }) =>
      `${look.isHead ? '' : signOf(look, short(x), y - 4)}<text x="${short(x + sign)}" y="${y}" font-size="12"${look.isHead ? ' font-weight="bold"' : ''} textLength="${short(across)}" lengthAdjust="spacingAndGlyphs">${escaped(nameOf(look))}</text>`,
  );
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" fill="${text}">
<title>${escaped(picture.title)}</title><rect width="${width}" height="${height}" fill="${ground}"/>
${texts.map((one) => `<text x="${one.x}" y="${one.y}" font-size="${one.size}"${one.isBold ? ' font-weight="bold"' : ''}>${escaped(one.text)}</text>`).join('\n')}
<g transform="translate(${short(box.left)} ${short(box.top + top)})">${marksOf(plot, box, grid)}
<clipPath id="plot"><rect width="${short(box.width)}" height="${short(box.height)}"/></clipPath><g clip-path="url(#plot)">${shaded}${filled}${drawn}</g></g>
${told.join('\n')}
</svg>
`;
  return { text: drawing, width, height };
}

/** In the legend; the box beside the pointer has the label. */
const nameOf = ({ label, legend }) => legend ?? label;

/** Of a legend: a circle, a band or a line, as drawn in the chart. */
function signOf(look, x, y) {
  if (look.isDots) return circleOf([x + 10, y], 4, ringOf(look));
  if (look.isShade) return `<rect x="${x}" y="${y - 6}" width="20" height="12" fill="${look.colour}"/>`;
  return `<line x1="${x}" x2="${x + 20}" y1="${y}" y2="${y}" ${strokeOf({ ...look, width: Math.max(2, look.width) }, look.dash)}/>`;
}

const strokeOf = ({ colour, width }, dash) =>
  `fill="none" stroke="${colour}" stroke-width="${width}"${dash === undefined ? '' : ` stroke-dasharray="${dash.join(' ')}"`}`;

const ringOf = ({ colour, width, ground }) => `fill="${ground}" stroke="${colour}" stroke-width="${width}"`;

/** The grid and the marks that uPlot chose for its axes. */
function marksOf(plot, box, grid) {
  return plot.axes
    .map((axis) => {
      const { _splits: places, _values: texts } = axis;
      const marks = (places ?? []).flatMap((value, at) => {
        const mark = texts?.[at];
        return mark === null || mark === undefined ? [] : [{ place: short(plot.valToPos(value, axis.scale)), mark: String(mark) }];
      });
      if (axis.scale === 'x')
        return (
          (axis.label
            ? `<text x="${short(box.width / 2)}" y="${short(box.height + 40)}" font-size="12" text-anchor="middle">${escaped(axis.label)}</text>`
            : '') +
          marks
            .map(
              ({ place, mark }) =>
                `<line x1="${place}" x2="${place}" y2="${short(box.height)}" stroke="${grid}"/>${mark
                  .split('\n')
                  .map(
                    (line, row) =>
                      `<text class="x" x="${place}" y="${short(box.height + 18 + 14 * row)}" font-size="12" text-anchor="middle">${escaped(line)}</text>`,
                  )
                  .join('')}`,
            )
            .join('')
        );
      const isRight = axis.side === 1;
      const edge = isRight ? box.width : 0;
      const lines = marks.map(
        ({ place, mark }) =>
          `${isRight ? '' : `<line x2="${short(box.width)}" y1="${place}" y2="${place}" stroke="${grid}"/>`}<text class="${isRight ? 'right' : 'y'}" x="${short(edge + (isRight ? 8 : -8))}" y="${place + 4}" font-size="12" text-anchor="${isRight ? 'start' : 'end'}">${escaped(mark)}</text>`,
      );
      const unit = axis.label
        ? `<text x="${short(edge)}" y="-5" font-size="11" text-anchor="${isRight ? 'end' : 'start'}">${escaped(axis.label)}</text>`
        : '';
      return lines.join('') + unit;
    })
    .join('');
}

/** The points of a series, in runs without a gap. */
function runsOf(plot, at, look) {
  const scale = look.isRight ? 'right' : 'y';
  const runs = [[]];
  plot.data[0].forEach((x, index) => {
    const value = plot.data[at][index];
    if (value === null) runs.push([]);
    else if (value !== undefined) {
      const point = [short(plot.valToPos(x, 'x')), short(plot.valToPos(value, scale))];
      const before = runs.at(-1).at(-1);
      if (look.isStep && before !== undefined) runs.at(-1).push([point[0], before[1]]);
      runs.at(-1).push(point);
    }
  });
  return runs.filter((run) => run.length > 0);
}

const circleOf = ([x, y], radius, paint) => `<circle cx="${x}" cy="${y}" r="${radius}" ${paint}/>`;

function lineOf(plot, look, at) {
  const runs = runsOf(plot, at, look);
  if (runs.length === 0) return '';
  if (look.isDots)
    return runs
      .flat()
      .map((point) => circleOf(point, 3, ringOf(look)))
      .join('');
  if (look.isBars) {
    const points = runs.flat();
    const xs = plot.data[0].map((x) => plot.valToPos(x, 'x'));
    const apart = xs.slice(1).map((x, index) => x - xs[index]);
    const width = Math.min(12, 0.7 * Math.min(12, ...apart));
    const zero = short(plot.valToPos(0, 'y'));
    return points
      .map(
        ([x, y]) =>
          `<rect x="${short(x - width / 2)}" y="${Math.min(y, zero)}" width="${short(width)}" height="${short(Math.abs(y - zero))}" fill="${look.colour}"/>`,
      )
      .join('');
  }
  const path = runs.map((run) => `M${run.map((point) => point.join(' ')).join('L')}`).join('');
  const alone = runs.filter((run) => run.length === 1).map(([point]) => circleOf(point, look.width, `fill="${look.colour}"`));
  return `<path d="${path}" ${strokeOf(look, look.dash)}/>${alone.join('')}`;
}

function bandOf(plot, looks, [high, low], band) {
  const upper = runsOf(plot, high, looks[high - 1]).flat();
  const lower = runsOf(plot, low, looks[low - 1])
    .flat()
    .toReversed();
  return upper.length === 0 ? '' : `<path d="M${[...upper, ...lower].map((point) => point.join(' ')).join('L')}Z" fill="${band}"/>`;
}
