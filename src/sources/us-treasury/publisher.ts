// Hosts and limits of the US Treasury.
import { type Publisher, USUAL } from '../publisher.ts';

export const usTreasuryPublishers = {
  us_treasury: { ...USUAL, hosts: ['home.treasury.gov'] },
} as const satisfies Readonly<Record<string, Publisher>>;
