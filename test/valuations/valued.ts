// Companies with filings and closing prices, and what their multiples are as of a cutoff.
import { snakeCase } from '../../src/db/rows.ts';
import { readShape, type Shape } from '../contract/notation.ts';
import { PROMISED } from '../contract/table.ts';
import { companyFacts, type StatedFiling, submissions } from '../filings/edgar.ts';
import type { Files, Pipeline } from '../pipeline.ts';

/** What the contract of companies names. */
export const MULTIPLES: readonly string[] = multiplesOf(readShape(PROMISED.find(({ path }) => path === '/public/companies')?.fields ?? ''));

function multiplesOf(company: Shape): string[] {
  const multiples = company.kind === 'object' ? company.members['multiples'] : undefined;
  if (multiples?.kind !== 'object') throw new TypeError('the contract of companies has no multiples');
  return Object.keys(multiples.members).map(snakeCase);
}

export interface ValuedCompany {
  readonly cik: number;
  /** T and the cik where it is left out. */
  readonly ticker?: string;
  /** By a number for the accession; `acceptedAt` is 21:00 of the day where it is not given. */
  readonly filings: Readonly<Record<string, StatedFiling & { readonly acceptedAt?: string }>>;
  readonly closes: Readonly<Record<string, number>>;
  readonly sic?: string;
}

const tickerOf = ({ cik, ticker = `T${cik}` }: Pick<ValuedCompany, 'cik' | 'ticker'>) => ticker;

/** Their payloads. */
export function filesOfCompanies(companies: readonly ValuedCompany[]): Files {
  const tickers = companies.map((one) => ({ cik_str: one.cik, ticker: tickerOf(one), title: `Filer ${one.cik}` }));
  const listed: Files = { 'sec/company_tickers.json': JSON.stringify(Object.fromEntries(tickers.entries())) };
  return companies.reduce<Files>((files, company) => ({ ...files, ...filesOf(company) }), listed);
}

function filesOf(company: ValuedCompany): Files {
  const { cik, filings: given, closes, sic = '3571' } = company;
  const symbol = tickerOf(company);
  const filings = Object.fromEntries(
    Object.entries(given).map(([name, filing]) => [`${String(cik).padStart(10, '0')}-24-00000${name}`, filing]),
  );
  const listed = Object.fromEntries(
    Object.entries(filings).map(([accession, { form, filed, acceptedAt = `${filed}T21:00:00.000Z` }]) => [
      accession,
      { form, filed, acceptedAt },
    ]),
  );
  return {
    ...companyFacts(cik, filings),
    ...submissions(cik, { sic, sicDescription: 'Industry', tickers: [symbol] }, listed),
    ...closesOf(cik, closes, symbol),
  };
}

export function closesOf(cik: number, closes: Readonly<Record<string, number>>, symbol = `T${cik}`): Files {
  const prices = Object.entries(closes).map(([time, close]) => ({ time, open: close, high: close, low: close, close, volume: 1 }));
  return { [`prices/daily_json/${symbol}.json`]: JSON.stringify({ symbol, prices }) };
}

export interface Said {
  readonly value: number | null;
  readonly valueText: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly observedAt: string;
}

export async function multipleAsOf(pipeline: Pipeline, cik: number, slug: string, day: string, asOf: string): Promise<Said | null> {
  const reader = await pipeline.open();
  return reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(
      `select value, value_text, metadata, observed_at::varchar from published.vintages inner join published.series using (series_no)
      where canonical_id = $1 and entity_id = $2 and period = $3 and observed_at <= $4::timestamptz and (known_to is null or known_to > $4::timestamptz)`,
      [slug, `company_${String(cik).padStart(10, '0')}`, day, asOf],
    );
    const [row] = result.getRows();
    if (row === undefined) return null;
    const [value, valueText, metadata, observedAt] = row;
    return {
      value: typeof value === 'number' ? value : null,
      valueText: typeof valueText === 'string' ? valueText : null,
      metadata: JSON.parse(String(metadata)),
      observedAt: String(observedAt),
    };
  });
}
