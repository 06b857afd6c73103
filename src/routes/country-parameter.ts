import { z } from 'zod';
import { parameter } from '../http/route.ts';
import type { Snapshot } from '../queries/snapshot.ts';

/** A country as every route that takes one takes it. */
export const oneCountry = parameter(
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Country: ISO 2, ISO 3 or slug.', examples: ['US'] }),
);

/** Its ISO 2 code; empty for a country that does not exist, null when none was asked for. */
export function countryOf(snapshot: Snapshot, country: string | undefined): string | null {
  return country === undefined ? null : (snapshot.catalogue.countries.get(country.toLowerCase()) ?? '');
}
