// Units, frequencies and rights of the series of FRED and FRED-MD, written out by hand from the publishers' own descriptions.
import { describe, expect, it } from 'vitest';
import { cell, series } from '../reference/read-tables.ts';

const of = (sourceId: string) => series.filter((row) => cell(row, 'source_id') === sourceId);
/** Codes by the text of a column. */
function grouped(sourceId: string, column: string): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const row of of(sourceId)) (groups[cell(row, column)] ??= []).push(cell(row, 'series_code'));
  return Object.fromEntries(Object.entries(groups).map(([text, codes]) => [text, codes.toSorted()]));
}
const codes = (text: string) => text.split(' ').toSorted();

describe('the series of FRED', () => {
  it('have the units of their pages', () => {
    expect(grouped('fred', 'unit')).toEqual({
      index: codes('AWH AWHI CPI CPIAUCSL DTWEXBGS INDPRO IP PCEPILFE PPI PPIACO'),
      thousands: codes('BP EMP HOUST HS HSN1F JTSJOL PAYEMS PERMIT PERMIT1 POP'),
      persons: ['ICSA'],
      percent: codes('DFF DGS10 FEDFUNDS FEDTARMD GDPC1MD GS10 JCXFEMD MORTGAGE30US PCECTPIMD UNRATE UNRATEMD UNRATENSA UR'),
      percentage_points: ['T10Y2Y'],
      cny_per_usd: ['DEXCHUS'],
      usd_millions: codes('DGORDER RSXFS RSXFSN'),
      usd_billions: codes('GDP M2SL'),
      usd_billions_chained: codes('EXPGSC1 GCEC1 GDPC1 GPDIC1 IMPGSC1 PCECC96 RGDP'),
    });
  });

  it('have the frequencies of their pages', () => {
    const { monthly, ...others } = grouped('fred', 'frequency');
    expect(others).toEqual({
      daily: codes('DEXCHUS DFF DGS10 DTWEXBGS T10Y2Y'),
      weekly: codes('ICSA MORTGAGE30US'),
      quarterly: codes('EXPGSC1 GCEC1 GDP GDPC1 GPDIC1 IMPGSC1 PCECC96 RGDP'),
      annual: codes('FEDTARMD GDPC1MD JCXFEMD PCECTPIMD UNRATEMD'),
    });
    expect(monthly?.length).toBe(28);
  });

  it('measure what their names say', () => {
    const named = Object.fromEntries(of('fred').map((row) => [cell(row, 'series_code'), cell(row, 'canonical_id')]));
    expect(named).toEqual({
      AWH: 'aggregate_weekly_hours_index',
      AWHI: 'aggregate_weekly_hours_index',
      BP: 'building_permits',
      CPI: 'cpi',
      CPIAUCSL: 'cpi',
      DEXCHUS: 'exchange_rate_cny_per_usd',
      DFF: 'federal_funds_rate_daily',
      DGORDER: 'durable_goods_orders',
      DGS10: 'treasury_yield_10y',
      DTWEXBGS: 'dollar_index_broad',
      EMP: 'nonfarm_payrolls',
      EXPGSC1: 'real_exports',
      FEDFUNDS: 'federal_funds_rate',
      FEDTARMD: 'projection_policy_rate',
      GCEC1: 'real_government_consumption_investment',
      GDP: 'gdp_nominal',
      GDPC1: 'gdp_real',
      GDPC1MD: 'projection_gdp_growth_q4',
      GPDIC1: 'real_private_investment',
      GS10: 'treasury_yield_10y',
      HOUST: 'housing_starts',
      HS: 'housing_starts',
      HSN1F: 'new_home_sales',
      ICSA: 'initial_jobless_claims',
      IMPGSC1: 'real_imports',
      INDPRO: 'industrial_production',
      IP: 'industrial_production',
      JCXFEMD: 'projection_core_pce_inflation_q4',
      JTSJOL: 'job_openings',
      M2SL: 'money_supply_m2',
      MORTGAGE30US: 'mortgage_rate_30y',
      PAYEMS: 'nonfarm_payrolls',
      PCECC96: 'real_personal_consumption',
      PCECTPIMD: 'projection_pce_inflation_q4',
      PCEPILFE: 'core_pce_price_index',
      PERMIT: 'building_permits',
      PERMIT1: 'building_permits_single_family',
      POP: 'population_resident',
      PPI: 'ppi_all_commodities',
      PPIACO: 'ppi_all_commodities',
      RGDP: 'gdp_real',
      RSXFS: 'retail_sales',
      RSXFSN: 'retail_sales_nsa',
      T10Y2Y: 'term_spread_10y_2y',
      UNRATE: 'unemployment_rate',
      UNRATEMD: 'projection_unemployment_rate_q4',
      UNRATENSA: 'unemployment_rate_nsa',
      UR: 'unemployment_rate',
    });
  });
});

describe('the series of FRED-MD', () => {
  it('have the units of its appendix', () => {
    const { index, ...others } = grouped('fred_md', 'unit');
    expect(others).toEqual({
      thousands: codes(
        // HWI is scaled to job openings since it is joined to them.
        'CE16OV CES1021000001 CLF16OV DMANEMP HWI HOUST HOUSTMW HOUSTNE HOUSTS HOUSTW MANEMP NDMANEMP PAYEMS PERMIT PERMITMW PERMITNE PERMITS ' +
          'PERMITW SRVPRD UEMP15OV UEMP15T26 UEMP27OV UEMP5TO14 UEMPLT5 USCONS USFIRE USGOOD USGOVT USTPU USTRADE USWTRADE',
      ),
      persons: ['CLAIMSx'],
      weeks: ['UEMPMEAN'],
      hours: codes('AWHMAN AWOTMAN CES0600000007'),
      usd_per_hour: codes('CES0600000008 CES2000000008 CES3000000008'),
      usd_per_barrel: ['OILPRICEx'],
      percent: [...codes('AAA BAA CP3Mx CUMFNS FEDFUNDS GS1 GS10 GS5 TB3MS TB6MS UNRATE'), 'S&P div yield'].toSorted(),
      percentage_points: codes('AAAFFM BAAFFM COMPAPFFx T10YFFM T1YFFM T5YFFM TB3SMFFM TB6SMFFM'),
      ratio: [...codes('CONSPI HWIURATIO ISRATIOx'), 'S&P PE ratio'].toSorted(),
      usd_millions: codes('ACOGNO AMDMNOx AMDMUOx ANDENOx BOGMBASE BUSINVx DTCOLNVHFNM DTCTHFNM NONBORRES RETAILx'),
      usd_millions_chained: ['CMRMTSPLx'],
      usd_billions: codes('AMBSL BUSLOANS INVEST M1SL M2SL MZMSL NONREVSL REALLN TOTRESNS'),
      usd_billions_constant: ['M2REAL'],
      usd_billions_chained: codes('RPI W875RX1'),
      cad_per_usd: ['EXCAUSx'],
      jpy_per_usd: ['EXJPUSx'],
      chf_per_usd: ['EXSZUSx'],
      usd_per_gbp: ['EXUSUKx'],
    });
    expect(index?.length).toBe(of('fred_md').length - Object.values(others).flat().length);
  });

  it('are all monthly, of the United States or of its regions', () => {
    expect(Object.keys(grouped('fred_md', 'frequency'))).toEqual(['monthly']);
    expect(grouped('fred_md', 'entity_id')).toMatchObject({
      us_northeast: ['HOUSTNE', 'PERMITNE'],
      us_midwest: ['HOUSTMW', 'PERMITMW'],
      us_south: ['HOUSTS', 'PERMITS'],
      us_west: ['HOUSTW', 'PERMITW'],
    });
  });
});

describe('a column of a third party', () => {
  it('is not redistributable, and all others are', () => {
    expect(grouped('fred', 'is_redistributable')['false']).toEqual(['MORTGAGE30US']);
    expect(grouped('fred_md', 'is_redistributable')['false']).toEqual(
      [
        // Moody's, The Conference Board, ISM, S&P, the University of Michigan, Cboe.
        ...codes('AAA AAAFFM BAA BAAFFM HWI HWIURATIO NAPM NAPMEI NAPMII NAPMNOI NAPMPI NAPMPRI NAPMSDI UMCSENTx VIXCLSx VXOCLSx'),
        'S&P 500',
        'S&P PE ratio',
        'S&P div yield',
        'S&P: indust',
      ].toSorted(),
    );
  });
});
