// Which source reads a file of a mirror folder, and where the publisher has that file: written out by hand.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { observationBatches, withoutRepeats } from '../../src/sources/records/batches.ts';
import { sources } from '../../src/sources/index.ts';
import { instantAt } from '../../src/sources/local-time.ts';
import type { ObservationRecord } from '../../src/model/record.ts';
import { knownOn } from '../../src/sources/source.ts';
import { sourceOf } from './second-reader.ts';

const FRED = 'https://api.stlouisfed.org/fred';
const ECB = 'https://www.ecb.europa.eu';
const OECD = 'https://sdmx.oecd.org/public/rest';
const EDITIONS = 'OECD.SDD.STES,DSD_STES_REVISIONS@DF_STES_REVISIONS,4.0';
const BOI = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS';
const FOCUS = 'https://olinda.bcb.gov.br/olinda/servico/Expectativas/versao/v1/odata';
const SPF = 'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/survey-of-professional-forecasters';
const RTDSM = 'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/real-time-data/data-files/xlsx';
const EUROSTAT = 'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';

const FILES: readonly (readonly [path: string, source: string | null, address: string | null])[] = [
  ['fred-md/2020-05.csv', 'fred_md', 'https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/2020-05.csv'],
  [
    'fred-md/2023-11-md.csv',
    'fred_md',
    'https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/2023-11.csv',
  ],
  [
    'below/fred-md/FRED-MD_2023-11.csv',
    'fred_md',
    'https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/2023-11.csv',
  ],
  ['fred-md/current.csv', null, null],
  ['xfred-md/2020-05.csv', null, null],
  ['alfred-realtime/EMP.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=PAYEMS'],
  ['alfred-realtime/AWH.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=AWHI'],
  ['alfred-realtime/BP.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=PERMIT'],
  ['alfred-realtime/CPI.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=CPIAUCSL'],
  ['alfred-realtime/HS.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=HOUST'],
  ['alfred-realtime/IP.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=INDPRO'],
  ['alfred-realtime/PPI.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=PPIACO'],
  ['alfred-realtime/RGDP.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=GDPC1'],
  ['alfred-realtime/UR.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=UNRATE'],
  ['alfred-realtime/OTHER.csv', 'fred', 'https://alfred.stlouisfed.org/series?seid=OTHER'],
  ['fredgraph-csv/DEXCHUS_YUAN_DOLLAR_EXCHANGE_RATE.csv', 'fred', 'https://fred.stlouisfed.org/graph/fredgraph.csv?id=DEXCHUS'],
  ['fred-date-value-csv/UNRATE.csv', 'fred', 'https://fred.stlouisfed.org/graph/fredgraph.csv?id=UNRATE'],
  ['fred-date-value-csv/UNRATE.txt', null, null],
  ['fred-api/series_observations.GDP.latest.recorded-2025-01-20.json', 'fred', `${FRED}/series/observations?file_type=json&series_id=GDP`],
  [
    'fred-api/series_observations.GDP.all-realtime.recorded-2025-01-20.json',
    'fred',
    `${FRED}/series/observations?file_type=json&series_id=GDP&realtime_start=1776-07-04&realtime_end=9999-12-31`,
  ],
  [
    'fred-api/series_observations.GDP.initial-release.recorded-2025-01-20.json',
    'fred',
    `${FRED}/series/observations?file_type=json&series_id=GDP&realtime_start=1776-07-04&output_type=4`,
  ],
  ['fred-api/releases.recorded-2025-01-20.json', 'fred', `${FRED}/releases?file_type=json`],
  ['fred-api/release_tables.10.recorded-2024-11-03.json', 'fred', `${FRED}/release/tables?file_type=json&release_id=10`],
  ['fred-api/release_dates.10-CPI.recorded-2024-11-03.json', 'fred_releases', `${FRED}/release/dates?file_type=json&release_id=10`],
  ['fred-api/releases_dates.recorded-2024-11-03.json', 'fred_releases', `${FRED}/releases/dates?file_type=json`],
  ['fred-api/release_series.10-CPI.page1.recorded-2025-01-20.json', 'fred_releases', `${FRED}/release/series?file_type=json&release_id=10`],
  ['fred-api/series_release.GDP.recorded-2025-01-20.json', 'fred_releases', `${FRED}/series/release?file_type=json&series_id=GDP`],
  [
    'fred-api/series_vintagedates.GDP.recorded-2025-01-20.json',
    'fred_releases',
    `${FRED}/series/vintagedates?file_type=json&series_id=GDP`,
  ],
  [
    'us-treasury/daily-treasury-rates.2023.csv',
    'us_treasury',
    'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/2023/all?type=daily_treasury_yield_curve&field_tdr_date_value=2023&page&_format=csv',
  ],
  [
    'us-treasury/DailyTreasuryYieldCurveRateData.2019.xml',
    'us_treasury',
    'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/pages/xml?data=daily_treasury_yield_curve&field_tdr_date_value=2019',
  ],
  ['us-treasury/bond-yields-us-10y.monthly.csv', null, null],
  ['bls/bls-api.CPI-UNRATE.2026-05-22.json', 'bls', 'https://api.bls.gov/publicAPI/v1/timeseries/data/'],
  ['bls/timeseries.LNS14000000.json', 'bls', 'https://api.bls.gov/publicAPI/v1/timeseries/data/LNS14000000'],
  [
    'destatis-vintages/lkw_maut/lkw_maut_index_2019-12-09.csv',
    'destatis',
    'https://www.destatis.de/DE/Presse/Pressemitteilungen/_inhalt.html',
  ],
  [
    'destatis-vintages/umsatz_gastgewerbe/umsatz-gastgewerbe_2026-05-20.csv',
    'destatis',
    'https://www.destatis.de/DE/Presse/Pressemitteilungen/_inhalt.html',
  ],
  ['destatis-vintages/lkw_maut/lkw_maut_index.csv', null, null],
  ['us-census/RESCONST-mf.csv', 'us_census', 'https://www.census.gov/econ/currentdata/datasets/index'],
  [
    'world-bank/api-json/FP.CPI.TOTL.ZG.page2.json',
    'world_bank',
    'https://api.worldbank.org/v2/country/all/indicator/FP.CPI.TOTL.ZG?format=json&per_page=10000&page=2',
  ],
  ['world-bank/api-json/countries.page2.json', 'world_bank', 'https://api.worldbank.org/v2/country?format=json&per_page=400&page=2'],
  ['world-bank/api-json/countries.json', 'world_bank', 'https://api.worldbank.org/v2/country?format=json&per_page=400'],
  [
    'world-bank/api-json/FRA.NY.GDP.MKTP.CD.json',
    'world_bank',
    'https://api.worldbank.org/v2/country/FRA/indicator/NY.GDP.MKTP.CD?format=json&per_page=10000',
  ],
  [
    'world-bank/api-json/FP.CPI.TOTL.ZG.json',
    'world_bank',
    'https://api.worldbank.org/v2/country/all/indicator/FP.CPI.TOTL.ZG?format=json&per_page=10000',
  ],
  ['world-bank/gdp-csv-vintages/gdp.2013-06-28.csv', 'world_bank', 'https://data.worldbank.org/indicator/NY.GDP.MKTP.CD'],
  ['world-bank/gdp-csv-vintages/gdp.csv', null, null],
  ['ecb-eurofxref/eurofxref-hist.csv', 'ecb_fx', `${ECB}/stats/eurofxref/eurofxref-hist.zip`],
  ['ecb-eurofxref/eurofxref.csv', 'ecb_fx', `${ECB}/stats/eurofxref/eurofxref.zip`],
  [
    'dg-ecfin-bcs/data_esi_values.2024-10-30.csv',
    'dg_ecfin',
    'https://economy-finance.ec.europa.eu/economic-forecast-and-surveys/business-and-consumer-surveys/download-business-and-consumer-survey-data/time-series_en',
  ],
  ['dg-ecfin-bcs/data_esi_values.csv', null, null],
  ['oecd/BCI.DP_LIVE.csv', 'oecd', 'https://data.oecd.org/leadind/business-confidence-index-bci.htm'],
  ['oecd/CCI.DP_LIVE.csv', 'oecd', 'https://data.oecd.org/leadind/consumer-confidence-index-cci.htm'],
  ['oecd/CLI.G20.sdmx-csv-2.0.csv', 'oecd', 'https://sdmx.oecd.org/public/rest/data/OECD.SDD.STES,DSD_STES@DF_CLI'],
  ['oecd/GDP.DP_LIVE.csv', null, null],
  ['oecd/constraints/DF_CLI.xml', 'oecd', `${OECD}/contentconstraint/OECD.SDD.STES/CR_A_DSD_STES@DF_CLI/4.1?references=none`],
  [
    'oecd/constraints/DF_PRICES_ALL.after.xml',
    'oecd',
    `${OECD}/contentconstraint/OECD.SDD.TPS/CR_A_DSD_PRICES@DF_PRICES_ALL/1.0?references=none`,
  ],
  [
    'oecd/live/DF_CLI.2026-07-08T09-33-35.737Z.csv',
    'oecd',
    `${OECD}/data/OECD.SDD.STES,DSD_STES@DF_CLI,4.1/.M.LI+BCICP+CCICP...AA...H?dimensionAtObservation=AllDimensions`,
  ],
  [
    'oecd/live/DF_PRICES_ALL.2026-08-07T09-00-00.000Z.since-2026-07-08T09-33-35.737Z.csv',
    'oecd',
    `${OECD}/data/OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/.M+Q.N.CPI.PA._T.N.GY?updatedAfter=2026-07-08T09:33:35.737Z&dimensionAtObservation=AllDimensions`,
  ],
  ['oecd/live/DF_CLI.csv', null, null],
  ['oecd/live/DF_QNA.2026-07-08T09-33-35.737Z.csv', null, null],
  ['oecd/editions/available.xml', 'oecd_editions', `${OECD}/availableconstraint/${EDITIONS}/all/all/EDITION?mode=exact`],
  ['oecd/editions/200712.csv', 'oecd_editions', `${OECD}/data/${EDITIONS}/.M+Q.CP...200712?dimensionAtObservation=AllDimensions`],
  [
    'oecd/editions/200801.csv',
    'oecd_editions',
    `${OECD}/data/${EDITIONS}/.M+Q.B1GQ_Q+PRVM+TOVM+UNEMP+CP...200801?dimensionAtObservation=AllDimensions`,
  ],
  ['oecd/editions/200813.csv', null, null],
  [
    'imf/CPI.YOY_PCH_PA_PT.M.csv',
    'imf',
    'https://api.imf.org/external/sdmx/2.1/data/IMF.STA,CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M?detail=dataonly',
  ],
  ['sdmx/imf/PCPS.structure-specific.xml', 'imf', 'https://data.imf.org/en/datasets/IMF.RES:PCPS'],
  ['sdmx/imf/WEO.structure-specific.xml', 'imf', 'https://data.imf.org/en/datasets/IMF.RES:WEO'],
  [
    'dg-ecfin-bcs/nace2_ecfin_2611/main_indicators_sa_nace2.zip',
    'dg_ecfin',
    'https://ec.europa.eu/economy_finance/db_indicators/surveys/documents/series/nace2_ecfin_2611/main_indicators_sa_nace2.zip',
  ],
  ['dg-ecfin-bcs/nace2_ecfin_2613/main_indicators_sa_nace2.zip', null, null],
  ['cftc/legacy_futonly/annual_2025_to_0311.txt', 'cftc_legacy', 'https://www.cftc.gov/files/dea/history/deacot2025.zip'],
  ['cftc/legacy_futonly/noncommercial_history_1986_2026.csv', 'cftc_legacy', null],
  ['cftc/legacy_futonly/history_code_to_cftc_code.csv', 'cftc_legacy', null],
  ['cftc/contract_codes_2025.csv', 'cftc_legacy', null],
  ['cftc/socrata/jun7-fc8e_sample_20240820.json', 'cftc_legacy', 'https://publicreporting.cftc.gov/resource/jun7-fc8e.json'],
  ['cftc/tff_futonly/FinFut_2017.csv', 'cftc_tff', 'https://www.cftc.gov/files/dea/history/fut_fin_xls_2017.zip'],
  ['cftc/disagg_futonly/f_year_2025_to_0520.txt', 'cftc_disaggregated', 'https://www.cftc.gov/files/dea/history/fut_disagg_txt_2025.zip'],
  ['cftc/disagg_combined/c_year_2025.txt', 'cftc_disaggregated_combined', 'https://www.cftc.gov/files/dea/history/com_disagg_txt_2025.zip'],
  ['cftc/legacy_combined/annualof_2025.txt', 'cftc_legacy_combined', 'https://www.cftc.gov/files/dea/history/deahistfo2025.zip'],
  ['cftc/tff_combined/FinComYY_2025.txt', 'cftc_tff_combined', 'https://www.cftc.gov/files/dea/history/com_fin_txt_2025.zip'],
  ['cftc/tff_futonly/FinFutYY_2024_to_0611.txt', 'cftc_tff', 'https://www.cftc.gov/files/dea/history/fut_fin_txt_2024.zip'],
  ['sec/fsds/2010q2.zip', 'sec_fsds', 'https://www.sec.gov/files/dera/data/financial-statement-data-sets/2010q2.zip'],
  ['sec/fsds/20250701.zip', 'sec_fsds', null],
  ['sec/fsds/2010q5.zip', null, null],
  ['sec/company_tickers.json', 'sec', 'https://www.sec.gov/files/company_tickers.json'],
  ['sec/companyfacts/CIK0001318605_2022.json', 'sec', 'https://data.sec.gov/api/xbrl/companyfacts/CIK0001318605.json'],
  ['sec/submissions/CIK0000320193.json', 'sec', 'https://data.sec.gov/submissions/CIK0000320193.json'],
  ['sec/submissions/CIK320193.json', null, null],
  ['sec/submissions/CIK0000320193-submissions-001.json', 'sec', 'https://data.sec.gov/submissions/CIK0000320193-submissions-001.json'],
  ['sec/daily-index/2026-QTR1.json', 'sec', 'https://www.sec.gov/Archives/edgar/daily-index/2026/QTR1/index.json'],
  ['sec/daily-index/master.20260105.idx', 'sec', 'https://www.sec.gov/Archives/edgar/daily-index/2026/QTR1/master.20260105.idx'],
  [
    'central-bank-text/fed/statements/20240131.json',
    'fed_statements',
    'https://www.federalreserve.gov/newsevents/pressreleases/monetary20240131a.htm',
  ],
  [
    'central-bank-text/fed/minutes/20240131.json',
    'fed_statements',
    'https://www.federalreserve.gov/monetarypolicy/fomcminutes20240131.htm',
  ],
  ['central-bank-text/fed/statements_1994_2016_txt/20101214.txt', 'fed_statements', null],
  // From 2011 on the same statements come as pages, with address and hour.
  ['central-bank-text/fed/statements_1994_2016_txt/20110126.txt', null, null],
  ['central-bank-text/ecb/decisions/20240606.json', 'ecb_documents', `${ECB}/press/govcdec/mopo/html/index.en.html`],
  ['central-bank-text/ecb/statements/20240606.html', null, null],
  ['central-bank-text/ecb/statements/html/20240606.html', 'ecb_documents', `${ECB}/press/govcdec/mopo/html/index.en.html`],
  ['central-bank-text/ecb/decisions/html/index-2024.html', 'ecb_documents', `${ECB}/press/govcdec/mopo/html/index.en.html`],
  ['central-bank-text/fed/statements/20240131.html', null, null],
  [
    'central-bank-text/fed/statements/html/20240131.html',
    'fed_statements',
    'https://www.federalreserve.gov/newsevents/pressreleases/monetary20240131a.htm',
  ],
  ['central-bank-text/fed/fomccalendars.html', 'fed_statements', 'https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm'],
  ['ecb-eurofxref/eurofxref-hist-90d.zip', 'ecb_fx', `${ECB}/stats/eurofxref/eurofxref-hist-90d.zip`],
  ['ecb-eurofxref/eurofxref-hist.zip', 'ecb_fx', `${ECB}/stats/eurofxref/eurofxref-hist.zip`],
  ['us-census/RESCONST-mf.zip', 'us_census', 'https://www.census.gov/econ_getzippedfile/?programCode=RESCONST'],
  ['cftc/legacy_futonly/deacot2025.zip', 'cftc_legacy', 'https://www.cftc.gov/files/dea/history/deacot2025.zip'],
  ['cftc/disagg_futonly/fut_disagg_txt_2025.zip', 'cftc_disaggregated', 'https://www.cftc.gov/files/dea/history/fut_disagg_txt_2025.zip'],
  [
    'cftc/disagg_futonly/fut_disagg_txt_hist_2006_2016.zip',
    'cftc_disaggregated',
    'https://www.cftc.gov/files/dea/history/fut_disagg_txt_hist_2006_2016.zip',
  ],
  [
    'cftc/legacy_combined/deahistfo_1995_2016.zip',
    'cftc_legacy_combined',
    'https://www.cftc.gov/files/dea/history/deahistfo_1995_2016.zip',
  ],
  ['cftc/tff_combined/fin_com_txt_2006_2016.zip', 'cftc_tff_combined', 'https://www.cftc.gov/files/dea/history/fin_com_txt_2006_2016.zip'],
  ['cftc/tff_futonly/fut_fin_txt_2025.zip', 'cftc_tff', 'https://www.cftc.gov/files/dea/history/fut_fin_txt_2025.zip'],
  ['cftc/tff_futonly/fin_fut_txt_2006_2016.zip', 'cftc_tff', 'https://www.cftc.gov/files/dea/history/fin_fut_txt_2006_2016.zip'],
  [
    'fred-api/series_observations.GDP.window-1776-07-04-to-1999-12-31.page2.json',
    'fred',
    `${FRED}/series/observations?file_type=json&series_id=GDP&realtime_start=1776-07-04&realtime_end=1999-12-31`,
  ],
  [
    'central-bank-text/boe/minutes/20240301.json',
    'boe_documents',
    'https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes/2024/march-2024',
  ],
  [
    'central-bank-text/boe/minutes/20241201.json',
    'boe_documents',
    'https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes/2024/december-2024',
  ],
  [
    'central-bank-text/rba/minutes/03042012.json',
    'rba_documents',
    'https://www.rba.gov.au/monetary-policy/rba-board-minutes/2012/03042012.html',
  ],
  [
    'central-bank-text/boe/minutes/html/20241201.html',
    'boe_documents',
    'https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes/2024/december-2024',
  ],
  ['central-bank-text/boe/minutes/20241201.html', null, null],
  [
    'central-bank-text/boe/minutes/html/index.html',
    'boe_documents',
    'https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes/monetary-policy-summary-and-minutes',
  ],
  [
    'central-bank-text/rba/minutes/html/2026-02-03.html',
    'rba_documents',
    'https://www.rba.gov.au/monetary-policy/rba-board-minutes/2026/2026-02-03.html',
  ],
  [
    'central-bank-text/rba/minutes/html/03042012.html',
    'rba_documents',
    'https://www.rba.gov.au/monetary-policy/rba-board-minutes/2012/03042012.html',
  ],
  ['central-bank-text/rba/minutes/html/index-2026.html', 'rba_documents', 'https://www.rba.gov.au/monetary-policy/rba-board-minutes/2026/'],
  [
    'central-bank-text/rba/decisions/html/index-2026.html',
    'rba_documents',
    'https://www.rba.gov.au/monetary-policy/int-rate-decisions/2026/',
  ],
  ['central-bank-text/rba/decisions/html/mr-26-03.html', 'rba_documents', 'https://www.rba.gov.au/media-releases/2026/mr-26-03.html'],
  [
    'central-bank-text/boc/statements/html/20260429.html',
    'boc_documents',
    'https://www.bankofcanada.ca/2026/04/fad-press-release-2026-04-29/',
  ],
  ['central-bank-text/boc/statements/html/index.html', 'boc_documents', 'https://www.bankofcanada.ca/press/press-releases/'],
  [
    'central-bank-text/riksbank/decisions/html/index.html',
    'riksbank_documents',
    'https://www.riksbank.se/en-gb/monetary-policy/monetary-policy-report/monetary-policy-decision-documents/',
  ],
  [
    'central-bank-text/riksbank/minutes/html/index.html',
    'riksbank_documents',
    'https://www.riksbank.se/en-gb/monetary-policy/monetary-policy-report/minutes-of-the-executive-boards-monetary-policy-meetings/',
  ],
  ['central-bank-text/ecb/accounts/html/index-2024.html', 'ecb_documents', `${ECB}/press/govcdec/mopo/html/index.en.html`],
  ['central-bank-text/communications_riksbank.csv', 'riksbank_documents', 'https://www.riksbank.se/en-gb/monetary-policy/'],
  [
    'central-bank-text/communications_boc.csv',
    'boc_documents',
    'https://www.bankofcanada.ca/core-functions/monetary-policy/key-interest-rate/',
  ],
  ['central-bank-text/meeting_calendar_2024_2026.json', 'cb_meetings', null],
  ['calendars/bls-release-schedule.ics', 'bls_calendar', 'https://www.bls.gov/schedule/news_release/bls.ics'],
  ['prices/daily_json/AAPL.json', 'quotes', null],
  ['prices/futures_json/CL-F.json', 'quotes', null],
  ['prices/GSPC_daily_2015_2026.csv', 'quotes', null],
  ['prices/dividends/AAPL.csv', 'dividends', null],
  ['market/vix-daily.csv', 'quotes', 'https://cdn.cboe.com/api/global/us_indices/daily_prices/VIX_History.csv'],
  ['market/brent-daily.csv', 'quotes', 'https://www.eia.gov/dnav/pet/hist_xls/RBRTEd.xls'],
  ['market/wti-daily.csv', 'quotes', 'https://www.eia.gov/dnav/pet/hist_xls/RWTCd.xls'],
  ['market/gold-monthly.csv', 'quotes', null],
  ['market/fx-daily-h10-1971-2017.csv', 'quotes', 'https://www.federalreserve.gov/releases/h10/hist/'],
  ['market/fx-monthly.csv', 'quotes', 'https://www.federalreserve.gov/releases/g5/'],
  ['market/silver-monthly.csv', null, null],
  ['bis/WS_CBPOL.M.csv', 'bis', 'https://stats.bis.org/api/v1/data/WS_CBPOL/M./all?format=csv'],
  ['bis/WS_LONG_CPI.M.csv', 'bis', 'https://stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all?format=csv'],
  ['bis/WS_EER.M.csv', null, null],
  ['eurostat/une_rt_m.csv', 'eurostat', `${EUROSTAT}/une_rt_m/M.SA.TOTAL.PC_ACT.T.?format=SDMX-CSV`],
  ['eurostat/namq_10_gdp.csv', 'eurostat', `${EUROSTAT}/namq_10_gdp/Q.CLV20_MEUR.SCA.B1GQ.?format=SDMX-CSV`],
  ['eurostat/sts_inpr_m.csv', 'eurostat', `${EUROSTAT}/sts_inpr_m/M.PRD.B-D.SCA.I21.?format=SDMX-CSV`],
  ['eurostat/ei_bssi_m_r2.csv', 'eurostat', `${EUROSTAT}/ei_bssi_m_r2/M.BS-ICI-BAL.SA.?format=SDMX-CSV`],
  ['eurostat/ei_bsco_m.csv', 'eurostat', `${EUROSTAT}/ei_bsco_m/M.BS-CSMCI.SA.BAL.?format=SDMX-CSV`],
  ['eurostat/prc_hicp_minr.csv', 'eurostat', `${EUROSTAT}/prc_hicp_minr/M.RCH_A+I25.TOTAL.?format=SDMX-CSV`],
  ['eurostat/prc_hicp_fpd.csv', 'eurostat', `${EUROSTAT}/prc_hicp_fpd/M.RCH_A.TOTAL.FLS+FIN.?format=SDMX-CSV`],
  ['eurostat/prc_hicp_manr.csv', null, null],
  ['central-banks/bis-data.xml', 'bis', 'https://stats.bis.org/api/v1/data/WS_CBPOL/M./all?format=csv'],
  ['central-banks/bis-metadata.xml', null, null],
  [
    'bundesbank/BBSIS.R05XX.xml',
    'bundesbank',
    'https://api.statistiken.bundesbank.de/rest/data/BBSIS/D.I.ZAR.ZI.EUR.S1311.B.A604.R05XX.R.A.A._Z._Z.A',
  ],
  [
    'central-banks/bbk-data.xml',
    'bundesbank',
    'https://api.statistiken.bundesbank.de/rest/data/BBSIS/D.I.ZAR.ZI.EUR.S1311.B.A604.R10XX.R.A.A._Z._Z.A',
  ],
  ['norges-bank/IR.csv', 'norges_bank', 'https://data.norges-bank.no/api/data/IR/B.KPRA.SD.R?format=csv&locale=en'],
  ['central-banks/nob-data.xml', 'norges_bank', 'https://data.norges-bank.no/api/data/EXR/B.EUR+USD.NOK.SP?format=csv&locale=en'],
  ['norges-bank/NOWA.csv', null, null],
  ['bank-of-israel/BR.csv', 'bank_of_israel', `${BOI}/BR/1.0/MNT_RIB_BOI_D.D.RIB_BOI?format=csv`],
  ['central-banks/boi-data.xml', 'bank_of_israel', `${BOI}/EXR/1.0/RER_GBP_ILS.D.GBP.ILS.ILS.OF00?format=csv`],
  ['bank-of-israel/EXR.JPY.csv', null, null],
  ['oenb/VDBFKBSC217000.xml', 'oenb', 'https://www.oenb.at/isadataservice/data?lang=EN&hierid=11&pos=VDBFKBSC217000'],
  ['central-banks/onb-data.xml', 'oenb', 'https://www.oenb.at/isadataservice/data?lang=EN&hierid=11&pos=VDBFKBSC217000'],
  ['central-banks/onb-metadata.xml', null, null],
  ['ecb-data/EST.csv', 'ecb_data', 'https://data-api.ecb.europa.eu/service/data/EST/B.EU000A2X2A25.WT?format=csvdata'],
  [
    'central-banks/ecb-data-fm.xml',
    'ecb_data',
    'https://data-api.ecb.europa.eu/service/data/FM/D.U2.EUR.4F.KR.DFR+MLFR+MRR_FR.LEV?format=csvdata',
  ],
  [
    'sdmx/ecb/EXR.M.USD.EUR.SP00.A.generic-2.1.xml',
    'ecb_data',
    'https://data-api.ecb.europa.eu/service/data/EXR/M..EUR.SP00.A?format=csvdata',
  ],
  ['sdmx/ecb/exr-sample.ng-ts.xml', null, null],
  ['insee/SERIES_BDM.IPI.xml', 'insee', 'https://www.bdm.insee.fr/series/sdmx/data/SERIES_BDM/010768261+010768307'],
  ['sdmx/insee/IPI-2010-A21.generic.xml', 'insee', 'https://www.bdm.insee.fr/series/sdmx/data/IPI-2010-A21'],
  ['sdmx/insee/CNA-2010-CONSO-SI-A17.xml', null, null],
  [
    'ilo/UNE_DEAP_SEX_AGE_RT_M.csv',
    'ilo',
    'https://rplumber.ilo.org/data/indicator/?id=UNE_DEAP_SEX_AGE_RT_M&sex=SEX_T&classif1=AGE_YTHADULT_YGE15&type=code&format=.csv',
  ],
  ['ilo/unemployment-ilo.csv', null, null],
  [
    'boe/rates.csv',
    'boe',
    'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=01/Jan/1975&Dateto=now&SeriesCodes=IUDBEDR,IUDSOIA&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
  ],
  ['central-banks/boe-data.xml', 'boe', 'https://www.bankofengland.co.uk/boeapps/database/'],
  ['boe/yields.csv', null, null],
  ['riksbank/SEKEURPMI.json', 'riksbank', 'https://api.riksbank.se/swea/v1/Observations/SEKEURPMI/1999-01-04'],
  ['riksbank/SEKNOKPMI.json', null, null],
  ['central-banks/srb-series.json', null, null],
  ['boj/FM01.json', 'boj', 'https://www.stat-search.boj.or.jp/api/v1/getDataCode?db=FM01&code=STRDCLUCON&format=json&lang=en'],
  [
    'boj/FM08.60001.json',
    'boj',
    'https://www.stat-search.boj.or.jp/api/v1/getDataCode?db=FM08&code=FXERD01&format=json&lang=en&startPosition=60001',
  ],
  ['central-banks/boj-data.json', 'boj', 'https://www.stat-search.boj.or.jp/api/v1/getDataCode?db=FM08&code=FXERD01&format=json&lang=en'],
  ['boj/MD01.json', null, null],
  [
    'bcb/432.2009.json',
    'bcb',
    'https://api.bcb.gov.br/dados/serie/bcdata.sgs.432/dados?formato=json&dataInicial=01/01/2009&dataFinal=31/12/2018',
  ],
  ['bcb/433.json', 'bcb', 'https://api.bcb.gov.br/dados/serie/bcdata.sgs.433/dados?formato=json'],
  ['bcb/432.json', null, null],
  ['bcb/433.2009.json', null, null],
  ['bcb/11.2009.json', null, null],
  [
    'bcb-focus/Inflacao12Meses.2026.json',
    'bcb_focus',
    `${FOCUS}/ExpectativasMercadoInflacao12Meses?$filter=Data%20ge%20'2026-01-01'%20and%20Data%20le%20'2026-12-31'%20and%20baseCalculo%20eq%200%20and%20Indicador%20eq%20'IPCA'&$orderby=Data&$format=json`,
  ],
  [
    'bcb-focus/Mensais.2026.json',
    'bcb_focus',
    `${FOCUS}/ExpectativaMercadoMensais?$filter=Data%20ge%20'2026-01-01'%20and%20Data%20le%20'2026-12-31'%20and%20baseCalculo%20eq%200%20and%20Indicador%20eq%20'IPCA'&$orderby=Data&$format=json`,
  ],
  ['central-banks/bcb-expectations.json', 'bcb_focus', `${FOCUS}/ExpectativasMercadoAnuais`],
  ['central-banks/bcb-inflation.json', 'bcb_focus', `${FOCUS}/ExpectativasMercadoInflacao12Meses`],
  ['central-banks/bcb-selic.json', null, null],
  ['central-banks/bcb-fx-rates.json', null, null],
  ['boc/V39079.json', 'boc', 'https://www.bankofcanada.ca/valet/observations/V39079/json?start_date=2009-01-01'],
  ['boc/V39078.json', null, null],
  ['snb/snbgwdzid.json', 'snb', 'https://data.snb.ch/api/cube/snbgwdzid/data/json/en?dimSel=D0(LZ,SARON)&fromDate=2000-01-01'],
  ['snb/zimoma.json', null, null],
  ['philadelphia-fed/spf/2022Q1/medianLevel.xlsx', 'philadelphia_spf', `${SPF}/historical-data/medianlevel.xlsx`],
  ['philadelphia-fed/spf/meanGrowth.xlsx', 'philadelphia_spf', `${SPF}/historical-data/meangrowth.xlsx`],
  ['philadelphia-fed/spf/2019Q2/Median_CPI_Level.xlsx', 'philadelphia_spf', `${SPF}/data-files/files/median_cpi_level.xlsx`],
  ['philadelphia-fed/spf/2019Q2/RGDP10_Level.xlsx', null, null],
  ['philadelphia-fed/spf/meanLevel.xlsx', null, null],
  ['ecb/spf/SPF_individual_forecasts.zip', 'ecb_spf', `${ECB}/stats/prices/indic/forecast/shared/files/SPF_individual_forecasts.zip`],
  ['ecb/spf/SPF_rounds.zip', null, null],
  ['eurostat/2031-06-03/prc_hicp_manr.csv', 'eurostat', 'https://ec.europa.eu/eurostat/databrowser/product/page/PRC_HICP_MANR'],
  ['eurostat/2031-06/namq_10_gdp.wide.csv', 'eurostat', 'https://ec.europa.eu/eurostat/databrowser/product/page/NAMQ_10_GDP'],
  ['eurostat/2031-06-03/nama_10_fcs.csv', null, null],
  ['imf/LS.U.PT.M.csv', 'imf', 'https://api.imf.org/external/sdmx/2.1/data/IMF.STA,LS,9.0.0/.U.PT.M?detail=dataonly'],
  ['imf/CPI.other.csv', 'imf', 'https://data.imf.org/en/datasets/IMF.STA:CPI'],
  ['imf/PCPS.all.csv', null, null],
  [
    'abs/2031-06/640101.xlsx',
    'abs',
    'https://www.abs.gov.au/statistics/economy/price-indexes-and-inflation/consumer-price-index-australia',
  ],
  ['abs/640101.xlsx', null, null],
  ['ons/timeseries/MGSX.json', 'ons', 'https://www.ons.gov.uk/search?q=MGSX'],
  ['ons/timeseries/MGTW.json', null, null],
  ['rba/f01d.2031.xlsx', 'rba', 'https://www.rba.gov.au/statistics/tables/xls/f01d.xlsx'],
  ['imf/weo/2020-04.growth.xls', 'imf_weo', 'https://www.imf.org/en/Publications/WEO/weo-database/'],
  ['imf/weo/2020.all.xls', null, null],
  [
    'european-commission/forecasts/20241115_NGDP_RPCH.csv',
    'ec_forecasts',
    'https://economy-finance.ec.europa.eu/economic-forecast-and-surveys/economic-forecasts_en',
  ],
  ['european-commission/forecasts/all-institutions.third-party.csv', null, null],
  [
    'ny-fed/nowcast/New-York-Fed-Staff-Nowcast_data_2002-present.xlsx',
    'ny_fed_nowcast',
    'https://www.newyorkfed.org/medialibrary/Research/Interactives/Data/NowCast/Downloads/New-York-Fed-Staff-Nowcast_data_2002-present.xlsx',
  ],
  ['ny-fed/nowcast-vintages/2016-06-29.xls', null, null],
  [
    'philadelphia-fed/greenbook/GreenBook_Row_Format.xlsx',
    'fed_staff',
    'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/greenbook-data/documentation/GreenBook_Row_Format.xlsx',
  ],
  ['philadelphia-fed/rtdsm/2031/ROUTPUTQvQd.xlsx', 'philadelphia_rtdsm', `${RTDSM}/ROUTPUTQvQd.xlsx`],
  ['philadelphia-fed/rtdsm/iptMvMd.xlsx', 'philadelphia_rtdsm', `${RTDSM}/iptMvMd.xlsx`],
  ['philadelphia-fed/rtdsm/OPHQvQd.xlsx', null, null],
  [
    'seco/2031-06/realtime_database.xlsx',
    'seco',
    'https://www.seco.admin.ch/seco/en/home/wirtschaftslage---wirtschaftspolitik/Wirtschaftslage/bip-quartalsschaetzungen-/daten.html',
  ],
  ['rba/f01hist.2023.xls', null, null],
  ['statcan/1810000401-eng.2031-06-17.csv', 'statcan', 'https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=1810000401'],
  ['statcan/1810000401-eng.edited.csv', null, null],
  ['bis/2031-05/WS_CBPOL_M_csv_col.csv', 'bis', 'https://data.bis.org/topics/CBPOL'],
  ['bis/2031-05/WS_CBPOL_D_csv_col.csv', null, null],
  ['boe/bank-rate-history.2031.csv', 'boe', 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp'],
  ['bls/2031-05/cu.data.1.AllItems.txt', 'bls', 'https://download.bls.gov/pub/time.series/cu/cu.data.1.AllItems'],
  ['bls/2031-05/cu.series.txt', null, null],
  ['us-treasury/bill-rates.2024.csv', null, null],
  ['world_bank/FRA.NY.GDP.MKTP.CD.json', null, null],
  ['bis/Monthly_interest_rates.CBPOL.xlsx', 'bis', 'https://data.bis.org/topics/CBPOL'],
];

describe('a file of a mirror folder', () => {
  it.each(FILES)('%s is read by %s', (path, source, address) => {
    const owners = sources.filter(({ owns }) => owns(path));
    expect(owners.map(({ id }) => id)).toEqual(source === null ? [] : [source]);
    expect(owners[0]?.address(path) ?? null).toBe(address);
  });

  it('has an example of each source on the page about sources, read only by that source', () => {
    const page = readFileSync('docs/reference/sources.md', 'utf8');
    const table = /<!-- paths -->([\s\S]*)<!-- \/paths -->/.exec(page)?.[1] ?? '';
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
    const examples = rows.flatMap(([, id, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => [path, id] as const));
    expect([...new Set(examples.map(([, id]) => id))]).toEqual(sources.map(({ id }) => id).sort());
    const read = examples.map(([path]) => [path, ...sources.filter(({ owns }) => owns(path)).map(({ id }) => id)]);
    expect(read).toEqual(examples);
  });

  it('is tested for every source', () => {
    expect([...new Set(FILES.flatMap(([, source]) => source ?? []))].sort()).toEqual(sources.map(({ id }) => id).sort());
  });

  it('has the time when all of it was known, for sources with payloads of one day', () => {
    expect(
      sources
        .filter(({ knownAt }) => knownAt !== undefined)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'abs',
      'bank_of_israel',
      'bcb',
      'bcb_focus',
      'bis',
      'bls',
      'boc',
      'boj',
      'bundesbank',
      'destatis',
      'dg_ecfin',
      'ec_forecasts',
      'ecb_data',
      'eurostat',
      'fred',
      'fred_md',
      'ilo',
      'imf',
      'imf_weo',
      'norges_bank',
      'oecd',
      'oecd_editions',
      'oenb',
      'riksbank',
      'snb',
      'statcan',
      'us_census',
      'world_bank',
    ]);
  });

  const at = '2024-02-10T06:00:00.000Z';
  it.each([
    ['fred_md', 'fred-md/2024-01.csv', '2024-01-31T23:59:59.999Z'],
    ['fred_md', 'fred-md/2023-02.csv', '2023-02-28T23:59:59.999Z'],
    // In hand before its month is over is in hand; whether a file of a month to come can be true is left to quarantine.
    ['fred_md', 'fred-md/2024-02.csv', at],
    ['fred_md', 'fred-md/2024-03.csv', '2024-03-31T23:59:59.999Z'],
    ['oecd', 'oecd/BCI.DP_LIVE.csv', at],
    ['oecd', 'oecd/live/DF_CLI.2024-01-08T09-33-35.737Z.csv', '2024-01-08T09:33:35.737Z'],
    ['oecd', 'oecd/live/DF_CLI.2024-02-10T07-00-00.000Z.csv', at],
    ['oecd_editions', 'oecd/editions/202312.csv', '2024-01-31T23:59:59.999Z'],
    ['oecd_editions', 'oecd/editions/202401.csv', at],
    ['oecd_editions', 'oecd/editions/available.xml', null],
    ['imf', 'imf/CPI.YOY_PCH_PA_PT.M.csv', at],
    ['imf_weo', 'imf/weo/2023-10.all.xls', '2023-10-31T23:59:59.999Z'],
    ['imf_weo', 'imf/weo/2024-02.all.xls', at],
    ['ec_forecasts', 'european-commission/forecasts/20231115_LUR.csv', '2023-11-15T23:59:59.999Z'],
    ['bis', 'bis/WS_CBPOL.M.csv', at],
    // A download without a day is known from the end of the day or month of its folder.
    ['bis', 'bis/2023-05/WS_LONG_CPI_csv_col.csv', '2023-05-31T23:59:59.999Z'],
    ['bis', 'copies/2023-07-11/bis/WS_LONG_CPI.M.csv', '2023-07-11T23:59:59.999Z'],
    ['bis', 'bis/2024-02/WS_LONG_CPI_csv_col.csv', at],
    ['bis', 'copies/2023-02-30/bis/WS_LONG_CPI.M.csv', at],
    ['fred', 'fredgraph-csv/GDP.csv', at],
    ['fred', 'fred-date-value-csv/GDP.csv', at],
    ['fred', 'alfred-realtime/UR.csv', null],
    ['fred', 'fred-api/series_observations.GDP.latest.recorded-2025-01-20.json', null],
    ['dg_ecfin', 'dg-ecfin-bcs/data_esi_values.2024-02-09.csv', '2024-02-09T23:59:59.999Z'],
    ['dg_ecfin', 'dg-ecfin-bcs/data_esi_values.2024-02-10.csv', at],
    ['world_bank', 'world-bank/gdp-csv-vintages/gdp.2013-06-28.csv', '2013-06-28T23:59:59.999Z'],
  ])('of %s, %s, is known as a whole at %s', (id, key, known) => {
    expect(sourceOf(id).knownAt?.({ key, body: new Uint8Array(), retrievedAt: at })).toBe(known);
  });
});

describe('a day without an hour', () => {
  it.each([
    ['2024-02-09', '2024-02-10T06:00:00.000Z', '2024-02-09T23:59:59.999Z'],
    ['2024-02-10', '2024-02-10T06:00:00.000Z', '2024-02-10T06:00:00.000Z'],
    ['2024-02-10', '2024-02-10T00:00:00.000Z', '2024-02-10T00:00:00.000Z'],
    ['2024-02-10', '2024-02-10T23:59:59.999Z', '2024-02-10T23:59:59.999Z'],
    ['2024-02-11', '2024-02-10T23:59:59.999Z', '2024-02-11T23:59:59.999Z'],
    ['2024-02-10', '2024-02-11T00:00:00.000Z', '2024-02-10T23:59:59.999Z'],
  ])('%s, retrieved at %s, is known at %s', (day, retrievedAt, known) => {
    expect(knownOn(day, retrievedAt)).toBe(known);
  });
});

describe('an hour on the clock of a place', () => {
  it.each([
    ['2024-03-09', '15:30', 'America/New_York', '2024-03-09T20:30:00.000Z'],
    ['2024-03-10', '15:30', 'America/New_York', '2024-03-10T19:30:00.000Z'],
    ['2024-11-02', '15:30', 'America/New_York', '2024-11-02T19:30:00.000Z'],
    ['2024-11-03', '15:30', 'America/New_York', '2024-11-03T20:30:00.000Z'],
    // From 2007 on the clocks of the United States change in March and November, before in April and October.
    ['2006-03-20', '15:30', 'America/New_York', '2006-03-20T20:30:00.000Z'],
    ['2007-03-20', '15:30', 'America/New_York', '2007-03-20T19:30:00.000Z'],
    ['2024-03-30', '16:00', 'Europe/Berlin', '2024-03-30T15:00:00.000Z'],
    ['2024-03-31', '16:00', 'Europe/Berlin', '2024-03-31T14:00:00.000Z'],
    ['2024-07-01', '12:00:01', 'Europe/London', '2024-07-01T11:00:01.000Z'],
  ])('%s %s in %s is %s', (day, time, zone, instant) => {
    expect(instantAt(day, time, zone)).toBe(instant);
  });
});

describe('records in batches', () => {
  const record = (index: number): ObservationRecord => ({
    seriesCode: `S${index}`,
    period: '2024',
    periodStart: '2024-01-01',
    periodEnd: '2024-12-31',
    value: index,
    observedAt: '2024-12-31T23:59:59.999Z',
  });

  it.each([
    [0, []],
    [1, [1]],
    [2000, [2000]],
    [2001, [2000, 1]],
    [4000, [2000, 2000]],
  ])('of %i rows come in these sizes, each row once', (count, sizes) => {
    const batches = [...observationBatches(Array.from({ length: count }, (_, index) => record(index)))];
    expect(batches.map(({ rows }) => rows.length)).toEqual(sizes);
    expect(batches.flatMap((batch) => (batch.kind === 'observations' ? batch.rows : []))).toEqual(
      Array.from({ length: count }, (_, index) => record(index)),
    );
  });

  it('may have one period of two series and two periods of one, but no period of one twice', () => {
    const other = { ...record(1), period: '2025' };
    expect([...withoutRepeats('x', [record(1), record(2), other])].length).toBe(3);
    expect(() => [...withoutRepeats('x', [record(1), record(2), { ...record(1), value: 9 }])]).toThrow('S1 stands twice for 2024');
  });
});
