// Statistics of central banks and agencies with SDMX or XML: one whole file each, of a few megabytes at most.
import { withoutClock } from '../readers/sdmx-ml.ts';
import { isKeyDue, type Publication, smallOf, WORKING_DAYS, yearBefore } from './due.ts';
import type { Feed, Held, PublisherId, Request } from './feed.ts';

function feedOf(publisher: PublisherId, files: readonly Request[], everyHours: number, publication?: Publication): Feed {
  const rule = { everyHours, publication: publication ?? null, isOnce: true };
  const dueOf = (now: string, held: Held) => files.filter(({ key }) => isKeyDue(now, held, key, rule));
  return {
    publisher,
    isDue: (now, held) => dueOf(now, held).length > 0,
    *plan(now, held) {
      yield* dueOf(now, held);
    },
  };
}

const filesOf = (folder: string, addresses: Readonly<Record<string, string>>): Request[] =>
  Object.entries(addresses).map(([name, url]) => ({ key: `${folder}/${name}.csv`, url }));

const SDMX_ML = 'application/vnd.sdmx.genericdata+xml;version=2.1';
/** Residual maturities of 2, 5, 10 and 30 years. */
export const BUNDESBANK_MATURITIES: readonly string[] = ['R02XX', 'R05XX', 'R10XX', 'R30XX'];

export function bundesbankYield(maturity: string): { readonly code: string; readonly url: string } {
  const key = `D.I.ZAR.ZI.EUR.S1311.B.A604.${maturity}.R.A.A._Z._Z.A`;
  return { code: `BBSIS.${key}`, url: `https://api.statistiken.bundesbank.de/rest/data/BBSIS/${key}` };
}

export const bundesbankFeed: Feed = {
  ...feedOf(
    'bundesbank',
    BUNDESBANK_MATURITIES.map((maturity) => ({
      key: `bundesbank/BBSIS.${maturity}.xml`,
      url: bundesbankYield(maturity).url,
      accept: SDMX_ML,
    })),
    24,
  ),
  essence: withoutClock,
};

const NORGES_BANK = 'https://data.norges-bank.no/api/data';
export const NORGES_BANK_FILES: Readonly<Record<string, string>> = {
  // Without its last part the key would also return volumes.
  IR: `${NORGES_BANK}/IR/B.KPRA.SD.R?format=csv&locale=en`,
  EXR: `${NORGES_BANK}/EXR/B.EUR+USD.NOK.SP?format=csv&locale=en`,
};
const AFTER_FIXING: Publication = { time: '16:00', zone: 'Europe/Oslo', weekdays: WORKING_DAYS };
export const norgesBankFeed = feedOf('norges_bank', filesOf('norges-bank', NORGES_BANK_FILES), 24, AFTER_FIXING);

const BANK_OF_ISRAEL = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS';
export const BANK_OF_ISRAEL_FILES: Readonly<Record<string, string>> = {
  BR: `${BANK_OF_ISRAEL}/BR/1.0/MNT_RIB_BOI_D.D.RIB_BOI?format=csv`,
  ...Object.fromEntries(
    ['EUR', 'GBP', 'USD'].map((currency) => [
      `EXR.${currency}`,
      `${BANK_OF_ISRAEL}/EXR/1.0/RER_${currency}_ILS.D.${currency}.ILS.ILS.OF00?format=csv`,
    ]),
  ),
};
export const bankOfIsraelFeed = feedOf('bank_of_israel', filesOf('bank-of-israel', BANK_OF_ISRAEL_FILES), 24);

const ECB = 'https://data-api.ecb.europa.eu/service/data';
export const ECB_DATA_FILES: Readonly<Record<string, string>> = {
  FM: `${ECB}/FM/D.U2.EUR.4F.KR.DFR+MLFR+MRR_FR.LEV?format=csvdata`,
  EST: `${ECB}/EST/B.EU000A2X2A25.WT?format=csvdata`,
  EXR: `${ECB}/EXR/M..EUR.SP00.A?format=csvdata`,
};
export const ecbDataFeed = feedOf('ecb_data', filesOf('ecb-data', ECB_DATA_FILES), 24);

/** Base 2021, adjusted: industry except construction, and manufacturing. */
export const INSEE_SERIES: readonly string[] = ['010768261', '010768307'];
const INSEE_MORNING: Publication = { time: '08:45', zone: 'Europe/Paris', weekdays: WORKING_DAYS };
export const inseeFeed: Feed = {
  ...feedOf(
    'insee',
    [{ key: 'insee/SERIES_BDM.IPI.xml', url: `https://www.bdm.insee.fr/series/sdmx/data/SERIES_BDM/${INSEE_SERIES.join('+')}` }],
    24,
    INSEE_MORNING,
  ),
  essence: withoutClock,
};

export const OENB_ADDRESS = 'https://www.oenb.at/isadataservice/data?lang=EN&hierid=11&pos=VDBFKBSC217000';
export const oenbFeed = feedOf('oenb', [{ key: 'oenb/VDBFKBSC217000.xml', url: OENB_ADDRESS }], 24);

export const ILO_FILES: Readonly<Record<string, string>> = {
  UNE_DEAP_SEX_AGE_RT_M:
    'https://rplumber.ilo.org/data/indicator/?id=UNE_DEAP_SEX_AGE_RT_M&sex=SEX_T&classif1=AGE_YTHADULT_YGE15&type=code&format=.csv',
};
export const iloFeed: Feed = {
  ...feedOf('ilo', filesOf('ilo', ILO_FILES), 72),
  *probe(now) {
    yield* filesOf('ilo', ILO_FILES).map((request) => smallOf(request, `timefrom=${yearBefore(now)}`));
  },
};
