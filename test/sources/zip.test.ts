// Files that come packed: read as if they had come by themselves, and refused where they are not what they say.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../src/model/record.ts';
import { membersOf, onlyMember } from '../../src/sources/readers/zip.ts';
import { sourceOf } from '../readers/second-reader.ts';
import { zipOf } from '../replay/zip.ts';

const AT = '2040-01-01T12:00:00.000Z';

async function batchesOf(id: string, key: string, body: Uint8Array): Promise<Batch[]> {
  const source = sourceOf(id);
  expect(source.owns(key)).toBe(true);
  const batches: Batch[] = [];
  for await (const batch of source.normalise({ key, body, retrievedAt: AT })) batches.push(batch);
  return batches;
}

describe.each([
  ['ecb_fx', 'history.raw.csv', 'ecb-eurofxref/eurofxref-hist.csv', 'ecb-eurofxref/eurofxref-hist.zip'],
  ['cftc_legacy', 'annual-padded.raw.txt', 'cftc/legacy_futonly/annual_2025.txt', 'cftc/legacy_futonly/deacot2025.zip'],
  ['cftc_tff', 'yearly-text.raw.txt', 'cftc/tff_futonly/FinFutYY_2025.txt', 'cftc/tff_futonly/fut_fin_txt_2025.zip'],
  ['us_census', 'sections.raw.csv', 'us-census/RESCONST-mf.csv', 'us-census/RESCONST-mf.zip'],
])('%s', (id, fixture, plainKey, zipKey) => {
  const plain = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures', id, fixture)));
  const packed = zipOf({ name: basename(plainKey), body: plain });

  it('reads a zip as the file in it', async () => {
    const rows = await batchesOf(id, plainKey, plain);
    expect(rows.length).toBeGreaterThan(0);
    expect(await batchesOf(id, zipKey, packed)).toEqual(rows);
    const { knownAt } = sourceOf(id);
    expect(await knownAt?.({ key: zipKey, body: packed, retrievedAt: AT })).toBe(
      await knownAt?.({ key: plainKey, body: plain, retrievedAt: AT }),
    );
  });

  it('reads a zip with a README next to the file', async () => {
    const beside = ['README.txt', 'docs/Read Me.pdf', '__MACOSX/x'].map((name) => ({ name, body: 'notes' }));
    const [first, ...others] = beside;
    const members = [...(first === undefined ? [] : [first]), { name: basename(plainKey), body: plain }, ...others];
    expect(await batchesOf(id, zipKey, zipOf(...members))).toEqual(await batchesOf(id, plainKey, plain));
  });

  it('refuses a zip with two files, an empty one, and bytes that are no zip', async () => {
    const refused = (body: Uint8Array) =>
      batchesOf(id, zipKey, body).then(
        () => 'read',
        (error: Error) => `${error.name}: ${error.message}`,
      );
    expect(await refused(zipOf({ name: 'a', body: plain }, { name: 'b', body: plain }))).toBe(
      `UpstreamError: ${id}: expected one file in the zip, found 2: "a, b"`,
    );
    expect(await refused(zipOf())).toBe(`UpstreamError: ${id}: expected one file in the zip, found 0`);
    expect(await refused(new TextEncoder().encode('<html>Not found</html>'))).toMatch(/^UpstreamError: .*page of HTML/);
  });
});

describe('a zip', () => {
  const refusalOf = async (body: Uint8Array) =>
    onlyMember('x', body).then(
      () => 'read',
      (error: Error) => error.message,
    );

  it('whose member has another checksum is damaged', async () => {
    expect(await refusalOf(zipOf({ name: 'a.csv', body: 'a,b\n', statedCrc: 7 }))).toBe(
      'x: the zip file is damaged: a.csv does not have its checksum',
    );
    expect(await refusalOf(zipOf({ name: 'a.csv', body: 'a,b\n', statedBytes: 3 }))).toMatch(/^x: the zip file is damaged: too many bytes/);
  });

  it('that is padded with zeros, like those of EDGAR, is intact; other trailing bytes are refused', async () => {
    const zip = zipOf({ name: 'a.csv', body: 'a,b\n' });
    expect(Buffer.from(await onlyMember('x', Buffer.concat([zip, Buffer.alloc(500)]))).toString()).toBe('a,b\n');
    expect(await refusalOf(Buffer.concat([zip, Buffer.alloc(500, 'x')]))).toMatch(/^x: the zip file is damaged/);
  });

  it('yields a member in pieces, and reports a wrong checksum after the last one', async () => {
    const text = 'a,b\n'.repeat(100_000);
    const streamed = async (statedCrc?: number) => {
      const [member] = await membersOf('x', zipOf({ name: 'a.csv', body: text, ...(statedCrc === undefined ? {} : { statedCrc }) }));
      const pieces: Uint8Array[] = [];
      for await (const piece of member?.stream() ?? []) pieces.push(piece);
      return pieces;
    };
    const pieces = await streamed();
    expect([pieces.length > 1, Buffer.concat(pieces).toString() === text]).toEqual([true, true]);
    await expect(streamed(7)).rejects.toThrow('x: the zip file is damaged: a.csv does not have its checksum');
  });

  it('counts its files, not its folders', async () => {
    const members = await membersOf('x', zipOf({ name: 'folder/', body: '' }, { name: 'folder/a.csv', body: 'a,b\n' }));
    expect(members.map(({ name, bytes }) => [name, bytes])).toEqual([['folder/a.csv', 4]]);
  });
});
