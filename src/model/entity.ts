// Entities, aliases, countries.
import { z } from 'zod';
import { Day, Instant } from './period.ts';

const day = (description: string) => Day.nullable().describe(description);

export const EntityType = z
  .enum([
    'country',
    'currency_area',
    'region',
    'central_bank',
    'company',
    'futures_contract',
    'instrument',
    'index',
    'commodity',
    'currency',
  ])
  .meta({ id: 'EntityType' });
export type EntityType = z.infer<typeof EntityType>;
export const EntityStatus = z.enum(['active', 'inactive', 'merged']).meta({ id: 'EntityStatus' });

export const Entity = z
  .strictObject({
    entityId: z.string().describe('Identifier of the entity.'),
    slug: z.string().describe('Identifier for use in URLs. Look-ups accept it and entityId.'),
    entityType: EntityType.describe('Kind of entity.'),
    name: z.string().describe('Name.'),
    shortName: z.string().nullable().describe('Short or official form of the name.'),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2 code of its country.'),
    currency: z.string().nullable().describe('ISO 4217 code.'),
    parentEntityId: z.string().nullable().describe('Entity that it is part of.'),
    identifiers: z
      .strictObject({
        iso2: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
        iso3: z.string().nullable().describe('ISO 3166-1 alpha-3.'),
        isoNumeric: z.string().nullable().describe('ISO 3166-1 numeric, three characters.'),
        cik: z.string().nullable().describe('SEC Central Index Key, ten digits.'),
        lei: z.string().nullable().describe('Legal Entity Identifier.'),
        figi: z.string().nullable().describe('Financial Instrument Global Identifier.'),
        isin: z.string().nullable().describe('International Securities Identification Number.'),
        ticker: z.string().nullable().describe('Ticker in use now.'),
        mic: z.string().nullable().describe('ISO 10383 market identifier code.'),
        cftcContractCode: z.string().nullable().describe('CFTC contract market code.'),
      })
      .meta({ id: 'EntityIdentifiers' })
      .describe('Identifiers in public schemes.'),
    status: EntityStatus.describe(
      'active: it exists. inactive: it no longer exists, or the company has lost its ticker. merged: another entity acquired or replaced it.',
    ),
    successorEntityId: z.string().nullable().describe('The entity that it merged into or that replaced it.'),
    validFrom: day('First day of its existence, if known.'),
    validTo: day('Last day of its existence; null if it exists.'),
    indicatorCount: z.int().describe('Indicators with data for it.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
    latestPeriodEnd: day('Newest period with a value.'),
    createdAt: Instant.describe('Time at which this installation learned of it.'),
    updatedAt: Instant.describe('Time of the newest change to it.'),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof Entity>;

export const AliasType = z
  .enum([
    'name',
    'short_name',
    'slug',
    'iso2',
    'iso3',
    'iso_numeric',
    'currency',
    'ticker',
    'cik',
    'lei',
    'isin',
    'figi',
    'wb_code',
    'imf_code',
    'oecd_code',
    'eurostat_code',
    'fred_code',
    'cftc_code',
  ])
  .meta({ id: 'AliasType' });

export const Alias = z
  .strictObject({
    aliasId: z.string().describe('Identifier of the alias.'),
    entityId: z.string().describe('The entity that the alias stands for.'),
    alias: z.string().describe('The alias as written.'),
    aliasNormalized: z.string().describe("NFKC, case-folded, blanks collapsed, `. , '` dropped."),
    aliasType: AliasType.describe('Kind of alias.'),
    scheme: z.string().nullable().describe('Scheme of a code, if the kind does not imply it.'),
    isPrimary: z.boolean().describe('True if it is the alias to show for its kind.'),
    validFrom: day('First day on which it was in use.'),
    validTo: day('Last day on which it was in use.'),
    sourceId: z.string().nullable().describe('Source of the alias.'),
    confidence: z.number().min(0).max(1).describe('1 for codes and names as published.'),
    createdAt: Instant.describe('Time at which this installation learned of it.'),
  })
  .meta({ id: 'Alias' });
export type Alias = z.infer<typeof Alias>;

export const ResolvedEntity = z
  .strictObject({
    entity: Entity.describe('The entity.'),
    matchedAlias: Alias.describe('The alias that matched.'),
    matchType: z.enum(['exact', 'normalized']).meta({ id: 'AliasMatch' }).describe('Kind of match.'),
  })
  .meta({ id: 'ResolvedEntity' });
export type ResolvedEntity = z.infer<typeof ResolvedEntity>;

export const Country = z
  .strictObject({
    countryId: z.string().describe('The same as iso2.'),
    entityId: z.string().describe('Identifier of its entity.'),
    slug: z.string().describe('Identifier for use in URLs.'),
    name: z.string().describe('Short English name.'),
    officialName: z.string().nullable().describe('Official English name.'),
    iso2: z.string().describe('ISO 3166-1 alpha-2; of a currency area its own code, EA for the euro area.'),
    iso3: z.string().describe('ISO 3166-1 alpha-3; of a currency area the code of the World Bank.'),
    isoNumeric: z.string().nullable().describe('ISO 3166-1 numeric, three characters; null for a currency area, which has none.'),
    region: z.string().nullable().describe('UN M49 region.'),
    subregion: z.string().nullable().describe('UN M49 sub-region.'),
    incomeGroup: z.string().nullable().describe('World Bank income group.'),
    currency: z.string().nullable().describe('ISO 4217 code.'),
    centralBankEntityId: z.string().nullable().describe('Entity of its central bank.'),
    timezone: z.string().nullable().describe('IANA time zone of the capital.'),
    isCurrencyArea: z.boolean().describe('True for a currency area listed beside countries.'),
    memberOf: z.array(z.string()).describe('Groups and areas it belongs to.'),
    indicatorCount: z.int().describe('Indicators with data for it.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
    latestPeriodEnd: day('Newest period with a value.'),
  })
  .meta({ id: 'Country' });
export type Country = z.infer<typeof Country>;
