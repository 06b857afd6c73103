// One or two measures of each data set for all countries: small enough for an immediate answer. Data sets change at 11:00 and 23:00 in Luxembourg.
import { isKeyDue, smallOf, WORKING_DAYS, yearBefore } from '../feeds/due.ts';
import type { Feed, Held, Request } from '../feeds/feed.ts';

const API = 'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';

/** Data set → its address; the empty dimension at the end of the key means all countries. */
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
  isDue: (now, held) => dueOf(now, held).length > 0,
  *plan(now, held) {
    yield* dueOf(now, held);
  },
  *probe(now) {
    yield* FILES.slice(0, 1).map((request) => smallOf(request, `startPeriod=${yearBefore(now)}`));
  },
};

/** Most updates bring no news for these: one check after the hour is enough. */
function dueOf(now: string, held: Held): readonly Request[] {
  return FILES.filter(({ key }) => isKeyDue(now, held, key, { everyHours: 24, publication: MORNING, isOnce: true }));
}
