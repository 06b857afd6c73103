// Hosts and limits of the US Bureau of Labor Statistics.
import { type Publisher, USUAL } from '../publisher.ts';

export const blsPublishers = {
  bls: { ...USUAL, hosts: ['www.bls.gov'], agent: 'email' },
  // Without a key.
  bls_api: { ...USUAL, hosts: ['api.bls.gov'], budgets: [{ per: 'day', requests: 25 }] },
} as const satisfies Readonly<Record<string, Publisher>>;
