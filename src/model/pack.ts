// Vintages in columns: all of one series, as the served copy keeps them, from which a read as of any time is cut; and the newest print of every series.

/** What a row is made of. Instants are microseconds since 1970. */
export interface Prints {
  readonly rows: number;
  /** NaN where hasValue says that there is none. */
  readonly value: Float64Array;
  readonly observedAt: Float64Array;
  /** NaN where the publisher's moment is unknown. */
  readonly releasedAt: Float64Array;
  readonly retrievedAt: Float64Array;
  /** The first 64 bits of the observationId, in two halves. */
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  /** Days since 1970. */
  readonly periodEnd: Int32Array;
  /** Places in the texts of the copy. */
  readonly period: Uint32Array;
  readonly vintage: Uint32Array;
  /** The place after the run's own: 0 is none. */
  readonly run: Uint32Array;
  /** The same: what the row was derived from. */
  readonly derivedFrom: Uint32Array;
  readonly releaseNo: Int32Array;
  readonly hasValue: Uint8Array;
  readonly isRevised: Uint8Array;
  /** Of a period that has no first print. */
  readonly isBackfill: Uint8Array;
  /** The letter of the publisher's flag as a character code; 0 is none. */
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

/** Of each series the newest period in force that has a value, as published.latest holds it. */
export interface NewestPrints extends Prints {
  readonly texts: PackTexts;
  readonly seriesNo: Int32Array;
  /** The row of a series. */
  readonly rowOf: ReadonlyMap<number, number>;
  /** Of the period before: its value as known just before, and what became of it; NaN where there is none. */
  readonly previous: Float64Array;
  readonly revisedPrevious: Float64Array;
  /** Days since 1970; NaN where there is no period before. */
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
  /** Of how many rows packs can be held beside each other. */
  readonly mostRows: number;
  /** In the order asked for, without series that have no vintage; null when one of them cannot be read whole. */
  readonly read: (seriesNos: readonly number[]) => Promise<readonly Pack[] | null>;
}
