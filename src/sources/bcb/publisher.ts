// Hosts and limits of the Banco Central do Brasil.
import { type Publisher, USUAL } from '../publisher.ts';

export const bcbPublishers = {
  bcb: { ...USUAL, hosts: ['api.bcb.gov.br', 'olinda.bcb.gov.br'] },
} as const satisfies Readonly<Record<string, Publisher>>;
