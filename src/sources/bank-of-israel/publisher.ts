// Hosts and limits of the Bank of Israel.
import { type Publisher, USUAL } from '../publisher.ts';

export const bankOfIsraelPublishers = {
  bank_of_israel: { ...USUAL, hosts: ['edge.boi.gov.il', 'edge.boi.org.il'] },
} as const satisfies Readonly<Record<string, Publisher>>;
