// Commitments of Traders: when a report became known, by the table of federal holidays that pandas gives, and which positions are sound.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { releaseKnownAt } from '../../src/sources/cftc/cot.ts';
import { LATER, tell } from './read.ts';

const { days } = z
  .looseObject({ days: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(new URL('../fixtures/readers/federal_holidays.json', import.meta.url), 'utf8')));
const HOLIDAYS = new Set(days);

const MS = 86_400_000;
const next = (day: string, count = 1) => new Date(Date.parse(day) + count * MS).toISOString().slice(0, 10);
const isWorking = (day: string) => ![0, 6].includes(new Date(day).getUTCDay()) && !HOLIDAYS.has(day);
const newYork = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'medium' });
const clockOf = (instant: string) => newYork.format(new Date(instant));

/** Tuesdays of the years in which nothing but the law closed the offices, and none of whose reports was announced late. */
const ORDINARY = [
  '2002',
  '2003',
  '2005',
  '2006',
  '2009',
  '2010',
  '2011',
  '2012',
  '2015',
  '2016',
  '2017',
  '2021',
  '2022',
  '2024',
  '2027',
  '2028',
  '2029',
];

describe('the release of a report', () => {
  it.each(ORDINARY)('is the third working day after its Tuesday, 15:30 in New York: %s', (year) => {
    for (let day = `${year}-01-01`; day < `${year}-12-21`; day = next(day)) {
      if (new Date(day).getUTCDay() !== 2) continue;
      let expected = day;
      for (let left = 3; left > 0; ) {
        expected = next(expected);
        if (isWorking(expected)) left -= 1;
      }
      expect.soft(clockOf(releaseKnownAt(day, LATER)), day).toBe(`${expected} 15:30:00`);
    }
  });

  it.each([
    // Juneteenth is a holiday from 2021 on: observed on Friday the 18th, then on Monday the 20th.
    ['2020-06-16', '2020-06-19'],
    ['2021-06-15', '2021-06-21'],
    ['2022-06-21', '2022-06-24'],
    ['2024-06-18', '2024-06-24'],
    // A holiday of the next year that is observed in this one: New Year's Day of 2011 and 2022 were Saturdays.
    ['2010-12-28', '2011-01-03'],
    ['2021-12-28', '2022-01-03'],
    // Christmas and New Year's Day on Sundays, observed on the Mondays after.
    ['2016-12-20', '2016-12-23'],
    ['2022-12-27', '2022-12-30'],
    // Thanksgiving is the fourth Thursday, not the last; Veterans Day on a Saturday is kept on Friday.
    ['2012-11-20', '2012-11-26'],
    ['2017-11-07', '2017-11-13'],
    // Reports of a Friday before a Monday without work: King, Washington, Memorial, Labor, Columbus.
    ['2024-01-12', '2024-01-18'],
    ['2024-02-16', '2024-02-22'],
    ['2024-05-24', '2024-05-30'],
    ['2024-08-30', '2024-09-05'],
    ['2024-10-11', '2024-10-17'],
    // Independence Day on a Thursday, on a Saturday.
    ['2024-07-02', '2024-07-08'],
    ['2020-06-30', '2020-07-06'],
  ])('of %s is for %s', (report, released) => {
    expect(clockOf(releaseKnownAt(report, LATER)).slice(0, 10)).toBe(released);
  });

  // Executive orders closed the offices beside Christmas and on days of mourning.
  it.each([
    ['2001-12-24', '2001-12-18', '2001-12-21'],
    ['2004-06-11', '2004-06-08', '2004-06-14'],
    ['2007-01-02', '2006-12-29', '2007-01-05'],
    ['2008-12-26', '2008-12-23', '2008-12-30'],
    ['2014-12-26', '2014-12-23', '2014-12-30'],
    ['2018-12-05', '2018-12-04', '2018-12-10'],
    ['2020-12-24', '2020-12-22', '2020-12-29'],
    ['2025-01-09', '2025-01-07', '2025-01-13'],
  ])('skips %s', (_, report, released) => {
    expect(clockOf(releaseKnownAt(report, LATER)).slice(0, 10)).toBe(released);
  });

  // Announcements of the CFTC after two shutdowns and an incident at a broker.
  it.each([
    ['2013-09-24', '2013-09-27'],
    ['2013-10-01', '2013-11-08'],
    ['2013-10-29', '2013-11-08'],
    ['2013-11-05', '2013-11-08'],
    ['2018-12-18', '2018-12-21'],
    ['2018-12-24', '2019-02-01'],
    ['2018-12-31', '2019-02-05'],
    ['2019-01-08', '2019-02-08'],
    ['2019-01-15', '2019-02-12'],
    ['2019-01-22', '2019-02-15'],
    ['2019-01-29', '2019-02-19'],
    ['2019-02-05', '2019-02-22'],
    ['2019-02-12', '2019-02-26'],
    ['2019-02-19', '2019-03-01'],
    ['2019-02-26', '2019-03-05'],
    ['2019-03-05', '2019-03-08'],
    ['2023-01-24', '2023-01-27'],
    ['2023-01-31', '2023-02-24'],
    ['2023-02-07', '2023-03-24'],
    ['2023-02-14', '2023-03-24'],
    ['2023-02-21', '2023-03-24'],
    ['2023-02-28', '2023-03-24'],
    ['2023-03-07', '2023-03-24'],
    ['2023-03-14', '2023-03-24'],
    ['2023-03-21', '2023-03-24'],
    ['2025-09-23', '2025-09-26'],
    ['2025-09-30', '2025-11-19'],
    ['2025-10-07', '2025-11-21'],
    ['2025-10-14', '2025-11-25'],
    ['2025-10-21', '2025-12-02'],
    ['2025-10-28', '2025-12-05'],
    ['2025-11-04', '2025-12-09'],
    ['2025-11-10', '2025-12-12'],
    ['2025-11-18', '2025-12-16'],
    ['2025-11-25', '2025-12-19'],
    ['2025-12-02', '2025-12-23'],
    ['2025-12-09', '2025-12-30'],
    ['2025-12-16', '2026-01-06'],
    ['2025-12-23', '2026-01-09'],
    ['2025-12-30', '2026-01-13'],
    ['2026-01-06', '2026-01-16'],
    ['2026-01-13', '2026-01-20'],
    ['2026-01-20', '2026-01-23'],
  ])('of %s, as announced, is for %s', (report, released) => {
    expect(clockOf(releaseKnownAt(report, LATER))).toBe(`${released} 15:30:00`);
  });

  it.each([
    ['in print, a month after, until 1992', '1992-10-05', '1992-11-05T23:59:59.999Z'],
    ['the first weekly one, two weeks after', '1992-10-06', '1992-10-16T19:30:00.000Z'],
    ['the last that waited a week', '2000-12-26', '2001-01-05T20:30:00.000Z'],
    ['the first that did not', '2001-01-02', '2001-01-05T20:30:00.000Z'],
    ['of a Monday, that of its Tuesday', '2017-07-03', '2017-07-07T19:30:00.000Z'],
    ['of a Monday before a Wednesday without work', '2018-07-02', '2018-07-09T19:30:00.000Z'],
    ['before the clocks go forward', '2024-03-05', '2024-03-08T20:30:00.000Z'],
    ['after the clocks went forward', '2024-03-12', '2024-03-15T19:30:00.000Z'],
    ['before the clocks go back', '2024-10-29', '2024-11-01T19:30:00.000Z'],
    ['after the clocks went back', '2024-11-05', '2024-11-08T20:30:00.000Z'],
  ])('%s: %s at %s', (_, report, instant) => {
    expect(releaseKnownAt(report, LATER)).toBe(instant);
  });

  // Published on Monday the 24th because of a holiday; no report can be out before its Friday at 15:30.
  it.each([
    ['2024-06-21T19:29:59.999Z', '2024-06-24T19:30:00.000Z'],
    ['2024-06-21T19:30:00.000Z', '2024-06-21T19:30:00.000Z'],
    ['2024-06-24T19:29:59.999Z', '2024-06-24T19:29:59.999Z'],
    ['2024-06-24T19:30:00.001Z', '2024-06-24T19:30:00.000Z'],
  ])('retrieved at %s is known at %s', (retrievedAt, known) => {
    expect(releaseKnownAt('2024-06-18', retrievedAt)).toBe(known);
  });
});

const LEGACY_FIELDS = {
  open_interest_all: 1000,
  noncomm_positions_long_all: 300,
  noncomm_positions_short_all: 250,
  noncomm_postions_spread_all: 100,
  comm_positions_long_all: 500,
  comm_positions_short_all: 550,
  nonrept_positions_long_all: 100,
  nonrept_positions_short_all: 100,
};

function legacy(changed: Readonly<Record<string, number | string | undefined>> = {}) {
  const counts = Object.fromEntries(
    Object.entries({ ...LEGACY_FIELDS, ...changed }).flatMap(([field, count]) => (count === undefined ? [] : [[field, String(count)]])),
  );
  return {
    market_and_exchange_names: 'BARLEY - EXAMPLE BOARD OF TRADE ',
    report_date_as_yyyy_mm_dd: '2025-05-20T00:00:00.000',
    cftc_contract_market_code: '099902',
    futonly_or_combined: 'FutOnly',
    ...counts,
  };
}

const API = 'cftc/socrata/6dca-aqww_sample.json';

describe('a legacy report', () => {
  it('is read measure by measure', async () => {
    const { observations, of } = await tell('cftc_legacy', API, [legacy()]);
    expect(observations.map(({ seriesCode, canonicalId, value }) => [seriesCode, canonicalId, value])).toEqual([
      ['099902.open_interest', 'cot_open_interest', 1000],
      ['099902.noncommercial_long', 'cot_noncommercial_long', 300],
      ['099902.noncommercial_short', 'cot_noncommercial_short', 250],
      ['099902.noncommercial_spreading', 'cot_noncommercial_spreading', 100],
      ['099902.commercial_long', 'cot_commercial_long', 500],
      ['099902.commercial_short', 'cot_commercial_short', 550],
      ['099902.nonreportable_long', 'cot_nonreportable_long', 100],
      ['099902.nonreportable_short', 'cot_nonreportable_short', 100],
    ]);
    expect(observations[0]).toMatchObject({
      entityId: 'cftc_099902',
      frequency: 'weekly',
      unit: 'contracts',
      period: '2025-W21',
      periodStart: '2025-05-14',
      periodEnd: '2025-05-20',
      observedAt: '2025-05-23T19:30:00.000Z',
      releasedAt: '2025-05-23T19:30:00.000Z',
    });
    expect(of('entities').map(({ name }) => name)).toEqual(['BARLEY - EXAMPLE BOARD OF TRADE']);
  });

  // Four legs a side and the total itself, each rounded by half a contract at most: 2 off may be rounding, 3 may not.
  it.each([
    ['long, 2 over', { comm_positions_long_all: 502 }, 8, undefined],
    ['long, 2 under', { comm_positions_long_all: 498 }, 8, undefined],
    ['long, 3 over', { comm_positions_long_all: 503 }, 0, 'reconciliation_failed'],
    ['long, 3 under', { comm_positions_long_all: 497 }, 0, 'reconciliation_failed'],
    ['short, 2 over', { comm_positions_short_all: 552 }, 8, undefined],
    ['short, 3 over', { nonrept_positions_short_all: 103 }, 0, 'reconciliation_failed'],
    ['spreading, on both sides', { noncomm_postions_spread_all: 103 }, 0, 'reconciliation_failed'],
    ['a leg that is not given', { comm_positions_long_all: undefined, nonrept_positions_long_all: 900 }, 8, undefined],
    ['no total', { open_interest_all: '.', comm_positions_long_all: 900 }, 8, undefined],
    ['a count below 0', { nonrept_positions_long_all: -1, comm_positions_long_all: 601 }, 0, 'out_of_range'],
    ['a count of 0', { nonrept_positions_long_all: 0, comm_positions_long_all: 600 }, 8, undefined],
  ])('with these sums is kept or refused in full: %s', async (_, changed, count, rule) => {
    const { observations, of } = await tell('cftc_legacy', API, [legacy(changed)]);
    expect([observations.length, of('refused')[0]?.rule, of('refused').length]).toEqual([count, rule, rule === undefined ? 0 : 1]);
    expect(of('entities').length).toBe(1);
  });

  it('refuses a fraction of a contract, and has a missing count as missing', async () => {
    const { observations } = await tell('cftc_legacy', API, [legacy({ comm_positions_long_all: undefined })]);
    expect(observations.find(({ canonicalId }) => canonicalId === 'cot_commercial_long')?.value).toBeNull();
    const history = 'Date,Commodity,NonComm Long,NonComm Short,NonComm Net,Code\n2025-01-07,Gold,300.5,100,200.5,GOLD\n';
    const { of } = await tell('cftc_legacy', 'cftc/legacy_futonly/noncommercial_history_1986_2025.csv', history);
    expect(of('refused').map(({ rule, observedValue }) => [rule, observedValue])).toEqual([['out_of_range', '300.5']]);
  });

  it('is labelled by its day if it was made on a Friday', async () => {
    const of2005 = (day: string) => `Date,Commodity,NonComm Long,NonComm Short,NonComm Net,Code\n${day},Copper,3,1,2,COPPER\n`;
    const key = 'cftc/legacy_futonly/noncommercial_history_1986_2025.csv';
    const labels = [];
    for (const day of ['2005-01-07', '2005-01-04', '1991-01-04'])
      labels.push((await tell('cftc_legacy', key, of2005(day))).observations[0]?.period);
    expect(labels).toEqual(['2005-01-07', '2005-W01', '1991-W01']);
  });

  it.each([
    ['2020-12-29', '2020-W53', '2020-12-23'],
    ['2021-01-05', '2021-W01', '2020-12-30'],
    ['2024-12-31', '2025-W01', '2024-12-25'],
    ['2024-03-05', '2024-W10', '2024-02-28'],
  ])('of %s has the ISO week %s and begins on %s', async (day, period, periodStart) => {
    const row = { ...legacy(), report_date_as_yyyy_mm_dd: `${day}T00:00:00.000` };
    const { observations } = await tell('cftc_legacy', API, [row]);
    expect(observations[0]).toMatchObject({ period, periodStart, periodEnd: day });
  });
});

describe('the history by name of commodity', () => {
  const read = async (rows: readonly string[]) => {
    const csv = `Date,Commodity,NonComm Long,NonComm Short,NonComm Net,Code\n${rows.map((row) => `${row}\n`).join('')}`;
    return tell('cftc_legacy', 'cftc/legacy_futonly/noncommercial_history_1986_2025.csv', csv);
  };

  // From the report on which the scale, or the contract behind the name, is the present one.
  it.each([
    ['NASDAQ-100', '20974+', '2023-04-25', '2023-05-02'],
    ['S&P 500', '13874+', '2023-04-25', '2023-05-02'],
    ['RUSSELL', '239742', '2017-09-26', '2017-10-03'],
    ['COCOA', '073732', '2004-12-28', '2005-01-04'],
    ['COFFEE', '083731', '2004-12-28', '2005-01-04'],
    ['SUGAR', '080732', '2004-12-28', '2005-01-04'],
    ['CORN', '002602', '1997-12-30', '1998-01-06'],
    ['SOYBEANS', '005602', '1997-12-30', '1998-01-06'],
    ['WHEAT', '001602', '1997-12-30', '1998-01-06'],
    ['GOLD', '088691', '2008-07-22', '2008-07-29'],
    ['SILVER', '084691', '2007-06-26', '2007-07-03'],
  ])('reads %s as %s not on %s, but on %s', async (name, code, before, from) => {
    const { observations, of } = await read([`${before},x,5,4,1,${name}`, `${from},x,6,4,2,${name}`]);
    expect(observations.map(({ seriesCode, periodEnd, value }) => [seriesCode, periodEnd, value])).toEqual([
      [`${code}.noncommercial_long`, from, 6],
      [`${code}.noncommercial_short`, from, 4],
    ]);
    expect(of('refused').map(({ rule, period }) => [rule, period])).toEqual([['identity_unresolved', before]]);
    expect(of('entities')).toEqual([]);
  });

  it.each(['ALUMINUM - COMMODITY EXCHANGE', 'CRUDE OIL', 'DOW JONES', 'OATS'])('reads nothing of %s', async (name) => {
    const { observations, of } = await read([`2025-01-07,x,5,4,1,${name}`, '2025-01-07,x,5,4,1,GOLD']);
    expect(new Set(observations.map(({ entityId }) => entityId))).toEqual(new Set(['cftc_088691']));
    expect(of('refused').map(({ seriesCode }) => seriesCode)).toEqual([name]);
  });
});

const TFF_CLASSES = ['Dealer', 'Asset_Mgr', 'Lev_Money', 'Other_Rept'];
/** Ten contracts a leg: five long legs and four of spreading make 90. */
function tff(changed: Readonly<Record<string, number>> = {}, total = 90) {
  const legs = TFF_CLASSES.flatMap((name) => ['Long', 'Short', 'Spread'].map((leg) => `${name}_Positions_${leg}_All`));
  const columns: Record<string, number | string> = Object.fromEntries(
    [...legs, 'NonRept_Positions_Long_All', 'NonRept_Positions_Short_All'].map((name) => [name, changed[name] ?? 10]),
  );
  const row = {
    Market_and_Exchange_Names: 'OAT INDEX Consolidated',
    As_of_Date_In_Form_YYMMDD: '250520',
    'Report_Date_as_YYYY-MM-DD': '2025-05-20',
    CFTC_Contract_Market_Code: '09990+',
    FutOnly_or_Combined: 'FutOnly',
    Open_Interest_All: total,
    ...columns,
  };
  return `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;
}

describe('a report on traders in financial futures', () => {
  it.each([
    ['as it adds up', {}, 90, 15],
    ['5 over: nine legs and the total, each half a contract off', {}, 85, 15],
    ['5 under', {}, 95, 15],
    ['6 over', {}, 84, 0],
    ['6 under', {}, 96, 0],
    ['short alone 6 over', { Lev_Money_Positions_Short_All: 16 }, 90, 0],
    ['long alone 6 over', { Asset_Mgr_Positions_Long_All: 16 }, 90, 0],
  ])('is kept or refused in full: %s', async (_, changed, total, count) => {
    const { observations, of } = await tell('cftc_tff', 'cftc/tff_futonly/FinFutYY_2025.txt', tff(changed, total));
    expect([observations.length, of('refused').length]).toEqual([count, count === 0 ? 1 : 0]);
    expect(of('entities')).toEqual([
      {
        entityId: 'cftc_09990plus',
        entityType: 'futures_contract',
        name: 'OAT INDEX Consolidated',
        country: null,
        currency: null,
        identifiers: { cftcContractCode: '09990+' },
        seenOn: '2025-05-20',
      },
    ]);
  });

  it('is read class by class, whatever its column has', async () => {
    const numbered = Object.fromEntries(
      TFF_CLASSES.flatMap((name, row) =>
        ['Long', 'Short', 'Spread'].map((leg, column) => [`${name}_Positions_${leg}_All`, row * 3 + column + 1]),
      ),
    );
    const csv = tff({ ...numbered, NonRept_Positions_Long_All: 30, NonRept_Positions_Short_All: 26 }, 82);
    const { observations } = await tell('cftc_tff', 'cftc/tff_futonly/FinFutYY_2025.txt', csv);
    expect(Object.fromEntries(observations.map(({ canonicalId, value }) => [canonicalId, value]))).toEqual({
      cot_tff_open_interest: 82,
      cot_tff_dealer_long: 1,
      cot_tff_dealer_short: 2,
      cot_tff_dealer_spreading: 3,
      cot_tff_asset_manager_long: 4,
      cot_tff_asset_manager_short: 5,
      cot_tff_asset_manager_spreading: 6,
      cot_tff_leveraged_funds_long: 7,
      cot_tff_leveraged_funds_short: 8,
      cot_tff_leveraged_funds_spreading: 9,
      cot_tff_other_reportables_long: 10,
      cot_tff_other_reportables_short: 11,
      cot_tff_other_reportables_spreading: 12,
      cot_tff_nonreportable_long: 30,
      cot_tff_nonreportable_short: 26,
    });
  });
});
