// Hosts and limits of the Deutsche Bundesbank.
import { type Publisher, USUAL } from '../publisher.ts';

export const bundesbankPublishers = {
  bundesbank: { ...USUAL, hosts: ['api.statistiken.bundesbank.de'] },
} as const satisfies Readonly<Record<string, Publisher>>;
