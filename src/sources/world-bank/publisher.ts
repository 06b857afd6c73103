// Hosts and limits of the World Bank.
import { type Publisher, USUAL } from '../publisher.ts';

export const worldBankPublishers = {
  world_bank: { ...USUAL, hosts: ['api.worldbank.org'] },
} as const satisfies Readonly<Record<string, Publisher>>;
