// The places of the texts of a saved picture, by their measured widths.

/** Lines of whole words that are at most `most` wide. A longer word has its own line. `widthOf(text)`: in pixels. */
export function wrapped(text, most, widthOf) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) !== '' && widthOf(longer) > most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Between the items of a legend. */
const APART = 16;

/**
 * The items of a legend from `left` to `right`, in as many rows as they need: [{ look, x, row, sign, width }]. `sign`: the room of the sign before the text; a
 * head has none. `widthOf(look)`: of its text, in pixels.
 */
export function legendPlaces(looks, { left, right }, widthOf) {
  let [x, row] = [left, 0];
  return looks.map((look) => {
    const sign = look.isHead ? 0 : 26;
    const width = widthOf(look);
    if (x + sign + width > right && x > left) [x, row] = [left, row + 1];
    const place = { look, x, row, sign, width };
    x += sign + width + APART;
    return place;
  });
}
