// The title and the notes of a saved picture: names, day, units and sources, because a picture is read without its page.
import { servesSample } from '../api.js';
import { instantText } from '../components.js';
import { differenceUnit, unitText } from '../numbers.js';
import { TRANSFORMS, unitOf } from './transforms.js';

/** The moment of an answer without an as-of, in words: its day. `asOf` is that of the answer. */
export const momentText = (moment, asOf) => (moment === null ? asOf.slice(0, 10) : instantText(moment));

/** The name of a file without its ending, from what there is of these parts. */
export const fileName = (...parts) =>
  parts
    .filter(Boolean)
    .join('-')
    .replaceAll(/[^\w.-]+/g, '-');

/** `names`: of `useNames`. `over`: the series over it, or null. → `pictureOf(known, day)`: the picture whose values are `known`, in words, and whose file is named after `day`. */
export function picturesOf({ series, over, mode, transform, names }) {
  const shown = mode === 'revision' ? 'prints minus the first' : TRANSFORMS.find(({ id }) => id === transform).label.toLowerCase();
  const what = transform === 'level' && mode !== 'revision' ? '' : `: ${shown}`;
  const all = over === null ? [series] : [series, over];
  const nameOf = ({ name, entityId }) => `${name}, ${names.entity(entityId)}`;
  const shownIn = (unit) => (mode === 'revision' ? differenceUnit(unit) : unitOf(transform, unit));
  const factsOf = (one, known) => `${shownIn(unitText(one.unit))}, ${one.frequency}; ${known}; source: ${names.source(one.sourceId)}`;
  const parts = [
    mode !== 'level' && mode,
    mode !== 'revision' && transform !== 'level' && transform,
    over !== null && `over-${over.indicatorId}`,
  ];
  return (known, day) => ({
    name: fileName(series.indicatorId, ...parts, day),
    title: `${all.map(nameOf).join('; ')}${what}`,
    notes: all.map((one) => (over === null ? factsOf(one, known) : `${nameOf(one)}: ${factsOf(one, known)}`)),
  });
}

/** The notes of a picture, after the words about a sample if its numbers are invented. Throws if the service does not say whether they are. */
export async function wholeNotes(notes) {
  return (await servesSample()) ? ['Sample data, invented.', ...notes] : notes;
}
