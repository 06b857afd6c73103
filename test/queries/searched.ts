// The series of a real lake and of the sample by their names, with the names of the reference: what a search compares with a question.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { loadReference } from '../../src/lake/reference.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { EntityType } from '../../src/model/entity.ts';
import { NO_GRANTS } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { Frequency } from '../../src/model/period.ts';
import { Importance } from '../../src/model/trust.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { catalogueOf, seriesWith } from '../boundaries/by-hand/series.ts';
import { openRelations } from '../boundaries/by-hand/tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/search');

type Row = Readonly<Record<string, string>>;
const rowsOf = (path: string) => parse<Row>(readFileSync(path, 'utf8'), { columns: true });
const fixture = (name: string) => rowsOf(join(FIXTURES, `${name}.csv`));

export interface Question {
  readonly question: string;
  /** Storage indicators, each a right answer. */
  readonly answers: readonly string[];
}

export const QUESTIONS: readonly Question[] = fixture('questions').map(({ question = '', answer = '' }) => ({
  question,
  answers: answer.split(';'),
}));

const ENTITIES = 'entity_id varchar, entity_type varchar, known_from timestamptz, valid_from date';
const ALIASES = 'entity_id varchar, alias varchar, alias_type varchar, known_from timestamptz, valid_from date';

export interface Searched {
  readonly snapshot: Snapshot;
  readonly close: () => void;
}

/** A snapshot that can be searched. It has no values. */
export async function openSearched(series: readonly Series[] = seriesOfFixture()): Promise<Searched> {
  const relations = await openRelations();
  await loadReference(relations.connection, join(ROOT, 'data/reference'));
  await relations.table('published.entities', ENTITIES);
  await relations.table('published.aliases', ALIASES);
  await relations.connection.run('create view published.canonical_indicators as select * from reference.canonical_indicators');
  for (const statement of FILLING) await relations.connection.run(statement);
  for (const { entity_id: id = '', entity_type: type = '', name = '', code = '' } of fixture('entities')) {
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    await relations.connection.run(`insert into published.entities values (${quoted(id)}, ${quoted(type)}, null, null)`);
    await relations.connection.run(`insert into published.aliases values (${quoted(id)}, ${quoted(name)}, 'name', null, null)`);
    const kind = type === 'company' ? 'ticker' : 'cftc_code';
    if (code !== '')
      await relations.connection.run(`insert into published.aliases values (${quoted(id)}, ${quoted(code)}, '${kind}', null, null)`);
  }
  const snapshot: Snapshot = {
    ...relations.reader,
    snapshotId: 's',
    knowledgeCutoff: '2026-11-28T00:00:00.000Z',
    catalogue: catalogueOf(series),
    manifest: {} as Manifest,
    grants: NO_GRANTS,
    packs: null,
    newest: null,
  };
  return { snapshot, close: relations.close };
}

/** Entities of the reference under their names and codes. */
const FILLING = [
  "insert into published.entities select lower(iso2), 'country', null, null from reference.countries",
  'insert into published.entities select entity_id, entity_type, null, valid_from from reference.entities',
  "insert into published.aliases select lower(iso2), unnest([iso2, iso3, name]), unnest(['iso2', 'iso3', 'name']), null, null from reference.countries",
  "insert into published.aliases select entity_id, name, 'name', null, null from reference.entities",
  "insert into published.aliases select entity_id, short_name, 'short_name', null, null from reference.entities where short_name is not null",
  "insert into published.aliases select entity_id, upper(entity_id[5:]), 'currency', null, null from reference.entities where entity_type = 'currency'",
  'insert into published.aliases select entity_id, alias, alias_type, null, valid_from from reference.aliases',
];

export function seriesOfFixture(): readonly Series[] {
  const indicators = new Map(
    rowsOf(join(ROOT, 'data/reference/canonical_indicators.csv')).map((row) => [textOf(row, 'canonical_id'), row]),
  );
  return fixture('series').map((row, index) => {
    const [canonicalId, entityId, sourceId] = [textOf(row, 'canonical_id'), textOf(row, 'entity_id'), textOf(row, 'source_id')];
    const indicator = indicators.get(canonicalId) ?? {};
    const rank = textOf(indicator, 'preferred_source_ids').split(';').indexOf(sourceId);
    const code = textOf(row, 'series_code');
    return seriesWith({
      seriesNo: index + 1,
      sourceId,
      canonicalId,
      entityId,
      entityType: EntityType.parse(row['entity_type']),
      indicatorId: `${entityId}_${canonicalId}`,
      indicatorName: textOf(indicator, 'name'),
      category: textOf(indicator, 'category'),
      country: null,
      seriesCode: code === '' ? null : code,
      frequency: Frequency.parse(row['frequency']),
      importance: Importance.parse(indicator['importance']),
      sourceRank: rank === -1 ? null : rank + 1,
      observationCount: Number(row['observation_count']),
    });
  });
}

const textOf = (row: Row, column: string): string => row[column] ?? '';
