// The Arrow form of texts that are not plain: their bytes lie in one buffer, which the offsets must cut where the texts begin.
import { tableFromIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { arrowParts } from '../../src/http/forms/arrow.ts';

it.each([
  ['plain texts', ['a', '', 'bc']],
  ['texts of several bytes a character', ['ä', '', 'x€', '😀y', 'z']],
])('returns %s unchanged', async (_, texts) => {
  expect(await read(texts)).toEqual(texts);
});

it('makes no character of surrogate halves from two texts', async () => {
  expect(await read(['x\ud83d', '\ude00y', null, 'z'])).toEqual(['x\ufffd', '\ufffdy', null, 'z']);
});

async function read(texts: readonly (string | null)[]): Promise<unknown[]> {
  const { head, page, end } = arrowParts([{ name: 'text', kind: 'text', fields: [] }]);
  const table = tableFromIPC(Buffer.concat([head, await page(texts.map((text) => ({ text }))), end]));
  return Array.from({ length: table.numRows }, (_, row) => table.getChild('text')?.get(row) as unknown);
}
