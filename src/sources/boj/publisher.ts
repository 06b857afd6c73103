// Hosts and limits of the Bank of Japan.
import { type Publisher, USUAL } from '../publisher.ts';

export const bojPublishers = {
  boj: { ...USUAL, hosts: ['www.stat-search.boj.or.jp'] },
} as const satisfies Readonly<Record<string, Publisher>>;
