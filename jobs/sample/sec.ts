// EDGAR: the list of tickers, the submissions and the facts of two invented companies with calendar years.
import { addDays, lastDayOfMonth } from '../../src/model/period.ts';
import { COMPANIES, type Company } from './companies.ts';
import { monthAfter, months, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';
import { chance } from './invent.ts';
import { FACTS, type Fact, valueOf } from './sec-facts.ts';

/** Quarters that were reported, among them the comparisons of the first. */
const QUARTERS = 20;

export function* secFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  const tickers = Object.fromEntries(
    COMPANIES.map(({ cik, ticker, name }, index) => [index, { cik_str: Number(cik), ticker, title: name }]),
  );
  yield { path: `${SAMPLE_FOLDER}sec/company_tickers.json`, body: JSON.stringify(tickers) };
  for (const company of COMPANIES) {
    const reports = reportsOf(company, until);
    yield { path: `${SAMPLE_FOLDER}sec/submissions/CIK${company.cik}.json`, body: submissions(company, reports) };
    yield { path: `${SAMPLE_FOLDER}sec/companyfacts/CIK${company.cik}.json`, body: companyFacts(company, reports) };
  }
}

interface Report {
  /** Months of the quarter that the report closes, `YYYY-MM`. */
  readonly firstMonth: string;
  readonly end: string;
  readonly quarter: 1 | 2 | 3 | 4;
  readonly form: '10-Q' | '10-K';
  readonly filed: string;
  readonly accession: string;
}

function reportsOf(company: Company, until: string): Report[] {
  const ends = months(until.slice(0, 7), (QUARTERS + 2) * 3).filter((month) => Number(month.slice(5)) % 3 === 0);
  return ends
    .map((month) => reportOf(company, month))
    .filter(({ filed }) => filed <= until)
    .slice(-QUARTERS);
}

/** Quarterly reports appear 35 to 37 days after the quarter's end, yearly ones 52 to 54. */
function reportOf({ cik }: Company, month: string): Report {
  const end = lastDayOfMonth(month);
  const quarter = quarterOf(month);
  const day = addDays(end, quarter === 4 ? 52 : 35);
  const filed = addDays(day, [1, 0, 0, 0, 0, 0, 2][weekdayOf(day)] ?? 0);
  return {
    firstMonth: monthAfter(month, -2),
    end,
    quarter,
    form: quarter === 4 ? '10-K' : '10-Q',
    filed,
    accession: `${cik}-${filed.slice(2, 4)}-${String(quarter * 11).padStart(6, '0')}`,
  };
}

function quarterOf(month: string): Report['quarter'] {
  const number = Math.ceil(Number(month.slice(5)) / 3);
  return number === 1 || number === 2 || number === 3 ? number : 4;
}

function submissions(company: Company, reports: readonly Report[]): string {
  const newest = reports.toReversed();
  const column = <T>(cell: (report: Report) => T) => newest.map(cell);
  const address = {
    street1: '1 Sample Street',
    street2: null,
    city: 'SAMPLETON',
    stateOrCountry: 'DE',
    zipCode: '00000',
    countryCode: null,
  };
  return JSON.stringify({
    cik: company.cik,
    entityType: 'operating',
    sic: company.sic,
    sicDescription: company.sicDescription,
    name: company.name,
    tickers: [company.ticker],
    exchanges: [company.exchange],
    ein: '000000000',
    lei: null,
    description: 'SAMPLE DATA, generated, not real',
    category: 'Large accelerated filer',
    fiscalYearEnd: '1231',
    stateOfIncorporation: 'DE',
    addresses: { mailing: address, business: address },
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: column(({ accession }) => accession),
        filingDate: column(({ filed }) => filed),
        reportDate: column(({ end }) => end),
        // After 18:00 in London, before 18:00 in New York.
        acceptanceDateTime: column(({ filed, accession }) => `${filed}T22:0${Math.floor(10 * chance(accession))}:17.000Z`),
        act: column(() => '34'),
        form: column(({ form }) => form),
        fileNumber: column(() => '000-00000'),
        filmNumber: column(() => ''),
        items: column(() => ''),
        core_type: column(({ form }) => form),
        size: column(() => 1_000_000),
        isXBRL: column(() => 1),
        isInlineXBRL: column(() => 1),
        primaryDocument: column(({ end }) => `sample-${end.replaceAll('-', '')}.htm`),
        primaryDocDescription: column(({ form }) => form),
      },
      files: [],
    },
  });
}

function companyFacts(company: Company, reports: readonly Report[]): string {
  const taxonomies: Record<string, Record<string, unknown>> = {};
  for (const fact of FACTS) {
    const concepts = (taxonomies[fact.taxonomy] ??= {});
    const stated = reports.flatMap((report) =>
      [report.firstMonth, monthAfter(report.firstMonth, -12)].flatMap((first) => statements(company, fact, report, first)),
    );
    concepts[fact.concept] = { label: fact.label, description: null, units: { [fact.unit]: stated } };
  }
  return JSON.stringify({ cik: Number(company.cik), entityName: company.name, facts: taxonomies });
}

/** What a report says of a quarter: of its own, or in comparison of the one a year before. @param first the quarter's first month */
function statements(company: Company, fact: Fact, report: Report, first: string): Record<string, unknown>[] {
  const about = {
    accn: report.accession,
    fy: Number(report.end.slice(0, 4)),
    fp: report.quarter === 4 ? 'FY' : `Q${report.quarter}`,
    form: report.form,
    filed: report.filed,
  };
  const end = lastDayOfMonth(monthAfter(first, 2));
  if (fact.kind === 'instant') {
    // The balance sheet of a year ago stands beside the newest in yearly reports only.
    if (fact.taxonomy === 'dei')
      return first === report.firstMonth ? [{ end: addDays(report.filed, -7), val: valueOf(company, fact, [first]), ...about }] : [];
    return first === report.firstMonth || report.quarter === 4 ? [{ end, val: valueOf(company, fact, [first]), ...about }] : [];
  }
  const yearToDate = Array.from({ length: report.quarter }, (_, index) => monthAfter(first, -3 * (report.quarter - 1 - index)));
  // Cash flows are stated for the year so far; of income statements the last quarter is not stated alone.
  const spans = fact.kind === 'cash flow' || report.quarter === 4 ? [yearToDate] : report.quarter === 1 ? [[first]] : [[first], yearToDate];
  return spans.map((span) => ({ start: `${span[0]}-01`, end, val: valueOf(company, fact, span), ...about }));
}
