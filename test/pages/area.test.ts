// Of whom a number is, if it is of no country.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { namesOf } from '../../src/pages/names.ts';

interface Row {
  readonly country: string | null;
  readonly indicatorId: string;
}
const address = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/today/area.js')).href;
const { areaOf } = (await import(address)) as {
  readonly areaOf: (row: Row, names: { readonly entity: (id: string) => string }) => string | null;
};
const { entities } = namesOf();
const of = (indicatorId: string, country: string | null = null) => areaOf({ country, indicatorId }, { entity: (id) => entities[id] ?? id });

it('a number without a country is of the group in the name of its indicator, the longest one', () => {
  expect(
    ['oecd_business_confidence', 'oecd_europe_business_confidence', 'g7_consumer_confidence', 'eu_economic_sentiment'].map((id) => of(id)),
  ).toEqual(['oecd', 'oecd_europe', 'g7', 'eu']);
  expect([of('us_nonfarm_payrolls', 'US'), of('unheard_of_number'), of('number')]).toEqual(['US', null, null]);
});
