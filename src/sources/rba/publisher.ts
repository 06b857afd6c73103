// Hosts and limits of the Reserve Bank of Australia.
import { type Publisher, USUAL } from '../publisher.ts';

export const rbaPublishers = {
  rba: { ...USUAL, hosts: ['www.rba.gov.au'] },
} as const satisfies Readonly<Record<string, Publisher>>;
