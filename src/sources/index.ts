// Every source, one line each.
import { bankOfIsrael } from './bank-of-israel/source.ts';
import { bis } from './bis/source.ts';
import { blsCalendar } from './bls/calendar.ts';
import { bocDocuments } from './boc/documents.ts';
import { bcb } from './bcb/source.ts';
import { bcbFocus } from './bcb/focus.ts';
import { boc } from './boc/source.ts';
import { boe } from './boe/source.ts';
import { boj } from './boj/source.ts';
import { riksbank } from './riksbank/source.ts';
import { snb } from './snb/source.ts';
import { abs } from './abs/source.ts';
import { bls } from './bls/source.ts';
import { ons } from './ons/source.ts';
import { statcan } from './statcan/source.ts';
import { rba } from './rba/source.ts';
import { boeDocuments } from './boe/documents.ts';
import { bundesbank } from './bundesbank/source.ts';
import { cbMeetings } from './cb-meetings/source.ts';
import { cftcDisaggregated, cftcDisaggregatedCombined, cftcLegacyCombined, cftcTffCombined } from './cftc/other-reports.ts';
import { cftcLegacy } from './cftc/legacy.ts';
import { cftcTff } from './cftc/tff.ts';
import { destatis } from './destatis/source.ts';
import { dgEcfin } from './dg-ecfin/source.ts';
import { dividends } from './market-data/dividends.ts';
import { ecbData } from './ecb/data.ts';
import { ecbDocuments } from './ecb/documents.ts';
import { ecbFx } from './ecb/fx.ts';
import { eurostat } from './eurostat/source.ts';
import { fedStatements } from './fed/statements.ts';
import { fred } from './st-louis-fed/fred.ts';
import { fredReleases } from './st-louis-fed/fred-releases.ts';
import { fredMd } from './st-louis-fed/fred-md.ts';
import { ecForecasts } from './dg-ecfin/forecasts.ts';
import { fedStaff } from './fed/staff.ts';
import { imfWeo } from './imf/weo.ts';
import { nyFedNowcast } from './ny-fed/nowcast.ts';
import { imf } from './imf/source.ts';
import { oecd } from './oecd/source.ts';
import { oecdEditions } from './oecd/editions.ts';
import { ilo } from './ilo/source.ts';
import { insee } from './insee/source.ts';
import { norgesBank } from './norges-bank/source.ts';
import { oenb } from './oenb/source.ts';
import { quotes } from './market-data/quotes.ts';
import { rbaDocuments } from './rba/documents.ts';
import { riksbankDocuments } from './riksbank/documents.ts';
import { sec } from './sec/source.ts';
import { secFsds } from './sec/fsds.ts';
import type { Source } from './source.ts';
import { usCensus } from './us-census/source.ts';
import { usTreasury } from './us-treasury/source.ts';
import { ecbSpf } from './ecb/spf.ts';
import { philadelphiaSpf } from './philadelphia-fed/spf.ts';
import { philadelphiaRtdsm } from './philadelphia-fed/rtdsm.ts';
import { seco } from './seco/source.ts';
import { worldBank } from './world-bank/source.ts';

// biome-ignore format: one line each
export const sources: readonly Source[] = [
  fredMd,
  fred,
  bls,
  usCensus,
  usTreasury,
  worldBank,
  ecbFx,
  dgEcfin,
  destatis,
  oecd,
  cftcDisaggregated,
  cftcDisaggregatedCombined,
  cftcLegacy,
  cftcLegacyCombined,
  cftcTff,
  cftcTffCombined,
  sec,
  fedStatements,
  ecbDocuments,
  boeDocuments,
  rbaDocuments,
  riksbankDocuments,
  bocDocuments,
  quotes,
  dividends,
  fredReleases,
  blsCalendar,
  cbMeetings,
  bis,
  eurostat,
  oecdEditions,
  imf,
  bundesbank,
  norgesBank,
  bankOfIsrael,
  oenb,
  ecbData,
  insee,
  ilo,
  boe,
  riksbank,
  boj,
  bcb,
  bcbFocus,
  boc,
  snb,
  secFsds,
  philadelphiaSpf,
  ecbSpf,
  abs,
  ons,
  rba,
  statcan,
  imfWeo,
  ecForecasts,
  fedStaff,
  nyFedNowcast,
  philadelphiaRtdsm,
  seco,
];
