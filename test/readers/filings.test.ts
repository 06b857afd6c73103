// EDGAR: facts, filings and filers, by hand.
import { describe, expect, it } from 'vitest';
import { LATER, refusalOf, tell } from './read.ts';

const FACTS = 'sec/companyfacts/CIK0000099990.json';
const SUBMISSIONS = 'sec/submissions/CIK0000099990.json';

type Fact = Readonly<Record<string, string | number | null>>;
const fact = (changed: Fact = {}): Fact => ({
  start: '2024-01-01',
  end: '2024-12-31',
  val: 100,
  accn: '0000099990-25-000001',
  fy: 2024,
  fp: 'FY',
  form: '10-K',
  filed: '2025-02-10',
  ...changed,
});
const factsOf = (facts: readonly Fact[], unit = 'USD') => ({
  cik: 99990,
  entityName: 'Example Works, Inc.',
  facts: { 'us-gaap': { Revenues: { label: 'Revenues', units: { [unit]: facts } } } },
});

describe('a fact', () => {
  it('is read with its filing, and known from the end of the filing day', async () => {
    const { of } = await tell('sec', FACTS, factsOf([fact({ frame: 'CY2024' })]));
    expect(of('facts')).toEqual([
      {
        cik: '0000099990',
        taxonomy: 'us-gaap',
        concept: 'Revenues',
        label: 'Revenues',
        unit: 'USD',
        periodStart: '2024-01-01',
        periodEnd: '2024-12-31',
        value: 100,
        accessionNumber: '0000099990-25-000001',
        fiscalYear: 2024,
        fiscalPeriod: 'FY',
        form: '10-K',
        filed: '2025-02-10',
        frame: 'CY2024',
        observedAt: '2025-02-10T23:59:59.999Z',
      },
    ]);
  });

  it('retrieved on the filing day is known from the retrieval; a later filing date is refused downstream', async () => {
    const { of } = await tell(
      'sec',
      FACTS,
      factsOf([fact(), fact({ filed: '2025-02-11', accn: '0000099990-25-000002' })]),
      '2025-02-10T22:00:00.000Z',
    );
    expect(of('facts').map(({ observedAt }) => observedAt)).toEqual(['2025-02-10T22:00:00.000Z', '2025-02-11T23:59:59.999Z']);
  });

  it('stated twice by a filing is one fact; another period, start or filing is another; two values refuse both', async () => {
    const { of } = await tell(
      'sec',
      FACTS,
      factsOf([
        fact(),
        fact({ frame: 'CY2024' }),
        fact({ frame: 'CY2024Q4' }),
        fact({ end: '2024-12-30' }),
        fact({ start: '2024-10-01' }),
        fact({ accn: '0000099990-25-000002' }),
        fact({ end: '2023-12-31' }),
        fact({ end: '2023-12-31', val: 101 }),
      ]),
    );
    expect(
      of('facts').map(({ periodStart, periodEnd, accessionNumber, value, frame }) => [
        periodStart,
        periodEnd,
        accessionNumber.slice(-1),
        value,
        frame,
      ]),
    ).toEqual([
      // The first frame that is given, where the first row had none.
      ['2024-01-01', '2024-12-31', '1', 100, 'CY2024'],
      ['2024-01-01', '2024-12-30', '1', 100, null],
      ['2024-10-01', '2024-12-31', '1', 100, null],
      ['2024-01-01', '2024-12-31', '2', 100, null],
    ]);
    expect(of('refused').map(({ rule, seriesCode, fieldPath, observedValue }) => [rule, seriesCode, fieldPath, observedValue])).toEqual([
      ['duplicate_conflict', 'us-gaap:Revenues', 'us-gaap.Revenues.USD', '100'],
      ['duplicate_conflict', 'us-gaap:Revenues', 'us-gaap.Revenues.USD', '101'],
    ]);
  });

  it.each([
    ['rounded to ten million and exact', [520_000_000, 519_812_345], 519_812_345],
    ['in either order', [519_812_345, 520_000_000], 519_812_345],
    ['of three precisions', [5_234_567_000, 5_200_000_000, 5_235_000_000], 5_234_567_000],
    ['that do not agree at the coarser precision', [520_000_000, 525_100_000], null],
    ['of one precision', [250_000, 260_000], null],
    ['of which one digit could be any', [700_000_000, 719_812_345], null],
    ['that nobody would have rounded', [1200, 1212], null],
  ])('of two values %s is the most precise one or none', async (_, values, expected) => {
    const { of } = await tell('sec', FACTS, factsOf([fact({ end: '2023-12-31' }), ...values.map((val) => fact({ val }))]));
    expect(
      of('facts')
        .slice(1)
        .map(({ value }) => value),
    ).toEqual(expected === null ? [] : [expected]);
    expect(of('refused').map(({ observedValue }) => observedValue)).toEqual(expected === null ? values.map(String) : []);
  });

  it('at a moment has no start, and a filer is seen on the day of its newest filing', async () => {
    const facts = [{ ...fact({ filed: '2025-05-01', accn: '0000099990-25-000003' }) }, fact()];
    const { start: _, ...moment } = fact({ accn: '0000099990-24-000001', filed: '2024-02-01' });
    const { of } = await tell('sec', FACTS, factsOf([...facts, moment], 'shares'));
    expect(of('facts').map(({ periodStart, unit }) => [periodStart, unit])).toEqual([
      ['2024-01-01', 'shares'],
      ['2024-01-01', 'shares'],
      [null, 'shares'],
    ]);
    expect(of('entities').map(({ entityId, seenOn, name }) => [entityId, seenOn, name])).toEqual([
      ['company_0000099990', '2025-05-01', 'Example Works, Inc.'],
    ]);
  });

  it('arrives in chunks of two thousand, none lost', async () => {
    const many = Array.from({ length: 4001 }, (_, index) => fact({ accn: `0000099990-25-${String(index).padStart(6, '0')}` }));
    const { batches, of } = await tell('sec', FACTS, factsOf(many));
    expect(batches.filter(({ kind }) => kind === 'facts').map(({ rows }) => rows.length)).toEqual([2000, 2000, 1]);
    expect(new Set(of('facts').map(({ accessionNumber }) => accessionNumber)).size).toBe(4001);
  });
});

interface Filing {
  readonly accepted: string;
  readonly filed: string;
  readonly form?: string;
}
const submissionsOf = (filings: readonly Filing[], more: Readonly<Record<string, unknown>> = {}) => ({
  cik: '0000099990',
  name: 'EXAMPLE WORKS INC',
  tickers: ['EXMP', 'EXMPB'],
  exchanges: ['Nasdaq', null],
  sic: '3674',
  sicDescription: ' Semiconductors ',
  lei: null,
  fiscalYearEnd: '1231',
  addresses: { business: { stateOrCountry: 'CA', countryCode: null } },
  formerNames: [{ name: 'EXAMPLE WIDGETS', from: '2001-05-07T00:00:00.000Z', to: null }],
  filings: {
    recent: {
      accessionNumber: filings.map((_, index) => `0000099990-25-${String(index).padStart(6, '0')}`),
      filingDate: filings.map(({ filed }) => filed),
      reportDate: filings.map(() => ''),
      acceptanceDateTime: filings.map(({ accepted }) => accepted),
      form: filings.map(({ form }) => form ?? '10-Q'),
      items: filings.map(() => ' 2.02,9.01 '),
      primaryDocument: filings.map(() => ''),
    },
  },
  ...more,
});
const acceptedOf = async (filings: readonly Filing[]) =>
  (await tell('sec', SUBMISSIONS, submissionsOf(filings))).of('filings').map(({ acceptedAt }) => acceptedAt);

describe('the acceptance of a filing', () => {
  // 16:42 in New York is 21:42Z in winter and 20:42Z in summer. EDGAR is open from 06:00 to 22:00 there.
  it.each([
    ['in UTC, where New York would be asleep', ['2025-02-11T01:30:00.000Z'], ['2025-02-10'], ['2025-02-11T01:30:00.000Z']],
    ['in New York, where UTC would be before six', ['2025-02-10T10:59:59.000Z'], ['2025-02-10'], ['2025-02-10T15:59:59.000Z']],
    ['in summer as well', ['2025-07-10T09:59:59.000Z'], ['2025-07-10'], ['2025-07-10T13:59:59.000Z']],
    ['in the later of two readings, where both are possible', ['2025-02-10T16:42:19.000Z'], ['2025-02-10'], ['2025-02-10T21:42:19.000Z']],
    [
      'from six o’clock, which the one reading has and the other not',
      ['2025-02-10T06:00:00.000Z'],
      ['2025-02-10'],
      ['2025-02-10T11:00:00.000Z'],
    ],
    ['until ten, which is shut by the clock of New York', ['2025-02-10T22:00:00.000Z'], ['2025-02-10'], ['2025-02-10T22:00:00.000Z']],
    [
      'from six o’clock on, beside one that is possible in UTC alone',
      ['2025-02-10T11:00:00.000Z', '2025-02-10T22:30:00.000Z'],
      ['2025-02-10', '2025-02-10'],
      ['2025-02-10T11:00:00.000Z', '2025-02-10T22:30:00.000Z'],
    ],
    ['never after its day of filing', ['2025-02-11T22:30:00.000Z'], ['2025-02-10'], ['2025-02-12T03:30:00.000Z']],
  ])('is read %s', async (_, times, filed, expected) => {
    expect(await acceptedOf(times.map((accepted, index) => ({ accepted, filed: filed[index] ?? '' })))).toEqual(expected);
  });

  it('uses one clock for a whole file, the one with fewer impossible hours', async () => {
    const impossibleInUtc = { accepted: '2025-02-10T09:00:00.000Z', filed: '2025-02-10' };
    const impossibleInNewYork = { accepted: '2025-02-11T02:00:00.000Z', filed: '2025-02-10' };
    expect(await acceptedOf([impossibleInUtc, impossibleInUtc, impossibleInNewYork])).toEqual([
      '2025-02-10T14:00:00.000Z',
      '2025-02-10T14:00:00.000Z',
      '2025-02-11T07:00:00.000Z',
    ]);
    expect(await acceptedOf([impossibleInUtc, impossibleInNewYork, impossibleInNewYork])).toEqual([
      '2025-02-10T09:00:00.000Z',
      '2025-02-11T02:00:00.000Z',
      '2025-02-11T02:00:00.000Z',
    ]);
  });

  it('that is missing becomes the end of the filing day', async () => {
    const { of } = await tell(
      'sec',
      SUBMISSIONS,
      submissionsOf([
        { accepted: '', filed: '2025-02-10' },
        { accepted: '2025-02-11T02:00:00.000Z', filed: '2025-02-10' },
      ]),
    );
    expect(
      of('filings').map(({ acceptedAt, observedAt, items, reportDate, primaryDocument }) => [
        acceptedAt,
        observedAt,
        items,
        reportDate,
        primaryDocument,
      ]),
    ).toEqual([
      [null, '2025-02-10T23:59:59.999Z', '2.02,9.01', null, null],
      ['2025-02-11T02:00:00.000Z', '2025-02-11T02:00:00.000Z', '2.02,9.01', null, null],
    ]);
  });
});

describe('the dissemination of a filing', () => {
  const observedOf = async (filings: readonly Filing[]) =>
    (await tell('sec', SUBMISSIONS, submissionsOf(filings))).of('filings').map(({ observedAt }) => observedAt);
  // Makes UTC the clock of the file: three in the morning cannot be meant in New York.
  const inUtc = { accepted: '2025-01-07T02:00:00.000Z', filed: '2025-01-06' };

  it.each<readonly [string, Filing, string]>([
    ['at acceptance on its own day', { accepted: '2025-02-07T22:29:59.000Z', filed: '2025-02-07' }, '2025-02-07T22:29:59.000Z'],
    ['at six on Monday, sent on Friday evening', { accepted: '2025-02-07T22:40:00.000Z', filed: '2025-02-10' }, '2025-02-10T11:00:00.000Z'],
    ['at six of summer time', { accepted: '2025-07-10T21:31:00.000Z', filed: '2025-07-11' }, '2025-07-11T10:00:00.000Z'],
    [
      'at acceptance late in the evening of its own day, which is the next in UTC',
      { accepted: '2025-02-08T02:30:00.000Z', filed: '2025-02-07' },
      '2025-02-08T02:30:00.000Z',
    ],
    [
      'at six, where UTC has the day of filing already',
      { accepted: '2025-02-11T02:30:00.000Z', filed: '2025-02-11' },
      '2025-02-11T11:00:00.000Z',
    ],
    ...['3', '4', '4/A', '5', '144', '144/A', 'SC 13D', 'SC 13G/A', 'SCHEDULE 13D/A', 'SCHEDULE 13G'].map(
      (form) =>
        [
          `at acceptance on form ${form}`,
          { form, accepted: '2025-02-07T22:40:00.000Z', filed: '2025-02-10' },
          '2025-02-07T22:40:00.000Z',
        ] as const,
    ),
    ...['10-K/A', '8-K', '13F-HR', '40-F', 'S-4', '424B3'].map(
      (form) =>
        [
          `at six on form ${form}`,
          { form, accepted: '2025-02-07T22:40:00.000Z', filed: '2025-02-10' },
          '2025-02-10T11:00:00.000Z',
        ] as const,
    ),
  ])('is %s', async (_, filing, expected) => {
    expect((await observedOf([inUtc, filing]))[1]).toBe(expected);
  });

  it('is its retrieval if the file has it earlier', async () => {
    const file = submissionsOf([inUtc, { accepted: '2025-02-07T22:40:00.000Z', filed: '2025-02-10' }]);
    const { of } = await tell('sec', SUBMISSIONS, file, '2025-02-08T09:00:00.000Z');
    expect(of('filings')[1]?.observedAt).toBe('2025-02-08T09:00:00.000Z');
  });
});

describe('a filer', () => {
  it('is described as in its file, from its retrieval on', async () => {
    const { of } = await tell(
      'sec',
      SUBMISSIONS,
      submissionsOf([
        { accepted: '', filed: '2025-02-10' },
        { accepted: '', filed: '2025-03-10' },
        { accepted: '', filed: '2025-01-10' },
      ]),
    );
    expect(of('companies')).toEqual([
      {
        cik: '0000099990',
        name: 'EXAMPLE WORKS INC',
        tickers: ['EXMP', 'EXMPB'],
        exchanges: ['Nasdaq'],
        sic: '3674',
        sicDescription: 'Semiconductors',
        lei: null,
        fiscalYearEnd: '1231',
        countryCode: 'US',
        formerNames: [{ name: 'EXAMPLE WIDGETS', from: '2001-05-07', to: null }],
        observedAt: LATER,
      },
    ]);
    expect(of('entities').map(({ seenOn, identifiers, country }) => [seenOn, identifiers, country])).toEqual([
      ['2025-03-10', { cik: '0000099990', ticker: 'EXMP', mic: 'XNAS' }, 'US'],
    ]);
  });

  it.each([
    ['CA', null, 'US'],
    ['DE', 'DE', 'US'],
    ['PR', null, 'PR'],
    ['GU', null, 'GU'],
    ['VI', null, 'VI'],
    ['AS', null, 'AS'],
    ['MP', null, 'MP'],
    ['X0', 'GB', 'GB'],
    ['XX', 'FR', 'FR'],
    ['XX', null, null],
    ['', 'IE', 'IE'],
    [null, 'IE', 'IE'],
    [null, 'Ireland', null],
    ['L2', null, null],
  ])('at an address in %s, %s, belongs to %s', async (stateOrCountry, countryCode, expected) => {
    const body = submissionsOf([], { addresses: { business: { stateOrCountry, countryCode } } });
    expect((await tell('sec', SUBMISSIONS, body)).of('companies')[0]?.countryCode).toBe(expected);
  });

  it.each([
    [['EXMP'], ['Nasdaq'], { ticker: 'EXMP', mic: 'XNAS' }],
    [['EXMP'], ['NYSE'], { ticker: 'EXMP' }],
    [['EXMP', 'EXMPB'], ['NYSE', 'Nasdaq'], { ticker: 'EXMP' }],
    [[], [], {}],
  ])('listed as %j at %j gets these identifiers', async (tickers, exchanges, expected) => {
    const { of } = await tell('sec', SUBMISSIONS, submissionsOf([], { tickers, exchanges }));
    expect(of('entities')[0]?.identifiers).toEqual({ cik: '0000099990', ...expected });
    expect(of('entities')[0]?.seenOn).toBe(LATER.slice(0, 10));
  });

  it('from the list of tickers has all its tickers and one name', async () => {
    const list = [
      { cik_str: 2, ticker: 'B', title: 'Two' },
      { cik_str: 1, ticker: 'A', title: 'One' },
      { cik_str: 2, ticker: 'B2', title: 'Two' },
    ];
    const { of } = await tell('sec', 'sec/company_tickers.json', Object.fromEntries(list.entries()));
    expect(of('companies').map(({ cik, name, tickers }) => [cik, name, tickers])).toEqual([
      ['0000000002', 'Two', ['B', 'B2']],
      ['0000000001', 'One', ['A']],
    ]);
    expect(
      await refusalOf('sec', 'sec/company_tickers.json', {
        ...Object.fromEntries(list.entries()),
        3: { cik_str: 2, ticker: 'B3', title: 'Other' },
      }),
    ).toContain('one name');
  });

  it('with the same accession number twice is refused', async () => {
    const body = submissionsOf([
      { accepted: '', filed: '2025-02-10' },
      { accepted: '', filed: '2025-02-10' },
    ]);
    const recent = { ...body.filings.recent, accessionNumber: ['0000099990-25-000001', '0000099990-25-000001'] };
    expect(await refusalOf('sec', SUBMISSIONS, { ...body, filings: { recent } })).toContain('stands twice');
  });
});
