// Hosts and limits of the Bank of England.
import { type Publisher, USUAL } from '../publisher.ts';

export const boePublishers = {
  boe: { ...USUAL, hosts: ['www.bankofengland.co.uk'] },
} as const satisfies Readonly<Record<string, Publisher>>;
