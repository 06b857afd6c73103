// Hosts and limits of the Swiss National Bank.
import { type Publisher, USUAL } from '../publisher.ts';

export const snbPublishers = {
  snb: { ...USUAL, hosts: ['data.snb.ch'] },
} as const satisfies Readonly<Record<string, Publisher>>;
