// Hosts and limits of Insee.
import { type Publisher, USUAL } from '../publisher.ts';

export const inseePublishers = {
  insee: { ...USUAL, hosts: ['www.bdm.insee.fr', 'bdm.insee.fr'] },
} as const satisfies Readonly<Record<string, Publisher>>;
