// Hosts and limits of the US Securities and Exchange Commission.
import { LIMITS, MB, type Publisher, USUAL } from '../publisher.ts';

export const secPublishers = {
  // Ten a second over all machines; beyond that the caller is blocked for ten minutes.
  sec: {
    ...USUAL,
    hosts: ['www.sec.gov', 'data.sec.gov'],
    interval: 125,
    concurrency: 4,
    agent: 'contact',
    waitAfter429: 600_000,
    limits: { ...LIMITS, bytes: 256 * MB, inflatedBytes: 2048 * MB },
  },
} as const satisfies Readonly<Record<string, Publisher>>;
