// Hosts and limits of DG ECFIN.
import { type Publisher, USUAL } from '../publisher.ts';

export const dgEcfinPublishers = {
  ecfin: { ...USUAL, hosts: ['ec.europa.eu'] },
} as const satisfies Readonly<Record<string, Publisher>>;
