// Hosts and limits of the Bank of Canada.
import { type Publisher, USUAL } from '../publisher.ts';

export const bocPublishers = {
  boc: { ...USUAL, hosts: ['www.bankofcanada.ca'] },
} as const satisfies Readonly<Record<string, Publisher>>;
