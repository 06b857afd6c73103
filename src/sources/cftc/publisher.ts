// Hosts and limits of the CFTC.
import { type Publisher, USUAL } from '../publisher.ts';

export const cftcPublishers = {
  cftc: {
    ...USUAL,
    hosts: ['www.cftc.gov', 'publicreporting.cftc.gov'],
    secret: { name: 'CFTC_APP_TOKEN', place: { header: 'x-app-token' }, isRequired: false },
  },
} as const satisfies Readonly<Record<string, Publisher>>;
