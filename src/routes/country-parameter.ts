import { z } from 'zod';
import { parameter } from '../http/route.ts';

/** A country as every route that takes one takes it. */
export const oneCountry = parameter(
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Country: ISO 2, ISO 3 or slug.', examples: ['US'] }),
);
