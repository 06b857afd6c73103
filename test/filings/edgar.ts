// Payloads of EDGAR in its own layouts, with the numbers a test gives.
import type { Files } from '../pipeline.ts';

export type StatedFact = readonly [concept: string, unit: string, start: string | null, end: string, value: number];

export interface StatedFiling {
  readonly form: string;
  readonly filed: string;
  readonly facts: readonly StatedFact[];
}

/** companyfacts of one filer by accession number. The fiscal labels are wrong on purpose: they describe the filing and must not decide anything. */
export function companyFacts(cik: number, filings: Readonly<Record<string, StatedFiling>>, taxonomy = 'us-gaap'): Files {
  const taxonomies: Record<string, Record<string, { label: string; description: string; units: Record<string, object[]> }>> = {};
  for (const [accn, { form, filed, facts }] of Object.entries(filings)) {
    for (const [concept, unit, start, end, val] of facts) {
      const concepts = (taxonomies[concept.startsWith('Entity') ? 'dei' : taxonomy] ??= {});
      const { units } = (concepts[concept] ??= { label: concept, description: '', units: {} });
      (units[unit] ??= []).push({ ...(start === null ? {} : { start }), end, val, accn, fy: 1999, fp: 'Q2', form, filed });
    }
  }
  const body = JSON.stringify({ cik, entityName: `Filer ${cik}`, facts: taxonomies });
  return { [`sec/companyfacts/CIK${String(cik).padStart(10, '0')}.json`]: body };
}

export interface ListedFiling {
  readonly form: string;
  readonly filed: string;
  readonly acceptedAt: string;
  readonly reportDate?: string;
  readonly items?: string;
}

/** submissions of one filer: its description and its filings by accession number. */
export function submissions(
  cik: number,
  filer: { readonly sic?: string; readonly sicDescription?: string; readonly fiscalYearEnd?: string; readonly tickers?: readonly string[] },
  filings: Readonly<Record<string, ListedFiling>>,
): Files {
  const prefix = String(cik).padStart(10, '0');
  // Accepted at 21:30 in New York: shows that the times of this file are UTC.
  const evening: ListedFiling = { form: '4', filed: '2010-03-04', acceptedAt: '2010-03-04T02:30:00.000Z' };
  const listed = [...Object.entries(filings), [`${prefix}-10-999999`, evening] as const];
  const { tickers = [], ...description } = filer;
  const body = JSON.stringify({
    cik: String(cik),
    name: `Filer ${cik}`,
    tickers,
    exchanges: tickers.map(() => 'Nasdaq'),
    ...description,
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: listed.map(([accession]) => accession),
        filingDate: listed.map(([, { filed }]) => filed),
        reportDate: listed.map(([, { reportDate }]) => reportDate ?? ''),
        acceptanceDateTime: listed.map(([, { acceptedAt }]) => acceptedAt),
        form: listed.map(([, { form }]) => form),
        items: listed.map(([, { items }]) => items ?? ''),
        primaryDocument: listed.map(() => ''),
      },
    },
  });
  return { [`sec/submissions/CIK${prefix}.json`]: body };
}
