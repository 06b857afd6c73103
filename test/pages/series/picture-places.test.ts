// The texts of a saved picture do not overlap, whatever the font.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Look {
  readonly label: string;
  readonly isHead?: boolean;
}
interface Place {
  readonly look: Look;
  readonly x: number;
  readonly row: number;
  readonly sign: number;
  readonly width: number;
}

describe('a saved picture', async () => {
  const { legendPlaces, wrapped } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series/picture-places.js')).href
  )) as {
    readonly legendPlaces: (
      looks: readonly Look[],
      edges: { readonly left: number; readonly right: number },
      widthOf: (look: Look) => number,
    ) => readonly Place[];
    readonly wrapped: (text: string, most: number, widthOf: (text: string) => number) => readonly string[];
  };
  const looks = [
    { label: 'Unemployment Rate, Germany', isHead: true },
    { label: 'vintages' },
    { label: 'latest' },
    { label: 'Unemployment Rate, France' },
  ];

  it.each([5, 8, 13])('has legend items beside each other if a letter is %i pixels wide', (letter) => {
    const places = legendPlaces(looks, { left: 12, right: 400 }, ({ label }) => letter * label.length);
    places.slice(1).forEach((place, at) => {
      const before = places[at] ?? place;
      const isBelow = place.row > before.row && place.x === 12;
      expect(isBelow || place.x > before.x + before.sign + before.width).toBe(true);
    });
    for (const { x, sign, width } of places) expect(x === 12 || x + sign + width <= 400).toBe(true);
    expect(places.map(({ look }) => look)).toEqual(looks);
  });

  it('has a title in lines of whole words that fit', () => {
    const lines = wrapped('Unemployment Rate, Germany; Unemployment Rate, France', 200, (text) => 9 * text.length);
    expect(lines).toEqual(['Unemployment Rate,', 'Germany; Unemployment', 'Rate, France']);
    expect(wrapped('Unemployment', 50, (text) => 9 * text.length)).toEqual(['Unemployment']);
  });
});
