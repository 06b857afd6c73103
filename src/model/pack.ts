// Vintages in columns: all rows of one series in the served copy, from which a read as of any time selects; and the newest print of every series.

/** The columns of rows. Instants are microseconds since 1970. */
export interface Prints {
  readonly rows: number;
  /** NaN if hasValue is false. */
  readonly value: Float64Array;
  readonly observedAt: Float64Array;
  /** NaN if the publisher's time is unknown. */
  readonly releasedAt: Float64Array;
  readonly retrievedAt: Float64Array;
  /** The first 64 bits of the observationId, in two halves. */
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  /** Days since 1970. */
  readonly periodEnd: Int32Array;
  /** Indexes into the texts of the copy. */
  readonly period: Uint32Array;
  readonly vintage: Uint32Array;
  /** The run's own index plus one; 0 for none. */
  readonly run: Uint32Array;
  /** The same, for the inputs of the row. */
  readonly derivedFrom: Uint32Array;
  readonly releaseNo: Int32Array;
  readonly hasValue: Uint8Array;
  readonly isRevised: Uint8Array;
  /** True for a period without a first print. */
  readonly isBackfill: Uint8Array;
  /** The publisher's flag as a character code; 0 for none. */
  readonly obsStatus: Uint8Array;
}

/** By (periodEnd, observedAt, id). */
export interface Pack extends Prints {
  readonly seriesNo: number;
  /** Infinity while the row is in force. */
  readonly knownTo: Float64Array;
  /** -Infinity for the first print of a period. */
  readonly priorObservedAt: Float64Array;
}

/** A row of a pack. */
export interface Place<Columns extends Prints = Prints> {
  readonly pack: Columns;
  readonly row: number;
}

export function numberAt(column: Float64Array | Uint32Array | Int32Array, row: number): number {
  const value = column[row];
  if (value === undefined) throw new RangeError(`the pack has no row ${row}`);
  return value;
}

/** For each series the newest period in force with a value, as in published.latest. */
export interface NewestPrints extends Prints {
  readonly texts: PackTexts;
  readonly seriesNo: Int32Array;
  /** The row of a series. */
  readonly rowOf: ReadonlyMap<number, number>;
  /** The value of the prior period just before, and its later value; NaN if there is none. */
  readonly previous: Float64Array;
  readonly revisedPrevious: Float64Array;
  /** Days since 1970; NaN without a prior period. */
  readonly previousPeriodEnd: Float64Array;
}

export interface PackTexts {
  readonly periods: readonly string[];
  readonly vintages: readonly string[];
  readonly runs: readonly string[];
  readonly derivedFrom: readonly (readonly string[])[];
}

/** The packs of a snapshot. */
export interface Packs {
  readonly texts: PackTexts;
  /** The number of rows up to which packs can be in memory together. */
  readonly mostRows: number;
  /** In the requested order, without series that have no vintage; null if one of them cannot be read in full. */
  readonly read: (seriesNos: readonly number[]) => Promise<readonly Pack[] | null>;
}
