// SEC EDGAR: facts as filed (companyfacts), filings and their filer (submissions), and the list of tickers.
import { z } from 'zod';
import { isDay } from '../../model/period.ts';
import { secFeed } from './feed.ts';
import { asNewYork, disseminatedAt, newYorkClock } from './clock.ts';
import { readDailyIndex, readQuarter } from './filings-index.ts';
import { readJson } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, CompanyRecord, EntityRecord, FactRecord, FilingRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'sec';
const COMPANY_FILE = /(?:^|\/)sec\/(companyfacts|submissions)\/CIK(\d{10})(?:_\d+)?\.json$/;
const OLDER_FILE = /(?:^|\/)sec\/submissions\/CIK(\d{10})-submissions-\d{3}\.json$/;
const QUARTER_FILE = /(?:^|\/)sec\/daily-index\/(\d{4})-QTR([1-4])\.json$/;
const DAY_FILE = /(?:^|\/)sec\/daily-index\/master\.(\d{4})(\d{2})\d{2}\.idx$/;
/** All companies in one: 1.4 GB. */
const CONTAINER = /^(.*\/)?sec\/(companyfacts|submissions)\.zip$/;
const TICKERS_FILE = /(?:^|\/)sec\/company_tickers\.json$/;
const CHUNK = 2000;

export const sec: Source = {
  id: ID,
  version: 2,
  owns: (path) => [TICKERS_FILE, COMPANY_FILE, OLDER_FILE, QUARTER_FILE, DAY_FILE].some((file) => file.test(path)),
  container: (path) => {
    const [, folder = '', kind] = CONTAINER.exec(path) ?? [];
    if (kind === undefined) return undefined;
    return (member) => {
      const key = `${folder}sec/${kind}/${member}`;
      return COMPANY_FILE.test(key) || OLDER_FILE.test(key) ? key : null;
    };
  },
  address: addressOf,
  mediaType: 'application/json',
  normalise: (payload) => {
    if (TICKERS_FILE.test(payload.key)) return readTickers(payload);
    if (OLDER_FILE.test(payload.key)) return readOlder(payload);
    if (COMPANY_FILE.test(payload.key))
      return COMPANY_FILE.exec(payload.key)?.[1] === 'companyfacts' ? readFacts(payload) : readSubmissions(payload);
    return checkIndex(payload);
  },
  feed: secFeed,
};

function addressOf(path: string): string {
  const index = 'https://www.sec.gov/Archives/edgar/daily-index';
  const [, kind, cik] = COMPANY_FILE.exec(path) ?? [];
  if (kind !== undefined) return `https://data.sec.gov/${kind === 'companyfacts' ? 'api/xbrl/companyfacts' : 'submissions'}/CIK${cik}.json`;
  const name = path.split('/').at(-1) ?? '';
  if (OLDER_FILE.test(path)) return `https://data.sec.gov/submissions/${name}`;
  const [, year, quarter] = QUARTER_FILE.exec(path) ?? [];
  if (year !== undefined) return `${index}/${year}/QTR${quarter}/index.json`;
  const [, dayYear, month] = DAY_FILE.exec(path) ?? [];
  return dayYear === undefined
    ? 'https://www.sec.gov/files/company_tickers.json'
    : `${index}/${dayYear}/QTR${Math.ceil(Number(month) / 3)}/${name}`;
}

/** Lists name the filers of a day; the filings come with the filer's own files. */
function checkIndex({ key, body }: Payload): Iterable<Batch> {
  if (DAY_FILE.test(key)) readDailyIndex(ID, body);
  else readQuarter(ID, body);
  return [];
}

// A number in some files, zero-padded text in others.
const Cik = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,10}$/)]).transform((cik) => String(cik).padStart(10, '0'));
const Day = z.string().refine(isDay, 'expected a day');

function requireCik(key: string, cik: string): void {
  const named = COMPANY_FILE.exec(key)?.[2];
  if (named !== cik) throw new UpstreamError(ID, `expected the company ${named}, found ${cik}`);
}

function companyEntity(
  cik: string,
  name: string,
  seenOn: string,
  more: Partial<Pick<EntityRecord, 'country' | 'identifiers'>> = {},
): EntityRecord {
  return {
    entityId: `company_${cik}`,
    entityType: 'company',
    name,
    country: more.country ?? null,
    currency: null,
    identifiers: { cik, ...more.identifiers },
    seenOn,
  };
}

function* chunksOf<T>(rows: readonly T[], batch: (rows: readonly T[]) => Batch): Generator<Batch> {
  for (let start = 0; start < rows.length; start += CHUNK) yield batch(rows.slice(start, start + CHUNK));
}

// --- Facts

const Fact = z.looseObject({
  start: Day.optional(),
  end: Day,
  val: z.number(),
  accn: z.string().regex(/^\d{10}-\d{2}-\d{6}$/),
  fy: z.int().nullable(),
  fp: z.string().nullable(),
  form: z.string(),
  filed: Day,
  frame: z.string().optional(),
});
const Concept = z.looseObject({ label: z.string().nullable(), units: z.record(z.string(), z.array(Fact)) });
const CompanyFacts = z.looseObject({
  cik: Cik,
  entityName: z.string(),
  facts: z.record(z.string(), z.record(z.string(), Concept)).default({}),
});
/** EDGAR's zip has a file for each filer, and some filers have no facts. */
const AnyCompanyFacts = z.union([z.strictObject({}), CompanyFacts]);

function* readFacts({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const company = readJson(ID, body, AnyCompanyFacts);
  if (!('cik' in company)) return;
  const { cik, entityName, facts } = company;
  requireCik(key, cik);
  const refused: RefusedRecord[] = [];
  let newest = '';
  for (const [taxonomy, concepts] of Object.entries(facts)) {
    const rows: FactRecord[] = [];
    for (const [concept, { label, units }] of Object.entries(concepts)) {
      for (const [unit, values] of Object.entries(units)) {
        const stated = values.map((fact) => toFact(fact, { cik, taxonomy, concept, label, unit }, retrievedAt));
        rows.push(...distinct(stated, refused));
      }
    }
    newest = rows.reduce((latest, { filed }) => (filed > latest ? filed : latest), newest);
    yield* chunksOf(rows, (chunk) => ({ kind: 'facts', rows: chunk }));
  }
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
  if (newest !== '') yield { kind: 'entities', rows: [companyEntity(cik, entityName, newest)] };
}

type Series = Pick<FactRecord, 'cik' | 'taxonomy' | 'concept' | 'label' | 'unit'>;

function toFact(fact: z.infer<typeof Fact>, series: Series, retrievedAt: string): FactRecord {
  return {
    ...series,
    periodStart: fact.start ?? null,
    periodEnd: fact.end,
    value: fact.val,
    accessionNumber: fact.accn,
    fiscalYear: fact.fy,
    fiscalPeriod: fact.fp,
    form: fact.form,
    filed: fact.filed,
    frame: fact.frame ?? null,
    observedAt: knownOn(fact.filed, retrievedAt),
  };
}

/** One fact per filing and period: the most precise of those that agree with it at their own precision. If one disagrees, all are refused. */
function distinct(facts: readonly FactRecord[], refused: RefusedRecord[]): FactRecord[] {
  const byIdentity = new Map<string, FactRecord[]>();
  for (const fact of facts) {
    const identity = `${fact.accessionNumber}|${fact.periodStart}|${fact.periodEnd}`;
    const same = byIdentity.get(identity);
    if (same === undefined) byIdentity.set(identity, [fact]);
    else same.push(fact);
  }
  return [...byIdentity.values()].flatMap((same) => {
    const finest = same.reduce((best, fact) => (precisionOf(fact) < precisionOf(best) ? fact : best));
    const values = [...new Set(same.map(({ value }) => value))];
    if (same.every((fact) => fact.value === finest.value || agrees(finest, fact))) {
      return [{ ...finest, frame: finest.frame ?? same.find(({ frame }) => frame !== null)?.frame ?? null }];
    }
    refused.push(...values.map((value) => conflict(finest, value, values)));
    return [];
  });
}

/** True if the finer fact, rounded like the coarser one, is the same. */
function agrees(finer: FactRecord, coarser: FactRecord): boolean {
  const unit = precisionOf(coarser);
  return precisionOf(finer) < unit && Math.abs(finer.value - coarser.value) <= unit / 2;
}

/**
 * The unit to which a value seems rounded: 520,000,000 to ten million, 0.25 to a hundredth. Facts of companies do not state it, so it is inferred from the
 * digits: two of them always count, nobody rounds to less than thousands, and for per-share amounts and ratios the hundredths count.
 */
function precisionOf({ value, unit }: FactRecord): number {
  const [whole = '', fraction = ''] = Math.abs(value).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 }).split('.');
  const zeros = Math.min(whole.length - whole.replace(/0+$/, '').length, whole.length - 2);
  const precision = fraction === '' ? 10 ** (zeros < 3 ? 0 : zeros) : 10 ** -fraction.length;
  return unit === 'pure' || unit.includes('/') ? Math.min(precision, 0.01) : precision;
}

function conflict(fact: FactRecord, value: number, values: readonly number[]): RefusedRecord {
  return {
    rule: 'duplicate_conflict',
    seriesCode: `${fact.taxonomy}:${fact.concept}`,
    entityId: `company_${fact.cik}`,
    period: fact.periodEnd,
    fieldPath: `${fact.taxonomy}.${fact.concept}.${fact.unit}`,
    observedValue: String(value),
    reason: `filing ${fact.accessionNumber} also states ${values.filter((other) => other !== value).join(' and ')} for the same period, and the two differ by more than rounding`,
  };
}

// --- Submissions

const Filings = z.looseObject({
  accessionNumber: z.array(z.string()),
  filingDate: z.array(Day),
  reportDate: z.array(z.union([Day, z.literal('')])),
  acceptanceDateTime: z.array(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$|^$/)),
  form: z.array(z.string()),
  items: z.array(z.string()),
  primaryDocument: z.array(z.string()),
});
const Address = z.looseObject({ stateOrCountry: z.string().nullish(), countryCode: z.string().nullish() });
const Submissions = z.looseObject({
  cik: Cik,
  name: z.string(),
  tickers: z.array(z.string()),
  exchanges: z.array(z.string().nullable()),
  sic: z.string().nullish(),
  sicDescription: z.string().nullish(),
  lei: z.string().nullish(),
  fiscalYearEnd: z.string().nullish(),
  addresses: z.looseObject({ business: Address.nullish() }).nullish(),
  formerNames: z.array(z.looseObject({ name: z.string(), from: z.string().nullish(), to: z.string().nullish() })),
  filings: z.looseObject({ recent: Filings }),
});

function* readSubmissions({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const filer = readJson(ID, body, Submissions);
  requireCik(key, filer.cik);
  const filings = filingsOf(filer.cik, filer.filings.recent, retrievedAt);
  const company = companyOf(filer, retrievedAt);
  const seenOn = filings.reduce((latest, { filed }) => (filed > latest ? filed : latest), '') || retrievedAt.slice(0, 10);
  yield { kind: 'companies', rows: [company] };
  yield {
    kind: 'entities',
    rows: [companyEntity(company.cik, company.name, seenOn, { country: company.countryCode, identifiers: listing(company) })],
  };
  yield* chunksOf(filings, (chunk) => ({ kind: 'filings', rows: chunk }));
}

/** Bare columns without their filer. The file has its own clock; if it is ambiguous, the later reading is used. */
function* readOlder({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const filings = filingsOf(OLDER_FILE.exec(key)?.[1] ?? '', readJson(ID, body, Filings), retrievedAt);
  if (filings.length === 0) throw new UpstreamError(ID, 'the file has no filings');
  yield* chunksOf(filings, (chunk) => ({ kind: 'filings', rows: chunk }));
}

const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : text.trim();
const dayOrNull = (time: string | null | undefined): string | null => orNull(time)?.slice(0, 10) ?? null;

function companyOf(filer: z.infer<typeof Submissions>, retrievedAt: string): CompanyRecord {
  return {
    cik: filer.cik,
    name: filer.name,
    tickers: filer.tickers,
    exchanges: filer.exchanges.flatMap((exchange) => exchange ?? []),
    sic: orNull(filer.sic),
    sicDescription: orNull(filer.sicDescription),
    lei: orNull(filer.lei),
    fiscalYearEnd: orNull(filer.fiscalYearEnd),
    countryCode: countryOf(filer.addresses?.business ?? {}),
    formerNames: filer.formerNames.map(({ name, from, to }) => ({ name, from: dayOrNull(from), to: dayOrNull(to) })),
    // The file states no time of its own.
    observedAt: retrievedAt,
  };
}

// EDGAR's codes of states are two letters; those of countries have a digit and are not ISO codes.
function countryOf({ stateOrCountry, countryCode }: z.infer<typeof Address>): string | null {
  const state = orNull(stateOrCountry);
  if (state === null || !/^[A-Z]{2}$/.test(state) || state === 'XX')
    return /^[A-Z]{2}$/.test(countryCode ?? '') ? (countryCode ?? null) : null;
  return ['PR', 'GU', 'VI', 'AS', 'MP'].includes(state) ? state : 'US';
}

/** `NYSE` may be any market of that group; `Nasdaq` is certain. */
function listing({ tickers, exchanges }: CompanyRecord): Record<string, string> {
  const ticker = tickers[0];
  if (ticker === undefined) return {};
  return exchanges[0] === 'Nasdaq' ? { ticker, mic: 'XNAS' } : { ticker };
}

function filingsOf(cik: string, recent: z.infer<typeof Filings>, retrievedAt: string): FilingRecord[] {
  const { accessionNumber, filingDate, reportDate, acceptanceDateTime, form, items, primaryDocument } = recent;
  const columns = { filingDate, reportDate, acceptanceDateTime, form, items, primaryDocument };
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== accessionNumber.length) {
      throw new UpstreamError(ID, `expected ${accessionNumber.length} filings in every column, found ${column.length} in ${name}`);
    }
  }
  if (new Set(accessionNumber).size !== accessionNumber.length) throw new UpstreamError(ID, `an accession number of ${cik} stands twice`);
  const toInstant = acceptanceClock(acceptanceDateTime, filingDate);
  return accessionNumber.map((accession, index) => {
    const filed = filingDate[index] ?? '';
    const acceptedAt = acceptanceDateTime[index] ? toInstant(acceptanceDateTime[index]) : null;
    return {
      cik,
      accessionNumber: accession,
      form: form[index] ?? '',
      filed,
      reportDate: orNull(reportDate[index]),
      acceptedAt,
      items: orNull(items[index]),
      primaryDocument: orNull(primaryDocument[index]),
      observedAt: acceptedAt === null ? knownOn(filed, retrievedAt) : disseminatedAt(acceptedAt, filed, form[index] ?? '', retrievedAt),
    };
  });
}

const asUtc = (time: string): string => `${time.slice(0, 19)}.000Z`;

/**
 * Every acceptance time ends in Z, but some files have New York time: a 10-K of 16:42 New York time as 16:42Z.
 * EDGAR accepts from 06:00 to 22:00, and never dates a filing before its acceptance, which decides for a whole file. If it does
 * not, the later reading is used.
 */
function acceptanceClock(times: readonly string[], filed: readonly string[]): (time: string) => string {
  const oddOnesBy = (local: (time: string) => string) =>
    times.filter((time, index) => {
      if (time === '') return false;
      const clock = local(time);
      return clock.slice(11, 13) < '06' || clock.slice(11, 13) >= '22' || clock.slice(0, 10) > (filed[index] ?? '');
    }).length;
  return oddOnesBy(newYorkClock) < oddOnesBy((time) => time) ? asUtc : asNewYork;
}

// --- Tickers

const Tickers = z.record(z.string(), z.looseObject({ cik_str: Cik, ticker: z.string().min(1), title: z.string() }));

function* readTickers({ body, retrievedAt }: Payload): Generator<Batch> {
  const byCik = new Map<string, { readonly title: string; readonly tickers: string[] }>();
  for (const { cik_str: cik, ticker, title } of Object.values(readJson(ID, body, Tickers))) {
    const known = byCik.get(cik);
    if (known === undefined) byCik.set(cik, { title, tickers: [ticker] });
    else if (known.title === title) known.tickers.push(ticker);
    else throw new UpstreamError(ID, `expected one name of ${cik}, found ${excerpt(known.title)} and ${excerpt(title)}`);
  }
  if (byCik.size === 0) throw new UpstreamError(ID, 'the list of tickers is empty');
  const companies = [...byCik].map(([cik, { title, tickers }]) => companyOfTicker(cik, title, tickers, retrievedAt));
  yield* chunksOf(companies, (chunk) => ({ kind: 'companies', rows: chunk }));
  const entities = companies.map((company) =>
    companyEntity(company.cik, company.name, retrievedAt.slice(0, 10), { identifiers: listing(company) }),
  );
  yield* chunksOf(entities, (chunk) => ({ kind: 'entities', rows: chunk }));
}

function companyOfTicker(cik: string, name: string, tickers: readonly string[], observedAt: string): CompanyRecord {
  return {
    cik,
    name,
    tickers,
    exchanges: [],
    sic: null,
    sicDescription: null,
    lei: null,
    fiscalYearEnd: null,
    countryCode: null,
    formerNames: [],
    observedAt,
  };
}
