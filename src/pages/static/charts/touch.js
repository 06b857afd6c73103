// Touch: a sideways drag over a chart zooms in. A vertical one scrolls the page, and a tap chooses a point.

/** A shorter drag is a tap. */
const LEAST_DRAG = 12;

/** The part of the plot between two places: { left, width } in pixels; null for a tap. `across`: the width of the plot. */
export function draggedPart(from, to, across) {
  const [left, right] = [from, to].map((x) => Math.min(across, Math.max(0, x))).sort((a, b) => a - b);
  return right - left < LEAST_DRAG ? null : { left, width: right - left };
}

/** Lets fingers zoom a plot of uPlot; a mouse does so by itself. `zoomTo(part)` gets { min, max } of the x-axis. */
export function zoomByTouch(plot, zoomTo) {
  const { over } = plot;
  let from = null;
  const placeOf = ({ clientX }) => clientX - over.getBoundingClientRect().left;
  const select = (part) => plot.setSelect({ left: 0, width: 0, top: 0, height: part === null ? 0 : over.clientHeight, ...part }, false);
  const partTo = (event) => (from === null ? null : draggedPart(from, placeOf(event), over.clientWidth));
  const stop = () => {
    from = null;
    select(null);
  };
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return;
    // Two fingers zoom the page.
    if (event.isPrimary) from = placeOf(event);
    else stop();
  });
  over.addEventListener('pointermove', (event) => event.pointerType === 'touch' && from !== null && select(partTo(event)));
  over.addEventListener('pointerup', (event) => {
    if (event.pointerType !== 'touch') return;
    const part = partTo(event);
    stop();
    if (part !== null) zoomTo({ min: plot.posToVal(part.left, 'x'), max: plot.posToVal(part.left + part.width, 'x') });
  });
  // The browser takes over if the finger scrolls.
  over.addEventListener('pointercancel', (event) => event.pointerType === 'touch' && stop());
}
