// Every publisher by its id, one line per folder. The keys of these tables are the only list of ids.
import { bankOfIsraelPublishers } from './bank-of-israel/publisher.ts';
import { bcbPublishers } from './bcb/publisher.ts';
import { bisPublishers } from './bis/publisher.ts';
import { blsPublishers } from './bls/publisher.ts';
import { bocPublishers } from './boc/publisher.ts';
import { boePublishers } from './boe/publisher.ts';
import { bojPublishers } from './boj/publisher.ts';
import { bundesbankPublishers } from './bundesbank/publisher.ts';
import { cftcPublishers } from './cftc/publisher.ts';
import { dgEcfinPublishers } from './dg-ecfin/publisher.ts';
import { ecbPublishers } from './ecb/publisher.ts';
import { eurostatPublishers } from './eurostat/publisher.ts';
import { fedPublishers } from './fed/publisher.ts';
import { iloPublishers } from './ilo/publisher.ts';
import { imfPublishers } from './imf/publisher.ts';
import { inseePublishers } from './insee/publisher.ts';
import { norgesBankPublishers } from './norges-bank/publisher.ts';
import { oecdPublishers } from './oecd/publisher.ts';
import { oenbPublishers } from './oenb/publisher.ts';
import { rbaPublishers } from './rba/publisher.ts';
import { riksbankPublishers } from './riksbank/publisher.ts';
import { secPublishers } from './sec/publisher.ts';
import { snbPublishers } from './snb/publisher.ts';
import { stLouisFedPublishers } from './st-louis-fed/publisher.ts';
import { usCensusPublishers } from './us-census/publisher.ts';
import { usTreasuryPublishers } from './us-treasury/publisher.ts';
import { worldBankPublishers } from './world-bank/publisher.ts';
import type { Publisher } from './publisher.ts';

const ALL = {
  ...bankOfIsraelPublishers,
  ...bcbPublishers,
  ...bisPublishers,
  ...blsPublishers,
  ...bocPublishers,
  ...boePublishers,
  ...bojPublishers,
  ...bundesbankPublishers,
  ...cftcPublishers,
  ...dgEcfinPublishers,
  ...ecbPublishers,
  ...eurostatPublishers,
  ...fedPublishers,
  ...iloPublishers,
  ...imfPublishers,
  ...inseePublishers,
  ...norgesBankPublishers,
  ...oecdPublishers,
  ...oenbPublishers,
  ...rbaPublishers,
  ...riksbankPublishers,
  ...secPublishers,
  ...snbPublishers,
  ...stLouisFedPublishers,
  ...usCensusPublishers,
  ...usTreasuryPublishers,
  ...worldBankPublishers,
};

export type PublisherId = keyof typeof ALL;

export const PUBLISHERS: Readonly<Record<PublisherId, Publisher>> = ALL;
