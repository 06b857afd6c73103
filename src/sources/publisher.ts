// A row of a publisher: its hosts and limits. Our rates are at or below the published ones.

/** Environment variables with a key. */
export type SecretName = 'CFTC_APP_TOKEN' | 'FRED_API_KEY' | 'RIKSBANK_KEY';

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

export const MB = 1024 * 1024;

export const LIMITS: Limits = {
  firstByte: 30_000,
  silence: 60_000,
  whole: 600_000,
  bytes: 64 * MB,
  inflatedBytes: 512 * MB,
  redirects: 3,
};

export const USUAL = {
  interval: 1000,
  concurrency: 1,
  budgets: [],
  agent: 'plain',
  secret: null,
  waitAfter429: 1000,
  limits: LIMITS,
} as const satisfies Partial<Publisher>;
