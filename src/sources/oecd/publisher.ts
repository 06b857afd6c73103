// Hosts and limits of the OECD.
import { type Publisher, USUAL } from '../publisher.ts';

export const oecdPublishers = {
  // Sixty downloads of data an hour, without structures; beyond that the caller is blocked for an hour.
  oecd: {
    ...USUAL,
    hosts: ['sdmx.oecd.org'],
    budgets: [{ per: 'hour', requests: 50, below: 'https://sdmx.oecd.org/public/rest/data/' }],
    waitAfter429: 3_600_000,
  },
} as const satisfies Readonly<Record<string, Publisher>>;
