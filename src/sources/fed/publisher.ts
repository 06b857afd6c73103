// Hosts and limits of the Board of Governors of the Federal Reserve System.
import { type Publisher, USUAL } from '../publisher.ts';

export const fedPublishers = {
  fed: { ...USUAL, hosts: ['www.federalreserve.gov'] },
} as const satisfies Readonly<Record<string, Publisher>>;
