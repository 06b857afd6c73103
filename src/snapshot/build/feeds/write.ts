// The feeds of a snapshot in DATA_DIR/feeds: releases.xml and revisions.xml. They follow from the snapshot's files alone, and hold only rows that a
// reader without a key may see.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, openWriter } from '../../../db/connect.ts';
import { parquetFiles } from '../../../db/files.ts';
import { createRelation } from '../../../db/layers.ts';
import { type Reader, run } from '../../../db/query.ts';
import { diskErrorOf } from '../../../disk/disk-error.ts';
import { writeDurably } from '../../../disk/durable.ts';
import type { Manifest } from '../../../model/manifest.ts';
import { FEEDS, type SnapshotPaths } from '../../manifest.ts';
import { tablesOf } from '../named-files.ts';
import { type AtomEntry, type AtomFeed, atomText } from './atom.ts';
import { feedNewsQuery, type News, newsKey, observationOf, releaseText, revisionText, type Told } from './news.ts';

/** The most entries of a feed. */
export const MOST_ENTRIES = 200;

const CONTENTS = {
  releases: {
    isRevision: false,
    title: 'Releases',
    subtitle: 'First values of macroeconomic series, with the value of the period before as it was known then.',
    textOf: releaseText,
  },
  revisions: {
    isRevision: true,
    title: 'Revisions',
    subtitle: 'Revised values of macroeconomic series, with the value that each one replaced.',
    textOf: revisionText,
  },
} as const satisfies Record<(typeof FEEDS)[number], object>;

export interface FeedsReport {
  /** The files that changed. */
  readonly written: readonly string[];
  /** The reason and the remedy if a feed could not be written; the published snapshot is not affected. */
  readonly problem: string | null;
}

/** Writes the feeds that differ from this snapshot. Never throws: a snapshot is complete without feeds. */
export async function writeFeeds(
  paths: Pick<SnapshotPaths, 'root' | 'feeds'>,
  manifest: Manifest,
  { limits, publicUrl }: { readonly limits: EngineLimits; readonly publicUrl: string | null },
): Promise<FeedsReport> {
  const written: string[] = [];
  try {
    const feeds = await feedsOf(paths, manifest, limits);
    for (const feed of feeds) {
      const path = join(paths.feeds, `${feed.name}.xml`);
      const text = atomText(feed, publicUrl);
      if ((await readFile(path, 'utf8').catch(() => null)) === text) continue;
      await writeDurably(path, text);
      written.push(path);
    }
    return { written, problem: null };
  } catch (error) {
    const reason =
      diskErrorOf(error)?.message ??
      `The feeds in ${paths.feeds} could not be written: ${error instanceof Error ? error.message : String(error)}.`;
    return { written, problem: `${reason} The snapshot is published; the next night writes the feeds.` };
  }
}

/** The feeds as they are written, newest entries first. */
export async function feedsOf(paths: Pick<SnapshotPaths, 'root'>, manifest: Manifest, limits: EngineLimits): Promise<readonly AtomFeed[]> {
  const engine = await openWriter(limits);
  try {
    const { connection } = engine;
    await createViews(connection, paths, manifest);
    const reader: Reader = { withConnection: (use) => use(connection, new Map()) };
    const feeds: AtomFeed[] = [];
    for (const name of FEEDS) {
      const { isRevision, title, subtitle, textOf } = CONTENTS[name];
      const news = await run(reader, feedNewsQuery, { isRevision, limit: MOST_ENTRIES });
      feeds.push({ name, title, subtitle, entries: news.map((one) => entryOf(one, textOf(one))) });
    }
    return feeds;
  } finally {
    engine.close();
  }
}

const READ: readonly string[] = ['series', 'vintages'];

async function createViews(connection: DuckDBConnection, paths: Pick<SnapshotPaths, 'root'>, manifest: Manifest): Promise<void> {
  await connection.run('create schema published');
  for (const { table, files } of tablesOf(paths, manifest))
    if (READ.includes(table)) await connection.run(`create view published.${table} as from ${parquetFiles(files)}`);
  for (const path of ['macros/entities/is_macro', 'macros/is_in_force']) await createRelation(connection, { path, as: 'macro' });
}

function entryOf(news: News, { title, text }: Told): AtomEntry {
  const { indicatorId, sourceId, entityId, entityName, country, frequency, periodEnd, observedAt, attribution } = news;
  const asked = new URLSearchParams({ indicator_id: indicatorId, source_id: sourceId, entity: entityId, frequency, period_end: periodEnd });
  return {
    key: newsKey(news),
    title,
    text,
    updated: observedAt,
    link: `/explore#/series?${asked.toString()}`,
    origin: `/explore#/provenance?id=${observationOf(news)}`,
    attribution,
    category: { term: country ?? entityId, label: entityName },
  };
}
