// Hosts and limits of Sveriges Riksbank.
import { type Publisher, USUAL } from '../publisher.ts';

export const riksbankPublishers = {
  riksbank: { ...USUAL, hosts: ['www.riksbank.se'] },
  // Without a key five a minute and a thousand a day; with one two hundred a minute, far more than our three a day.
  riksbank_api: {
    ...USUAL,
    hosts: ['api.riksbank.se'],
    interval: 12_000,
    budgets: [{ per: 'day', requests: 1000 }],
    secret: { name: 'RIKSBANK_KEY', place: { header: 'ocp-apim-subscription-key' }, isRequired: false },
  },
} as const satisfies Readonly<Record<string, Publisher>>;
