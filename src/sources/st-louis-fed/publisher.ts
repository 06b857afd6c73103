// Hosts and limits of the Federal Reserve Bank of St. Louis.
import { type Publisher, USUAL } from '../publisher.ts';

export const stLouisFedPublishers = {
  // Counted by the second since 2026: two of them.
  fred: {
    ...USUAL,
    hosts: ['api.stlouisfed.org'],
    interval: 600,
    secret: { name: 'FRED_API_KEY', place: { query: 'api_key' }, isRequired: true },
    waitAfter429: 20_000,
  },
  st_louis_fed: { ...USUAL, hosts: ['www.stlouisfed.org', 'files.stlouisfed.org', 'research.stlouisfed.org'] },
} as const satisfies Readonly<Record<string, Publisher>>;
