// Companies and their statements, as known at a cutoff.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { mapInTurns } from '../db/turns.ts';
import { tickerForm } from '../model/alias.ts';
import { Company, FinancialStatement, REPORT_BUDGET_DAYS, SCORED_FOR_DAYS, STATEMENT_KEYS } from '../model/company.ts';
import { freshnessOf, NOTHING_LEARNED } from '../model/trust.ts';
import { entityIdsOf } from './entities.ts';
import { grantCommand, type Hint } from './hints/hints.ts';
import { BEST_FIRST, boundFound, definePaged, FOUND, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import { firstKnownOf } from './screener/universe.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

const CompanyRow = Company.omit({ freshnessStatus: true, scoringEligible: true, nullReasons: true }).extend({
  isScored: z.boolean(),
  valuedAt: nullableText,
});
type CompanyRow = z.infer<typeof CompanyRow>;

export const companiesListQuery = defineQuery('companies/list.sql', {
  params: z.strictObject({
    sector: nullableText,
    industry: nullableText,
    country: nullableText,
    ticker: nullableText,
    status: nullableText,
    q: nullableText,
    qTicker: nullableText,
    ...FOUND,
    asOf: nullableText,
    at: z.string(),
    budgetDays: z.int(),
    historyFrom: nullableText,
    priceSources: z.array(z.string()),
    rightsNote: z.string(),
  }),
  row: CompanyRow.extend({ place: z.int().nullable() }),
});

const COMPANY_SORTS = {
  name: { expression: 'name', type: 'varchar' },
  market_cap: { expression: 'market_cap', type: 'double' },
  score: { expression: 'scores.composite', type: 'double' },
  [BEST_FIRST]: { expression: 'place', type: 'bigint' },
} as const satisfies Record<string, SortKey>;
export const companiesList = definePaged(companiesListQuery, COMPANY_SORTS, { column: 'company_id', type: 'varchar' });

export interface CompanyFilters {
  readonly sector: string | null;
  readonly industry: string | null;
  readonly country: string | null;
  readonly ticker: string | null;
  readonly status: string | null;
  readonly q: string | null;
  /** The entities that answer `q`, best first; null without it. Companies with its text in a name follow them. */
  readonly foundIds: readonly string[] | null;
  readonly asOf: string | null;
  /** First visible day of share counts, prices and ends of periods. */
  readonly historyFrom: string | null;
}

/** @param at evaluation time of freshness and of the age of scores, ms */
export async function listCompanies(
  snapshot: Snapshot,
  filters: CompanyFilters,
  page: PageOf<keyof typeof COMPANY_SORTS>,
  at: number,
): Promise<FoundPage<Company>> {
  const bound = {
    ...filters,
    ...boundFound(filters.foundIds),
    ticker: filters.ticker === null ? null : tickerForm(filters.ticker),
    qTicker: filters.q === null ? null : tickerForm(filters.q),
    at: new Date(at).toISOString(),
    budgetDays: SCORED_FOR_DAYS,
    priceSources: openPriceSources(snapshot),
    rightsNote: rightsNoteOf(snapshot),
  };
  const found = await runPaged(snapshot, companiesList, bound, page);
  const cadence = { defaultBudgetDays: REPORT_BUDGET_DAYS, learnedBudgets: NOTHING_LEARNED, ceasedAt: null };
  const reasons = await nullMultiples(snapshot, found.rows);
  const rows = found.rows.map((whole) => {
    const { isScored, rightsNote, valuedAt: _, place: __, ...row } = whole;
    const freshnessStatus = freshnessOf(cadence, row.latestPeriodEnd, at);
    const nullReasons = nullReasonsOf(whole, reasons.get(row.entityId) ?? {}, snapshot);
    return { ...row, freshnessStatus, scoringEligible: isScored && freshnessStatus === 'fresh', rightsNote, nullReasons };
  });
  return { ...found, rows };
}

export const nullMultiplesQuery = defineQuery('companies/null_multiples.sql', {
  params: z.strictObject({
    seriesFrom: z.int(),
    seriesTo: z.int(),
    seriesNos: z.array(z.int()),
    periodEnds: z.array(z.string()),
    knownAts: z.array(z.string()),
  }),
  row: z.strictObject({ seriesNo: z.int(), reason: z.string() }),
});

type Multiple = keyof Company['multiples'];
type Reasons = Readonly<Partial<Record<Multiple, string>>>;

const MULTIPLES = Object.keys(Company.shape.multiples.shape) as readonly Multiple[];
const nullsOf = ({ multiples }: CompanyRow) => MULTIPLES.filter((multiple) => multiples[multiple] === null);
const canonicalIdOf = (multiple: Multiple) => multiple.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The reasons for null multiples of companies that have a valuation, by company and multiple. */
async function nullMultiples(snapshot: Snapshot, rows: readonly CompanyRow[]): Promise<ReadonlyMap<string, Reasons>> {
  const asked = rows.flatMap((row) => {
    const [knownAt, periodEnd] = [row.valuedAt, row.priceAsOf];
    if (knownAt === null || periodEnd === null) return [];
    const series = snapshot.catalogue.byEntityId.get(row.entityId) ?? [];
    return nullsOf(row).flatMap((multiple) => {
      const of = series.filter((one) => one.isDerived && one.canonicalId === canonicalIdOf(multiple));
      return of.map(({ entityId, seriesNo }) => ({ entityId, multiple, seriesNo, knownAt, periodEnd }));
    });
  });
  if (asked.length === 0) return new Map();
  const seriesNos = asked.map((one) => one.seriesNo);
  const found = await run(snapshot, nullMultiplesQuery, {
    seriesFrom: Math.min(...seriesNos),
    seriesTo: Math.max(...seriesNos),
    seriesNos,
    periodEnds: asked.map((one) => one.periodEnd),
    knownAts: asked.map((one) => one.knownAt),
  });
  const bySeries = new Map(found.map(({ seriesNo, reason }) => [seriesNo, reason]));
  const reasons = new Map<string, Partial<Record<Multiple, string>>>();
  for (const { entityId, multiple, seriesNo } of asked) {
    const [own, reason] = [reasons.get(entityId) ?? {}, bySeries.get(seriesNo)];
    reasons.set(entityId, reason === undefined ? own : { ...own, [multiple]: reason });
  }
  return reasons;
}

/** The reasons for a null price, market capitalisation and multiples. */
function nullReasonsOf(row: CompanyRow, found: Reasons, { grants }: Snapshot): Company['nullReasons'] {
  const valued = row.priceAsOf !== null;
  const withheld = grants.has('quotes') ? 'no_redistribution' : 'no_grant';
  const unvalued = row.rightsNote === null ? 'no_price' : withheld;
  const reasonOf = (multiple: Multiple) => (valued ? (found[multiple] ?? 'insufficient_data') : unvalued);
  return {
    ...(row.price === null ? { price: unvalued } : {}),
    // It is null if the share count is in doubt. That also makes price to book null, so both have the same reason.
    ...(row.marketCap === null ? { marketCap: reasonOf('priceToBook') } : {}),
    ...Object.fromEntries(nullsOf(row).map((multiple) => [multiple, reasonOf(multiple)])),
  };
}

/** Sources whose licensed prices the operator may redistribute. */
export function openPriceSources({ grants }: Snapshot): string[] {
  return [...grants.values()].filter((grant) => grant.redistribute).map((grant) => grant.sourceId);
}

function rightsNoteOf({ grants }: Snapshot): string {
  const command = grantCommand('quotes', 'public');
  return grants.has('quotes')
    ? `Prices are granted for own use, not for redistribution. Figures derived from them are on /observations and /derived-observations, not here. If you may pass them on, the operator shows them here: ${command}.`
    : `Prices come from a source that may not be redistributed, so figures derived from them are left out. They need a grant by the operator: ${command}.`;
}

export const companyByLookupQuery = defineQuery('companies/by_lookup.sql', {
  params: z.strictObject({ lookup: z.string(), ticker: z.string(), at: z.string() }),
  row: z.strictObject({ companyId: z.string(), cik: z.string(), name: z.string() }),
});

/**
 * Finds a company by company id, entity id, CIK or ticker, else by any other name of that time. Null if there is none.
 * @param moment when the ticker's holder is determined, ms
 */
export async function findCompanyId(snapshot: Snapshot, lookup: string, moment: number): Promise<string | null> {
  const at = new Date(moment).toISOString();
  const [row] = await run(snapshot, companyByLookupQuery, { lookup, ticker: tickerForm(lookup), at });
  if (row !== undefined) return row.companyId;
  const [entityId = ''] = await entityIdsOf(snapshot, [lookup], at);
  return entityId.startsWith('company_') ? entityId : null;
}

export const unreadTaxonomiesQuery = defineQuery('companies/unread_taxonomies.sql', {
  params: z.strictObject({ companyId: z.string(), asOf: nullableText }),
  row: z.strictObject({ taxonomy: z.string() }),
});

/** The reason why a company has no statements: it has no facts at all, or some of taxonomies that we do not read. Null if there is none. */
export async function noStatementsHint(snapshot: Snapshot, filters: StatementFilters): Promise<Hint | null> {
  const unread = await run(snapshot, unreadTaxonomiesQuery, { companyId: filters.companyId, asOf: filters.asOf });
  const names = unread.map(({ taxonomy }) => taxonomy).join(', ');
  if (unread.length > 0)
    return { parameter: 'idOrLookup', message: `This company also files facts of ${names}. Statements use only us-gaap and ifrs-full.` };
  const all = { ...filters, statement: null, period: null, fiscalYear: null, dateFrom: null, dateTo: null };
  if ((await financialsBegin(snapshot, all)) !== null) return null;
  return { parameter: 'idOrLookup', message: 'asof has no figures from filings of this company.' };
}

/** When data of one of the filtered companies was first known. Null if there never was any. */
export async function companiesBegin(snapshot: Snapshot, filters: CompanyFilters, now: number): Promise<string | null> {
  const { rows } = await listCompanies(
    snapshot,
    { ...filters, asOf: null },
    { sort: 'name', order: 'asc', after: null, limit: MOST_BEGUN },
    now,
  );
  return firstKnownOf(
    snapshot,
    rows.map((row) => row.entityId),
  );
}

/** More than the number of companies. */
const MOST_BEGUN = 100_000;

const StatementRow = FinancialStatement.omit({ revisionStatus: true, restated: true, derived: true, items: true }).extend({
  isRestated: z.boolean(),
  isDerived: z.boolean(),
});

export const financialsListQuery = defineQuery('companies/financials_list.sql', {
  params: z.strictObject({
    companyId: z.string(),
    statement: nullableText,
    period: nullableText,
    fiscalYear: z.int().nullable(),
    dateFrom: nullableText,
    dateTo: nullableText,
    asOf: nullableText,
    sharesOn: z.string(),
    basis: z.string(),
  }),
  row: StatementRow,
});

const STATEMENT_SORTS = {
  period_end: { expression: 'period_end', type: 'date' },
  filed_at: { expression: 'filed_at', type: 'date' },
  fiscal_year: { expression: 'fiscal_year', type: 'bigint' },
} as const satisfies Record<string, SortKey>;
export const financialsList = definePaged(financialsListQuery, STATEMENT_SORTS, { column: 'statement_id', type: 'varchar' });

export interface StatementFilters {
  readonly companyId: string;
  readonly statement: string | null;
  readonly period: string | null;
  readonly fiscalYear: number | null;
  readonly dateFrom: string | null;
  readonly dateTo: string | null;
  readonly asOf: string | null;
  /** The day of the share basis for the newest figures. */
  readonly sharesOn: string;
  readonly basis: 'as_reported' | 'most_recent';
}

export async function listFinancials(
  snapshot: Snapshot,
  filters: StatementFilters,
  page: PageOf<keyof typeof STATEMENT_SORTS>,
): Promise<FoundPage<FinancialStatement>> {
  const found = await runPaged(snapshot, financialsList, { ...filters }, page);
  return { ...found, rows: await mapInTurns(found.rows, (some) => some.map(toStatement)) };
}

/** When the first statement that matches the filters was known. Null if there never was one. */
export async function financialsBegin(snapshot: Snapshot, filters: StatementFilters): Promise<string | null> {
  const page = { sort: 'filed_at', order: 'asc', after: null, limit: MOST_BEGUN } as const;
  const { rows } = await listFinancials(snapshot, { ...filters, asOf: null, basis: 'as_reported' }, page);
  return rows.map((row) => row.observedAt).reduce<string | null>((first, one) => (first === null || one < first ? one : first), null);
}

function toStatement(row: z.infer<typeof StatementRow>): FinancialStatement {
  const { isRestated, isDerived, derivation, currency, lines, sourceUrl, ...rest } = row;
  const values = new Map(lines.map((line) => [line.key, line.value]));
  return {
    ...rest,
    revisionStatus: isRestated ? 'revised' : 'initial',
    restated: isRestated,
    derived: isDerived,
    derivation,
    currency,
    items: Object.fromEntries(STATEMENT_KEYS[row.statementType].map((key) => [key, values.get(key) ?? null])),
    lines,
    sourceUrl,
  };
}
