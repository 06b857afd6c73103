// The prints of a period in few words, under the pointer of a chart.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series/prints-text.js')).href;
const { betweenText } = (await import(address)) as { readonly betweenText: (prints: readonly { value: number | null }[]) => string };
const told = (...values: readonly (number | null)[]) => betweenText(values.map((value) => ({ value })));

describe('the prints of a period', () => {
  it('are all there if they are few, those between the first and the latest too', () => {
    expect([told(3.2, 3.3, 3.2), told(3.2, null)]).toEqual([': 3.2, 3.3, 3.2', ': 3.2, none']);
  });

  it('are from the smallest to the largest if they are many', () => {
    expect([told(5, 3, 9, 4, 5), told(null, null, null, null, null)]).toEqual([' from 3 to 9', '']);
  });
});
