// docs/develop/new-source.md against the code: its reader reads its file, and its rows and tables have the real columns and fields.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { Batch } from '../../src/model/record.ts';
import { SourceTier } from '../../src/model/trust.ts';
import type { Source } from '../../src/sources/source.ts';
import { canonicalIds, cell, entityIds, indicators, type Row } from '../reference/read-tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/develop/new-source.md'), 'utf8');

/** The block of code below the line that begins with the name of its file. */
function blockOf(file: string): string {
  const [, after] = page.split(`\n\`${file}\``);
  const block = /^[^\n]*\n\n```\w+\n([\s\S]*?)```/u.exec(after ?? '')?.[1];
  if (block === undefined) throw new Error(`the page has no block of ${file}`);
  return block;
}

/** Rows on the page, by the columns of the real file. */
function rowsOf(name: string): Row[] {
  const header = readFileSync(join(ROOT, 'data/reference', name), 'utf8').split('\n', 1)[0] ?? '';
  return parse(`${header}\n${blockOf(`data/reference/${name}`)}`, { columns: true });
}

async function readerOf(code: string): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-new-source-'));
  try {
    const file = join(folder, 'source.ts');
    writeFileSync(
      file,
      code
        .replaceAll("'../../", `'${pathToFileURL(join(ROOT, 'src')).pathname}/`)
        .replaceAll("'../", `'${pathToFileURL(join(ROOT, 'src/sources')).pathname}/`),
    );
    const { exampleOffice } = (await import(/* @vite-ignore */ file)) as { readonly exampleOffice: Source };
    return exampleOffice;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Fixture {
  readonly key: string;
  readonly retrievedAt: string;
  readonly batches: unknown;
  readonly message: string;
}
const fixtureOf = (name: string): Fixture => JSON.parse(blockOf(`test/fixtures/example_office/${name}.json`));

async function batchesOf(source: Source, { key, retrievedAt }: Fixture, csv: string): Promise<Record<string, unknown>> {
  const batches: Batch[] = [];
  for await (const batch of source.normalise({ key, retrievedAt, body: new TextEncoder().encode(csv) })) batches.push(batch);
  return Object.fromEntries(batches.map(({ kind, rows }) => [kind, rows]));
}

it('the reader of the page returns the rows of the page, and refuses its bad file', async () => {
  const source = await readerOf(blockOf('src/sources/example-office/source.ts'));
  const [good, bad] = [fixtureOf('monthly.rows'), fixtureOf('another-series.error')];
  expect([source.id, source.owns(good.key), source.owns('example-office/monthly.csv')]).toEqual(['example_office', true, false]);
  expect(await batchesOf(source, good, blockOf(good.key))).toEqual(good.batches);
  await expect(batchesOf(source, bad, blockOf('test/fixtures/example_office/another-series.raw.csv'))).rejects.toThrow(bad.message);
});

it('the rows of the reference files have their columns, and name what exists', () => {
  const [[source], [evidence], series] = [rowsOf('sources.csv'), rowsOf('files/source_evidence.csv'), rowsOf('series.csv')];
  expect([cell(source ?? {}, 'source_id'), cell(evidence ?? {}, 'source_id')]).toEqual(['example_office', 'example_office']);
  expect(cell(source ?? {}, 'knowledge_rule')).toMatch(/^[^.]+\.$/u);
  for (const row of series) {
    const indicator = indicators.find((one) => cell(one, 'canonical_id') === cell(row, 'canonical_id')) ?? {};
    expect([canonicalIds.has(cell(row, 'canonical_id')), entityIds.has(cell(row, 'entity_id'))]).toEqual([true, true]);
    expect([cell(row, 'unit'), cell(row, 'frequency')]).toEqual([cell(indicator, 'unit'), cell(indicator, 'frequency')]);
    expect(SourceTier.options).toContain(cell(row, 'source_tier'));
  }
});

it.each([
  ['The fields of a source', 'src/sources/source.ts', 'Source'],
  ['The fields of an observation', 'src/model/record.ts', 'ObservationRecord'],
])('%s are those of the code, and the needed ones are marked', (heading, file, name) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const body = text.split(`export interface ${name} {`)[1]?.split('\n}')[0] ?? '';
  const fields = [...body.matchAll(/^ {2}readonly (\w+)(\??):/gmu)].map(([, field, mark]) => [field, mark === '']);
  const section = page.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const listed = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gmu)].map(([, field, needed]) => [field, needed === 'yes']);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed).toEqual(fields);
});

it('the files that the page names exist, except those of the new source', () => {
  const named = [...page.matchAll(/`((?:src|test|data|docs)\/[\w./-]+)`/gu)].map(([, path = '']) => path);
  expect(named.filter((path) => !/example[-_]office/u.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

it('the row that the page refuses goes to quarantine, and the others are written', async () => {
  const [, reader = ''] = /\n`src\/sources\/example-office\/source\.ts`\n\n```ts\n([\s\S]*?)```/u.exec(page) ?? [];
  const [, refusal = ''] = /### A row that breaks a rule\n[\s\S]*?```ts\n([\s\S]*?)```/u.exec(page) ?? [];
  const code = reader.replace('observationBatches(withoutRepeats(ID, recordsOf(payload)))', 'batchesOf(recordsOf(payload))');
  const source = await readerOf(`${code}\n${refusal}`);
  const csv = 'month,series,value\n2026-06,CPI,0\n2026-06,UNEMP,2.1\n';
  const { observations, refused } = await batchesOf(source, fixtureOf('monthly.rows'), csv);
  expect(observations).toMatchObject([{ seriesCode: 'UNEMP', value: 2.1 }]);
  expect(refused).toMatchObject([{ rule: 'out_of_range', seriesCode: 'CPI', period: '2026-06', observedValue: '0' }]);
});

it('docs/develop/feeds.md shows the feeds as they are in the code', () => {
  const feeds = readFileSync(join(ROOT, 'docs/develop/feeds.md'), 'utf8');
  const blocks = [...feeds.matchAll(/\n`(src\/[\w./-]+)`\n\n```ts\n([\s\S]*?)```/gu)];
  expect(blocks.length).toBe(4);
  for (const [, file = '', block = ''] of blocks) {
    const code = readFileSync(join(ROOT, file), 'utf8');
    expect(block.split('\n').filter((line) => line !== '' && !code.includes(`${line}\n`))).toEqual([]);
  }
});
