// World Bank, World Development Indicators: answers of the API (v2) and dated copies of the GDP table.
import { z } from 'zod';
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { worldBankFeed } from './feed.ts';
import { readCsv } from '../readers/csv.ts';
import { checkJson, parseJson, StatedNumber } from '../readers/json.ts';
import { obsStatusOf, statusField } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, EntityRecord, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'world_bank';
const GDP = 'NY.GDP.MKTP.CD';

const INDICATORS: Readonly<Record<string, { readonly canonicalId: string; readonly unit: string }>> = {
  [GDP]: { canonicalId: 'gdp_nominal_usd', unit: 'usd' },
  'SP.POP.TOTL': { canonicalId: 'population', unit: 'persons' },
  'FP.CPI.TOTL.ZG': { canonicalId: 'cpi_inflation_annual', unit: 'percent' },
};

export const worldBank: Source = {
  id: ID,
  version: 2,
  owns: (path) =>
    /(?:^|\/)world[-_]bank\/(?:api-json\/[^/]+\.json|(?:\d{4}-\d{2}\/)?[A-Z]{2}\.[A-Z.]+(?:\.page\d+)?\.json|gdp-csv-vintages\/gdp\.\d{4}-\d{2}-\d{2}\.csv)$/.test(
      path,
    ),
  address,
  mediaType: 'application/json',
  knownAt,
  normalise,
  feed: worldBankFeed(Object.keys(INDICATORS)),
};

function* normalise(payload: Payload): Generator<Batch> {
  if (isTable(payload.key)) {
    yield* observationBatches(tableRows(payload));
    return;
  }
  const [meta] = answerOf(payload);
  if (isCountryList(payload.key)) yield { kind: 'entities', rows: aggregatesOf(payload) };
  else yield* answerRows(payload);
  if (meta.pages > 1) yield { kind: 'refused', rows: [pageOfSeveral(payload.key, meta)] };
}

/** The rows of a page are valid by themselves; missing pages are reported until every page of the answer is there (sql/published/quarantine.sql). */
function pageOfSeveral(key: string, { page, pages, per_page: size, total, lastupdated }: z.infer<typeof Meta>): RefusedRecord {
  return {
    rule: 'reconciliation_failed',
    seriesCode: subjectOf(key),
    entityId: null,
    period: lastupdated ?? null,
    fieldPath: `pages of ${size}`,
    observedValue: `page ${page} of ${pages}`,
    reason: `page ${page} of ${pages} of an answer of ${total} rows: those of the other pages are missing until these are read, each under a name that ends in .page2.json, .page3.json and so on`,
  };
}

/** `FP.CPI.TOTL.ZG` of `world-bank/api-json/FP.CPI.TOTL.ZG.page2.json`. */
function subjectOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/(?:\.page\d+)?\.json$/, '');
}

function knownAt(payload: Payload): string | null {
  if (isTable(payload.key)) return knownOn(dayOfTable(payload.key), payload.retrievedAt);
  if (isCountryList(payload.key)) return null;
  const [meta] = answerOf(payload);
  return knownOn(checkJson(ID, meta, DatedMeta).lastupdated, payload.retrievedAt);
}

function isTable(key: string): boolean {
  return key.includes('/gdp-csv-vintages/');
}

function isCountryList(key: string): boolean {
  return /\/countries(?:\.page\d+)?\.json$/.test(key);
}

interface Reading {
  readonly indicator: string;
  readonly iso3: string;
  readonly year: string;
  readonly value: number | null;
  readonly status?: string | null | undefined;
}

/** The Bank names entities by three letters, ISO 3166 alpha-3 for all but aggregates and Kosovo; reference data resolve `iso3:`. */
function toRecord({ indicator, iso3, year, value, status }: Reading, observedAt: string): ObservationRecord {
  const known = INDICATORS[indicator];
  if (known === undefined)
    throw new UpstreamError(ID, `${indicator} is not one of the indicators read: ${Object.keys(INDICATORS).join(', ')}`);
  if (!/^[A-Z]{3}$/.test(iso3)) throw new UpstreamError(ID, `expected a code of three letters, found ${excerpt(iso3)}`);
  if (!/^\d{4}$/.test(year)) throw new UpstreamError(ID, `expected a year, found ${excerpt(year)}`);
  return {
    seriesCode: `${indicator}.${iso3}`,
    canonicalId: known.canonicalId,
    entityId: `iso3:${iso3.toLowerCase()}`,
    frequency: 'annual',
    unit: known.unit,
    ...periodOf('annual', `${year}-12-31`),
    value,
    observedAt,
    ...statusField(obsStatusOf(status ?? undefined)),
  };
}

/** One of the copies has no line end on its last line, so a cut within the last number cannot be detected. */
function* tableRows({ key, body, retrievedAt }: Payload): Generator<ObservationRecord> {
  const table = readCsv(body, { sourceId: ID, required: ['Country Code', 'Year', 'Value'], mayLackFinalLineEnd: true });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the table has no rows');
  const [iso3, year, value] = [table.text('Country Code'), table.text('Year'), table.number('Value')];
  const observedAt = knownOn(dayOfTable(key), retrievedAt);
  yield* withoutRepeats(
    ID,
    table.rows.map((row) => toRecord({ indicator: GDP, iso3: iso3(row), year: year(row), value: value(row) }, observedAt)),
  );
}

function dayOfTable(key: string): string {
  const day = /\.(\d{4}-\d{2}-\d{2})\.csv$/.exec(key)?.[1];
  if (day === undefined || !isDay(day)) throw new UpstreamError(ID, `expected a day in the file name, found ${key}`);
  return day;
}

// `per_page` is a number in some answers and text in others.
const Count = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
const Meta = z.looseObject({ page: Count, pages: Count, per_page: Count, total: Count, lastupdated: z.string().nullish() });
const DatedMeta = Meta.extend({ lastupdated: z.string().refine(isDay, 'not a calendar day') });
const Row = z.looseObject({
  indicator: z.looseObject({ id: z.string() }),
  country: z.looseObject({ id: z.string(), value: z.string() }),
  countryiso3code: z.string(),
  date: z.string(),
  value: StatedNumber.nullable(),
  unit: z.literal('', 'a unit of the row itself, where none is known'),
  obs_status: z.string().nullish(),
});
const Country = z.looseObject({
  id: z.string().regex(/^[A-Z0-9]{3}$/),
  iso2Code: z.string(),
  name: z.string().min(1),
  region: z.looseObject({ value: z.string() }),
});
const Message = z.tuple([z.looseObject({ message: z.array(z.looseObject({ id: z.string(), value: z.string() })) })]);

/** The two parts of an answer. Refused if the page is incomplete; one page of several is complete in itself. */
function answerOf({ body }: Payload): readonly [z.infer<typeof Meta>, readonly unknown[]] {
  const answer = parseJson(ID, body);
  const fault = Message.safeParse(answer);
  if (fault.success)
    throw new UpstreamError(ID, `the answer is an error: ${fault.data[0].message.map(({ id, value }) => `${id} ${value}`).join('; ')}`);
  const [meta, rows] = checkJson(ID, answer, z.tuple([Meta, z.array(z.unknown()).nullable()]));
  const expected = Math.min(meta.per_page, meta.total - (meta.page - 1) * meta.per_page);
  if (rows === null || rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  if (rows.length !== expected)
    throw new UpstreamError(ID, `expected ${expected} rows on page ${meta.page}, found ${rows.length}: the answer is not whole`);
  return [meta, rows];
}

function* answerRows(payload: Payload): Generator<Batch> {
  const [meta, entries] = answerOf(payload);
  const observedAt = knownOn(checkJson(ID, meta, DatedMeta).lastupdated, payload.retrievedAt);
  const rows = checkJson(ID, entries, z.array(Row));
  const readings = rows.flatMap(({ indicator, country, countryiso3code, date, value, obs_status: status }): Reading[] => {
    const iso3 = countryiso3code === '' ? INCOME_GROUPS[country.id] : countryiso3code;
    return iso3 === undefined ? [] : [{ indicator: indicator.id, iso3, year: date, value, status }];
  });
  yield* observationBatches(
    withoutRepeats(
      ID,
      readings.map((reading) => toRecord(reading, observedAt)),
    ),
  );
  const refused = rows.filter(({ country, countryiso3code }) => countryiso3code === '' && !(country.id in INCOME_GROUPS)).map(refusal);
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

// The income groups come without their code of three letters: the Bank's own list of countries has it for their two letters.
const INCOME_GROUPS: Readonly<Record<string, string>> = { XD: 'HIC', XM: 'LIC', XN: 'LMC', XT: 'UMC', XY: 'INX' };

/** Any other two letters may come from another list. */
function refusal({ indicator, country, date, value }: z.infer<typeof Row>): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: `${indicator.id}.${country.id}`,
    entityId: null,
    period: date,
    fieldPath: 'countryiso3code',
    observedValue: value === null ? null : String(value),
    reason: `the row of ${country.value} names no code of three letters`,
  };
}

// The euro area and the European Union are in reference data, under their own identifiers.
const NOT_REGIONS = new Set(['EMU', 'EUU']);

function aggregatesOf(payload: Payload): EntityRecord[] {
  const [, entries] = answerOf(payload);
  return checkJson(ID, entries, z.array(Country))
    .filter(({ id, region }) => region.value === 'Aggregates' && !NOT_REGIONS.has(id))
    .map(({ id, iso2Code, name }) => ({
      entityId: `region_${id.toLowerCase()}`,
      entityType: 'region',
      name: name.trim(),
      country: null,
      currency: null,
      identifiers: { wbCode: id, wbIso2Code: iso2Code },
      seenOn: payload.retrievedAt.slice(0, 10),
    }));
}

/** `FP.CPI.TOTL.ZG.json` covers all economies, `FRA.NY.GDP.MKTP.CD.json` one. */
function address(path: string): string | null {
  if (isTable(path)) return `https://data.worldbank.org/indicator/${GDP}`;
  const page = /\.page(\d+)\.json$/.exec(path)?.[1];
  const paging = page === undefined ? '' : `&page=${page}`;
  if (isCountryList(path)) return `https://api.worldbank.org/v2/country?format=json&per_page=400${paging}`;
  const [, iso3 = 'all', indicator] = /^(?:([A-Z]{3})\.)?([A-Z]{2}\.[A-Z0-9.]+)$/.exec(subjectOf(path)) ?? [];
  return indicator === undefined
    ? null
    : `https://api.worldbank.org/v2/country/${iso3}/indicator/${indicator}?format=json&per_page=10000${paging}`;
}
