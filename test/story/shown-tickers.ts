// Tickers and exchanges that an answer shows though no list or file had given them yet. The lakes of then keep later lists for look-ups and for the join
// of quotes, so the comparison of rows alone would not notice these.
import type { Pipeline } from '../pipeline.ts';

/** What payloads had said of each company by a moment. */
export interface Shown {
  readonly tickers: ReadonlySet<string>;
  /** CIKs. */
  readonly withExchange: ReadonlySet<string>;
}

export async function shownBy(pipeline: Pipeline, cutoff: string): Promise<Shown> {
  const tickers = await pipeline.lake(`select distinct unnest(tickers) as ticker from companies where observed_at <= '${cutoff}'`);
  const listed = await pipeline.lake(`select distinct cik from companies where observed_at <= '${cutoff}' and len(exchanges) > 0`);
  return {
    tickers: new Set(tickers.map((row) => String(row['ticker']))),
    withExchange: new Set(listed.map((row) => String(row['cik']))),
  };
}

type Row = Readonly<Record<string, unknown>>;

export interface TooEarly {
  readonly key: string;
  readonly field: string;
  readonly said: unknown;
  readonly expected: null;
}

export function shownTooEarly(rows: readonly Row[], shown: Shown): readonly TooEarly[] {
  return rows.flatMap((row, index) => {
    const key = textOf(row['entityId']) ?? String(index);
    const found = (field: string, said: unknown): TooEarly[] => [{ key, field, said, expected: null }];
    return fieldsOf(row).flatMap(([field, said, cik]) => {
      if (field === 'exchange' || field === 'mic') return shown.withExchange.has(cik) ? [] : found(field, said);
      return shown.tickers.has(said) ? [] : found(field, said);
    });
  });
}

/** The tickers and exchanges of companies in a row, each with the company's CIK. */
function fieldsOf(row: Row): readonly (readonly [field: string, said: string, cik: string])[] {
  const inner = [row['entity'], row['matchedAlias']].filter((one) => isRow(one)).flatMap((one) => fieldsOf(one));
  const identifiers = isRow(row['identifiers']) ? row['identifiers'] : {};
  const cik = textOf(row['cik']) ?? textOf(identifiers['cik']) ?? '';
  const own =
    cik === ''
      ? []
      : ([
          ['ticker', row['ticker']],
          ['exchange', row['exchange']],
          ['ticker', identifiers['ticker']],
          ['mic', identifiers['mic']],
        ] as const);
  const listed = cik !== '' && Array.isArray(row['tickers']) ? row['tickers'].map((one) => ['tickers', one] as const) : [];
  const isTicker = row['aliasType'] === 'ticker' && (textOf(row['entityId']) ?? '').startsWith('company_');
  const alias = isTicker ? ([['alias', row['alias']]] as const) : [];
  const all = [...own, ...listed, ...alias].flatMap(([field, said]) => (typeof said === 'string' ? [[field, said, cik] as const] : []));
  return [...all, ...inner];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
