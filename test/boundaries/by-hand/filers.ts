// Filers with the facts of their filings and their closing prices, as rows of the lake, and everything that is derived from them.
import { RELATIONS } from '../../../src/snapshot/build/relations.ts';
import { type Found, giveLake, type GivenRow, openRelations, type Relations, SERIES_COLUMNS } from './relations.ts';

/** value null: the concept of the base case is left out. */
export type Fact = readonly [concept: string, start: string | null, end: string, value: number, unit?: string];

export interface Filing {
  readonly form?: string;
  readonly filed: string;
  /** 21:00 of the day it was filed where it is left out; null: no submissions file lists the filing. */
  readonly acceptedAt?: string | null;
  /** When EDGAR disseminated it, by each submissions file that lists it; its acceptance where it is left out. */
  readonly disseminatedAt?: string | readonly string[];
  readonly retrievedAt?: string;
  readonly facts: readonly Fact[];
  /** What a payload retrieved later says of the same filing. */
  readonly restated?: { readonly retrievedAt: string; readonly facts: readonly Fact[] };
}

export interface Filer {
  readonly filings: readonly Filing[];
  /** Day → close, or close and when it was retrieved. */
  readonly closes?: Readonly<Record<string, number | readonly [close: number, retrievedAt: string]>>;
  /** Known from the first day of 2000. */
  readonly sic?: string;
}

export const cikOf = (number: number) => String(number).padStart(10, '0');
export const accessionOf = (number: number, filing: number) => `${cikOf(number)}-24-${String(filing + 1).padStart(6, '0')}`;

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^EarningsPerShare/, 'USD/shares'],
  [/Shares?Outstanding|NumberOf.*Shares/, 'shares'],
];

const IFRS = /^(?:Basic|Diluted)EarningsLossPerShare$|^(?:Adjusted)?WeightedAverageShares$|^NumberOfShares(?:Outstanding|Issued)$/;

function factRows(number: number, filing: Filing, index: number): GivenRow[] {
  const { form = '10-K', filed, retrievedAt = '2026-01-01 00:00:00+00' } = filing;
  return filing.facts.map(([concept, start, end, value, unit = UNITS.find(([pattern]) => pattern.test(concept))?.[1] ?? 'USD'], nth) => ({
    cik: cikOf(number),
    taxonomy: concept.startsWith('Entity') ? 'dei' : IFRS.test(concept) ? 'ifrs-full' : 'us-gaap',
    concept,
    label: concept,
    unit,
    period_start: start,
    period_end: end,
    value,
    accession_number: accessionOf(number, index),
    form,
    filed,
    observed_at: `${filed} 23:59:59.999+00`,
    payload_id: `payload-${number}`,
    run_id: `run-${number}`,
    retrieved_at: retrievedAt,
    record_hash: `${number}-${index}-${String(nth).padStart(4, '0')}`,
    source_id: 'sec',
  }));
}

/** Splits as `cik number, effective date, ratio`. */
export async function openFilers(
  filers: readonly Filer[],
  splits: readonly (readonly [number: number, day: string, ratio: number])[] = [],
  more: { readonly companies?: readonly GivenRow[]; readonly isRedistributable?: boolean } = {},
): Promise<Relations> {
  const relations = await openRelations();
  const numbered = filers.map((filer, index) => ({ ...filer, number: index + 1 }));
  await giveLake(relations, {
    facts: numbered.flatMap(({ number, filings }) =>
      filings.flatMap(({ restated, ...filing }, index) => [
        ...factRows(number, filing, index),
        ...(restated === undefined ? [] : factRows(number, { ...filing, ...restated }, index)),
      ]),
    ),
    filings: numbered.flatMap(({ number, filings }) =>
      filings.flatMap(({ form = '10-K', filed, acceptedAt = `${filed} 21:00:00+00`, disseminatedAt }, index) => {
        const filing = {
          cik: cikOf(number),
          accession_number: accessionOf(number, index),
          form,
          filed,
          source_id: 'sec',
        };
        if (acceptedAt === null) return [];
        return [disseminatedAt ?? acceptedAt].flat().map((time) => ({ ...filing, accepted_at: acceptedAt, observed_at: time }));
      }),
    ),
    companies: [
      ...numbered.flatMap(({ number, sic }) =>
        sic === undefined
          ? []
          : [
              {
                cik: cikOf(number),
                name: `Filer ${number}`,
                tickers: [],
                exchanges: [],
                sic,
                sic_description: `Industry ${sic}`,
                observed_at: '2000-01-01 00:00:00+00',
                retrieved_at: '2000-01-01 00:00:00+00',
                record_hash: 'h',
                source_id: 'sec',
              },
            ],
      ),
      ...(more.companies ?? []),
    ],
    entities: [...new Set((more.companies ?? []).map((row) => String(row['cik'])))].map((cik) => ({
      entity_id: `company_${cik}`,
      entity_type: 'company',
      name: cik,
      identifiers: JSON.stringify({ cik }),
      seen_on: '2000-01-01',
      record_hash: 'h',
      retrieved_at: '2000-01-01 00:00:00+00',
      source_id: 'sec',
    })),
    observations: numbered.flatMap(({ number, closes = {} }) =>
      Object.entries(closes).map(([day, given]) => {
        const [value, retrieved] = typeof given === 'number' ? [given, `${day} 22:00:00+00`] : given;
        const at = `${day} 20:00:00+00`;
        return {
          source_id: 'quotes',
          indicator_id: `company_${cikOf(number)}_price_close`,
          frequency: 'daily',
          period: day,
          period_start: day,
          period_end: day,
          value,
          vintage: day,
          observed_at: at,
          released_at: at,
          retrieved_at: retrieved,
          ingested_at: retrieved,
          run_id: 'prices',
          change_sequence: 3,
        };
      }),
    ),
  });
  await relations.give(
    'series.series',
    SERIES_COLUMNS,
    numbered.map(({ number }) => ({
      series_no: number,
      source_id: 'quotes',
      indicator_id: `company_${cikOf(number)}_price_close`,
      entity_id: `company_${cikOf(number)}`,
      canonical_id: 'price_close',
      frequency: 'daily',
      unit: 'usd',
      is_redistributable: more.isRedistributable ?? true,
    })),
  );
  await relations.give(
    'reference.stock_splits',
    { cik: 'varchar', effective_date: 'date', ratio: 'double', note: 'varchar' },
    splits.map(([number, day, ratio]) => ({ cik: cikOf(number), effective_date: day, ratio, note: null })),
  );
  await relations.give('reference.sic_divisions', { first_sic: 'varchar', last_sic: 'varchar', division: 'varchar', name: 'varchar' }, [
    { first_sic: '2000', last_sic: '3999', division: 'D', name: 'Manufacturing' },
    { first_sic: '6000', last_sic: '6799', division: 'H', name: 'Finance' },
  ]);
  await relations.build(
    'macros/companies/beyond_rounding',
    'macros/companies/is_of_one_scope',
    'macros/companies/is_rounding_of',
    'macros/is_in_part',
    'macros/companies/multiples_by_name',
    'reference/derived_indicators',
    'reference/xbrl_concepts',
    'macros/knowledge_cutoff',
    'macros/companies/ticker_claims',
    'macros/entities/entity_status',
    'reference/share_classes',
    'reference/countries',
    'reference/country_currencies',
    'reference/entities',
    'series/ticker_holders',
    'series/quoted_days',
    'series/attributed_observations',
    'series/filer_names',
    'series/filer_descriptions',
    'series/filer_states',
    'series/successions',
    'series/quoted_splits',
    'series/vintages',
    'series/entities',
    'series/arrivals',
    ...OF_FILINGS,
  );
  return relations;
}

const OF_FILINGS = RELATIONS.map(({ path }) => path).filter((path) => /^(filings|splits|valuations)\//.test(path));

/** The first row that a statement answers about filer `number`, of `$cik`. */
export async function first(relations: Relations, sql: string, number: number): Promise<Found | undefined> {
  return (await relations.ask(sql.replaceAll('$cik', `'${cikOf(number)}'`)))[0];
}
