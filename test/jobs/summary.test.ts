// What a person reads of a night, and what is kept of it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FetchedSource } from '../../jobs/fetch.ts';
import { hasFailed, type NightlyReport } from '../../jobs/nightly.ts';
import type { PayloadReport, SourceReport } from '../../jobs/normalise.ts';
import type { Reconciliation } from '../../src/snapshot/build/reconciliations.ts';
import { nothingHeld } from '../../jobs/quarantine.ts';
import { keepReport } from '../../jobs/reporting/report-files.ts';
import { summaryText } from '../../jobs/reporting/summary.ts';

const STARTED = '2026-11-21T03:30:00.000Z';

const payload = (key: string, error: string | null = null): PayloadReport => ({
  key,
  payloadId: `pay_${key}`,
  status: error === null ? 'ok' : 'failed',
  error,
  rowsRead: error === null ? 10 : 0,
  rowsWritten: error === null ? 4 : 0,
  rowsQuarantined: error === null ? 1 : 0,
  findings: [],
});
const source = (sourceId: string, payloads: readonly PayloadReport[] = [payload(`${sourceId}.csv`)]): SourceReport => {
  const failed = payloads.find(({ error }) => error !== null);
  const status = failed === undefined ? 'ok' : 'failed';
  return { sourceId, status, error: failed?.error ?? null, payloadsSeen: payloads.length, payloads, milliseconds: 1500 };
};
const asked = (sourceId: string, status: FetchedSource['status'], more: Partial<FetchedSource> = {}): FetchedSource => ({
  sourceId,
  status,
  reason: null,
  requests: status === 'done' ? 3 : 0,
  added: 0,
  unchanged: 0,
  absent: 0,
  failed: 0,
  bytes: 0,
  milliseconds: status === 'done' ? 2000 : 0,
  moved: [],
  ...more,
});

function night(more: Partial<NightlyReport>): NightlyReport {
  return {
    startedAt: STARTED,
    finishedAt: '2026-11-21T03:31:02.500Z',
    mended: [],
    collect: null,
    leftovers: null,
    fetch: null,
    sources: [],
    waiting: [],
    compactedFiles: 0,
    derive: {
      snapshotId: 'snap_1',
      knowledgeCutoff: STARTED,
      counts: { observations: 0, vintages: 0, indicators: 0, entities: 0, events: 0, quarantined: 0 } as never,
      derived: [],
      tables: [],
      reconciliations: [],
      warnings: [],
      shards: null,
    },
    publish: { snapshotId: 'snap_1', previousSnapshotId: null, isNew: true, removedFiles: 0, keptSnapshots: ['snap_1'] },
    feeds: { written: [], problem: null },
    peakMemoryBytes: 700e6,
    ...more,
  };
}

it('the summary has the feed that could not be written, and the run needs attention', () => {
  const problem = '/data/feeds/releases.xml cannot be written (ENOSPC). The disk is full: free some space and run the command again.';
  const report = night({ feeds: { written: [], problem } });
  expect(summaryText(report, null)).toContain(problem);
  expect(hasFailed(report)).toBe(true);
  expect(hasFailed(night({}))).toBe(false);
});

const STRAYS = [...Array(10).keys()].flatMap((folder) => [...Array(5).keys()].map((index) => `folder-${folder}/${index}.txt`));

const pairOf = (more: Partial<Reconciliation>): Reconciliation => ({
  pair: 'left_right_cpi',
  leftSourceId: 'left',
  leftIndicator: 'cpi',
  rightSourceId: 'right',
  rightIndicator: 'cpi',
  comparison: 'newest',
  whyNot: null,
  series: 1,
  compared: 10,
  agreeing: 10,
  dated: 0,
  disagreeing: 0,
  disagreements: [],
  ...more,
});
const DIFFERENCE = { entityId: 'us', period: '2026-01', knownOn: null, leftValue: 1.5, rightValue: 2 };
const disagreeing = (index: number): Reconciliation =>
  pairOf({
    pair: `pair_${index}`,
    leftSourceId: `a_long_name_of_a_source_${index}`,
    agreeing: 9 - (index % 4),
    disagreeing: 1 + (index % 4),
    disagreements: [DIFFERENCE],
  });

/** The worst of everything: thirty pairs of sources that disagree, two hundred files that fail in eight ways, thirty sources, files of nobody in ten folders, and notes of each kind. */
function badNight(): NightlyReport {
  const broken = [...Array(200).keys()].map((index) =>
    payload(`bad/${index}.csv`, `the ${'abcdefgh'[index % 8]}. column is missing\nin line ${index}`),
  );
  const held = {
    ...payload('held.csv'),
    rowsRead: 0,
    rowsWritten: 0,
    rowsQuarantined: 0,
    findings: [{ rule: 'scale_jump', severity: 'block', rows: 3 }],
  };
  const sources = [source('broken', [...broken, held]), ...[...Array(29).keys()].map((index) => source(`source_${index}`))];
  const idle = ['not_due_1', 'not_due_2', 'paused_1', 'no_feed_1', 'silent_1'].map((id) => source(id, []));
  return night({
    sources: [...sources, ...idle],
    waiting: sources.map(({ sourceId }) => ({ sourceId, findings: 3 })),
    fetch: {
      sources: [
        ...sources.map(({ sourceId }) => asked(sourceId, 'done', { moved: [`${sourceId}.csv → https://moved.invalid/`] })),
        asked('not_due_1', 'not due'),
        asked('not_due_2', 'not due'),
        asked('paused_1', 'paused', { reason: 'it needs a key: set FRED_API_KEY' }),
        asked('no_feed_1', 'no feed'),
      ],
      hasAsked: true,
      hasAnswers: true,
    },
    collect: {
      retrievedAt: STARTED,
      files: [
        {
          sourceId: 'source_3',
          key: 'large.csv',
          bytes: 9,
          isNew: false,
          problem: 'has 9 bytes, more than the 8 that one payload may have',
        },
      ],
      unclaimed: STRAYS,
    },
    leftovers: {
      explained: [{ reason: 'notes of the folder', paths: Array.from({ length: 12 }, (_, at) => `notes/${at}.md`) }],
      unexplained: STRAYS,
    },
    mended: [...Array(9).keys()].map((index) => ({ path: `lake/${index}.parquet`, problem: 'changed', rows: 5 })),
    derive: { ...night({}).derive, warnings: ['one', 'two', 'three'], reconciliations: [...Array(30).keys()].map(disagreeing) },
  });
}

it('has at most forty lines of at most 200 characters, whatever failed', () => {
  const lines = summaryText(badNight(), '/data/reports/1.json').split('\n');
  // One more is told where the snapshot is sent on.
  expect([lines.length <= 39, lines.filter((line) => line.length > 200)]).toEqual([true, []]);
  expect(lines.length).toBeGreaterThan(35);
});

it('has a line for each failed source, and counts the sources without one', () => {
  const lines = summaryText(badNight(), null)
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));
  expect(lines.slice(0, 1)).toEqual(['source read written quarantined requests seconds state']);
  expect(lines.slice(2, 4)).toEqual(['source_3 10 4 1 3 3.5 FAILED', 'broken 0 0 0 3 3.5 FAILED']);
  // Thirty sources, ten lines: what the others read, wrote, refused, asked and took.
  expect(lines[11]).toBe('21 others 210 84 21 63 73.5 done');
});

it('says which sources wait for a decision, also if this run found nothing', () => {
  const waiting = (more: Partial<NightlyReport>) =>
    summaryText(night(more), null)
      .split('\n')
      .filter((line) => line.startsWith('WAIT '));
  const held = [
    { sourceId: 'fred', findings: 12 },
    { sourceId: 'sec', findings: 1 },
  ];
  const line = 'WAIT for your decision, findings by source: fred (12), sec (1). To see them: npm run quarantine -- list';
  expect(waiting({ waiting: held })).toEqual([line]);
  // The run's own findings are not counted a second time.
  const jump = { ...payload('a.csv'), findings: [{ rule: 'scale_jump', severity: 'block', rows: 12 }] };
  expect(waiting({ waiting: held, sources: [source('fred', [jump])] })).toEqual([line]);
  expect(waiting({ sources: [source('fred')] })).toEqual([]);
});

it('counts the findings of the run by rule, the most frequent first, with their sources', () => {
  const finding = (rule: string, severity: string, rows: number) => ({ rule, severity, rows });
  const unknown = { ...payload('a.csv'), findings: [finding('identity_unresolved', 'block', 7), finding('scale_jump', 'warn', 3000)] };
  const also = { ...payload('b.csv'), findings: [finding('identity_unresolved', 'block', 2)] };
  const of = (...sources: readonly SourceReport[]) =>
    summaryText(night({ sources }), null)
      .split('\n')
      .filter((line) => line.startsWith('findings '));
  expect(of(source('fred', [unknown, unknown]), source('bis', [also]))).toEqual([
    'findings (see /explore#/health): 6000 scale_jump as a warning (fred), 16 identity_unresolved (fred, bis)',
  ]);
  expect(of(source('fred'))).toEqual([]);
});

it('names no bad file if a good one of the same name was read in the same run', () => {
  const replaced = { ...source('fred', [payload('a.csv', 'it is cut off'), payload('a.csv')]), status: 'ok' as const, error: null };
  expect(summaryText(night({ sources: [replaced] }), null)).not.toContain('FAILED');
});

it('gives the reason why a source was not asked, and names sources without news', () => {
  const text = summaryText(badNight(), null);
  expect(text).toContain('\nnot due: not_due_1, not_due_2\npaused: paused_1 (it needs a key: set FRED_API_KEY)\n');
  expect(text).toContain('\nno feed: no_feed_1; no file yet: silent_1\n');
});

it('leaves a source out of the table if all its files of the folder are known, and names it before those without a file', () => {
  const known = { ...source('known', []), payloadsSeen: 1 };
  const files = [{ sourceId: 'known', key: 'known.csv', bytes: 9, isNew: false, problem: null }];
  const again = summaryText(
    night({ sources: [source('never', []), known], collect: { retrievedAt: STARTED, files, unclaimed: [] } }),
    null,
  );
  expect(again.split('\n').slice(0, 2)).toEqual([
    'No publisher was contacted, and no payload was new.',
    'nothing new: known; no file yet: never',
  ]);
});

it('shows each kind of failure once with its count, the most frequent first', () => {
  const error = (line: number) => `column b is missing in line ${line}`;
  const sources = [
    source('fred', [payload('a.csv', error(3)), payload('b.csv', error(14)), payload('c.csv', 'c.csv is empty'), payload('d.csv')]),
    { ...source('sec', []), status: 'failed' as const, error: 'its list of companies is missing' },
  ];
  const fetch = {
    sources: [asked('ecb_fx', 'failed', { failed: 1, requests: 2, reason: 'a page came' })],
    hasAsked: true,
    hasAnswers: true,
  };
  const lines = summaryText(night({ sources: [...sources, source('ecb_fx', [])], fetch }), null).split('\n');
  expect(lines.filter((line) => line.startsWith('FAILED '))).toEqual([
    'FAILED fred: a.csv and 1 more like it: column b is missing in line 3',
    'FAILED ecb_fx: 1 of 2 requests: a page came',
    'FAILED fred: c.csv: c.csv is empty',
    'FAILED sec: the source: its list of companies is missing',
  ]);
  expect(lines.at(-2)).toBe('Something failed: see above. 62.5 s, peak memory 700 MB.');
});

describe('pairs of sources', () => {
  const lines = (...reconciliations: readonly Reconciliation[]) =>
    summaryText(night({ derive: { ...night({}).derive, reconciliations } }), null)
      .split('\n')
      .filter((line) => /^(?:sources agree| |not compared|DISAGREE|and \d+ more pairs)/.test(line));

  it('are named with the compared and the agreeing values, summed over their indicators', () => {
    expect(
      lines(
        pairOf({}),
        pairOf({ leftIndicator: 'gdp', compared: 5, agreeing: 3, dated: 2 }),
        pairOf({ leftIndicator: 'm2', whyNot: 'no period of both', compared: 0, agreeing: 0 }),
        pairOf({ leftSourceId: 'other' }),
      ),
    ).toEqual(['sources agree: left/right 13 of 15 (2 of other days, 1 pairs not compared), other/right 10 of 10']);
  });

  it('without one of the two are not compared, and count as no agreement', () => {
    expect(lines(pairOf({ whyNot: 'nothing of right', compared: 0, agreeing: 0 }))).toEqual(['not compared: left/right']);
  });

  it('that disagree are shown with the first period and both values, the worst first', () => {
    const early = pairOf({ agreeing: 8, disagreeing: 2, disagreements: [{ ...DIFFERENCE, knownOn: '2026-02-28', rightValue: null }] });
    const one = pairOf({ leftSourceId: 'other', agreeing: 9, disagreeing: 1, disagreements: [DIFFERENCE] });
    expect(lines(one, early)).toEqual([
      'sources agree: other/right 9 of 10, left/right 8 of 10',
      'DISAGREE in 2 of 10: cpi of us, first 2026-01 (known 2026-02-28): left 1.5, right had none yet',
      'DISAGREE in 1 of 10: cpi of us, first 2026-01: other 1.5, right 2',
    ]);
    const many = lines(...[...Array(5).keys()].map(disagreeing));
    expect(many.slice(-3).map((line) => line.slice(0, 24))).toEqual([
      'DISAGREE in 4 of 10: cpi',
      'DISAGREE in 3 of 10: cpi',
      'and 3 more pairs that DI',
    ]);
  });

  it('take two lines if there are many, and the second counts the others', () => {
    const found = lines(...[...Array(30).keys()].map((index) => pairOf({ leftSourceId: `a_long_name_of_a_source_${index}` })));
    expect(found.map((line) => [line.length <= 200, / and \d+ more$/.exec(line)?.[0] ?? ''])).toEqual([
      [true, ''],
      [true, ' and 22 more'],
    ]);
  });
});

it('names unclaimed files by folder', () => {
  const unclaimed = ['x.txt', 'sec/a.txt', 'sec/b.txt', 'sec/c.txt', 'sec/d.txt', 'sec/e.txt'];
  const lines = summaryText(
    night({
      collect: { retrievedAt: STARTED, files: [], unclaimed },
      leftovers: {
        explained: [{ reason: 'of the folder itself', paths: Array.from({ length: 7 }, (_, at) => `${at}.md`) }],
        unexplained: unclaimed,
      },
    }),
    null,
  ).split('\n');
  expect(lines.filter((line) => /^(?:of no source|not read)/.test(line))).toEqual([
    'not read: 7 files, for one reason (--verbose names them)',
    'of no source: sec/ a.txt, b.txt, c.txt and 2 more',
    'of no source: x.txt',
  ]);
});

it('ends with the snapshot, the time it took and the place of the full report', () => {
  const text = summaryText(night({ sources: [source('fred_md')] }), '/data/reports/1.json');
  expect(text.split('\n').slice(-3)).toEqual([
    `Snapshot snap_1 is current. It has everything known up to ${STARTED}.`,
    '62.5 s, peak memory 700 MB.',
    'Full report: /data/reports/1.json, or --verbose.',
  ]);
  const publish = { ...night({}).publish, isNew: false };
  expect(summaryText(night({ publish }), null)).toContain('Snapshot snap_1 was already current; nothing changed.');
  expect(summaryText(night({}), null).split('\n').at(-1)).toBe('This report could not be saved.');
});

it('is kept in full in a file per run, for the newest ninety runs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'asof-reports-'));
  try {
    const bad = badNight();
    const file = await keepReport(dataDir, bad);
    expect([file, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([join(dataDir, 'reports', '20261121T033000000Z.json'), bad]);
    for (let day = 1; day < 90; day += 1) {
      const startedAt = new Date(Date.parse(STARTED) + day * 86_400_000).toISOString();
      writeFileSync(join(dataDir, 'reports', `${startedAt.replaceAll(/[-:.]/g, '')}.json`), '{}');
    }
    await keepReport(dataDir, night({ startedAt: '2027-02-19T03:30:00.000Z' }));
    const kept = readdirSync(join(dataDir, 'reports')).toSorted();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([90, '20261122T033000000Z.json', '20270219T033000000Z.json']);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('a list without findings names its folder, and the folder of a sample in it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'asof-held-'));
  expect(nothingHeld(dataDir)).toBe(`Nothing waits for a decision in ${dataDir}. This folder has no published data.`);
  writeFileSync(join(dataDir, 'current.json'), '{}');
  expect(nothingHeld(dataDir)).toBe(`Nothing waits for a decision in ${dataDir}. /quarantine lists all findings.`);
  mkdirSync(join(dataDir, 'sample'));
  writeFileSync(join(dataDir, 'sample/current.json'), '{}');
  expect(nothingHeld(dataDir)).toMatch(/ For the sample, set DATA_DIR=.*\/sample\.$/u);
  rmSync(dataDir, { recursive: true });
});
