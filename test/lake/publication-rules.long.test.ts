// Numbers that are never revised are known from their publication rule (data/reference/publication_rules.csv); what says otherwise later is a revision,
// known from its retrieval.
import { afterEach, describe, expect, it } from 'vitest';
import { type Files, openPipeline, type Pipeline } from '../pipeline.ts';
import { table } from '../reference/read-tables.ts';
import { fixtureFiles } from '../routes/fixture-service.ts';

let pipeline: Pipeline | undefined;
afterEach(async () => {
  await pipeline?.remove();
  pipeline = undefined;
});

const BIS = 'FREQ,REF_AREA,UNIT_MEASURE,UNIT_MULT,TIME_PERIOD,OBS_VALUE';
const bisFile = (rows: readonly (readonly [area: string, month: string, value: number])[]): Files => ({
  'bis/WS_CBPOL.M.csv': [BIS, ...rows.map(([area, month, value]) => `M,${area},368,0,${month},${value}`), ''].join('\n'),
});
const boeFile = (rows: readonly string[]): Files => ({ 'boe/rates.csv': ['DATE,IUDBEDR,IUDSOIA', ...rows, ''].join('\n') });

async function knownOf(runs: readonly (readonly [files: Files, at: string])[]) {
  pipeline = await openPipeline();
  for (const [files, at] of runs) await pipeline.ingest(files, at);
  const rows = await pipeline.lake(
    'select indicator_id, period, value, observed_at, vintage from observations order by indicator_id, period, observed_at',
  );
  return rows.map((row) => [row['indicator_id'], row['period'], row['value'], row['observed_at']]);
}

describe('a number with a publication rule', () => {
  it('is known from the end of its month in the zone of the central bank, even if downloaded years later', async () => {
    const file = bisFile([
      ['GB', '2005-06', 4.75],
      ['US', '2005-06', 3.125],
      ['JP', '2012-06', 0.05],
      ['XM', '2012-06', 1],
      ['ZA', '2020-06', 3.75],
    ]);
    // The last millisecond of the month: London +1, New York -4, Tokyo +9, Frankfurt +2, Johannesburg +2.
    expect(await knownOf([[file, '2026-11-20T10:00:00.000Z']])).toEqual([
      ['ea_central_bank_policy_rate', '2012-06', 1, '2012-06-30T21:59:59.999Z'],
      ['gb_central_bank_policy_rate', '2005-06', 4.75, '2005-06-30T22:59:59.999Z'],
      ['jp_central_bank_policy_rate', '2012-06', 0.05, '2012-06-30T14:59:59.999Z'],
      ['us_central_bank_policy_rate', '2005-06', 3.125, '2005-07-01T03:59:59.999Z'],
      ['za_central_bank_policy_rate', '2020-06', 3.75, '2020-06-30T21:59:59.999Z'],
    ]);
  });

  it('of the International Monetary Fund and of Australia is known from its day too', async () => {
    const imf = [
      'DATAFLOW,COUNTRY,INDICATOR,FREQUENCY,TIME_PERIOD,OBS_VALUE',
      'IMF.STA:MFS_IR(9.0.0),MEX,MFS166_RT_PT_A_PT,M,2020-M06,5',
      '',
    ];
    const files = { 'imf/MFS_IR.MFS166_RT_PT_A_PT.M.csv': imf.join('\n'), ...fixtureFiles('rba', 'target') };
    // In June Mexico City was five hours behind in 2020; in May Sydney is ten hours ahead.
    expect(await knownOf([[files, '2031-07-02T08:00:00.000Z']])).toEqual([
      ['au_central_bank_policy_rate_daily', '2031-04-30', 3.75, '2031-04-30T13:59:59.999Z'],
      ['au_central_bank_policy_rate_daily', '2031-05-02', 3.5, '2031-05-02T13:59:59.999Z'],
      ['mx_monetary_policy_related_rate', '2020-06', 5, '2020-07-01T04:59:59.999Z'],
    ]);
  });

  it('has a correction from the correcting download on, in one run and in several', async () => {
    const [first, second] = [bisFile([['GB', '2020-03', 0.1]]), bisFile([['GB', '2020-03', 0.25]])];
    const corrected = [
      ['gb_central_bank_policy_rate', '2020-03', 0.1, '2020-03-31T22:59:59.999Z'],
      ['gb_central_bank_policy_rate', '2020-03', 0.25, '2020-06-02T10:00:00.000Z'],
    ];
    expect(
      await knownOf([
        [first, '2020-05-01T10:00:00.000Z'],
        [second, '2020-06-02T10:00:00.000Z'],
        [second, '2020-07-02T10:00:00.000Z'],
      ]),
    ).toEqual(corrected);
  });

  it('is known from its retrieval if that came before the time of the rule, and so is everything after it', async () => {
    expect(
      await knownOf([
        [bisFile([['GB', '2020-03', 0.75]]), '2020-03-09T10:00:00.000Z'],
        [bisFile([['GB', '2020-03', 0.1]]), '2020-04-20T10:00:00.000Z'],
      ]),
    ).toEqual([
      ['gb_central_bank_policy_rate', '2020-03', 0.75, '2020-03-09T10:00:00.000Z'],
      ['gb_central_bank_policy_rate', '2020-03', 0.1, '2020-04-20T10:00:00.000Z'],
    ]);
  });

  it('is known on the next business day of its calendar: SONIA over Easter, a jubilee and the change of the clocks', async () => {
    const file = boeFile(['09 Apr 2020,0.1,0.0619', '01 Jun 2022,1,0.9363', '25 Oct 2024,5,4.95']);
    const known = await knownOf([[file, '2026-11-20T10:00:00.000Z']]);
    expect(known.filter(([id]) => id === 'gb_sterling_overnight_index_average')).toEqual([
      // Thursday before Easter: Tuesday at nine, British Summer Time.
      ['gb_sterling_overnight_index_average', '2020-04-09', 0.0619, '2020-04-14T08:00:00.000Z'],
      // Thursday and Friday were holidays.
      ['gb_sterling_overnight_index_average', '2022-06-01', 0.9363, '2022-06-06T08:00:00.000Z'],
      // The clocks went back on Sunday.
      ['gb_sterling_overnight_index_average', '2024-10-25', 4.95, '2024-10-28T09:00:00.000Z'],
    ]);
    expect(known.filter(([id]) => id === 'gb_central_bank_policy_rate_daily').map(([, , , at]) => at)).toEqual([
      '2020-04-09T22:59:59.999Z',
      '2022-06-01T22:59:59.999Z',
      '2024-10-25T22:59:59.999Z',
    ]);
  });

  it('is a first print, even if others became known together with it', async () => {
    const day = (data: string, median: number) => ({
      Indicador: 'IPCA',
      Data: data,
      Suavizada: 'S',
      Mediana: median,
      baseCalculo: 0,
    });
    const survey = {
      '@odata.context': 'https://example.com/$metadata#ExpectativasMercadoInflacao12Meses',
      value: [day('2023-02-13', 5.6), day('2023-02-14', 5.61), day('2023-02-17', 5.7), day('2023-02-24', 5.72)],
    };
    pipeline = await openPipeline();
    await pipeline.run({ 'bcb-focus/Inflacao12Meses.2023.json': JSON.stringify(survey) }, '2026-11-20T10:00:00.000Z');
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll(`
        select period, strftime(observed_at at time zone 'UTC', '%Y-%m-%dT%H:%M') as observed_at, is_backfill
        from published.vintages inner join published.series using (series_no)
        where source_id = 'bcb_focus' order by period`),
    );
    const rows = found.getRowObjects();
    // Carnival's Monday and Tuesday are no business days; half past eight in Brasília is half past eleven.
    expect(rows).toEqual([
      { period: '2023-02-13', observed_at: '2023-02-22T11:30', is_backfill: false },
      { period: '2023-02-14', observed_at: '2023-02-22T11:30', is_backfill: false },
      { period: '2023-02-17', observed_at: '2023-02-22T11:30', is_backfill: false },
      { period: '2023-02-24', observed_at: '2023-02-27T11:30', is_backfill: false },
    ]);
  });
});

describe('the tables of rules', () => {
  const rules = table('publication_rules');
  const holidays = table('holidays');

  it('name existing series, steps, zones and calendars', () => {
    const listed = new Set(table('series').map((row) => `${row['source_id']} ${row['canonical_id']}`));
    const calendars = new Set(holidays.map((row) => row['calendar']));
    for (const rule of rules) {
      expect(['same_day', 'next_business_day', 'next_week']).toContain(rule['step']);
      expect(rule['hour']).toMatch(/^(?:end_of_day|\d{2}:\d{2})$/);
      expect(['', ...Intl.supportedValuesOf('timeZone')]).toContain(rule['timezone']);
      expect(rule['step'] === 'same_day' ? [''] : [...calendars]).toContain(rule['holidays']);
    }
    // They name their series by country or in the code, which series.csv does not.
    const named = rules
      .filter((rule) => !['bis', 'imf', 'rba'].includes(rule['source_id'] ?? ''))
      .map((rule) => `${rule['source_id']} ${rule['canonical_id']}`);
    expect(named.filter((name) => !listed.has(name))).toEqual([]);
    const currencies = table('series').filter((row) => row['entity_id']?.startsWith('cur_'));
    const zoned = rules.filter((rule) => rule['timezone'] !== '').map((rule) => `${rule['source_id']} ${rule['canonical_id']}`);
    const ruled = new Set(rules.map((rule) => `${rule['source_id']} ${rule['canonical_id']}`));
    // A currency is in no zone.
    const ofCurrencies = currencies.map((row) => `${row['source_id']} ${row['canonical_id']}`).filter((name) => ruled.has(name));
    expect(ofCurrencies.filter((name) => !zoned.includes(name))).toEqual([]);
  });

  it('list the closed weekdays of a calendar for ten years to come', () => {
    for (const { day = '' } of holidays) expect([0, 6]).not.toContain(new Date(`${day}T00:00:00Z`).getUTCDay());
    for (const name of ['brasilia', 'london', 'target', 'tokyo'])
      expect(holidays.filter((row) => row['calendar'] === name && row['day']?.startsWith('2035')).length).toBeGreaterThanOrEqual(4);
  });
});
