// Every pair of fixtures of every source: test/fixtures/<source id>/<case>.raw.<ext> beside <case>.rows.json, which holds the payload's key
// and retrieval and the expected rows by kind, or <case>.error.json, which holds a part of the message with which it is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sources } from '../../src/sources/index.ts';
import type { Batch } from '../../src/model/record.ts';
import { canonicalIds, cell, series } from '../reference/read-tables.ts';
import type { Payload, Source } from '../../src/sources/source.ts';
import { UpstreamError } from '../../src/sources/upstream-error.ts';

const FOLDER = new URL('../fixtures/', import.meta.url);

const Accepted = z.strictObject({
  key: z.string(),
  retrievedAt: z.iso.datetime(),
  batches: z.record(z.string(), z.array(z.unknown())),
});
const Refused = z.strictObject({ key: z.string(), retrievedAt: z.iso.datetime(), message: z.string() });

interface FixtureCase {
  readonly name: string;
  readonly raw: URL;
  readonly expected: URL;
  readonly isError: boolean;
}

function casesOf(source: Source): FixtureCase[] {
  const folder = new URL(`${source.id}/`, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /\.raw\.[^.]+$/.test(file))
    .sort()
    .map((file) => {
      const name = file.replace(/\.raw\.[^.]+$/, '');
      const isError = existsSync(new URL(`${name}.error.json`, folder));
      return { name, raw: new URL(file, folder), expected: new URL(`${name}.${isError ? 'error' : 'rows'}.json`, folder), isError };
    });
}

const Series = z.object({ seriesCode: z.string(), canonicalId: z.string().optional(), entityId: z.string().optional() });

/** By the record itself or by its row of series.csv. */
function isDescribed(sourceId: string, { seriesCode, canonicalId, entityId }: z.infer<typeof Series>): boolean {
  const row = series.find((one) => cell(one, 'source_id') === sourceId && cell(one, 'series_code') === seriesCode);
  const indicator = canonicalId ?? (row && cell(row, 'canonical_id'));
  return indicator !== undefined && canonicalIds.has(indicator) && (entityId !== undefined || row !== undefined);
}

async function rowsOf(batches: Iterable<Batch> | AsyncIterable<Batch>): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for await (const batch of batches) rows[batch.kind] = [...(rows[batch.kind] ?? []), ...batch.rows];
  return rows;
}

function payloadOf(raw: URL, { key, retrievedAt }: { key: string; retrievedAt: string }): Payload {
  return { key, retrievedAt, body: new Uint8Array(readFileSync(raw)) };
}

const readExpected = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'));

it('every source has its own id', () => {
  const ids = sources.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe.each(sources)('$id', (source) => {
  // A bulk source is read by DuckDB; its rows are tested where its statement is run.
  const cases = casesOf(source).filter(({ isError }) => source.bulk === undefined || isError);

  it.skipIf(source.bulk !== undefined)('has a pair of fixtures', () => {
    expect(casesOf(source).length).toBeGreaterThan(0);
  });

  it.skipIf(source.bulk !== undefined)('has series of a known indicator and entity if it has observations', () => {
    const stated = cases
      .filter(({ isError }) => !isError)
      .flatMap(({ expected }) => Accepted.parse(readExpected(expected)).batches['observations'] ?? []);
    const known = stated.filter((row) => isDescribed(source.id, Series.parse(row)));
    expect(known.length > 0).toBe(stated.length > 0);
  });

  it.each(cases.filter(({ isError }) => !isError))('normalises $name', async ({ raw, expected }) => {
    const fixture = Accepted.parse(readExpected(expected));
    expect(source.owns(fixture.key)).toBe(true);
    expect(await rowsOf(source.normalise(payloadOf(raw, fixture)))).toEqual(fixture.batches);
  });

  it.each(cases.filter(({ isError }) => isError))('refuses $name', async ({ raw, expected }) => {
    const fixture = Refused.parse(readExpected(expected));
    const payload = payloadOf(raw, fixture);
    const read = async () => (source.bulk === undefined ? rowsOf(source.normalise(payload)) : source.bulk.check(payload));
    const error = await read().then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error instanceof Error ? error.message : '').toContain(fixture.message);
  });
});
