// EDGAR: the list of tickers, the submissions and the facts of the invented companies with calendar years.
import { addDays, lastDayOfMonth } from '../../src/model/period.ts';
import { COMPANIES, type Company } from './companies.ts';
import { monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';
import { chance, rounded } from './invent.ts';
import { FACTS, type Fact, MILLION, valueOf } from './sec-facts.ts';

/** Last month of the first reported quarter. */
const FIRST_QUARTER = '2019-03';
/** Enough for the sums of four quarters, now and a year before. */
const RECENT_REPORTS = 5;
/** For one company: a figure that a filing states twice, and a gross profit that contradicts the rest of its statement. */
const SLIPS = { cik: '9999999002', twice: '2023-06', disagreeing: '2023-09' };

export function* secFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  const tickers = Object.fromEntries(
    COMPANIES.filter(({ isListed }) => isListed).map(({ cik, ticker, name }, index) => [
      index,
      { cik_str: Number(cik), ticker, title: name },
    ]),
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
  const first = company.firstQuarter ?? FIRST_QUARTER;
  const count = monthsSince2020(`${until.slice(0, 7)}-01`) - monthsSince2020(`${first}-01`) + 1;
  const ends = months(until.slice(0, 7), count).filter(
    (month) => Number(month.slice(5)) % 3 === 0 && month <= (company.lastQuarter ?? month),
  );
  const reports = ends.map((month) => reportOf(company, month)).filter(({ filed }) => filed <= until);
  return company.isRecent === true ? reports.slice(-RECENT_REPORTS) : reports;
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
    stateOrCountry: company.state,
    zipCode: '00000',
    countryCode: null,
  };
  return JSON.stringify({
    cik: company.cik,
    entityType: 'operating',
    sic: company.sic,
    sicDescription: company.sicDescription,
    name: company.name,
    tickers: company.isListed ? [company.ticker] : [],
    exchanges: company.isListed ? [company.exchange] : [],
    ein: '000000000',
    lei: null,
    description: 'SAMPLE DATA, generated, not real',
    category: 'Large accelerated filer',
    fiscalYearEnd: '1231',
    stateOfIncorporation: company.state,
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

/** A report's figures for a quarter: its own, or the comparison of a year before. @param first the quarter's first month */
function statements(company: Company, fact: Fact, report: Report, first: string): Record<string, unknown>[] {
  const about = {
    accn: report.accession,
    fy: Number(report.end.slice(0, 4)),
    fp: report.quarter === 4 ? 'FY' : `Q${report.quarter}`,
    form: report.form,
    filed: report.filed,
  };
  const end = lastDayOfMonth(monthAfter(first, 2));
  // Share counts and figures per share are those at the time of the filing.
  const ratio = company.split !== undefined && report.filed < company.split.day ? company.split.ratio : 1;
  const stated = (quarters: readonly string[]): number => {
    const value = valueOf(company, fact, quarters);
    if (fact.unit === 'shares') return Math.round(value / ratio);
    return fact.perShare === true ? rounded(value * ratio, 2) : value;
  };
  if (fact.kind === 'instant') {
    // Only yearly reports have the balance sheet of a year ago next to the newest.
    if (fact.taxonomy === 'dei')
      return first === report.firstMonth ? [{ end: addDays(report.filed, -7), val: stated([first]), ...about }] : [];
    return first === report.firstMonth || report.quarter === 4 ? [{ end, val: stated([first]), ...about }] : [];
  }
  const yearToDate = Array.from({ length: report.quarter }, (_, index) => monthAfter(first, -3 * (report.quarter - 1 - index)));
  // Cash flows are stated for the year to date; of income statements the last quarter is not stated alone.
  const spans = fact.kind === 'cash flow' || report.quarter === 4 ? [yearToDate] : report.quarter === 1 ? [[first]] : [[first], yearToDate];
  return spans.flatMap((span) => {
    const row = { start: `${span[0]}-01`, end, val: stated(span), ...about };
    const isSlip = company.cik === SLIPS.cik && first === report.firstMonth && span.length === 1;
    if (isSlip && fact.concept === 'InterestExpense' && report.end.startsWith(SLIPS.twice))
      return [row, { ...row, val: row.val + MILLION }];
    return isSlip && fact.concept === 'GrossProfit' && report.end.startsWith(SLIPS.disagreeing)
      ? [{ ...row, val: row.val + 60 * MILLION }]
      : [row];
  });
}
