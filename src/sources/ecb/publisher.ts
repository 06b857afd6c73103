// Hosts and limits of the European Central Bank.
import { type Publisher, USUAL } from '../publisher.ts';

export const ecbPublishers = {
  ecb: { ...USUAL, hosts: ['www.ecb.europa.eu'], interval: 500 },
  ecb_data: { ...USUAL, hosts: ['data-api.ecb.europa.eu'], interval: 500 },
} as const satisfies Readonly<Record<string, Publisher>>;
