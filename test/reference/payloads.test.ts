import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cell, column, countries, entities, filled, list, outside, series } from './read-tables.ts';

const REAL = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const hasReal = existsSync(REAL);
const codesOf = (sourceId: string): Set<string> =>
  new Set(series.filter((row) => cell(row, 'source_id') === sourceId).map((row) => cell(row, 'series_code')));
const headerOf = (path: string): string[] =>
  (readFileSync(join(REAL, path), 'utf8').split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());

describe.skipIf(!hasReal)("the publishers' own files", () => {
  it('name no FRED-MD column without a series, and no series is without a column', () => {
    const columns = new Set(readdirSync(join(REAL, 'fred-md')).flatMap((name) => headerOf(join('fred-md', name)).slice(1)));
    expect([...columns].sort()).toEqual([...codesOf('fred_md')].sort());
  });

  it('name no FRED series without a row', () => {
    const downloads = readdirSync(join(REAL, 'fred-date-value-csv')).map((name) => name.replace('.csv', ''));
    const graphs = readdirSync(join(REAL, 'fredgraph-csv')).map((name) => headerOf(join('fredgraph-csv', name))[1] ?? '');
    const realtime = readdirSync(join(REAL, 'alfred-realtime')).map((name) => headerOf(join('alfred-realtime', name))[3] ?? '');
    expect(outside([...downloads, ...graphs, ...realtime], codesOf('fred'))).toEqual([]);
  });

  it('name exactly the residential construction series that are mapped', () => {
    const lines = readFileSync(join(REAL, 'us-census/RESCONST-mf.csv'), 'utf8').split(/\r?\n/);
    const section = (title: string) => {
      const start = lines.indexOf(title) + 2;
      return new Map(
        lines
          .slice(start, lines.indexOf('', start))
          .map((line) => line.split(',', 2))
          .map(([index, code]) => [index ?? '', code ?? '']),
      );
    };
    const [categories, dataTypes, errorTypes, areas] = [
      section('CATEGORIES'),
      section('DATA TYPES'),
      section('ERROR TYPES'),
      section('GEO LEVELS'),
    ];
    const codes = new Set<string>();
    for (const line of lines.slice(lines.indexOf('DATA') + 2)) {
      const [, category, dataType, errorType, area, isAdjusted] = line.split(',');
      if (area === undefined) continue;
      const measure = errorType === '0' ? dataTypes.get(dataType ?? '') : errorTypes.get(errorType ?? '');
      codes.add([categories.get(category ?? ''), measure, areas.get(area), isAdjusted === '1' ? 'A' : 'N'].join('.'));
    }
    expect([...codes].sort()).toEqual([...codesOf('us_census')].sort());
  });

  it('name no reference currency without a series', () => {
    const keys = filled(headerOf('ecb-eurofxref/eurofxref-hist.csv').slice(1)).map((currency) => `EXR.D.${currency}.EUR.SP00.A`);
    expect(keys.sort()).toEqual([...codesOf('ecb_fx')].sort());
  });

  it('name no World Bank country or aggregate without an entity', () => {
    const Payload = z.tuple([z.unknown(), z.array(z.looseObject({ id: z.string(), iso2Code: z.string() }))]);
    const [, areas] = Payload.parse(JSON.parse(readFileSync(join(REAL, 'world-bank/api-json/countries.json'), 'utf8')));
    const inEntities = entities.flatMap((row) => list(row, 'identifiers')).filter((pair) => pair.startsWith('wb_code='));
    const known = new Set([...inEntities.map((pair) => pair.replace('wb_code=', '')), ...column(countries, 'iso3')]);
    expect(
      outside(
        areas.map((area) => area.id),
        known,
      ),
    ).toEqual([]);
  });
});
