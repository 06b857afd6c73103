// The part of a chart that a finger chooses.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const { draggedPart } = (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/charts/touch.js')).href)) as {
  readonly draggedPart: (from: number, to: number, across: number) => { readonly left: number; readonly width: number } | null;
};

it('a drag in either direction chooses the part between its ends, within the plot', () => {
  expect(draggedPart(40, 140, 300)).toEqual({ left: 40, width: 100 });
  expect(draggedPart(140, 40, 300)).toEqual({ left: 40, width: 100 });
  expect(draggedPart(250, 400, 300)).toEqual({ left: 250, width: 50 });
  expect(draggedPart(30, -20, 300)).toEqual({ left: 0, width: 30 });
});

it('a tap chooses no part', () => {
  expect([draggedPart(40, 45, 300), draggedPart(295, 400, 300)]).toEqual([null, null]);
});
