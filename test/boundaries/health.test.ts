// How sources and series are doing, and what became of what was refused: each verdict just below, at and just above its threshold.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/db/query.ts';
import { quarantineListQuery, sourcesHealthQuery } from '../../src/queries/operations.ts';
import { seriesRevisionsOfQuery, seriesRevisionsQuery, seriesLivenessQuery } from '../../src/queries/series.ts';
import { around, type Given, moved, openRelations, type Relations, toVintages, VINTAGE_COLUMNS } from './by-hand/tables.ts';

const DAY = 86_400_000;
const NOW = '2024-05-10T12:00:00.000Z';
const ago = (days: number, ms = 0) => moved(NOW, -days * DAY + ms);

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
  await relations.lake({ attempts: [], ingestions: [], resolutions: [] });
  await relations.macros('freshness_status', 'knowledge_cutoff', 'is_series_in_part');
});
afterAll(() => relations.close());

const SOURCE_COLUMNS = `source_no integer, source_id varchar, name varchar, provider varchar, source_tier varchar, expected_interval_seconds bigint,
  usual_lag_days integer, is_redistributable boolean, license varchar, rights_note varchar`;
const SERIES_COLUMNS = `series_no integer, source_id varchar, indicator_id varchar, indicator_name varchar, entity_id varchar, is_derived boolean,
  is_ceased boolean, freshness_status varchar, latest_period_end date, default_budget_days integer, ceased_at timestamptz,
  canonical_id varchar, frequency varchar, latest_observed_at timestamptz`;
const QUARANTINE_COLUMNS = `quarantine_id varchar, source_id varchar, period_end date, connector_id varchar, run_id varchar, entity_id varchar, indicator_id varchar,
  series_code varchar, period varchar, rule varchar, rule_version varchar, severity varchar, reason varchar, field_path varchar,
  observed_value varchar, expected varchar, payload_id varchar, status varchar, detected_at timestamptz, resolved_at timestamptz,
  resolution varchar, series_no integer, vintage varchar`;
const BUDGET_COLUMNS = 'series_no integer, known_from timestamptz, known_to timestamptz, budget_days double';

const attempt = (finishedAt: string, status: 'ok' | 'failed', more: Given = {}): Given => ({
  sourceId: 's',
  startedAt: moved(finishedAt, -1000),
  finishedAt,
  status,
  rowsWritten: 0,
  payloadsFailed: 0,
  ...more,
});

interface World {
  readonly sources?: readonly Given[];
  readonly attempts?: readonly Given[];
  readonly documents?: readonly Given[];
  readonly filings?: readonly Given[];
  readonly schedules?: readonly Given[];
  readonly series?: readonly Given[];
  readonly quarantine?: readonly Given[];
  readonly budgets?: readonly Given[];
  readonly ingestions?: readonly Given[];
  readonly behind?: readonly Given[];
}

const SOURCE = {
  sourceNo: 1,
  sourceId: 's',
  name: 'S',
  provider: 'P',
  sourceTier: 'central_bank',
  expectedIntervalSeconds: 86_400,
  isRedistributable: true,
  license: 'open',
};

async function build({
  sources = [SOURCE],
  attempts = [],
  series = [],
  quarantine = [],
  budgets = [],
  ingestions = [],
  documents = [],
  filings = [],
  schedules = [],
  behind = [],
}: World) {
  await relations.table('reference.sources', SOURCE_COLUMNS, sources);
  await relations.lake({ attempts, ingestions, documents, filings, schedules });
  await relations.table(
    'published.series',
    SERIES_COLUMNS,
    series.map((one, index) => ({ seriesNo: index + 1, sourceId: 's', isDerived: false, isCeased: false, ...one })),
  );
  await relations.table(
    'published.quarantine',
    QUARANTINE_COLUMNS,
    quarantine.map((one) => ({ sourceId: 's', ...one })),
  );
  await relations.table('published.cadence_budgets', BUDGET_COLUMNS, budgets);
  await relations.table('reconciliations.ways_behind', 'source_id varchar, brought_at timestamptz, message varchar', behind);
  await relations.create('published/sources');
}
const ANY = { sourceId: null, status: null, sourceTier: null, freshness: null };
async function healthOf(world: World, at = NOW) {
  await build(world);
  const [row] = await run(relations.reader, sourcesHealthQuery, { at, ...ANY });
  if (row === undefined) throw new Error('no source');
  return row;
}
const statusOf = async (attempts: readonly Given[], rest: World = {}, at = NOW) => (await healthOf({ attempts, ...rest }, at)).status;

describe('the state of a source', () => {
  it('is degraded while one of its feeds is behind another, which its last error names', async () => {
    const attempts = [attempt(ago(0.5), 'ok'), attempt(ago(0.7), 'failed', { error: 'gone' })];
    const error = async (behind: readonly Given[]) => {
      const { status, lastErrorAt, lastErrorCode, lastErrorMessage, consecutiveFailures } = await healthOf({ attempts, behind });
      return [status, lastErrorAt, lastErrorCode, lastErrorMessage, consecutiveFailures];
    };
    expect(await error([])).toEqual(['healthy', ago(0.7), 'run_failed', 'gone', 0]);
    expect(await error([{ sourceId: 's', broughtAt: ago(9), message: 'The API is behind.' }])).toEqual([
      'degraded',
      ago(9),
      'way_behind',
      'The API is behind.',
      0,
    ]);
  });

  it('is failing at the third failure in a row, or without any success', async () => {
    const failed = [attempt(ago(3), 'failed'), attempt(ago(2), 'failed'), attempt(ago(1), 'failed')];
    const ok = attempt(ago(4), 'ok');
    expect(await statusOf([ok])).toBe('degraded');
    expect(await statusOf([attempt(ago(0.5), 'ok')])).toBe('healthy');
    expect(await statusOf([ok, ...failed.slice(2)])).toBe('degraded');
    expect(await statusOf([ok, ...failed.slice(1)])).toBe('degraded');
    expect(await statusOf([ok, ...failed])).toBe('failing');
    expect(await statusOf(failed.slice(2))).toBe('failing');
    expect(await statusOf([...failed, attempt(ago(0.5), 'ok')])).toBe('healthy');
    expect(await statusOf([])).toBe('unknown');
  });

  describe('without series', () => {
    const ok = [attempt(ago(0.5), 'ok')];
    const dayOf = (days: number) => ago(days).slice(0, 10);
    const verdict = async (world: World) => {
      const { status, freshnessStatus } = await healthOf({ attempts: ok, ...world });
      return [status, freshnessStatus];
    };
    /** Seven of them, 30 days apart: none may be 46 days old. */
    const from = (newest: number) => Array.from({ length: 7 }, (_, index) => dayOf(newest + 30 * index));

    it('is as old as its newest document, filing or schedule', async () => {
      for (const [newest, expected] of [
        [45, ['healthy', 'fresh']],
        [46, ['degraded', 'stale']],
      ] as const) {
        expect(await verdict({ documents: from(newest).map((day) => ({ sourceId: 's', eventDate: day })) })).toEqual(expected);
        expect(await verdict({ documents: from(newest).map((day) => ({ sourceId: 's', releasedAt: `${day}T12:00:00.000Z` })) })).toEqual(
          expected,
        );
        expect(await verdict({ filings: from(newest).map((day) => ({ sourceId: 's', filed: day })) })).toEqual(expected);
        expect(
          await verdict({
            schedules: from(newest).map((day) => ({ sourceId: 's', scheduledAt: `${day}T00:00:00.000Z`, status: 'scheduled' })),
          }),
        ).toEqual(expected);
      }
    });

    it('that publishes in batches may be an interval plus its lag old, however dense its data', async () => {
      const sources = [{ ...SOURCE, expectedIntervalSeconds: 92 * 86_400, usualLagDays: 45 }];
      for (const [newest, expected] of [
        [137, ['healthy', 'fresh']],
        [138, ['degraded', 'stale']],
      ] as const) {
        const filings = Array.from({ length: 60 }, (_, index) => ({ sourceId: 's', filed: dayOf(newest + index) }));
        expect(await verdict({ sources, filings })).toEqual(expected);
      }
    });

    it('may be two intervals old while it has too few publications to learn from, and is unknown without any', async () => {
      const documents = (newest: number) => [{ sourceId: 's', eventDate: dayOf(newest) }];
      expect(await verdict({ documents: documents(2) })).toEqual(['healthy', 'fresh']);
      expect(await verdict({ documents: documents(3) })).toEqual(['degraded', 'stale']);
      expect(await verdict({ documents: [{ sourceId: 'other', eventDate: dayOf(900) }] })).toEqual(['healthy', 'unknown']);
    });

    it('learns only from the three years before its newest publication', async () => {
      const sparse = Array.from({ length: 40 }, (_, index) => dayOf(46 + 30 * 36 + 400 * (index + 1)));
      const dense = Array.from({ length: 37 }, (_, index) => dayOf(46 + 30 * index));
      expect(await verdict({ documents: [...dense, ...sparse].map((day) => ({ sourceId: 's', eventDate: day })) })).toEqual([
        'degraded',
        'stale',
      ]);
    });
  });

  it('of the derivation follows its own attempts: the build of the snapshot came after every failure', async () => {
    const sources = [{ ...SOURCE, sourceId: 'asof' }];
    const collected = attempt(ago(1), 'ok', { collectedAt: ago(1), rowsWritten: 5 });
    expect(await healthOf({ sources, attempts: [collected] })).toMatchObject({
      lastAttemptAt: ago(1),
      lastSuccessAt: ago(1),
      lastNewDataAt: ago(1),
      lastErrorAt: null,
      consecutiveFailures: 0,
    });
    const failed = attempt(ago(0.5), 'failed', { sourceId: 'asof', collectedAt: ago(1), error: 'a check found rows' });
    expect(await healthOf({ sources, attempts: [collected, failed] })).toMatchObject({
      lastSuccessAt: ago(0.5),
      lastErrorAt: ago(0.5),
      lastErrorMessage: 'a check found rows',
      consecutiveFailures: 0,
      status: 'healthy',
    });
  });

  it('counts the failures since the last success', async () => {
    const row = await healthOf({
      attempts: [
        attempt(ago(9), 'failed'),
        attempt(ago(8), 'ok'),
        attempt(ago(2), 'failed'),
        attempt(ago(1), 'failed'),
        attempt(ago(1), 'failed', { sourceId: 'other' }),
      ],
    });
    expect(row).toMatchObject({ consecutiveFailures: 2, lastAttemptAt: ago(1), lastSuccessAt: ago(8) });
    expect((await healthOf({ attempts: [attempt(ago(2), 'failed'), attempt(ago(1), 'failed')] })).consecutiveFailures).toBe(2);
    expect((await healthOf({ attempts: [attempt(ago(2), 'failed'), attempt(ago(1), 'ok')] })).consecutiveFailures).toBe(0);
  });

  it('is degraded once it missed a whole interval, past the last instant of it', async () => {
    const twoIntervals = moved(ago(1), 2 * DAY);
    const [, at, after] = around(twoIntervals);
    expect(await statusOf([attempt(ago(1), 'ok')], {}, at)).toBe('healthy');
    expect(await statusOf([attempt(ago(1), 'ok')], {}, after)).toBe('degraded');
    const row = await healthOf({ attempts: [attempt(ago(1), 'ok')] });
    expect([row.nextRunAt, row.expectedIntervalSeconds]).toEqual([NOW, 86_400]);
  });

  it('is degraded if more of its series are stale than fresh, not if as many', async () => {
    const ok = [attempt(ago(0.5), 'ok')];
    const fresh = { latestPeriodEnd: '2024-03-31', defaultBudgetDays: 86 };
    const stale = { latestPeriodEnd: '2024-01-31', defaultBudgetDays: 86 };
    const judged = async (...series: readonly Given[]) => {
      const { status, freshnessStatus } = await healthOf({ attempts: ok, series });
      return [status, freshnessStatus];
    };
    expect(await judged()).toEqual(['healthy', 'unknown']);
    expect(await judged({ latestPeriodEnd: null, defaultBudgetDays: 86 })).toEqual(['healthy', 'unknown']);
    expect(await judged(fresh)).toEqual(['healthy', 'fresh']);
    expect(await judged(fresh, stale)).toEqual(['healthy', 'fresh']);
    expect(await judged(fresh, stale, stale)).toEqual(['degraded', 'stale']);
    expect(await judged(fresh, stale, { ...stale, isDerived: true })).toEqual(['healthy', 'fresh']);
  });

  it('is paused if nothing is scheduled or every series has ceased, however its runs end', async () => {
    const failed = [attempt(ago(1), 'failed')];
    expect(await statusOf(failed, { sources: [{ ...SOURCE, expectedIntervalSeconds: null }] })).toBe('paused');
    const ceased = { latestPeriodEnd: '2024-01-31', defaultBudgetDays: 86, ceasedAt: NOW };
    expect(await statusOf(failed, { series: [ceased, ceased] })).toBe('paused');
    expect(await statusOf(failed, { series: [ceased, { ...ceased, ceasedAt: null }] })).toBe('failing');
    expect(await statusOf(failed, { series: [ceased] }, around(NOW)[0])).toBe('failing');
    expect(await statusOf([], { sources: [{ ...SOURCE, expectedIntervalSeconds: null }] })).toBe('unknown');
  });

  it('judges its series at the requested moment, by the budgets learned by then', async () => {
    const learned = '2024-04-20T00:00:00.000Z';
    const series = [
      { latestPeriodEnd: '2024-03-31', defaultBudgetDays: 86 },
      { latestPeriodEnd: '2024-03-31', defaultBudgetDays: 86, ceasedAt: learned },
      { latestPeriodEnd: '2024-03-31', defaultBudgetDays: null },
    ];
    const budgets = [
      { seriesNo: 1, knownFrom: learned, knownTo: '2024-05-01T00:00:00.000Z', budgetDays: 10 },
      { seriesNo: 1, knownFrom: '2024-05-01T00:00:00.000Z', knownTo: null, budgetDays: 60 },
    ];
    const counted = async (at: string) => {
      const { seriesTotal, seriesFresh, seriesStale, seriesCeased, seriesUnknown } = await healthOf(
        { series, budgets, attempts: [attempt(ago(0.5), 'ok')] },
        at,
      );
      return [seriesTotal, seriesFresh, seriesStale, seriesCeased, seriesUnknown];
    };
    expect(await counted(around(learned)[0])).toEqual([3, 2, 0, 0, 1]);
    expect(await counted(learned)).toEqual([3, 0, 1, 1, 1]);
    expect(await counted('2024-04-30T23:59:59.999Z')).toEqual([3, 0, 1, 1, 1]);
    expect(await counted('2024-05-01T00:00:00.000Z')).toEqual([3, 1, 0, 1, 1]);
    expect(await counted('2024-05-31T00:00:00.000Z')).toEqual([3, 1, 0, 1, 1]);
    expect(await counted('2024-05-31T00:00:00.001Z')).toEqual([3, 0, 1, 1, 1]);
  });
});

describe('the record of a source', () => {
  it('has its successes in the seven days that end with the newest run of any source', async () => {
    const newest = attempt(NOW, 'ok', { sourceId: 'other' });
    const rate = async (...own: readonly Given[]) => (await healthOf({ attempts: [newest, ...own] })).successRate7d;
    expect(await rate(attempt(ago(1), 'ok'), attempt(ago(2), 'failed'), attempt(ago(3), 'failed'))).toBeCloseTo(1 / 3, 12);
    // Exactly seven days ago is over, a millisecond less is not.
    expect(await rate(attempt(ago(1), 'ok'), attempt(ago(7), 'failed'))).toBe(1);
    expect(await rate(attempt(ago(1), 'ok'), attempt(ago(7, 1), 'failed'))).toBe(0.5);
    expect(await rate(attempt(ago(1), 'failed'), attempt(ago(7), 'ok'))).toBe(0);
    expect(await rate(attempt(ago(8), 'ok'))).toBeNull();
  });

  it('keeps the last success, the last new data and the last failure apart', async () => {
    const row = await healthOf({
      attempts: [
        attempt(ago(5), 'ok', { rowsWritten: 7 }),
        attempt(ago(4), 'failed', { error: 'first', rowsWritten: 2 }),
        attempt(ago(3), 'failed', { error: 'second', payloadsFailed: 1 }),
        attempt(ago(2), 'ok', { rowsWritten: 0 }),
        attempt(ago(2), 'ok', { sourceId: 'other', rowsWritten: 9 }),
      ],
    });
    expect(row).toMatchObject({
      lastAttemptAt: ago(2),
      lastSuccessAt: ago(2),
      lastNewDataAt: ago(4),
      lastErrorAt: ago(3),
      lastErrorCode: 'payload_refused',
      lastErrorMessage: 'second',
    });
    const other = await healthOf({
      attempts: [attempt(ago(4), 'failed', { payloadsFailed: 3, error: 'a' }), attempt(ago(3), 'failed', { error: 'b' })],
    });
    expect(other).toMatchObject({ lastErrorCode: 'run_failed', lastErrorMessage: 'b', lastSuccessAt: null, lastNewDataAt: null });
    const sound = await healthOf({ attempts: [attempt(ago(1), 'ok', { rowsWritten: 1 })] });
    expect(sound).toMatchObject({ lastErrorAt: null, lastErrorCode: null, lastErrorMessage: null, lastNewDataAt: ago(1) });
  });

  it('has the median duration of its runs, the newest connector, and the open findings of quarantine', async () => {
    const took = (ms: number) => attempt(ago(1), 'ok', { startedAt: moved(ago(1), -ms) });
    const quarantine = [
      { quarantineId: 'a', status: 'open' },
      { quarantineId: 'b', status: 'open' },
      { quarantineId: 'c', status: 'released' },
      { quarantineId: 'd', status: 'open', sourceId: 'other' },
    ];
    const ingestions = [
      { sourceId: 's', runId: 'a', connectorVersion: 2 },
      { sourceId: 's', runId: 'b', connectorVersion: 3 },
      { sourceId: 'other', runId: 'c', connectorVersion: 9 },
    ];
    const row = await healthOf({ attempts: [took(100), took(200), took(900), took(400)], quarantine, ingestions });
    expect(row).toMatchObject({ latencyMsP50: 300, quarantinedOpen: 2, connectorVersion: 3 });
    expect(await healthOf({})).toMatchObject({
      latencyMsP50: null,
      quarantinedOpen: 0,
      connectorVersion: null,
      lastAttemptAt: null,
      successRate7d: null,
      status: 'unknown',
    });
  });

  it('counts its series as they were when the snapshot was built', async () => {
    const state = (freshnessStatus: string, more: Given = {}) => ({ freshnessStatus, ...more });
    await build({
      series: [
        state('fresh'),
        state('fresh'),
        state('stale'),
        state('unknown'),
        state('unknown', { isCeased: true }),
        state('fresh', { isDerived: true }),
        state('fresh', { sourceId: 'other' }),
      ],
    });
    expect(
      await relations.rows('select series_total, series_fresh, series_stale, series_ceased, series_unknown from published.sources'),
    ).toEqual([{ seriesTotal: 5, seriesFresh: 2, seriesStale: 1, seriesCeased: 1, seriesUnknown: 1 }]);
  });

  it('is listed by each of its filters', async () => {
    const sources = [SOURCE, { ...SOURCE, sourceNo: 2, sourceId: 't', sourceTier: 'market_data' }];
    await build({
      sources,
      attempts: [attempt(ago(0.5), 'ok'), attempt(ago(0.5), 'failed', { sourceId: 't' })],
      series: [{ latestPeriodEnd: '2024-03-31', defaultBudgetDays: 86 }],
    });
    const ids = async (filters: Partial<Record<keyof typeof ANY, string>>) =>
      (await run(relations.reader, sourcesHealthQuery, { at: NOW, ...ANY, ...filters })).map((row) => row.sourceId).sort();
    expect([
      await ids({}),
      await ids({ sourceId: 't' }),
      await ids({ status: 'failing' }),
      await ids({ sourceTier: 'central_bank' }),
      await ids({ freshness: 'unknown' }),
      await ids({ freshness: 'fresh', status: 'failing' }),
    ]).toEqual([['s', 't'], ['t'], ['t'], ['s'], ['t'], []]);
  });
});

describe('a run', () => {
  it('has the outcome of the successful attempt, else of the newest', async () => {
    const one = (runId: string, startedAt: string, status: string, error: string | null) => ({
      sourceId: 's',
      runId,
      startedAt,
      finishedAt: startedAt,
      status,
      error,
    });
    await relations.lake({
      ingestions: [
        one('a', ago(3), 'failed', 'first'),
        one('a', ago(2), 'ok', null),
        one('a', ago(1), 'failed', 'last'),
        one('b', ago(3), 'failed', 'first'),
        one('b', ago(2), 'failed', 'second'),
        one('c', ago(3), 'ok', null),
        one('c', ago(2), 'ok', null),
      ],
    });
    await relations.create('series/runs');
    expect(
      (await relations.rows('from series.runs order by run_id')).map((row) => [
        row['runId'],
        row['status'],
        row['error'],
        row['startedAt'],
      ]),
    ).toEqual([
      ['a', 'ok', null, ago(2)],
      ['b', 'failed', 'second', ago(2)],
      ['c', 'ok', null, ago(2)],
    ]);
  });
});

describe('a finding in quarantine', () => {
  const finding = (quarantineId: string, more: Given = {}): Given => ({
    quarantineId,
    sourceId: 's',
    rule: 'scale_jump',
    ruleVersion: '1',
    severity: 'block',
    reason: 'r',
    indicatorId: 'us_cpi',
    period: '2024-01',
    payloadId: 'p1',
    runId: 'run 1',
    connectorVersion: 3,
    detectedAt: ago(5),
    ...more,
  });
  const publish = async (
    findings: readonly Given[],
    ingestions: readonly Given[],
    vintages: readonly Given[] = [],
    resolutions: readonly Given[] = [],
  ) => {
    await relations.lake({
      quarantine: findings,
      resolutions,
      ingestions: ingestions.map((one, index) => ({
        sourceId: 's',
        runId: `run ${index}`,
        payloadId: 'p1',
        status: 'ok',
        finishedAt: ago(1),
        ...one,
      })),
    });
    for (const name of [
      'filings.statement',
      'valuations.trailing',
      'valuations.share',
      'splits.split',
      'positions.cot',
      'reconciliations.reconciliation',
      'reconciliations.filed',
    ])
      await relations.connection.run(
        `create schema if not exists ${name.split('.')[0]}; create or replace view ${name}_findings as from lake.quarantine where false`,
      );
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    await relations.table('published.series', SERIES_COLUMNS, [
      { seriesNo: 1, sourceId: 's', indicatorId: 'us_cpi', isDerived: false },
      { seriesNo: 2, sourceId: 'other', indicatorId: 'us_cpi', isDerived: false },
      { seriesNo: 3, sourceId: 's', indicatorId: 'us_ppi', isDerived: false },
      { seriesNo: 4, sourceId: 's', indicatorId: 'us_cpi', isDerived: true },
    ]);
    await relations.create('published/quarantine');
    return relations.rows('from published.quarantine');
  };
  const fateOf = async (more: Given, ...ingestions: readonly Given[]) => {
    const [row] = await publish([finding('q', more)], ingestions);
    return [row?.['status'], row?.['resolvedAt'], row?.['resolution']];
  };
  const OPEN = ['open', null, null];
  const SUPERSEDED = ['superseded', ago(1), 'The payload was read again.'];

  it('is superseded once a later connector has read its payload, a fault of the payload once any has', async () => {
    expect(await fateOf({}, { connectorVersion: 3 })).toEqual(OPEN);
    expect(await fateOf({}, { connectorVersion: 4 })).toEqual(SUPERSEDED);
    expect(await fateOf({}, { connectorVersion: 4, status: 'failed' })).toEqual(OPEN);
    expect(await fateOf({}, { connectorVersion: 4, payloadId: 'p2' })).toEqual(OPEN);
    expect(await fateOf({})).toEqual(OPEN);
    expect(await fateOf({}, { connectorVersion: 4, finishedAt: ago(3) }, { connectorVersion: 2 })).toEqual(SUPERSEDED);
    const drift = { rule: 'schema_drift', indicatorId: null };
    expect(await fateOf(drift, { connectorVersion: 2 })).toEqual(OPEN);
    expect(await fateOf(drift, { connectorVersion: 3 })).toEqual(SUPERSEDED);
    expect(await fateOf({ ...drift, indicatorId: 'us_cpi' }, { connectorVersion: 3 })).toEqual(OPEN);
    // A row that its own reading kept out: the same reading does not let it in.
    expect(await fateOf({ ...drift, seriesCode: '239747' }, { connectorVersion: 3 })).toEqual(OPEN);
    expect(await fateOf({ ...drift, fieldPath: 'ppr' }, { connectorVersion: 3 })).toEqual(OPEN);
    expect(await fateOf({ indicatorId: null }, { connectorVersion: 3 })).toEqual(OPEN);
  });

  it('is released at once if it is a warning, because the row was written', async () => {
    expect(await fateOf({ severity: 'warn' }, { connectorVersion: 3 })).toEqual(['released', ago(5), 'A warning: the row was written.']);
    expect(await fateOf({ severity: 'warn' }, { connectorVersion: 4 })).toEqual(SUPERSEDED);
  });

  it('is released if it is one page of an answer and all others are there', async () => {
    const page = (quarantineId: string, observedValue: string, more: Given = {}) =>
      finding(quarantineId, {
        rule: 'reconciliation_failed',
        indicatorId: null,
        seriesCode: 'X',
        fieldPath: 'pages of 10',
        payloadId: quarantineId,
        observedValue,
        ...more,
      });
    const fates = async (...findings: readonly Given[]) =>
      (await publish(findings, [])).map((row) => [row['quarantineId'], row['status'], row['resolvedAt'], row['resolution']]);
    const [a, b] = [page('a', 'page 1 of 2', { detectedAt: ago(9) }), page('b', 'page 2 of 2', { detectedAt: ago(3) })];
    const whole = ['released', ago(3), 'All pages of the answer were read.'];
    expect(await fates(a)).toEqual([['a', ...OPEN]]);
    expect(await fates(a, b)).toEqual([
      ['a', ...whole],
      ['b', ...whole],
    ]);
    for (const other of [
      { seriesCode: 'Y' },
      { period: '2023-03' },
      { fieldPath: 'pages of 5' },
      { sourceId: 't' },
      { observedValue: 'page 2 of 3' },
    ])
      expect(await fates(a, { ...b, ...other })).toEqual([
        ['a', ...OPEN],
        ['b', ...OPEN],
      ]);
    // The same page twice is not two of them.
    expect(await fates(a, page('c', 'page 1 of 2'))).toEqual([
      ['a', ...OPEN],
      ['c', ...OPEN],
    ]);
    expect(await fates({ ...a, period: null }, { ...b, period: null })).toEqual([
      ['a', ...whole],
      ['b', ...whole],
    ]);
  });

  it('has the newest decision of an operator', async () => {
    const decided = (quarantineId: string, status: string, days: number) => ({
      quarantineId,
      status,
      note: `${status} by me`,
      resolvedAt: ago(days),
    });
    const rows = await publish(
      [finding('q'), finding('r'), finding('t')],
      [],
      [],
      [decided('q', 'rejected', 3), decided('q', 'released', 2), decided('r', 'rejected', 1)],
    );
    expect(rows.map((row) => [row['quarantineId'], row['status'], row['resolvedAt'], row['resolution']])).toEqual([
      ['q', 'released', ago(2), 'released by me'],
      ['r', 'rejected', ago(1), 'rejected by me'],
      ['t', ...OPEN],
    ]);
  });

  it('leads from a warning to the written row, in its source, indicator, period and run', async () => {
    const print = (seriesNo: number, period: string, runId: string, observedAt: string) => ({
      seriesNo,
      period,
      periodEnd: `${period}-28`,
      value: 1,
      observedAt,
      runId,
    });
    const vintages = toVintages([
      print(1, '2024-01', 'run 1', ago(9)),
      print(1, '2024-01', 'run 1', ago(10)),
      print(1, '2024-02', 'run 1', ago(11)),
      print(2, '2024-01', 'run 1', ago(12)),
      print(3, '2024-01', 'run 1', ago(13)),
      print(4, '2024-01', 'run 1', ago(14)),
      print(1, '2024-01', 'run 2', ago(15)),
    ]).map(({ idHash: _, ...row }) => row);
    const rows = await publish(
      [
        finding('a', { severity: 'warn' }),
        finding('b'),
        finding('c', { severity: 'warn', runId: 'run 3' }),
        finding('d', { severity: 'warn', period: '2024-03' }),
      ],
      [],
      vintages,
    );
    expect(rows.map((row) => [row['quarantineId'], row['seriesNo'], row['vintage']])).toEqual([
      ['a', 1, ago(10).slice(0, 19)],
      ['b', null, null],
      ['c', null, null],
      ['d', null, null],
    ]);
  });

  it('matches each filter, times of detection included', async () => {
    const row = (quarantineId: string, more: Given = {}) => ({
      quarantineId,
      sourceId: 's',
      indicatorId: 'us_cpi',
      entityId: 'us',
      rule: 'scale_jump',
      severity: 'block',
      status: 'open',
      detectedAt: NOW,
      ...more,
    });
    const others = { sourceId: 't', indicatorId: 'us_ppi', entityId: 'fr', rule: 'sign_flip', severity: 'warn', status: 'released' };
    await relations.table('published.quarantine', QUARANTINE_COLUMNS, [
      row('own'),
      ...Object.entries(others).map(([name, value]) => row(name, { [name]: value })),
    ]);
    const none = {
      sourceId: null,
      indicatorId: null,
      entityId: null,
      rule: null,
      severity: null,
      status: null,
      detectedFrom: null,
      detectedTo: null,
      historyFrom: null,
    };
    const ids = async (filters: Partial<Record<keyof typeof none, string>>) =>
      (await run(relations.reader, quarantineListQuery, { ...none, ...filters })).map((one) => one.quarantineId);
    for (const [name, value] of Object.entries(others)) expect([name, await ids({ [name]: value })]).toEqual([name, [name]]);
    const [before, at, after] = around(NOW);
    expect([
      (await ids({ detectedFrom: before })).length,
      (await ids({ detectedFrom: at })).length,
      (await ids({ detectedFrom: after })).length,
    ]).toEqual([7, 7, 0]);
    expect([
      (await ids({ detectedTo: before })).length,
      (await ids({ detectedTo: at })).length,
      (await ids({ detectedTo: after })).length,
    ]).toEqual([0, 7, 7]);
  });

  it('has its period end by the label, and is left out if that end, or else its day, is too old', async () => {
    const labels = ['2023', '2023-Q1', '2023-02', '2024-02', '2023-W09', '2023-03-15', 'FY2023', null];
    const found = await publish(
      labels.map((period, index) => finding(`q${index}`, { period })),
      [],
    );
    expect(found.map((row) => row['periodEnd'])).toEqual([
      '2023-12-31',
      '2023-03-31',
      '2023-02-28',
      '2024-02-29',
      '2023-02-27',
      '2023-03-15',
      null,
      null,
    ]);
    const none = { sourceId: null, indicatorId: null, entityId: null, rule: null, severity: null, status: null };
    const ids = async (historyFrom: string | null) =>
      (await run(relations.reader, quarantineListQuery, { ...none, detectedFrom: null, detectedTo: null, historyFrom }))
        .map((one) => one.quarantineId)
        .sort();
    expect(await ids(null)).toHaveLength(8);
    expect(await ids('2023-03-31')).toEqual(['q0', 'q1', 'q3', 'q6', 'q7']);
    expect(await ids('2023-04-01')).toEqual(['q0', 'q3', 'q6', 'q7']);
    expect([await ids(ago(5).slice(0, 10)), await ids(ago(4).slice(0, 10))]).toEqual([['q6', 'q7'], []]);
  });
});

describe('a feed', () => {
  interface Value {
    readonly end: string;
    readonly value: number | null;
    readonly at?: string;
    readonly ingestedAt?: string;
    readonly seriesNo?: number;
    readonly runId?: string;
  }
  const SCHEDULE_COLUMNS = 'release_id varchar, due_at timestamptz, known_to timestamptz, status varchar, is_lapsed boolean';
  interface Told {
    readonly ingestions?: readonly Given[];
    readonly fetches?: readonly Given[];
    readonly schedules?: readonly Given[];
    readonly series?: Given;
  }
  const feed = async (
    values: readonly Value[],
    attempts: readonly Given[] = [],
    latest: string | null = '2024-03-31',
    { ingestions = [], fetches = [], schedules = [], series = {} }: Told = {},
  ) => {
    const vintages = toVintages(
      values.map(({ end, value, at = ago(20), ingestedAt = at, seriesNo = 1, runId = 'run' }) => ({
        seriesNo,
        runId,
        period: end,
        periodEnd: end,
        value,
        observedAt: at,
        ingestedAt,
      })),
    );
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    await relations.table('published.series', SERIES_COLUMNS, [
      { seriesNo: 1, sourceId: 's', latestPeriodEnd: latest, ...series },
      { seriesNo: 2, sourceId: 'other', latestPeriodEnd: latest },
    ]);
    await relations.lake({ attempts, ingestions, fetches });
    await relations.create('series/runs');
    await relations.table('reference.releases', 'release_id varchar, entity_id varchar, canonical_ids varchar[]', [
      { releaseId: 'cpi', entityId: 'us', canonicalIds: ['cpi', 'cpi_inflation_yoy'] },
    ]);
    await relations.table('calendar.calendar_schedules', SCHEDULE_COLUMNS, schedules);
    await relations.create('published/series_liveness');
    const [row] = await run(relations.reader, seriesLivenessQuery, { sourceId: 's' });
    return row;
  };
  const values = (...list: readonly (number | null)[]) =>
    list.map((value, index) => ({ end: ['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31'][index] ?? '', value }));

  it('counts the newest periods in a row with one value in force', async () => {
    const prints = async (given: readonly Value[]) => (await feed(given))?.identicalPrints;
    expect(await prints(values(5, 6, 7, 7))).toBe(2);
    expect(await prints(values(7, 6, 7, 7))).toBe(2);
    expect(await prints(values(7, 7, 7, 7))).toBe(4);
    expect(await prints(values(5, 6, 7, 8))).toBe(1);
    expect(await prints([])).toBe(0);
    // A revision apart, and a withdrawal that is no value.
    expect(await prints([...values(7, 7, 7, 7), { end: '2024-02-29', value: 8, at: ago(10) }])).toBe(1);
    expect(await prints([...values(7, 7, 7, 7), { end: '2024-03-31', value: null, at: ago(10) }])).toBe(3);
    expect(await prints([...values(7, 7, 7, 7), { end: '2024-04-30', value: 8, seriesNo: 2 }])).toBe(4);
  });

  it('advanced when a value of its newest period was first read here', async () => {
    const advanced = async (given: readonly Value[], latest?: string | null) => (await feed(given, [], latest))?.lastAdvanceAt;
    const newest = { end: '2024-03-31', value: 7, at: ago(30), ingestedAt: ago(12) };
    expect(await advanced([{ end: '2024-02-29', value: 7, at: ago(10) }, newest])).toBe(ago(12));
    expect(await advanced([newest, { ...newest, value: 8, at: ago(10), ingestedAt: ago(8) }])).toBe(ago(12));
    expect(await advanced([newest, { ...newest, value: null, at: ago(40), ingestedAt: ago(15) }])).toBe(ago(12));
    expect(await advanced([newest], null)).toBeNull();
  });

  it('was checked by the last successful run of its source, and shows if a run after it advanced had data', async () => {
    const newest = [{ end: '2024-03-31', value: 7, at: ago(10) }];
    const checked = async (...attempts: readonly Given[]) => {
      const row = await feed(newest, attempts);
      return [row?.lastCheckedAt, row?.upstreamAdvanced];
    };
    const began = (ms: number, rowsWritten: number) => attempt(ago(9), 'ok', { startedAt: moved(ago(10), ms), rowsWritten });
    expect(await checked()).toEqual([null, null]);
    expect(await checked(attempt(ago(2), 'failed', { rowsWritten: 4 }))).toEqual([null, null]);
    expect(await checked(began(0, 4))).toEqual([ago(9), null]);
    expect(await checked(began(1, 4))).toEqual([ago(9), true]);
    expect(await checked(began(1, 0))).toEqual([ago(9), false]);
    expect(await checked(began(1, 1))).toEqual([ago(9), true]);
    expect(
      await checked(
        began(1, 0),
        attempt(ago(8), 'ok', { rowsWritten: 2 }),
        attempt(ago(7), 'ok'),
        attempt(ago(1), 'ok', { sourceId: 'other', rowsWritten: 2 }),
      ),
    ).toEqual([ago(7), true]);
    expect((await feed(newest, [attempt(ago(1), 'ok')]))?.upstreamAdvanced).toBe(false);
    expect(await run(relations.reader, seriesLivenessQuery, { sourceId: null })).toHaveLength(2);
    expect((await run(relations.reader, seriesLivenessQuery, { sourceId: 'other' })).map((row) => row.seriesNo)).toEqual([2]);
  });

  describe('a feed with requests of its own', () => {
    const read = (runId: string, key: string, more: Given = {}): Given => ({
      sourceId: 's',
      runId,
      key,
      sha256: runId,
      status: 'ok',
      startedAt: ago(90),
      ...more,
    });
    const asked = (key: string, days: number, kind = 'same', more: Given = {}): Given => ({
      sourceId: 's',
      key,
      kind,
      sha256: 'a',
      finishedAt: ago(days),
      ...more,
    });
    const own = { end: '2024-03-31', value: 7, at: ago(20), runId: 'a' };
    const other = { ...own, seriesNo: 2, at: ago(5), runId: 'b' };
    const runs = [attempt(ago(1), 'ok', { rowsWritten: 9 })];
    const told = async (given: Parameters<typeof feed>[0], ingestions: readonly Given[], fetches: readonly Given[]) => {
      const row = await feed(given, runs, undefined, { ingestions, fetches });
      return [row?.lastCheckedAt, row?.upstreamAdvanced];
    };

    it('was checked by those requests, whatever else its source requested', async () => {
      const files = [read('a', 'a.csv'), read('b', 'b.csv')];
      expect(await told([own], files, [asked('a.csv', 21, 'new'), asked('b.csv', 1)])).toEqual([ago(21), null]);
      expect(await told([own, other], files, [asked('a.csv', 21, 'new'), asked('a.csv', 8), asked('b.csv', 5)])).toEqual([ago(8), false]);
      expect(await told([own], files, [asked('a.csv', 9), asked('a.csv', 2, 'failed'), asked('a.csv', 1, 'absent')])).toEqual([
        ago(9),
        false,
      ]);
      // A folder brought it: what the runs of its source say stands.
      expect(await told([own], files, [asked('b.csv', 5)])).toEqual([ago(1), true]);
      expect(await told([own], files, [asked('a.csv', 9, 'same', { sourceId: 't' })])).toEqual([ago(1), true]);
    });

    it('was not checked by an answer that no reader could read', async () => {
      const fetches = [asked('a.csv', 9), asked('a.csv', 3, 'new', { sha256: 'moved' }), asked('a.csv', 2, 'same', { sha256: 'moved' })];
      const refused = read('m', 'a.csv', { sha256: 'moved', status: 'failed' });
      expect(await told([own], [read('a', 'a.csv'), refused], fetches)).toEqual([ago(9), false]);
      expect(await told([own], [read('a', 'a.csv'), refused, { ...refused, runId: 'n', status: 'ok' }], fetches)).toEqual([ago(2), false]);
    });

    it('stands still if another feed of the same payload advanced with a later request', async () => {
      const files = [read('a', 'a.csv'), read('b', 'a.csv')];
      expect(await told([own, other], files, [asked('a.csv', 5), asked('a.csv', 1)])).toEqual([ago(1), true]);
      expect(await told([own, other], files, [asked('a.csv', 4.9)])).toEqual([ago(4.9), false]);
      expect(await told([own, other], files, [asked('a.csv', 21)])).toEqual([ago(21), null]);
    });

    it('continues in the file that has most of its earlier values', async () => {
      const year = [read('a', '2023.csv'), read('b', '2023.csv'), read('c', '2024.csv')];
      const next = { ...other, runId: 'c' };
      // Both series of the year, then one of two.
      const most = [own, { ...own, seriesNo: 2, end: '2024-02-29' }, next, { ...own, end: '2024-02-29', runId: 'c' }];
      expect(await told(most, year, [asked('2024.csv', 5)])).toEqual([ago(5), true]);
      const half = [own, { ...own, seriesNo: 2 }, next];
      expect(await told(half, year, [asked('2023.csv', 9), asked('2024.csv', 3)])).toEqual([ago(9), false]);
    });

    it('is confirmed by the same dates of vintages', async () => {
      const files = [read('a', 'fred-api/series_observations.GDP.window-1-to-2.json')];
      const dates = (days: number, kind: string, code = 'GDP') =>
        asked(`fred-api/series_vintagedates.${code}.json`, days, kind, { sourceId: 'fred_releases' });
      const window = asked('fred-api/series_observations.GDP.window-1-to-2.json', 21, 'new');
      expect(await told([own], files, [window, dates(9, 'same'), dates(2, 'new'), dates(1, 'same', 'GDPC1')])).toEqual([ago(9), false]);
    });

    it('has its next release by the calendar: the first one in force after it advanced', async () => {
      const due = (days: number, more: Given = {}): Given => ({
        releaseId: 'cpi',
        dueAt: ago(days),
        status: 'scheduled',
        isLapsed: false,
        knownTo: null,
        ...more,
      });
      const next = async (schedules: readonly Given[], series: Given = {}) =>
        (
          await feed([own], [], undefined, {
            schedules,
            series: { entityId: 'us', canonicalId: 'cpi', frequency: 'monthly', ...series },
          })
        )?.nextReleaseAt;
      expect(await next([due(20), due(3), due(5)])).toBe(ago(5));
      expect(await next([due(9, { status: 'cancelled' }), due(8, { isLapsed: true }), due(7, { knownTo: ago(6) }), due(-4)])).toBe(ago(-4));
      expect(await next([due(5, { releaseId: 'ppi' })])).toBeNull();
      expect(await next([due(5)], { entityId: 'gb' })).toBeNull();
      expect(await next([due(5)], { frequency: 'daily' })).toBeNull();
    });
  });
});

describe('the revisions of a series', () => {
  const end = '2024-01-31';
  const lag = (days: number, hours = 12) => new Date(Date.parse(`${end}T00:00:00Z`) + days * DAY + hours * 3_600_000).toISOString();
  interface Value {
    readonly end?: string;
    readonly at: string;
    readonly value: number | null;
    readonly releasedAt?: string;
    readonly isBackfill?: boolean;
  }
  const revised = async (...given: readonly Value[]) => {
    const vintages = toVintages(
      given.map(({ end: periodEnd = end, at, value, releasedAt = null, isBackfill = false }) => ({
        isBackfill,
        seriesNo: 1,
        period: periodEnd,
        periodEnd,
        value,
        observedAt: at,
        releasedAt,
      })),
    );
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    await relations.table('published.series', SERIES_COLUMNS, [
      { seriesNo: 1, sourceId: 's', defaultBudgetDays: 86 },
      { seriesNo: 2, sourceId: 's', defaultBudgetDays: 86 },
    ]);
    await relations.create('published/series_revisions');
    const [row, ...more] = await run(relations.reader, seriesRevisionsQuery, { seriesNos: [1] });
    expect(more).toEqual([]);
    return [row?.meanAbsRevision, row?.revisedShare, row?.medianReleaseLagDays];
  };
  /** Of all that is given, what was known at a moment. */
  const revisedAt = async (asOf: string | null, ...given: readonly Value[]) => revisedFrom(null, asOf, ...given);
  /** Of periods that end on or after a day. */
  const revisedFrom = async (periodFrom: string | null, asOf: string | null, ...given: readonly Value[]) => {
    await revised(...given);
    const [row] = await run(relations.reader, seriesRevisionsOfQuery, { seriesNos: [1], asOf, periodFrom });
    return row === undefined ? NONE : [row.meanAbsRevision, row.revisedShare, row.medianReleaseLagDays];
  };
  const NONE = [null, null, null];

  it('cover only the periods that a key may see', async () => {
    const hidden = [
      { at: lag(20), value: 10 },
      { at: lag(40), value: 14 },
    ] as const;
    const shown = { end: '2024-02-29', at: lag(49), value: 3 };
    expect(await revisedFrom('2024-02-01', null, ...hidden, shown)).toEqual(await revisedFrom('2024-02-01', null, shown));
    expect(await revisedFrom('2024-02-01', null, ...hidden, shown)).toEqual([0, 0, 20]);
    expect(await revisedFrom('2024-03-01', null, ...hidden, shown)).toEqual(NONE);
  });

  it('compare the first print with the value in force', async () => {
    expect(await revised({ at: lag(20), value: 10 }, { at: lag(40), value: 14 }, { at: lag(60), value: 7 })).toEqual([3, 1, 20]);
    expect(await revised({ at: lag(20), value: 10 })).toEqual([0, 0, 20]);
    expect(await revised({ at: lag(20), value: 10 }, { at: lag(40), value: null })).toEqual([null, null, 20]);
    const next = { end: '2024-02-29', at: lag(49), value: 3 };
    expect(await revised({ at: lag(20), value: 10 }, { at: lag(40), value: 14 }, next)).toEqual([2, 0.5, 20]);
  });

  it('skip a period without a first print, or with an empty one', async () => {
    expect(await revised({ at: lag(20), value: 10, isBackfill: true })).toEqual(NONE);
    const older = { end: '2023-12-31', at: lag(20), value: 1, isBackfill: true };
    expect(await revised({ at: lag(20), value: 10 }, older, { ...older, at: lag(50), value: 9 })).toEqual([0, 0, 20]);
    expect(await revised({ at: lag(20), value: null }, { at: lag(30), value: 5 })).toEqual(NONE);
  });

  it('as of a moment are the ones known then', async () => {
    const next = { end: '2024-02-29', at: lag(49), value: 3 };
    const given = [
      { at: lag(20), value: 10 },
      { at: lag(40), value: 14 },
      next,
      { at: lag(60), value: null },
      { ...next, at: lag(70), value: 4 },
    ];
    expect(await revisedAt(moved(lag(20), -1), ...given)).toEqual(NONE);
    expect(await revisedAt(lag(20), ...given)).toEqual([0, 0, 20]);
    expect(await revisedAt(lag(40), ...given)).toEqual([4, 1, 20]);
    expect(await revisedAt(lag(49), ...given)).toEqual([2, 0.5, 20]);
    for (const { at } of given) {
      const then = await revised(...given.filter((one) => one.at <= at));
      expect([at, await revisedAt(at, ...given)]).toEqual([at, then]);
    }
    const [old, backfill] = [
      { end: '2023-12-31', at: lag(20), value: 1, isBackfill: true },
      { at: lag(20), value: 10, isBackfill: true },
    ];
    for (const cases of [[backfill], [{ at: lag(20), value: 10 }, old], [{ at: lag(20), value: 10, releasedAt: lag(12) }]])
      expect(await revisedAt(lag(90), ...cases)).toEqual(await revised(...cases));
  });

  it('measure the lag from the release if its time is known', async () => {
    expect(await revised({ at: lag(20), value: 10, releasedAt: lag(12, 0) })).toEqual([0, 0, 12]);
    expect(await revised({ at: lag(20), value: 10, releasedAt: lag(12, 23) })).toEqual([0, 0, 12]);
  });
});
