// The lines of charts stand out from the ground: 3:1 or more (WCAG 2.1, 1.4.11), light and dark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Colour = readonly [number, number, number, number];

const style = readFileSync(join(import.meta.dirname, '../../../src/pages/static/app.css'), 'utf8');
const [light = '', dark = ''] = [...style.matchAll(/:root \{([^}]+)\}/g)].map(([, block = '']) => block);

function colourOf(text: string): Colour {
  const hex = /^#(..)(..)(..)$/.exec(text);
  const [red = NaN, green = NaN, blue = NaN, share = 1] =
    hex === null ? (text.match(/[\d.]+/g) ?? []).map(Number) : hex.slice(1).map((two) => Number.parseInt(two, 16));
  return [red, green, blue, share];
}

function luminance(channels: readonly number[]): number {
  const [red = NaN, green = NaN, blue = NaN] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A colour that lets the ground through is mixed with it. */
function contrast([red, green, blue, share]: Colour, ground: Colour): number {
  const mixed = [red, green, blue].map((channel, at) => share * channel + (1 - share) * (ground[at] ?? NaN));
  const [low = NaN, high = NaN] = [luminance(mixed), luminance(ground.slice(0, 3))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('on a %s page', (_, block) => {
  const colours = new Map([...block.matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name = '', text = '']) => [name, colourOf(text)]));
  const lines = [...colours.keys()].filter((name) => name.startsWith('line-'));

  it('there are lines of vintages, first prints and more', () => {
    expect(lines).toEqual(expect.arrayContaining(['line-thin', 'line-first', 'line-strong', 'line-known', 'line-pin', 'line-beside']));
  });

  it.each(lines)('%s has a contrast of 3 or more', (name) => {
    const [line, ground] = [colours.get(name), colours.get('ground')];
    if (line === undefined || ground === undefined) throw new Error('The style has no such colour');
    expect(contrast(line, ground)).toBeGreaterThanOrEqual(3);
  });
});
