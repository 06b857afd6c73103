// The feeds of releases and revisions: their numbers as known then, their rights, their bytes from night to night, and another parser's reading.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nightly } from '../../jobs/nightly.ts';
import { grantFile, grantRights } from '../../src/rights/grant-file.ts';
import { atomText } from '../../src/snapshot/build/feeds/atom.ts';
import { feedsOf, MOST_ENTRIES } from '../../src/snapshot/build/feeds/write.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { sources } from '../../src/sources/index.ts';
import { replicas } from '../deployments/replicas.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, SILENT, writeFiles } from '../pipeline.ts';
import { issueKeys, sampleLake } from '../service.ts';

const PYTHON = process.env['FEEDPARSER_PYTHON'] ?? 'python3';
const NO_FEEDPARSER =
  spawnSync(PYTHON, ['-c', 'import feedparser']).status === 0 ? null : `${PYTHON} has no feedparser: pip install feedparser`;

const fredMd = sources.filter(({ id }) => id === 'fred_md');
const FIRST = '2026-06-05T12:00:00.000Z';
const SECOND = '2026-07-06T12:00:00.000Z';
const THIRD = '2026-08-05T12:00:00.000Z';
/** Months up to 2026-02, the first one with a value, which is too old for a key of the free tier. */
const monthsFrom2023 = (value: number) =>
  Object.fromEntries(
    Array.from({ length: 38 }, (_, at) => [
      `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
      at === 0 ? value : null,
    ]),
  );

/** UMCSENTx belongs to a third party, who forbids passing it on. */
const JUNE = fredMdFile('2026-05', {
  PAYEMS: { ...monthsFrom2023(150_000), '2026-03': 158_000, '2026-04': 158_100 },
  UMCSENTx: { '2026-03': 60, '2026-04': 61 },
});
const JULY = fredMdFile('2026-06', {
  PAYEMS: { ...monthsFrom2023(149_000), '2026-03': 157_950, '2026-04': 158_040, '2026-05': 158_240 },
  UMCSENTx: { '2026-03': 60, '2026-04': 61.5, '2026-05': 62 },
});
const AUGUST = fredMdFile('2026-07', {
  PAYEMS: { ...monthsFrom2023(149_000), '2026-03': 157_950, '2026-04': 158_020, '2026-05': 158_200, '2026-06': 158_500 },
  UMCSENTx: { '2026-03': 60, '2026-04': 61.5, '2026-05': 62, '2026-06': 63 },
});

/** The texts of an element, in order. */
const textsIn = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
const feedIn = (dataDir: string, name: string) => readFileSync(join(dataDir, 'feeds', `${name}.xml`), 'utf8');

let pipeline: Pipeline;
let folder: string;

/** @param files null: no folder of payloads */
async function night(files: Files | null, at: string) {
  const mirror = mkdtempSync(join(tmpdir(), 'asof-feeds-'));
  if (files !== null) await writeFiles(mirror, files);
  try {
    return await nightly(fredMd, pipeline.workspace, { now: () => Date.parse(at), log: SILENT }, files === null ? null : mirror);
  } finally {
    rmSync(mirror, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  pipeline = await openPipeline();
  folder = pipeline.dataDir;
  const granted = { sourceId: 'fred_md', note: 'A contract with its publishers.', until: null, redistribute: true };
  await grantRights(grantFile(folder), granted, 'me', Date.parse(FIRST));
  await night(JUNE, FIRST);
  await night(JULY, SECOND);
});
afterAll(() => pipeline.remove());

describe('the feeds of a night', () => {
  it('have the value, the period before as known then, and the change', () => {
    expect(textsIn(feedIn(folder, 'releases'), 'content')).toContain(
      'All Employees, Total Nonfarm (United States) was 158,240 thousands in 2026-05, after 158,040 thousands in 2026-04: a change of +200 thousands.',
    );
    expect(textsIn(feedIn(folder, 'revisions'), 'content')).toEqual([
      'All Employees, Total Nonfarm (United States) for 2026-04 was revised from 158,100 thousands to 158,040 thousands: a change of -60 thousands. One earlier period was revised too.',
      'Nonfarm Payrolls, Change on the Month (United States) for 2026-04 was revised from 100 thousands to 90 thousands: a change of -10 thousands.',
    ]);
  });

  it('leave out a series that may not be passed on, also with a grant', async () => {
    const shown = `${feedIn(folder, 'releases')}${feedIn(folder, 'revisions')}`;
    expect(shown).toContain('us_nonfarm_payrolls');
    expect(shown).not.toMatch(/umich|Michigan|sentiment/i);
    const rows = await pipeline.lake("select count(*) as rows from observations where series_code = 'UMCSENTx'");
    expect(Number(rows[0]?.['rows'])).toBeGreaterThan(0);
  });

  it('keep their bytes and are not written in a night without news', async () => {
    const before = ['releases', 'revisions'].map((name) => [feedIn(folder, name), statSync(join(folder, 'feeds', `${name}.xml`)).ino]);
    const { feeds } = await night(null, '2026-07-20T12:00:00.000Z');
    expect(feeds).toEqual({ written: [], problem: null });
    expect(['releases', 'revisions'].map((name) => [feedIn(folder, name), statSync(join(folder, 'feeds', `${name}.xml`)).ino])).toEqual(
      before,
    );
  });

  it('keep every earlier entry as it was when later values are known', async () => {
    const entriesOf = (name: string) => feedIn(folder, name).match(/ {2}<entry>.*?<\/entry>/gs) ?? [];
    const before = ['releases', 'revisions'].flatMap(entriesOf);
    expect(before.length).toBeGreaterThan(1);
    const { feeds } = await night(AUGUST, THIRD);
    expect(feeds?.written.map((path) => path.replace(folder, ''))).toEqual(['/feeds/releases.xml', '/feeds/revisions.xml']);
    const after = ['releases', 'revisions'].flatMap(entriesOf);
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.filter((entry) => before.includes(entry))).toEqual(before);
    const all = textsIn(feedIn(folder, 'releases'), 'content').concat(textsIn(feedIn(folder, 'revisions'), 'content'));
    expect(all).toContain(
      'All Employees, Total Nonfarm (United States) for 2026-05 was revised from 158,240 thousands to 158,200 thousands: a change of -40 thousands. One earlier period was revised too.',
    );
  });

  it('name the file and the remedy if they cannot be written, and the snapshot is published', async () => {
    rmSync(join(folder, 'feeds'), { recursive: true });
    writeFileSync(join(folder, 'feeds'), 'in the way');
    const { feeds, publish } = await night(null, '2026-08-20T12:00:00.000Z');
    expect(feeds?.problem).toContain(join(folder, 'feeds'));
    expect(feeds?.problem).toContain('set DATA_DIR to a folder');
    expect(feeds?.problem).toContain('The snapshot is published; the next night writes the feeds.');
    expect((await readCurrent(pipeline.paths))?.snapshotId).toBe(publish?.snapshotId);
    rmSync(join(folder, 'feeds'));
    const next = await night(null, '2026-08-21T12:00:00.000Z');
    expect(next.feeds?.written).toHaveLength(2);
  });

  it('are served by the servers that follow the store to which they were pushed', async () => {
    const store = mkdtempSync(join(tmpdir(), 'asof-feeds-store-'));
    const now = Date.parse('2026-08-22T12:00:00.000Z');
    await issueKeys(folder, now);
    const servers = replicas({ snapshotUrl: `file://${store}`, redisUrl: null });
    const { port, stop } = await servers.open(folder, { now: () => now, log: SILENT, environment: { FEEDS: 'on' } });
    try {
      for (const name of ['releases', 'revisions']) {
        const answer = await fetch(`http://127.0.0.1:${port}/feeds/${name}.xml`);
        expect([answer.status, await answer.text()]).toEqual([200, feedIn(folder, name)]);
      }
    } finally {
      await stop();
      rmSync(store, { recursive: true });
    }
  });
});

const Parsed = z.object({
  bozo: z.boolean(),
  version: z.string(),
  feed: z.object({ id: z.string(), title: z.string(), updated: z.string(), links: z.array(z.string()) }),
  entries: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      updated: z.string(),
      link: z.string(),
      content: z.string(),
      rights: z.string(),
      tags: z.array(z.string()),
    }),
  ),
});

/** As feedparser reads it. */
function parsed(xml: string) {
  const script = `import feedparser, json, sys
found = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({
  'bozo': bool(found.bozo), 'version': found.version,
  'feed': {'id': found.feed.id, 'title': found.feed.title, 'updated': found.feed.updated, 'links': [link.href for link in found.feed.links]},
  'entries': [{'id': e.id, 'title': e.title, 'updated': e.updated, 'link': e.link, 'content': e.content[0].value, 'rights': e.rights,
    'tags': [tag.term for tag in e.tags]} for e in found.entries]}))`;
  const done = spawnSync(PYTHON, ['-c', script], { input: xml, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (done.status !== 0) throw new Error(done.stderr);
  return Parsed.parse(JSON.parse(done.stdout));
}

describe('the feeds of the sample', () => {
  const read = async () => {
    const paths = snapshotPaths(await sampleLake());
    const manifest = await readCurrent(paths);
    if (manifest === null) throw new Error('the sample is not published');
    return feedsOf(paths, manifest, pipeline.workspace.limits('feeds'));
  };

  it('have at most a fixed number of entries, the newest first, with ids of their own', async () => {
    for (const { name, entries } of await read()) {
      expect([name, entries.length > 20 && entries.length <= MOST_ENTRIES]).toEqual([name, true]);
      const updated = entries.map((entry) => entry.updated);
      expect(updated).toEqual(updated.toSorted().toReversed());
      const long = entries.flatMap(({ text }) => text.match(/\d[\d,.]{11,}/g) ?? []);
      expect(long.filter((number) => number.includes('.'))).toEqual([]);
      expect(entries.filter(({ link }) => link.includes('frequency=daily'))).toEqual([]);
      expect(new Set(entries.map(({ key }) => key.join())).size).toBe(entries.length);
    }
  });

  it.skipIf(NO_FEEDPARSER !== null)(`are read by feedparser${NO_FEEDPARSER === null ? '' : ` (skipped: ${NO_FEEDPARSER})`}`, async () => {
    for (const feed of await read()) {
      const found = parsed(atomText(feed, 'https://data.example.org'));
      expect([found.bozo, found.version]).toEqual([false, 'atom10']);
      expect(found.feed.id).toBe(`tag:asof,2026:feeds/${feed.name}`);
      expect(found.feed.updated).toBe(feed.entries[0]?.updated);
      expect(found.feed.links).toEqual([`https://data.example.org/feeds/${feed.name}.xml`, 'https://data.example.org/explore#/today']);
      expect(
        found.entries.map(({ title, content, updated, rights, link, tags }) => ({ title, content, updated, rights, link, tags })),
      ).toEqual(
        feed.entries.map(({ title, text, updated, attribution, link, category }) => ({
          title,
          content: text,
          updated,
          rights: attribution,
          link: `https://data.example.org${link}`,
          tags: [category.term],
        })),
      );
    }
  });

  it.skipIf(NO_FEEDPARSER !== null)('keep signs that XML reserves, and have a time without any entry', () => {
    const entry = {
      key: ['a b', 'c&d'],
      title: 'Food & drink <new> "x"',
      text: 'a < b & c',
      updated: '2026-01-01T00:00:00.000Z',
      link: '/explore#/series?a=1&b=2',
      origin: '/explore',
      attribution: 'A & B',
      category: { term: 'US', label: '"U" & S' },
    };
    const feed = { name: 'releases', title: 'Releases', subtitle: 'a & b', entries: [entry] };
    const { bozo, entries } = parsed(atomText(feed, null));
    // feedparser takes a title of plain text for text, and gives it escaped if it looks like markup.
    expect([bozo, entries[0]?.id, entries[0]?.rights]).toEqual([false, 'tag:asof,2026:releases/a%20b/c%26d', 'A & B']);
    const empty = parsed(atomText({ ...feed, entries: [] }, null));
    expect([empty.bozo, empty.feed.updated, empty.entries]).toEqual([false, '1970-01-01T00:00:00.000Z', []]);
  });
});
