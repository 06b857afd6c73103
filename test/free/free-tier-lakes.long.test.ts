// Two lakes that differ only behind the window of a free key give it equal answers, on every route and in every form.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMonths } from '../../src/model/period.ts';
import { type Description, readDescription } from '../http/description.ts';
import { type ListBody, type RunningService, SAMPLE_TIME, sampleDataDir, startService } from '../service.ts';
import { isLong } from '../suite.ts';
import { compare, type Difference } from './comparison.ts';
import { changedBehind } from './hidden-change.ts';
import { drawing, questionsOf, type Screened } from './questions.ts';

const WINDOW_START = addMonths(SAMPLE_TIME.slice(0, 10), -24);
const SEED = Number(process.env['FREE_SEED'] ?? 1);
/** Of a route. */
const MOST = Number(process.env['FREE_MOST'] ?? (isLong ? 200 : 6));

let one: RunningService;
let other: RunningService;
let description: Description;
beforeAll(async () => {
  const dataDir = await sampleDataDir();
  other = await startService(await changedBehind(dataDir, WINDOW_START), { isOwnFolder: true });
  one = await startService(dataDir, { isOwnFolder: true });
  description = readDescription(await (await one.get('/openapi.json')).text());
}, 900_000);
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
});

const rows = async (service: RunningService, path: string, key: 'free' | 'full') =>
  ((await (await service.get(path, { key })).json()) as ListBody).data;

/** What a placeholder of a path may be: of what lies inside, behind, and nowhere. */
async function placesOf(name: string): Promise<readonly string[]> {
  const texts = (list: readonly Readonly<Record<string, unknown>>[], field: string) => list.map((row) => String(row[field]));
  const spread = (all: readonly string[]) => all.filter((_, at) => at % Math.ceil(all.length / (isLong ? 12 : 3)) === 0);
  if (name === 'observationId') {
    const lists = await Promise.all([
      rows(one, '/observations?sort=period_end&order=desc&limit=300&vintage=all', 'free'),
      rows(one, '/observations?sort=period_end&order=asc&limit=50', 'full'),
      rows(one, '/observations?sort=period_end&order=asc&limit=100&start_date=2024-10-31', 'full'),
    ]);
    const derived = await rows(one, '/derived-observations?limit=300', 'free');
    return [...lists.flatMap((list) => spread(texts(list, 'observationId'))), ...spread(texts(derived, 'id')), `obs_${'0'.repeat(26)}`];
  }
  if (name === 'eventId') {
    const all = await Promise.all(['/events?limit=300', '/economic-calendar?limit=300'].map((path) => rows(one, path, 'full')));
    return all.flatMap((list) => spread(texts(list, 'eventId')));
  }
  if (name === 'idOrLookup') return ['ZZSMB', 'zznone', ...texts(await rows(one, '/public/companies', 'full'), 'companyId')];
  if (name === 'idOrIso') return ['us', 'DEU', 'ea', 'jp', 'nowhere'];
  const entities = texts(await rows(one, '/entities?limit=500', 'full'), 'entityId');
  const known = ['us', 'de', 'ea', 'gb', 'nobody'];
  if (name === 'idOrSlug' || name === 'entityId') return [...known, ...spread(entities)];
  throw new RangeError(`There is nothing to ask for {${name}}.`);
}

async function placesIn(path: string): Promise<readonly string[]> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const places = path.startsWith('/derived-indicators')
    ? (await rows(one, '/derived-indicators?limit=500', 'full')).map((row) => String(row['slug']))
    : await placesOf(name);
  return places.map((place) => path.replace(`{${name}}`, encodeURIComponent(place)));
}

async function asked(): Promise<readonly string[]> {
  const fields = await rows(one, '/public/screener/filters?limit=500', 'full');
  const screened = fields
    .filter((field) => field['type'] === 'number')
    .map((field) => ({ field: field['field'], modifiers: field['modifiers'], universes: field['universes'] }) as Screened);
  const draw = drawing(SEED);
  const paths: string[] = [];
  for (const operation of description.operations.filter(({ scope }) => scope === 'data:read')) {
    const places = await placesIn(operation.path);
    const most = Math.ceil(MOST / Math.min(places.length, 8));
    const ofFields = isLong ? screened : screened.filter((_, at) => at % 9 === 0);
    for (const place of places) {
      const questions = questionsOf(operation, place, ofFields, draw, most);
      paths.push(...(isLong ? questions : questions.filter((_, at) => at === 0 || draw() < most / questions.length)));
    }
  }
  return [...new Set(paths)];
}

describe('two lakes that differ only behind the window', () => {
  it('give different answers to a full key', async () => {
    const counted = (service: RunningService) => rows(service, '/indicators/series?limit=500', 'full');
    expect(await counted(one)).not.toEqual(await counted(other));
  });

  it('give a free key equal answers on every route', async () => {
    const paths = await asked();
    const found: Difference[] = [];
    const queue = [...paths];
    const worker = async () => {
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        const difference = await compare(one, other, path);
        if (difference !== null) found.push(difference);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    // FREE_REPORT names a file for the figures and every difference.
    const report = process.env['FREE_REPORT'];
    if (report !== undefined) {
      const lines = found.map(({ path, at }) => `${path}\n    ${at}\n`);
      writeFileSync(report, `${found.length} different answers of ${paths.length} requests\n${lines.join('')}`);
    }
    expect(paths.length).toBeGreaterThan(isLong ? 2000 : 150);
    expect(found.slice(0, 20)).toEqual([]);
  }, 1_800_000);
});
