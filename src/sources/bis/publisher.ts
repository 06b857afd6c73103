// Hosts and limits of the Bank for International Settlements.
import { type Publisher, USUAL } from '../publisher.ts';

export const bisPublishers = {
  bis: { ...USUAL, hosts: ['stats.bis.org'] },
} as const satisfies Readonly<Record<string, Publisher>>;
