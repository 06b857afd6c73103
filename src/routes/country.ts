import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { Country } from '../model/entity.ts';
import { findCountry } from '../queries/catalogues.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const country = itemRoute<Snapshot, typeof query, Country>({
  path: '/countries/:idOrIso',
  scope: 'data:read',
  tag: 'countries',
  summary: 'One country or currency area.',
  example: '/countries/us',
  pathParameters: {
    idOrIso: z.string().meta({ description: 'Slug, ISO 2, ISO 3 or name, in whatever case.', examples: ['us'] }),
  },
  query,
  data: Country,
  find: async (_query, { snapshot }, path) => {
    const name = path['idOrIso'] ?? '';
    const found = await findCountry(snapshot, name);
    if (found === null) throw new ApiError('not_found', `There is no country ${name}.`, { idOrIso: name });
    return found;
  },
});
