// One or two measures of each data set for all countries: small enough to be answered at once. Data sets change at 11:00 and 23:00 in Luxembourg.
import { isDueAfter, WORKING_DAYS } from './due.ts';
import type { Feed, Request } from './feed.ts';

const API = 'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';

/** Data set → its address; the empty dimension at the end of the key stands for all countries. */
export const EUROSTAT_DATA_SETS: Readonly<Record<string, string>> = {
  une_rt_m: `${API}/une_rt_m/M.SA.TOTAL.PC_ACT.T.?format=SDMX-CSV`,
  namq_10_gdp: `${API}/namq_10_gdp/Q.CLV20_MEUR.SCA.B1GQ.?format=SDMX-CSV`,
  sts_inpr_m: `${API}/sts_inpr_m/M.PRD.B-D.SCA.I21.?format=SDMX-CSV`,
  ei_bssi_m_r2: `${API}/ei_bssi_m_r2/M.BS-ICI-BAL.SA.?format=SDMX-CSV`,
  ei_bsco_m: `${API}/ei_bsco_m/M.BS-CSMCI.SA.BAL.?format=SDMX-CSV`,
  prc_hicp_minr: `${API}/prc_hicp_minr/M.RCH_A+I25.TOTAL.?format=SDMX-CSV`,
  prc_hicp_fpd: `${API}/prc_hicp_fpd/M.RCH_A.TOTAL.FLS+FIN.?format=SDMX-CSV`,
};

const FILES: readonly Request[] = Object.entries(EUROSTAT_DATA_SETS).map(([name, url]) => ({ key: `eurostat/${name}.csv`, url }));
const MORNING = { time: '11:00', zone: 'Europe/Luxembourg', weekdays: WORKING_DAYS };

export const eurostatFeed: Feed = {
  publisher: 'eurostat',
  // Most updates bring nothing new of these: one look after the hour is enough.
  isDue: (now, held) => FILES.some(({ key }) => isDueAfter(now, asIfNew(held.newest(key)), 24, MORNING)),
  *plan() {
    yield* FILES;
  },
};

function asIfNew(payload: ReturnType<Parameters<Feed['isDue']>[1]['newest']>): typeof payload {
  return payload === null ? null : { ...payload, retrievedAt: payload.checkedAt };
}
