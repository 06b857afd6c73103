// A saved answer is held against the raw archive alone: what agrees is said with its payloads, what was altered or damaged is named.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claimsOf } from '../../jobs/keeping/answer-file.ts';
import { type Verification, verify } from '../../jobs/keeping/verify.ts';
import { openWorkspace } from '../../jobs/workspace.ts';
import { sources } from '../../src/sources/index.ts';
import { SILENT } from '../pipeline.ts';
import { type ListBody, SAMPLE_TIME, sampleLake, startSampleService } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const scratch = await mkdtemp(join(tmpdir(), 'asof-verify-'));
const service = await startSampleService();
// The archive and nothing else: no lake, no snapshot.
const dataDir = join(scratch, 'data');
await cp(join(await sampleLake(), 'raw'), join(dataDir, 'raw'), { recursive: true });
afterAll(async () => {
  await service.stop();
  await rm(scratch, { recursive: true, force: true });
});

type Row = Record<string, unknown>;
const rowsAt = async (path: string) => ((await (await service.get(path)).json()) as ListBody).data as readonly Row[];
let works = 0;
async function verified(rows: unknown, from = dataDir): Promise<Verification> {
  const work = openWorkspace({
    dataDir: join(scratch, `work-${(works += 1)}`),
    referenceDir: resolve(ROOT, 'data/reference'),
    engineThreads: 2,
    engineMemory: '600MB',
    snapshotsKept: 2,
  });
  const claims = claimsOf(JSON.stringify({ data: rows }), 'answer.json');
  return verify(claims, { dataDir: from, work, sources, effects: { now: () => Date.parse(SAMPLE_TIME), log: SILENT } });
}

describe('stated values', () => {
  it('of every source agree, each with the hash of its payload', async () => {
    const ids = [...new Set((await rowsAt('/source-health?limit=100')).map(({ sourceId }) => String(sourceId)))];
    const rows: Row[] = [];
    for (const id of ids) rows.push(...(await rowsAt(`/observations?source_id=${id}&vintage=all&limit=20`)));
    const stated = rows.filter(({ derivedFrom }) => derivedFrom === null);
    expect(new Set(stated.map(({ sourceId }) => sourceId)).size).toBeGreaterThan(6);
    const verification = await verified(stated);
    expect(verification.rows.filter(({ agrees }) => !agrees)).toEqual([]);
    expect(verification.agrees).toBe(true);
    for (const { payloads, kind, steps } of verification.rows) {
      expect(kind).toBe('stated');
      expect(payloads[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(steps.length).toBeGreaterThan(2);
    }
  });

  it('with one digit altered in period, knowledge time, unit or vintage are reported by the field', async () => {
    const [row] = await rowsAt('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04&as_of=2020-06-30');
    expect(row?.['actual']).toBe(133589);
    const altered = [
      { ...row, actual: 133590 },
      { ...row, period: '2020-05' },
      { ...row, observedAt: '2020-06-29T23:59:59.999Z' },
      { ...row, unit: 'persons' },
      { ...row, vintage: '2020-06-29' },
      { ...row, revised: !(row?.['revised'] as boolean) },
      { ...row, observationId: 'obs_00000000000000000000000000' },
      row,
    ];
    const { rows, agrees } = await verified(altered);
    expect(agrees).toBe(false);
    expect(rows.map(({ disagreements }) => disagreements.map((text) => text.replace(/ .*/, '')))).toEqual([
      ['actual'],
      ['period'],
      ['observedAt'],
      ['unit'],
      ['vintage'],
      ['revised'],
      ['no'],
      [],
    ]);
    expect(rows[0]?.disagreements).toEqual(['actual is 133590, the archive gives 133589']);
  });

  it('with a damaged or lost payload do not count as verified', async () => {
    const [row] = await rowsAt('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04&as_of=2020-06-30');
    const [whole] = (await verified([row])).rows;
    const sha256 = whole?.payloads[0]?.sha256 ?? '';
    const damaged = join(scratch, 'damaged');
    await cp(dataDir, damaged, { recursive: true });
    const path = `raw/objects/${sha256.slice(0, 2)}/${sha256}.gz`;
    const bytes = await readFile(join(damaged, path));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(join(damaged, path), bytes);
    const verification = await verified([row], damaged);
    expect(verification.agrees).toBe(false);
    expect(verification.damaged).toEqual([path]);
    expect(verification.rows[0]?.agrees).toBe(false);
    await rm(join(damaged, path));
    expect((await verified([row], damaged)).damaged).toEqual([path]);
  });

  it('are found by an identifier alone, and by an answer of /provenance', async () => {
    const [row] = await rowsAt('/observations?source_id=ecb_fx&limit=1');
    const id = String(row?.['observationId']);
    const provenance = (await (await service.get(`/provenance/observations/${id}`)).json()) as { readonly data: Row };
    const { agrees, rows } = await verified([provenance.data, { observationId: id, sourceId: 'ecb_fx' }]);
    expect(agrees).toBe(true);
    expect(rows[0]?.payloads[0]?.sha256).toBe((provenance.data['rawPayload'] as { sha256: string }).sha256);
    const other = await verified([{ ...provenance.data, rawPayload: { sha256: '0'.repeat(64) } }]);
    expect(other.rows[0]?.disagreements[0]).toContain('rawPayload.sha256');
  });
});

describe('computed values', () => {
  it('of every family are computed again with the payloads behind their inputs, and an altered one is reported', async () => {
    const families = await rowsAt('/derived-indicators?limit=100');
    const rows: Row[] = [];
    for (const { indicatorId } of families)
      rows.push(...(await rowsAt(`/derived-observations?indicator_id=${String(indicatorId)}&limit=2`)));
    expect(new Set(rows.map(({ indicatorId }) => indicatorId)).size).toBeGreaterThan(10);
    const [first] = rows.filter(({ valueNumeric }) => typeof valueNumeric === 'number');
    const { rows: told } = await verified([...rows, { ...first, valueNumeric: Number(first?.['valueNumeric']) + 0.001 }]);
    expect(told.slice(0, -1).filter(({ agrees }) => !agrees)).toEqual([]);
    expect(told.at(-1)?.disagreements[0]).toContain('valueNumeric');
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['computed']));
    const resting = told.filter(({ inputs }) => inputs.length > 0);
    expect(resting.length).toBeGreaterThan(10);
    expect(resting.filter(({ payloads }) => payloads.length === 0)).toEqual([]);
  });
});

describe('the command', () => {
  const asked = (file: string) =>
    spawnSync(join(ROOT, 'tools/asof'), ['verify', file], {
      encoding: 'utf8',
      cwd: scratch,
      env: { ...process.env, DATA_DIR: dataDir, SCRATCH_DIR: join(scratch, 'tmp') },
    });

  it('exits with 0 if all agree, with 1 if a digit was altered, and leaves no files', async () => {
    const answer = (await (await service.get('/observations?source_id=ecb_fx&limit=3')).json()) as { data: Row[] };
    await writeFile(join(scratch, 'answer.json'), JSON.stringify(answer));
    const sound = asked('answer.json');
    expect([sound.status, sound.stdout.includes('3 of 3 rows agree')]).toEqual([0, true]);
    const [row] = answer.data;
    await writeFile(join(scratch, 'altered.json'), JSON.stringify({ ...answer, data: [{ ...row, actual: Number(row?.['actual']) + 1 }] }));
    const altered = asked('altered.json');
    expect([altered.status, altered.stdout.includes('✗ actual is')]).toEqual([1, true]);
  });

  it('reports in one line why it cannot verify', async () => {
    await writeFile(join(scratch, 'page.html'), '<html>');
    await writeFile(join(scratch, 'other.json'), '{"data":[{"name":"x"}]}');
    for (const [file, problem] of [
      ['page.html', 'is not JSON'],
      ['other.json', 'row 1 has no observationId'],
      ['nothing.json', 'is neither a file nor an observationId'],
    ] as const) {
      const { status, stderr } = asked(file);
      expect([status, stderr.trim().split('\n').length, stderr.includes(problem)]).toEqual([1, 1, true]);
    }
  });
});
