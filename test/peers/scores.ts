// The scores of every company at the end of each quarter, and what was known of what they are made of.
import type { Company } from '../../src/model/company.ts';
import { listCompanies } from '../../src/queries/companies.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import type { Peers } from './comparison.ts';

const FIRST_YEAR = 2012;
const LAST_YEAR = 2026;
const QUARTER_ENDS = ['03-31', '06-30', '09-30', '12-31'];

type Scored = Company['scores'] & { readonly moment: string; readonly company_id: string; readonly coverage: number };

export async function askScores(snapshot: SnapshotReader): Promise<readonly Scored[]> {
  const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);
  const moments = years.flatMap((year) => QUARTER_ENDS.map((day) => `${year}-${day}T12:00:00.000Z`));
  const found: Scored[] = [];
  // Sectors are known from the retrieval of what states them.
  for (const moment of [...moments.filter((one) => one < snapshot.knowledgeCutoff), snapshot.knowledgeCutoff]) {
    const filters = {
      sector: null,
      industry: null,
      country: null,
      ticker: null,
      status: null,
      q: null,
      foundIds: null,
      asOf: moment,
      historyFrom: null,
    };
    const page = { sort: 'name', order: 'asc', after: null, limit: 1000 } as const;
    const { rows } = await listCompanies(snapshot, filters, page, Date.parse(moment));
    found.push(
      ...rows.map(({ companyId, scores, scoreCoverage }) => ({ moment, company_id: companyId, ...scores, coverage: scoreCoverage })),
    );
  }
  return found;
}

/** Classes and inputs with their knowledge times, as lists in JSON. */
export async function askScoreInputs(peers: Peers): Promise<string> {
  const rows = await peers.rows(`
    select to_json({company_id: company_id, known_from: known_from, classes: classes, inputs: score_inputs, valuations: list_filter(valuations, lambda one: one.is_redistributable)})::varchar
    from published.companies
    where len(score_inputs) > 0
    order by company_id`);
  return `[${rows.map(([row]) => String(row)).join(',\n')}]`;
}
