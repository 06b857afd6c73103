// Hosts and limits of the International Labour Organization.
import { type Publisher, USUAL } from '../publisher.ts';

export const iloPublishers = {
  ilo: { ...USUAL, hosts: ['rplumber.ilo.org'] },
} as const satisfies Readonly<Record<string, Publisher>>;
