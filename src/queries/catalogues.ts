// Canonical indicators and countries, as the interface returns them.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { countryNamed, type CountsOfThen, NOTHING_KNOWN } from '../model/catalogue.ts';
import type { Country } from '../model/entity.ts';
import { CanonicalIndicator } from '../model/indicator.ts';
import { isCadenceComparable } from '../model/trust.ts';
import { boundMoment, boundThen, type Moment } from './entities.ts';
import { BEST_FIRST, boundFound, definePaged, FOUND, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

const CanonicalRow = z.strictObject({
  canonicalId: z.string(),
  slug: z.string(),
  name: z.string(),
  description: nullableText,
  category: z.string(),
  subCategory: nullableText,
  factorHint: nullableText,
  factorKey: z.string(),
  unit: z.string(),
  comparisonBasis: CanonicalIndicator.shape.comparisonBasis,
  seasonalAdjustment: CanonicalIndicator.shape.seasonalAdjustment,
  frequency: CanonicalIndicator.shape.frequency,
  polarity: z.int(),
  importance: CanonicalIndicator.shape.importance,
  isMonetary: z.boolean(),
  isDerived: z.boolean(),
  derivedFrom: z.array(z.string()),
  aliases: z.array(z.string()),
  fredCode: nullableText,
  sdmxCode: nullableText,
  worldBankCode: nullableText,
  preferredSourceIds: z.array(z.string()),
  entityTypes: z.array(z.string()),
  isScreenable: z.boolean(),
  status: CanonicalIndicator.shape.status,
  successorCanonicalId: nullableText,
  ceasedAt: nullableText,
  countryCount: z.int(),
  observationCount: z.int(),
  latestPeriodEnd: nullableText,
  updatedAt: z.string(),
});
type CanonicalRow = z.infer<typeof CanonicalRow>;

const texts = z.array(z.string()).nullable();
export const canonicalIndicatorsListQuery = defineQuery('indicators/canonical_list.sql', {
  params: z.strictObject({ ...FOUND, asOf: nullableText, isLimited: z.boolean(), knownIds: texts, knownAts: texts }),
  row: CanonicalRow.extend({ place: z.int().nullable() }),
});

const CANONICAL_SORTS = {
  canonical_indicator_id: { expression: 'canonical_id', type: 'varchar' },
  name: { expression: 'name', type: 'varchar' },
  category: { expression: 'category', type: 'varchar' },
  updated_at: { expression: 'updated_at', type: 'timestamptz' },
  [BEST_FIRST]: { expression: 'place', type: 'bigint' },
} as const satisfies Record<string, SortKey>;
export const canonicalIndicatorsList = definePaged(canonicalIndicatorsListQuery, CANONICAL_SORTS, {
  column: 'canonical_id',
  type: 'varchar',
});

/** @param foundIds the indicators to list, best first; null for all */
export async function listCanonicalIndicators(
  snapshot: Snapshot,
  foundIds: readonly string[] | null,
  then: CountsOfThen | null,
  page: PageOf<keyof typeof CANONICAL_SORTS>,
): Promise<FoundPage<CanonicalIndicator>> {
  const isLimited = (snapshot.historyFrom ?? null) !== null;
  const bound = { ...boundFound(foundIds), asOf: then?.asOf ?? null, isLimited, ...boundThen(then) };
  const found = await runPaged(snapshot, canonicalIndicatorsList, bound, page);
  return {
    ...found,
    rows: found.rows.map(({ place: _, ...row }) => {
      if (then === null) return toCanonicalIndicator(row);
      const { countryCount, observationCount, latestPeriodEnd } = then.counts.get(row.canonicalId) ?? NOTHING_KNOWN;
      const end = then.asOf === null || wasRetired(row, then.asOf) ? {} : ({ status: 'active', successorCanonicalId: null } as const);
      return toCanonicalIndicator({ ...row, ...end, countryCount, observationCount, latestPeriodEnd });
    }),
  };
}

/** True if, at the cutoff, it was known that nobody publishes it any longer. */
function wasRetired({ ceasedAt }: CanonicalRow, asOf: string): boolean {
  return ceasedAt !== null && Date.parse(ceasedAt) <= Date.parse(asOf);
}

function toCanonicalIndicator(row: CanonicalRow): CanonicalIndicator {
  const {
    canonicalId,
    fredCode,
    sdmxCode,
    worldBankCode,
    isMonetary: _,
    isDerived: __,
    ceasedAt: ___,
    isScreenable,
    successorCanonicalId,
    ...rest
  } = row;
  return {
    canonicalIndicatorId: canonicalId,
    ...rest,
    cadenceComparable: isCadenceComparable(rest.frequency),
    externalCodes: { fred: fredCode, sdmx: sdmxCode, worldBank: worldBankCode },
    screenable: isScreenable,
    successorIndicatorId: successorCanonicalId,
  };
}

const CountryRow = z.strictObject({
  countryId: z.string(),
  entityId: z.string(),
  slug: z.string(),
  name: z.string(),
  officialName: nullableText,
  iso2: z.string(),
  iso3: z.string(),
  isoNumeric: nullableText,
  region: nullableText,
  subregion: nullableText,
  incomeGroup: nullableText,
  currency: nullableText,
  centralBankEntityId: nullableText,
  timezone: nullableText,
  isCurrencyArea: z.boolean(),
  memberOf: z.array(z.string()),
  indicatorCount: z.int(),
  observationCount: z.int(),
  latestPeriodEnd: nullableText,
});

export const countriesListQuery = defineQuery('countries/list.sql', {
  params: z.strictObject({ asOf: nullableText, onDate: z.string() }),
  row: CountryRow,
});

const COUNTRY_SORTS = {
  name: { expression: 'name', type: 'varchar' },
  iso2: { expression: 'iso2', type: 'varchar' },
  region: { expression: 'region', type: 'varchar' },
} as const satisfies Record<string, SortKey>;
export const countriesList = definePaged(countriesListQuery, COUNTRY_SORTS, { column: 'iso2', type: 'varchar' });

export async function listCountries(
  snapshot: Snapshot,
  moment: Moment,
  then: CountsOfThen | null,
  page: PageOf<keyof typeof COUNTRY_SORTS>,
): Promise<FoundPage<Country>> {
  const found = await runPaged(snapshot, countriesList, boundMoment(moment), page);
  return { ...found, rows: found.rows.map((row) => countryAsOf(row, then)) };
}

/** The country with the counts at the cutoff, or unchanged if there is no cutoff. */
export function countryAsOf(country: Country, then: CountsOfThen | null): Country {
  if (then === null) return country;
  const { indicatorCount, observationCount, latestPeriodEnd } = then.counts.get(country.entityId) ?? NOTHING_KNOWN;
  return { ...country, indicatorCount, observationCount, latestPeriodEnd };
}

export const countryByIso2Query = defineQuery('countries/by_iso2.sql', {
  params: z.strictObject({ iso2: z.string(), asOf: nullableText, onDate: z.string() }),
  row: CountryRow,
});

/** By any name or code, as of the moment. Null if there is none, or if it did not exist then. */
export async function findCountry(snapshot: Snapshot, name: string, moment: Moment): Promise<Country | null> {
  const iso2 = countryNamed(snapshot.catalogue, name);
  if (iso2 === undefined) return null;
  const [row] = await run(snapshot, countryByIso2Query, { iso2, ...boundMoment(moment) });
  return row ?? null;
}
