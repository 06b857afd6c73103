// What a derived indicator is, besides its SQL (sql/derived/<slug>.sql) and its line in data/reference/canonical_indicators.csv.
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ResultCache } from './result-cache.ts';

export interface DerivedIndicator {
  /** The canonical id and the name of the SQL file. */
  readonly slug: string;
  /** Number of its dataset among the published vintages: from 1024 on, never reused. */
  readonly datasetNo: number;
  readonly family: string;
  /** Canonical ids of the inputs. */
  readonly derivedFrom: readonly string[];
  /** The method, by its textbook name and version; a new version writes new vintages. */
  readonly method: string;
  /** What SQL cannot say: fills a table that the indicator's SQL reads, empty over an empty lake; the same lake gives the same rows. */
  readonly compute?: (connection: DuckDBConnection, cache: ResultCache) => Promise<void>;
}
