// Hosts and limits of the US Census Bureau.
import { type Publisher, USUAL } from '../publisher.ts';

export const usCensusPublishers = {
  census: { ...USUAL, hosts: ['www.census.gov'] },
} as const satisfies Readonly<Record<string, Publisher>>;
