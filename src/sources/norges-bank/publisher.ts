// Hosts and limits of Norges Bank.
import { type Publisher, USUAL } from '../publisher.ts';

export const norgesBankPublishers = {
  norges_bank: { ...USUAL, hosts: ['data.norges-bank.no'] },
} as const satisfies Readonly<Record<string, Publisher>>;
