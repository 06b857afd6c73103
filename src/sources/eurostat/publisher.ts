// Hosts and limits of Eurostat.
import { type Publisher, USUAL } from '../publisher.ts';

export const eurostatPublishers = {
  eurostat: {
    ...USUAL,
    hosts: ['ec.europa.eu'],
    late: {
      state: (key) => `https://ec.europa.eu/eurostat/api/dissemination/1.0/async/status/${key}`,
      data: (key) => `https://ec.europa.eu/eurostat/api/dissemination/1.0/async/data/${key}`,
    },
  },
} as const satisfies Readonly<Record<string, Publisher>>;
