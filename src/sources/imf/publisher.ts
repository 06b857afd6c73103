// Hosts and limits of the International Monetary Fund.
import { type Publisher, USUAL } from '../publisher.ts';

export const imfPublishers = {
  // Clients of the earlier service stayed below ten in five seconds.
  imf: { ...USUAL, hosts: ['api.imf.org'] },
} as const satisfies Readonly<Record<string, Publisher>>;
