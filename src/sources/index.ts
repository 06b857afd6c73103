// Every source, one line each.
import { bankOfIsrael } from './banks/bank-of-israel.ts';
import { bis } from './countries/bis.ts';
import { blsCalendar } from './bls-calendar.ts';
import { bocDocuments } from './boc-documents.ts';
import { bcb } from './banks/bcb.ts';
import { bcbFocus } from './banks/bcb-focus.ts';
import { boc } from './banks/boc.ts';
import { boe } from './banks/boe.ts';
import { boj } from './banks/boj.ts';
import { riksbank } from './banks/riksbank.ts';
import { snb } from './banks/snb.ts';
import { abs } from './agencies/abs.ts';
import { bls } from './agencies/bls.ts';
import { ons } from './agencies/ons.ts';
import { statcan } from './agencies/statcan.ts';
import { rba } from './banks/rba.ts';
import { boeDocuments } from './boe-documents.ts';
import { bundesbank } from './banks/bundesbank.ts';
import { cbMeetings } from './cb-meetings.ts';
import { cftcDisaggregated, cftcDisaggregatedCombined, cftcLegacyCombined, cftcTffCombined } from './cftc/breadth.ts';
import { cftcLegacy } from './cftc/legacy.ts';
import { cftcTff } from './cftc/tff.ts';
import { destatis } from './agencies/destatis.ts';
import { dgEcfin } from './dg-ecfin.ts';
import { dividends } from './dividends.ts';
import { ecbData } from './banks/ecb-data.ts';
import { ecbDocuments } from './ecb-documents.ts';
import { ecbFx } from './ecb-fx.ts';
import { eurostat } from './countries/eurostat.ts';
import { fedStatements } from './fed-statements.ts';
import { fred } from './fred.ts';
import { fredReleases } from './fred-releases.ts';
import { fredMd } from './fred-md.ts';
import { ecForecasts } from './projections/ec-forecasts.ts';
import { fedStaff } from './projections/fed-staff.ts';
import { imfWeo } from './projections/imf-weo.ts';
import { nyFedNowcast } from './projections/ny-fed-nowcast.ts';
import { imf } from './multilateral/imf.ts';
import { oecd } from './oecd.ts';
import { oecdEditions } from './multilateral/oecd-editions.ts';
import { ilo } from './banks/ilo.ts';
import { insee } from './banks/insee.ts';
import { norgesBank } from './banks/norges-bank.ts';
import { oenb } from './banks/oenb.ts';
import { quotes } from './quotes.ts';
import { rbaDocuments } from './rba-documents.ts';
import { riksbankDocuments } from './riksbank-documents.ts';
import { sec } from './sec.ts';
import { secFsds } from './sec-fsds.ts';
import type { Source } from './source.ts';
import { usCensus } from './us-census.ts';
import { usTreasury } from './agencies/us-treasury.ts';
import { ecbSpf } from './surveys/ecb-spf.ts';
import { philadelphiaSpf } from './surveys/philadelphia-spf.ts';
import { philadelphiaRtdsm } from './vintages/philadelphia-rtdsm.ts';
import { seco } from './vintages/seco.ts';
import { worldBank } from './world-bank.ts';

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
