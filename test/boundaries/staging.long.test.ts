// What is judged before a row enters the lake: each rule just below its threshold, at it and just above it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toText } from '../../src/db/rows.ts';
import { judgeStaged } from '../../src/lake/judge.ts';
import { LAKE_TABLES } from '../../src/lake/layout.ts';
import { forgetStanding } from '../../src/lake/standing.ts';
import { around, compare, type Given, openRelations, type Relations } from './by-hand/tables.ts';

const OBSERVATIONS = `payload_no integer, row_no bigint, series_code varchar, canonical_id varchar, entity_ref varchar, frequency varchar,
  unit varchar, period varchar, period_start date, period_end date, value double, observed_at timestamptz, released_at timestamptz,
  is_pseudo boolean, obs_status varchar`;
const RETRIEVED = '2021-03-01T08:00:00.000Z';
const INGESTED = '2021-03-01T09:00:00.000Z';

const REFERENCE = {
  series: [
    { sourceId: 'own', seriesCode: 'LEVEL', canonicalId: 'level', entityId: 'us', frequency: 'monthly', unit: 'thousands' },
    { sourceId: 'own', seriesCode: 'LEVEL2', canonicalId: 'level', entityId: 'us', frequency: 'monthly', unit: 'thousands' },
    { sourceId: 'own', seriesCode: 'LEVELQ', canonicalId: 'level', entityId: 'us', frequency: 'quarterly', unit: 'thousands' },
    { sourceId: 'own', seriesCode: 'RATE', canonicalId: 'rate', entityId: 'us', frequency: 'monthly', unit: 'percent' },
    { sourceId: 'own', seriesCode: 'ODD', canonicalId: 'unheard_of', entityId: 'us', frequency: 'monthly', unit: 'percent' },
    { sourceId: 'own', seriesCode: 'PLACE', canonicalId: 'rate', frequency: 'monthly', unit: 'percent' },
    { sourceId: 'own', seriesCode: 'TIMELESS', canonicalId: 'rate', entityId: 'us', unit: 'percent' },
    { sourceId: 'other', seriesCode: 'LEVEL', canonicalId: 'rate', entityId: 'fr', frequency: 'annual', unit: 'percent' },
    { sourceId: 'other', seriesCode: 'THEIRS', canonicalId: 'rate', entityId: 'fr', frequency: 'monthly', unit: 'percent' },
  ],
  canonicalIndicators: ['level', 'rate', 'price', 'price_close', 'index_level'].map((canonicalId) => ({ canonicalId })),
  countries: [
    { iso2: 'FR', iso3: 'FRA', wbCode: 'FRX' },
    { iso2: 'DE', iso3: 'DEU', wbCode: null },
  ],
  entities: [
    { entityId: 'arab_world', identifiers: 'x=1;wb_code=AR B;y=2' },
    { entityId: 'nobody', identifiers: null },
  ],
};

interface Said {
  readonly payload?: number;
  readonly code?: string;
  readonly month?: string;
  readonly periodStart?: string;
  readonly value: number | null;
  readonly at?: string;
  readonly isPseudo?: boolean;
  readonly canonicalId?: string;
  readonly entityRef?: string;
  readonly frequency?: string;
  readonly unit?: string;
  readonly releasedAt?: string;
}

interface Held {
  readonly month?: string;
  readonly value: number | null;
  readonly at: string;
  readonly vintage?: string;
  readonly indicatorId?: string;
  readonly frequency?: string;
  readonly retrievedAt?: string;
  /** The file whose payload brought it. */
  readonly file?: string;
}

const endOf = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);

describe('the stage', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
    const { series, canonicalIndicators, countries, entities } = REFERENCE;
    await relations.table(
      'reference.series',
      'source_id varchar, series_code varchar, canonical_id varchar, entity_id varchar, frequency varchar, unit varchar',
      series,
    );
    await relations.table('reference.canonical_indicators', 'canonical_id varchar', canonicalIndicators);
    await relations.table('reference.countries', 'iso2 varchar, iso3 varchar, wb_code varchar, timezone varchar', countries);
    await relations.table(
      'reference.publication_rules',
      'source_id varchar, canonical_id varchar, entity_id varchar, step varchar, hour interval, timezone varchar, holidays varchar',
      [],
    );
    await relations.table('reference.holidays', 'calendar varchar, day date', []);
    await relations.table('reference.entities', 'entity_id varchar, identifiers varchar', entities);
    for (const table of ['facts', 'filings'] as const) {
      const columns = Object.keys(LAKE_TABLES[table]).map((name) => `${name} varchar`);
      await relations.table(`staged.${table}`, ['payload_no integer', 'row_no bigint', ...columns].join(', '));
    }
    const companies = 'cik varchar, observed_at timestamptz, tickers varchar[], payload_id varchar, record_hash varchar';
    await relations.table('staged.lake_companies', companies, [
      { cik: '0000000001', observedAt: '2020-01-01T00:00:00Z', tickers: ['ABC', 'OLD'] },
      { cik: '0000000002', observedAt: '2021-01-01T00:00:00Z', tickers: ['ABC'] },
      { cik: '0000000003', observedAt: '2021-01-01T00:00:00Z', tickers: ['ABC'] },
    ]);
    await relations.table('staged.lake_files', 'payload_id varchar, key varchar, retrieved_at timestamptz', []);
    await relations.table('reference.share_classes', 'cik varchar, ticker varchar, valid_from date, is_main boolean', []);
  });
  afterAll(() => relations.close());

  /** The rows to append and those to quarantine. */
  const settle = async (
    said: readonly Said[],
    {
      held = [],
      retrieved = { 1: RETRIEVED, 2: '2021-03-02T08:00:00.000Z' },
      quarantined = [],
      refused = [],
      version = '3',
      files = {},
      released = [],
    }: {
      held?: readonly Held[];
      retrieved?: Readonly<Record<number, string>>;
      quarantined?: readonly Given[];
      refused?: readonly Given[];
      version?: string;
      /** By payload; by default each is a file of its own. */
      files?: Readonly<Record<number, string>>;
      released?: readonly Given[];
    } = {},
  ) => {
    const variables = { source_id: 'own', ingested_at: INGESTED, connector_version: version, last_change_sequence: '40' };
    for (const [name, value] of Object.entries(variables)) await relations.connection.run(`set variable ${name} = '${value}'`);
    await relations.table(
      'staged.observations',
      OBSERVATIONS,
      said.map(({ payload = 1, code = 'LEVEL', month = '2021-01', at = '2021-02-10T12:00:00.000Z', isPseudo = false, ...rest }, index) => ({
        payloadNo: payload,
        rowNo: index + 1,
        seriesCode: code,
        period: month,
        periodStart: `${month}-01`,
        periodEnd: endOf(month),
        observedAt: at,
        isPseudo,
        ...rest,
      })),
    );
    await relations.table(
      'staged.payloads',
      'payload_no integer, payload_id varchar, run_id varchar, key varchar, retrieved_at timestamptz',
      Object.entries(retrieved).map(([payloadNo, retrievedAt]) => ({
        payloadNo: Number(payloadNo),
        payloadId: `payload ${payloadNo}`,
        key: files[Number(payloadNo)] ?? `${payloadNo}.csv`,
        runId: `run ${payloadNo}`,
        retrievedAt,
      })),
    );
    await relations.table(
      'staged.lake_observations',
      'indicator_id varchar, frequency varchar, period_end date, observed_at timestamptz, vintage varchar, value double, retrieved_at timestamptz, payload_id varchar',
      held.map(
        ({
          month = '2021-01',
          value,
          at,
          vintage = at.slice(0, 10),
          indicatorId = 'us_level',
          frequency = 'monthly',
          file,
          retrievedAt = at,
        }) => ({
          retrievedAt,
          payloadId: file,
          indicatorId,
          frequency,
          periodEnd: endOf(month),
          observedAt: at,
          vintage,
          value,
        }),
      ),
    );
    await relations.table(
      'staged.lake_ingestions',
      'payload_id varchar, key varchar',
      held.flatMap(({ file }) => (file === undefined ? [] : [{ payloadId: file, key: file }])),
    );
    const { quarantine } = LAKE_TABLES;
    await relations.table(
      'staged.lake_quarantine',
      Object.entries(quarantine)
        .map(([name, type]) => `${name} ${type}`)
        .join(', '),
      quarantined,
    );
    await relations.table(
      'staged.refused',
      'payload_no integer, row_no bigint, rule varchar, series_code varchar, entity_id varchar, period varchar, field_path varchar, observed_value varchar, reason varchar',
      refused,
    );
    await relations.table('staged.released', 'payload_id varchar, indicator_id varchar', released);
    await forgetStanding(relations.connection);
    await judgeStaged(relations.connection);
    const appended = await relations.rows('from staged.appended');
    const found = await relations.rows('from staged.quarantined order by rule, observed_value, period');
    return { appended, quarantined: found };
  };
  type Settled = Awaited<ReturnType<typeof settle>>;
  const written = ({ appended }: Settled) => appended.map((row) => [row['period'], row['value'], row['observedAt']]);
  const findings = ({ quarantined }: Settled) => quarantined.map((row) => [row['rule'], row['severity'], row['observedValue']]);

  describe('refuses and writes nothing', () => {
    /** The rule that refuses each of the rows, null where it is written; they are staged together, each of a period of its own. */
    const refusedAs = async (...said: readonly (Said & { readonly month: string })[]) => {
      const settled = await settle(said);
      return said.map(({ month }) => {
        const isWritten = settled.appended.some((row) => row['period'] === month);
        const own = settled.quarantined.filter((row) => row['period'] === month);
        expect([isWritten, own.length, own[0]?.['severity']]).toEqual(isWritten ? [true, 0, undefined] : [false, 1, 'block']);
        return own[0]?.['rule'] ?? null;
      });
    };

    it('a value known after its payload was retrieved, but not one known at that moment', async () => {
      const [before, at, after] = around(RETRIEVED);
      const rows = [
        { value: 1, month: '2020-10', at: before },
        { value: 1, month: '2020-11', at },
        { value: 1, month: '2020-12', at: after },
      ];
      expect(await refusedAs(...rows)).toEqual([null, null, 'time_travel']);
    });

    it('a period that had not begun on the day it became known', async () => {
      const rows = [
        { value: 1, month: '2021-02', at: '2021-01-31T23:59:59.999Z' },
        { value: 1, month: '2021-01', at: '2021-01-01T00:00:00.000Z' },
        { value: 1, month: '2020-12', at: '2020-12-02T00:00:00.000Z' },
      ];
      expect(await refusedAs(...rows)).toEqual(['future_period', null, null]);
    });

    it('a value that is not finite', async () => {
      const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.7e308, 0];
      const rows = values.map((value, index) => ({ value, month: `2020-0${index + 1}` }));
      expect(await refusedAs(...rows)).toEqual(['out_of_range', 'out_of_range', 'out_of_range', null, null]);
    });

    it('a value that it cannot identify', async () => {
      const cases: readonly (readonly [string, Partial<Said>, string | null])[] = [
        ['a code that reference data do not list', { code: 'NOBODYS' }, 'identity_unresolved'],
        ['a code that they list for another source', { code: 'THEIRS' }, 'identity_unresolved'],
        ['an indicator that they do not have', { code: 'ODD' }, 'identity_unresolved'],
        ['an indicator of its own that they do not have', { canonicalId: 'unheard_of' }, 'identity_unresolved'],
        ['no entity', { code: 'PLACE' }, 'identity_unresolved'],
        ['an entity by a code that stands for none', { code: 'PLACE', entityRef: 'iso3:xyz' }, 'identity_unresolved'],
        ['no frequency', { code: 'TIMELESS' }, 'identity_unresolved'],
        ['its own frequency', { code: 'TIMELESS', frequency: 'monthly' }, null],
        ['its own entity', { code: 'PLACE', entityRef: 'fr' }, null],
        ['an entity by its code', { code: 'PLACE', entityRef: 'iso3:fra' }, null],
      ];
      const rules = await refusedAs(
        ...cases.map(([, more], index) => ({ value: 1, ...more, month: `2020-${String(index + 1).padStart(2, '0')}` })),
      );
      expect(rules.map((rule, index) => [cases[index]?.[0], rule])).toEqual(cases.map(([name, , rule]) => [name, rule]));
    });

    it('for the first of the rules that it breaks', async () => {
      const rows = [
        { value: Number.NaN, month: '2020-01', code: 'NOBODYS', at: '2022-01-01T00:00:00Z' },
        { value: Number.NaN, month: '2020-02', at: '2022-01-01T00:00:00Z' },
        { value: 1, month: '2023-01', at: '2022-01-01T00:00:00Z' },
      ];
      expect(await refusedAs(...rows)).toEqual(['identity_unresolved', 'out_of_range', 'time_travel']);
    });

    it('both of two different values for one period and instant; a repeated value counts once', async () => {
      const cases: readonly (readonly [number | null, number | null, Partial<Said>, written: number, refused: number])[] = [
        [1, 2, {}, 0, 2],
        [1, null, {}, 0, 2],
        [1, 1, {}, 1, 0],
        [1, 2, { at: '2021-02-10T12:00:00.001Z' }, 2, 0],
        [1, 2, { code: 'RATE' }, 2, 0],
        // Another code of the same series is the same series.
        [1, 2, { code: 'LEVEL2' }, 0, 2],
        [1, 2, { code: 'LEVELQ' }, 2, 0],
        // A missing value that follows none says nothing.
        [null, null, {}, 0, 0],
      ];
      const { appended, quarantined } = await settle(
        cases.flatMap(([a, b, more], index) => [
          { value: a, month: `2020-0${index + 1}` },
          { value: b, month: `2020-0${index + 1}`, ...more },
        ]),
      );
      const count = (rows: readonly Given[], index: number) => rows.filter((row) => row['period'] === `2020-0${index + 1}`).length;
      expect(cases.map(([a, b, more], index) => [a, b, more, count(appended, index), count(quarantined, index)])).toEqual(cases);
      expect(new Set(quarantined.map((row) => row['rule']))).toEqual(new Set(['duplicate_conflict']));
    });
  });

  describe('warns, and still writes,', () => {
    /** What is noted of each revision of one value to another; they are staged together, each of a period of its own. */
    const noted = async (cases: readonly (readonly [before: number | null, after: number | null, unit?: string])[]) => {
      const units = [...new Set(cases.map(([, , unit = 'percent']) => unit))];
      const monthOf = (index: number) => `20${10 + Math.floor(index / 9)}-0${(index % 9) + 1}`;
      const settled = await settle(
        cases.flatMap(([before, after, unit = 'percent'], index) => {
          const own = {
            code: unit,
            canonicalId: ['level', 'rate', 'price', 'price_close', 'index_level'][units.indexOf(unit) % 4] ?? '',
            entityRef: `e${units.indexOf(unit)}`,
            frequency: 'monthly',
            unit,
            month: monthOf(index),
          };
          return [
            { ...own, value: before, at: '2021-02-10T12:00:00.000Z' },
            { ...own, value: after, at: '2021-02-11T12:00:00.000Z' },
          ];
        }),
      );
      expect(settled.appended).toHaveLength(cases.reduce((sum, [before, after]) => sum + (before === after ? 1 : 2), 0));
      return cases.map((one, index) => {
        const [finding, ...more] = settled.quarantined.filter((row) => row['period'] === monthOf(index));
        expect(more).toEqual([]);
        if (finding !== undefined)
          expect([finding['severity'], Number(finding['observedValue']), finding['expected']]).toEqual([
            'warn',
            one[1],
            `{"inForce":${one[0]}.0}`,
          ]);
        return finding?.['rule'] ?? null;
      });
    };

    it('about a revision by a factor of ten or more, up or down, of either sign and in any unit', async () => {
      const jumps = [
        [10, 100],
        [10, 1],
        [-10, -100, 'thousands'],
        [-10, -1],
        [10, 100, 'ratio'],
      ] as const;
      expect(await noted(jumps)).toEqual(jumps.map(() => 'scale_jump'));
      const steps = [
        [10, 99.9],
        [10, 1.01],
        [-10, -99.9],
        [-10, -1.01],
        [10, -100],
        [-10, 1],
      ] as const;
      expect(await noted(steps)).toEqual(steps.map(() => null));
    });

    it('about a revision of a level to the other sign, but not of a rate, a balance or a ratio', async () => {
      const levels = ['index', 'thousands', 'persons', 'contracts', 'usd'];
      const others = ['percent', 'percentage_points', 'balance', 'ratio'];
      const flips = (units: readonly string[]) =>
        units.flatMap(
          (unit) =>
            [
              [5, -4, unit],
              [-5, 4, unit],
              [5, -500, unit],
            ] as const,
        );
      expect(await noted(flips(levels))).toEqual(flips(levels).map(() => 'sign_flip'));
      expect(await noted(flips(others))).toEqual(flips(others).map(() => null));
    });

    it('nothing about zeros, withdrawals and values that return', async () => {
      const quiet = ['index', 'percent'].flatMap(
        (unit) =>
          [
            [0, 100, unit],
            [100, 0, unit],
            [100, 100, unit],
          ] as const,
      );
      expect(await noted(quiet)).toEqual(quiet.map(() => null));
      const held = [
        { value: 5, at: '2021-02-01T00:00:00.000Z' },
        { value: null, at: '2021-02-01T00:00:00.000Z', month: '2020-12' },
      ];
      const settled = await settle(
        [
          { value: null, at: around(RETRIEVED)[0] },
          { value: 500, at: around(RETRIEVED)[0], month: '2020-12' },
        ],
        { held },
      );
      expect([settled.appended.length, findings(settled)]).toEqual([2, []]);
    });

    it('about a revision of the value in force in the lake just before it', async () => {
      const held = [
        { value: 10, at: '2021-02-01T00:00:00.000Z' },
        { value: 100, at: '2021-02-20T00:00:00.000Z' },
      ];
      expect(findings(await settle([{ value: 1000, at: '2021-02-25T00:00:00.000Z' }], { held }))).toEqual([
        ['scale_jump', 'warn', '1000.0'],
      ]);
      expect(findings(await settle([{ value: 60, at: '2021-02-10T00:00:00.000Z' }], { held }))).toEqual([]);
      expect(findings(await settle([{ value: 1000, at: '2021-01-20T00:00:00.000Z' }], { held }))).toEqual([]);
    });
  });

  describe('holds back as a whole', () => {
    const MONTHS = Array.from({ length: 12 }, (_, index) => `2020-${String(index + 1).padStart(2, '0')}`);
    const KNOWN = MONTHS.map((month, index) => ({ month, value: 100 + index, at: '2021-02-01T00:00:00.000Z' }));
    /** What the lake would say times a factor in the first `count` of its periods, unchanged in the others, and a new period. */
    const times = (factor: number, count = 12, payload = 1): readonly Said[] => [
      ...KNOWN.map(({ month, value }, index) => ({ payload, month, value: index < count ? value * factor : value, at: AT[payload] ?? '' })),
      { payload, month: '2021-01', value: 113 * factor, at: AT[payload] ?? '' },
    ];
    const AT: Readonly<Record<number, string>> = {
      1: RETRIEVED,
      2: '2021-03-02T08:00:00.000Z',
      3: '2021-03-03T08:00:00.000Z',
      4: '2021-03-04T08:00:00.000Z',
    };
    const outcome = async (said: readonly Said[], more: Parameters<typeof settle>[1] = {}) => {
      const settled = await settle(said, { held: KNOWN, retrieved: AT, ...more });
      const blocked = settled.quarantined.filter((row) => row['severity'] === 'block');
      return {
        written: settled.appended.length,
        blocked: blocked.map((row) => [row['payloadId'], row['rule'], row['seriesCode'], row['observedValue']]),
      };
    };
    const HELD = { written: 0, blocked: [['payload 1', 'scale_jump', 'LEVEL', expect.anything()]] };

    it.each([
      ['every known period times 1000', times(1000), true],
      ['every known period times 0.001', times(0.001), true],
      ['every known period times 10', times(10), true],
      ['every known period times 9.99', times(9.99), false],
      ['every known period times 0.101', times(0.101), false],
      ['every known period of the other sign', times(-1), true],
      ['zeros', times(0), true],
      ['seven of twelve periods times 1000', times(1000, 7), true],
      ['six of twelve periods times 1000', times(1000, 6), false],
      ['seven of twelve zeros', times(0, 7), true],
      ['six of twelve zeros', times(0, 6), false],
      ['the six known periods that it states', times(1000).slice(-7), true],
      ['the five known periods that it states', times(1000).slice(-6), false],
      [
        'known periods times factors 1 % beside 1000',
        times(1000).map((row, index) => ({ ...row, value: (row.value ?? 0) * (index % 2 === 0 ? 1.009 : 1) })),
        true,
      ],
      [
        'known periods times factors that differ',
        times(1000).map((row, index) => ({ ...row, value: (row.value ?? 0) * 1.05 ** index })),
        false,
      ],
      ['values that are not there any more', times(1000).map((row) => ({ ...row, value: null })), false],
    ])('%s: %#', async (_, said, isHeld) => {
      const { written: rows, blocked } = await outcome(said);
      expect([rows > 0, blocked]).toEqual(isHeld ? [HELD.written > 0, HELD.blocked] : [true, []]);
    });

    it('and reports the number of periods and how to release them', async () => {
      const settled = await settle(times(1000, 11), { held: KNOWN, retrieved: AT });
      expect(settled.quarantined).toHaveLength(1);
      expect(settled.quarantined[0]).toMatchObject({
        reason:
          'In this file, 11 of the 12 periods that asof already knows have 1000.0 times the known value. No value of the series is written from this file, unless you release it: npm run quarantine -- release ID --note TEXT',
        indicatorId: 'us_level',
        expected: '{"knownPeriods":12,"changedPeriods":11}',
      });
      expect((await settle(times(0), { held: KNOWN, retrieved: AT })).quarantined[0]?.['reason']).toMatch(
        /^In this file, 12 of the 12 periods that asof already knows are zero\. /,
      );
    });

    it('a payload, and compares the next one with the accepted values', async () => {
      const said = [...times(1000, 12, 1), ...times(1000, 12, 2), ...times(1, 12, 3), ...times(0, 12, 4)];
      expect(await outcome(said)).toEqual({
        written: 1,
        blocked: expect.arrayContaining([
          ['payload 1', 'scale_jump', 'LEVEL', '1000.0'],
          ['payload 2', 'scale_jump', 'LEVEL', '1000.0'],
          ['payload 4', 'scale_jump', 'LEVEL', '0.0'],
        ]),
      });
    });

    it('a payload that restates dated values at their instants', async () => {
      const dated = times(1000).map((row) => ({
        ...row,
        at: row.month === '2021-01' ? '2021-02-10T00:00:00.000Z' : '2021-02-01T00:00:00.000Z',
      }));
      expect(await outcome(dated)).toEqual(HELD);
    });

    it('the other series of the payload if they are the smaller part of it, and no series otherwise', async () => {
      const rates = (count: number) => MONTHS.slice(0, count).map((month) => ({ code: 'RATE', month, value: 2, at: RETRIEVED }));
      const held = (count: number) => [
        ...KNOWN,
        ...MONTHS.slice(0, count).map((month) => ({ month, value: 1.9, at: '2021-02-01T00:00:00.000Z', indicatorId: 'us_rate' })),
      ];
      expect(await outcome([...times(1000), ...rates(11)], { held: held(11) })).toEqual({
        written: 0,
        blocked: expect.arrayContaining([
          ['payload 1', 'scale_jump', 'LEVEL', '1000.0'],
          ['payload 1', 'scale_jump', 'RATE', null],
        ]),
      });
      expect(await outcome([...times(1000), ...rates(12)], { held: held(12) })).toEqual({
        written: 12,
        blocked: [['payload 1', 'scale_jump', 'LEVEL', '1000.0']],
      });
    });

    it('nothing that was released, nor later values at the new scale', async () => {
      const released = [{ payloadId: 'payload 1', indicatorId: 'us_level' }];
      expect(await outcome([...times(1000), ...times(1000, 12, 2)], { released })).toEqual({ written: 13, blocked: [] });
      expect(await outcome(times(1000), { released: [{ payloadId: 'payload 2', indicatorId: 'us_level' }] })).toEqual(HELD);
    });

    it('no closing prices that a split divides by ten, and no zeros among them', async () => {
      const prices = (factor: number) =>
        times(factor).map((row) => ({
          ...row,
          code: 'PRICE',
          canonicalId: 'price_close',
          entityRef: 'company_1',
          frequency: 'monthly',
          unit: 'usd',
        }));
      const held = KNOWN.map((row) => ({ ...row, indicatorId: 'company_1_price_close' }));
      expect((await outcome(prices(0.1), { held })).blocked).toEqual([]);
      expect((await outcome(prices(0), { held })).blocked).toEqual([['payload 1', 'scale_jump', 'PRICE', '0.0']]);
    });
  });

  describe('compares with the known values of the same series', () => {
    const FIRST = '2021-02-01T12:00:00.000Z';
    const SECOND = '2021-02-20T12:00:00.000Z';

    it('and takes only a value that is new at its place in time', async () => {
      const held = [
        { value: 10, at: FIRST },
        { value: 11, at: SECOND },
      ];
      const at = async (value: number | null, when: string) => written(await settle([{ value, at: when }], { held }));
      expect(await at(11, '2021-02-25T12:00:00.000Z')).toEqual([]);
      expect(await at(10, '2021-02-25T12:00:00.000Z')).toEqual([['2021-01', 10, '2021-02-25T12:00:00.000Z']]);
      expect(await at(10, '2021-02-10T12:00:00.000Z')).toEqual([]);
      // An older vintage that comes late: the next one repeats it, and is told apart when the vintages are made.
      expect(await at(11, '2021-02-10T12:00:00.000Z')).toEqual([['2021-01', 11, '2021-02-10T12:00:00.000Z']]);
      expect(await at(10, '2021-01-20T12:00:00.000Z')).toEqual([['2021-01', 10, '2021-01-20T12:00:00.000Z']]);
      expect(await at(10, FIRST)).toEqual([]);
      expect(await at(null, '2021-02-25T12:00:00.000Z')).toEqual([['2021-01', null, '2021-02-25T12:00:00.000Z']]);
      expect(await at(null, '2021-01-20T12:00:00.000Z')).toEqual([]);
    });

    it('of its own indicator, frequency and period only', async () => {
      const other = { value: 10, at: FIRST };
      expect(written(await settle([{ value: 10, at: SECOND }], { held: [other] }))).toEqual([]);
      for (const held of [
        { ...other, frequency: 'quarterly' },
        { ...other, indicatorId: 'us_rate' },
        { ...other, month: '2020-12' },
      ])
        expect(written(await settle([{ value: 10, at: SECOND }], { held: [held] }))).toHaveLength(1);
    });

    it('another value for a known instant counts from its retrieval', async () => {
      const settled = await settle([{ value: 12, at: FIRST }], { held: [{ value: 10, at: FIRST }] });
      expect(written(settled)).toEqual([['2021-01', 12, RETRIEVED]]);
      expect(findings(settled)).toEqual([]);
    });

    it('a value that counts from its retrieval is compared with the dated values of its payload', async () => {
      const said = [
        { value: 12, at: FIRST },
        { value: 13, at: RETRIEVED },
      ];
      const settled = await settle(said, { held: [{ value: 10, at: FIRST }] });
      expect(written(settled)).toEqual([['2021-01', 13, RETRIEVED]]);
      expect(findings(settled)).toEqual([['duplicate_conflict', 'block', '12.0']]);
    });

    it('of two payloads that differ about an instant, the one that reaches further wins from its retrieval on', async () => {
      const later = { payload: 2, month: '2021-02', value: 5, at: '2021-03-02T08:00:00.000Z' };
      const settled = await settle([{ value: 12, at: FIRST, payload: 1 }, { value: 10, at: FIRST, payload: 2 }, later]);
      expect(written(settled).toSorted((a, b) => compare(toText(a[2]), toText(b[2])))).toEqual([
        ['2021-01', 12, FIRST],
        ['2021-01', 10, '2021-03-02T08:00:00.000Z'],
        ['2021-02', 5, '2021-03-02T08:00:00.000Z'],
      ]);
      const swapped = await settle([
        { value: 12, at: FIRST, payload: 2 },
        { value: 10, at: FIRST, payload: 1 },
        { month: '2021-02', value: 5, at: RETRIEVED, payload: 1 },
      ]);
      expect(written(swapped).filter(([period]) => period === '2021-01')).toEqual([
        ['2021-01', 12, FIRST],
        ['2021-01', 10, RETRIEVED],
      ]);
    });

    it('two undated downloads retrieved at once: the one that reaches further counts, the other is refused', async () => {
      const retrieved = { 1: RETRIEVED, 2: RETRIEVED };
      const undated = (payload: number, month: string, value: number): Said => ({ payload, month, value, at: RETRIEVED });
      const settled = await settle([undated(1, '2021-01', 10), undated(1, '2021-02', 20), undated(2, '2021-01', 11)], { retrieved });
      expect(written(settled)).toEqual([
        ['2021-01', 10, RETRIEVED],
        ['2021-02', 20, RETRIEVED],
      ]);
      expect(findings(settled)).toEqual([['period_regression', 'block', '11.0']]);
      const even = await settle([undated(1, '2021-01', 10), undated(2, '2021-01', 11)], { retrieved });
      expect(written(even)).toEqual([['2021-01', 11, RETRIEVED]]);
      expect(findings(even)).toEqual([['duplicate_conflict', 'block', '10.0']]);
    });

    it('an undated download that ends before the series revises nothing; it may fill a gap', async () => {
      const held = [
        { month: '2020-11', value: 8, at: FIRST },
        { month: '2021-01', value: 10, at: FIRST },
      ];
      const undated = async (...said: readonly (readonly [string, number])[]) => {
        const settled = await settle(
          said.map(([month, value]) => ({ month, value, at: RETRIEVED })),
          { held },
        );
        return [written(settled).map(([period]) => period), findings(settled).map(([rule]) => rule)];
      };
      expect(await undated(['2020-11', 9], ['2020-12', 5])).toEqual([['2020-12'], ['period_regression']]);
      expect(await undated(['2020-11', 9], ['2021-01', 10])).toEqual([['2020-11'], []]);
      expect(await undated(['2020-11', 9], ['2021-02', 12])).toEqual([['2020-11', '2021-02'], []]);
      // One that says when it was known is no download without a date.
      const dated = await settle([{ month: '2020-11', value: 9, at: around(RETRIEVED)[0] }], { held });
      expect([written(dated).length, findings(dated)]).toEqual([1, []]);
    });

    it('a withdrawn newest period does not count as reach', async () => {
      const held = [
        { month: '2020-11', value: 8, at: FIRST },
        { month: '2021-01', value: null, at: FIRST },
      ];
      const settled = await settle([{ month: '2020-11', value: 9, at: RETRIEVED }], { held });
      expect([written(settled).length, findings(settled)]).toEqual([1, []]);
    });
  });

  it('appends under the day of knowledge, in sequence after the last row of that day', async () => {
    const day = (hour: string) => `2021-02-10T${hour}:00:00.000Z`;
    const held = [
      { value: 1, at: day('01'), vintage: '2021-02-10' },
      { value: 2, at: day('02'), vintage: '2021-02-10.2' },
      { value: 2.5, at: '2021-02-09T02:00:00.000Z', vintage: '2021-02-09' },
    ];
    const { appended } = await settle(
      [
        { value: 4, at: day('04') },
        { value: 3, at: day('03') },
        { value: 5, at: '2021-02-11T00:00:00.000Z', isPseudo: true },
        { value: 6, at: '2021-02-10T23:59:59.999Z', month: '2020-12', releasedAt: '2021-02-10T13:30:00.000Z' },
        { value: 7, at: day('04'), code: 'RATE' },
        { value: 8, at: day('04'), code: 'LEVELQ' },
      ],
      { held },
    );
    expect(
      appended.map((row) => [row['indicatorId'], row['frequency'], row['period'], row['value'], row['vintage'], row['changeSequence']]),
    ).toEqual([
      ['us_level', 'monthly', '2020-12', 6, '2021-02-10', 45],
      ['us_level', 'monthly', '2021-01', 3, '2021-02-10.3', 41],
      ['us_level', 'monthly', '2021-01', 4, '2021-02-10.4', 42],
      ['us_level', 'monthly', '2021-01', 5, 'pseudo:2021-02-11', 46],
      ['us_level', 'quarterly', '2021-01', 8, '2021-02-10', 43],
      ['us_rate', 'monthly', '2021-01', 7, '2021-02-10', 44],
    ]);
    expect(appended[0]).toEqual({
      indicatorId: 'us_level',
      entityId: 'us',
      canonicalId: 'level',
      seriesCode: 'LEVEL',
      frequency: 'monthly',
      unit: 'thousands',
      period: '2020-12',
      periodStart: '2020-12-01',
      periodEnd: '2020-12-31',
      value: 6,
      obsStatus: null,
      vintage: '2021-02-10',
      observedAt: '2021-02-10T23:59:59.999Z',
      releasedAt: '2021-02-10T13:30:00.000Z',
      retrievedAt: RETRIEVED,
      ingestedAt: INGESTED,
      payloadId: 'payload 1',
      runId: 'run 1',
      changeSequence: 45,
    });
  });

  it('identifies a series by its payload first, and by reference data second', async () => {
    const said = (more: Partial<Said>): Said => ({ value: 1, code: 'LEVEL', ...more });
    const { appended } = await settle([
      said({}),
      said({ canonicalId: 'index_level', unit: 'index' }),
      said({ entityRef: 'iso3:deu' }),
      said({ entityRef: 'iso3:frx' }),
      said({ entityRef: 'iso3:arb' }),
      said({ entityRef: 'ticker:abc' }),
      said({ entityRef: 'ticker:old' }),
      said({ entityRef: 'jp', frequency: 'annual' }),
    ]);
    expect(
      appended
        .map((row) => toText([row['indicatorId'] ?? null, row['entityId'] ?? null, row['frequency'] ?? null, row['unit'] ?? null]))
        .toSorted(compare),
    ).toEqual(
      [
        ['us_level', 'us', 'monthly', 'thousands'],
        ['us_index_level', 'us', 'monthly', 'index'],
        ['de_level', 'de', 'monthly', 'thousands'],
        ['fr_level', 'fr', 'monthly', 'thousands'],
        ['arab_world_level', 'arab_world', 'monthly', 'thousands'],
        // The company that used the ticker last; of two at once the one with the lower number.
        ['company_0000000002_level', 'company_0000000002', 'monthly', 'thousands'],
        ['company_0000000001_level', 'company_0000000001', 'monthly', 'thousands'],
        ['jp_level', 'jp', 'annual', 'thousands'],
      ]
        .map((row) => toText(row))
        .toSorted(compare),
    );
  });

  it('quarantines with the place of the finding, once per connector version', async () => {
    const bad: Said = { value: 10, code: 'NOBODYS', entityRef: 'iso3:xyz' };
    const first = await settle([bad, bad]);
    expect(first.quarantined).toEqual([
      {
        quarantineId: first.quarantined[0]?.['quarantineId'],
        rule: 'identity_unresolved',
        ruleVersion: '1',
        severity: 'block',
        reason: 'Reference data has no indicator or entity for the series NOBODYS (iso3:xyz).',
        indicatorId: null,
        entityId: null,
        seriesCode: 'NOBODYS',
        period: '2021-01',
        fieldPath: null,
        observedValue: '10.0',
        expected: null,
        payloadId: 'payload 1',
        runId: 'run 1',
        connectorVersion: 3,
        detectedAt: INGESTED,
        payloadNo: 1,
      },
    ]);
    const { payloadNo: _, ...kept } = first.quarantined[0] ?? {};
    expect((await settle([bad], { quarantined: [kept] })).quarantined).toEqual([]);
    expect((await settle([bad], { quarantined: [kept], version: '4' })).quarantined).toHaveLength(1);
    // Each of these is a finding of its own.
    const differing: Said[] = [
      bad,
      { ...bad, month: '2020-12' },
      { ...bad, at: '2021-02-11T12:00:00.000Z' },
      { ...bad, value: 11 },
      { ...bad, code: 'NOONES' },
      { ...bad, payload: 2 },
    ];
    expect((await settle(differing, { quarantined: [kept] })).quarantined).toHaveLength(differing.length - 1);
  });

  it('quarantines with the reason that the reader of the payload gave', async () => {
    const one = {
      payloadNo: 2,
      rowNo: 1,
      rule: 'unit_mismatch',
      seriesCode: 'LEVEL',
      entityId: 'us',
      period: '2021-01',
      fieldPath: 'a.b',
      observedValue: 'x',
      reason: 'The unit is another.',
    };
    const { quarantined } = await settle([], { refused: [one, { ...one, rowNo: 2 }] });
    expect(quarantined).toHaveLength(2);
    expect(quarantined[0]).toMatchObject({
      rule: 'unit_mismatch',
      severity: 'block',
      seriesCode: 'LEVEL',
      entityId: 'us',
      period: '2021-01',
      fieldPath: 'a.b',
      observedValue: 'x',
      reason: 'The unit is another.',
      payloadId: 'payload 2',
      runId: 'run 2',
      connectorVersion: 3,
      detectedAt: INGESTED,
    });
  });
});
