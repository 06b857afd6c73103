// What a derived indicator is, besides its SQL (sql/derived/<slug>.sql) and its line in data/reference/canonical_indicators.csv.
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
}
