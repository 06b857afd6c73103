// The raw archive through kills, losses and damage: a description never points at bytes that are not there, and nothing is stored twice.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openArchive, type RawArchive, type ReceivedPayload } from '../../src/archive/raw-archive.ts';
import { sha256 } from '../snapshot/written.ts';
import { endedAnywhere } from '../disk/disk-calls.ts';
import { disorders } from '../disk/disk-order.ts';
import { filesBelow } from './literal-lake.ts';

let root: string;
let archive: RawArchive;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'asof-archive-'));
  archive = openArchive(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const received = (more: Partial<ReceivedPayload> & { readonly text?: string } = {}): ReceivedPayload => {
  const { text = 'date,value', ...rest } = more;
  return {
    sourceId: 'fred',
    key: 'a.csv',
    body: Buffer.from(text),
    mediaType: 'text/csv',
    address: 'https://example.org/a.csv',
    retrievedAt: '2024-01-02T08:00:00.000Z',
    httpStatus: 200,
    etag: '"x"',
    lastModified: 'Tue, 02 Jan 2024 07:00:00 GMT',
    ...rest,
  };
};
const objectOf = (text: string) => `objects/${sha256(text).slice(0, 2)}/${sha256(text)}.gz`;
const cardOf = (sourceId: string, key: string, text: string) =>
  `payloads/${sourceId}/pay_${sha256(`${sourceId}|${key}|${sha256(text)}`).slice(0, 26)}.json`;
const textOf = async (sourceId = 'fred', index = 0) => {
  const payload = (await archive.list(sourceId))[index];
  return payload === undefined ? null : Buffer.from(await archive.read(payload)).toString();
};

describe('a stored payload', () => {
  it('is named by the hash of its bytes, gzipped, and its description by source, file and bytes', async () => {
    const { payload } = await archive.store(received());
    expect(filesBelow(root)).toEqual([objectOf('date,value'), cardOf('fred', 'a.csv', 'date,value')]);
    expect(gunzipSync(readFileSync(join(root, objectOf('date,value')))).toString()).toBe('date,value');
    const { body, ...described } = received();
    expect(JSON.parse(readFileSync(join(root, cardOf('fred', 'a.csv', 'date,value')), 'utf8'))).toEqual({
      ...described,
      payloadId: payload.payloadId,
      sha256: sha256(body),
      bytes: 10,
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is described once per source and file, and its bytes are kept once for all', async () => {
    await archive.store(received());
    await archive.store(received({ sourceId: 'oecd' }));
    await archive.store(received({ key: 'b.csv' }));
    await archive.store(received({ text: 'date,other' }));
    expect(filesBelow(root).filter((path) => path.startsWith('objects'))).toHaveLength(2);
    expect([(await archive.list('fred')).length, (await archive.list('oecd')).length]).toEqual([3, 1]);
    expect((await archive.list('oecd'))[0]?.sourceId).toBe('oecd');
  });

  it('cannot leave its folder, whatever the name of its file', async () => {
    for (const key of ['../../../etc/passwd', '/abs', 'a/../b', 'nul\u0000']) await archive.store(received({ key }));
    expect(
      filesBelow(root).filter((path) => !/^(?:objects\/[0-9a-f]{2}\/[0-9a-f]{64}\.gz|payloads\/fred\/pay_[0-9a-f]{26}\.json)$/.test(path)),
    ).toEqual([]);
    expect((await archive.list('fred')).map(({ key }) => key)).toContain('../../../etc/passwd');
  });

  it('is listed by retrieval, then file, then its own id', async () => {
    const at = (hour: number) => `2024-01-02T0${hour}:00:00.000Z`;
    for (const [key, hour, text] of [
      ['b', 2, 'x'],
      ['a', 2, 'x'],
      ['z', 1, 'x'],
      ['a', 2, 'y'],
      ['a', 3, 'z'],
    ] as const)
      await archive.store(received({ key, text, retrievedAt: at(hour) }));
    const listed = await archive.list('fred');
    expect(listed.map(({ key, retrievedAt }) => `${key}${retrievedAt.slice(12, 13)}`)).toEqual(['z1', 'a2', 'a2', 'b2', 'a3']);
    expect((listed[1]?.payloadId ?? '') < (listed[2]?.payloadId ?? '')).toBe(true);
  });
});

describe('storing that is cut off after any of its changes', () => {
  it('leaves no description without bytes, and the next store completes it', async () => {
    const calls = await endedAnywhere(
      root,
      async () => {
        rmSync(root, { recursive: true, force: true });
        await archive.store(received({ key: 'before.csv', text: 'before' }));
      },
      () => archive.store(received()),
      async () => {
        const left = await archive.list('fred');
        for (const payload of left) expect(sha256(await archive.read(payload))).toBe(payload.sha256);
        expect((await archive.store(received())).isNew).toBe(left.length === 1);
        expect(await archive.list('fred')).toHaveLength(2);
        expect(filesBelow(root).filter((path) => path.endsWith('.partial'))).toEqual([]);
      },
    );
    expect(disorders(calls)).toEqual([]);
    const named = calls.flatMap(({ call, to }) => (call === 'rename' ? [to.replace(`${root}/`, '')] : []));
    expect(named).toEqual([objectOf('date,value'), cardOf('fred', 'a.csv', 'date,value')]);
  });

  it('does not count bytes without a description', async () => {
    await archive.store(received());
    rmSync(join(root, 'payloads'), { recursive: true });
    expect(await archive.list('fred')).toEqual([]);
    expect((await archive.store(received({ retrievedAt: '2024-02-02T08:00:00.000Z' }))).isNew).toBe(true);
    expect((await archive.list('fred')).map(({ retrievedAt }) => retrievedAt)).toEqual(['2024-02-02T08:00:00.000Z']);
  });

  it('seals a description: a changed digit is refused, and an earlier version is read', async () => {
    await archive.store(received());
    const path = join(root, cardOf('fred', 'a.csv', 'date,value'));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"bytes": 10', '"bytes": 11'));
    await expect(openArchive(root).list('fred')).rejects.toThrow(/is damaged/);
    writeFileSync(path, text.replace(/,\s*"seal": "[0-9a-f]+"/, ''));
    expect(await openArchive(root).list('fred')).toHaveLength(1);
  });

  it('restores the bytes of a description whose object was lost, with its first retrieval', async () => {
    await archive.store(received());
    rmSync(join(root, objectOf('date,value')));
    await expect(textOf()).rejects.toThrow(/no longer has its hash/);
    const again = await archive.store(received({ retrievedAt: '2024-02-02T08:00:00.000Z' }));
    expect([again.isNew, again.payload.retrievedAt]).toEqual([false, '2024-01-02T08:00:00.000Z']);
    expect(await textOf()).toBe('date,value');
  });
});

describe('reading', () => {
  it('refuses the bytes of another payload under the name of this one', async () => {
    await archive.store(received());
    writeFileSync(join(root, objectOf('date,value')), gzipSync('date,valu3'));
    await expect(textOf()).rejects.toThrow(`Archived payload ${sha256('date,value')} no longer has its hash: restore`);
  });

  it('skips unfinished descriptions, and refuses a damaged one', async () => {
    await archive.store(received());
    writeFileSync(join(root, 'payloads/fred/pay_x.json.partial'), '{"payl');
    writeFileSync(join(root, 'payloads/fred/.hidden'), '');
    expect(await archive.list('fred')).toHaveLength(1);
    const [card = ''] = readdirSync(join(root, 'payloads/fred')).filter((name) => /^pay_[0-9a-f]+\.json$/.test(name));
    writeFileSync(join(root, 'payloads/fred', card), '{"payloadId": "pay_1"}');
    await expect(archive.list('fred')).rejects.toThrow(
      /pay_[0-9a-f]+\.json of the raw archive is damaged\. Run npm run doctor, which names the remedy\./,
    );
  });
});
