// The table of publishers: their hosts and limits. Our rates are at or below the published ones.
import type { PublisherId, SecretName } from '../sources/feeds/feed.ts';

export interface Publisher {
  /** Redirections must stay within them. */
  readonly hosts: readonly string[];
  /** Milliseconds between the starts of two requests. */
  readonly interval: number;
  readonly concurrency: number;
  readonly budgets: readonly Budget[];
  /** contact: refuses requests without a name and an e-mail address in the agent; email: requires a plain address as the agent. */
  readonly agent: 'plain' | 'contact' | 'email';
  readonly secret: Secret | null;
  /** Milliseconds to wait after 429 if the publisher does not say how long. */
  readonly waitAfter429: number;
  readonly limits: Limits;
  /** It may announce that an answer comes later, and where. */
  readonly late?: LateDelivery;
}

export interface Budget {
  readonly per: 'hour' | 'day';
  readonly requests: number;
  /** Counts only requests for addresses with this prefix; without it, all requests. */
  readonly below?: string;
}

export interface Secret {
  readonly name: SecretName;
  /** A query parameter or a header. */
  readonly place: { readonly query: string } | { readonly header: string };
  readonly isRequired: boolean;
}

/** Addresses by the key of a delivery. */
export interface LateDelivery {
  readonly state: (key: string) => string;
  readonly data: (key: string) => string;
}

/** Times in milliseconds. */
export interface Limits {
  readonly firstByte: number;
  /** Between two chunks of a body. */
  readonly silence: number;
  readonly whole: number;
  readonly bytes: number;
  /** All unpacked bytes of an answer. */
  readonly inflatedBytes: number;
  readonly redirects: number;
}

const MB = 1024 * 1024;

/** For all publishers: one dispatcher makes the connections. */
export const CONNECT_MS = 10_000;

const LIMITS: Limits = {
  firstByte: 30_000,
  silence: 60_000,
  whole: 600_000,
  bytes: 64 * MB,
  inflatedBytes: 512 * MB,
  redirects: 3,
};

const USUAL = {
  interval: 1000,
  concurrency: 1,
  budgets: [],
  agent: 'plain',
  secret: null,
  waitAfter429: 1000,
  limits: LIMITS,
} as const satisfies Partial<Publisher>;

export const PUBLISHERS: Readonly<Record<PublisherId, Publisher>> = {
  bank_of_israel: { ...USUAL, hosts: ['edge.boi.gov.il', 'edge.boi.org.il'] },
  bcb: { ...USUAL, hosts: ['api.bcb.gov.br', 'olinda.bcb.gov.br'] },
  bis: { ...USUAL, hosts: ['stats.bis.org'] },
  bls: { ...USUAL, hosts: ['www.bls.gov'], agent: 'email' },
  // Without a key.
  bls_api: { ...USUAL, hosts: ['api.bls.gov'], budgets: [{ per: 'day', requests: 25 }] },
  bundesbank: { ...USUAL, hosts: ['api.statistiken.bundesbank.de'] },
  boc: { ...USUAL, hosts: ['www.bankofcanada.ca'] },
  boe: { ...USUAL, hosts: ['www.bankofengland.co.uk'] },
  boj: { ...USUAL, hosts: ['www.stat-search.boj.or.jp'] },
  census: { ...USUAL, hosts: ['www.census.gov'] },
  cftc: {
    ...USUAL,
    hosts: ['www.cftc.gov', 'publicreporting.cftc.gov'],
    secret: { name: 'CFTC_APP_TOKEN', place: { header: 'x-app-token' }, isRequired: false },
  },
  ecb: { ...USUAL, hosts: ['www.ecb.europa.eu'], interval: 500 },
  ecfin: { ...USUAL, hosts: ['ec.europa.eu'] },
  ecb_data: { ...USUAL, hosts: ['data-api.ecb.europa.eu'], interval: 500 },
  eurostat: {
    ...USUAL,
    hosts: ['ec.europa.eu'],
    late: {
      state: (key) => `https://ec.europa.eu/eurostat/api/dissemination/1.0/async/status/${key}`,
      data: (key) => `https://ec.europa.eu/eurostat/api/dissemination/1.0/async/data/${key}`,
    },
  },
  fed: { ...USUAL, hosts: ['www.federalreserve.gov'] },
  // Counted by the second since 2026: two of them.
  fred: {
    ...USUAL,
    hosts: ['api.stlouisfed.org'],
    interval: 600,
    secret: { name: 'FRED_API_KEY', place: { query: 'api_key' }, isRequired: true },
    waitAfter429: 20_000,
  },
  // Clients of the earlier service stayed below ten in five seconds.
  imf: { ...USUAL, hosts: ['api.imf.org'] },
  // Sixty downloads of data an hour, without structures; beyond that the caller is blocked for an hour.
  oecd: {
    ...USUAL,
    hosts: ['sdmx.oecd.org'],
    budgets: [{ per: 'hour', requests: 50, below: 'https://sdmx.oecd.org/public/rest/data/' }],
    waitAfter429: 3_600_000,
  },
  ilo: { ...USUAL, hosts: ['rplumber.ilo.org'] },
  insee: { ...USUAL, hosts: ['www.bdm.insee.fr', 'bdm.insee.fr'] },
  norges_bank: { ...USUAL, hosts: ['data.norges-bank.no'] },
  oenb: { ...USUAL, hosts: ['www.oenb.at'] },
  rba: { ...USUAL, hosts: ['www.rba.gov.au'] },
  riksbank: { ...USUAL, hosts: ['www.riksbank.se'] },
  // Without a key five a minute and a thousand a day; with one two hundred a minute, far more than our three a day.
  riksbank_api: {
    ...USUAL,
    hosts: ['api.riksbank.se'],
    interval: 12_000,
    budgets: [{ per: 'day', requests: 1000 }],
    secret: { name: 'RIKSBANK_KEY', place: { header: 'ocp-apim-subscription-key' }, isRequired: false },
  },
  // Ten a second over all machines; beyond that the caller is blocked for ten minutes.
  sec: {
    ...USUAL,
    hosts: ['www.sec.gov', 'data.sec.gov'],
    interval: 125,
    concurrency: 4,
    agent: 'contact',
    waitAfter429: 600_000,
    limits: { ...LIMITS, bytes: 256 * MB, inflatedBytes: 2048 * MB },
  },
  snb: { ...USUAL, hosts: ['data.snb.ch'] },
  st_louis_fed: { ...USUAL, hosts: ['www.stlouisfed.org', 'files.stlouisfed.org', 'research.stlouisfed.org'] },
  us_treasury: { ...USUAL, hosts: ['home.treasury.gov'] },
  world_bank: { ...USUAL, hosts: ['api.worldbank.org'] },
};
