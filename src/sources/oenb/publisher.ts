// Hosts and limits of the Oesterreichische Nationalbank.
import { type Publisher, USUAL } from '../publisher.ts';

export const oenbPublishers = {
  oenb: { ...USUAL, hosts: ['www.oenb.at'] },
} as const satisfies Readonly<Record<string, Publisher>>;
