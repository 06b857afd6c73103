// The contents of a payload as records: written by sources, read by the lake.
import type { Frequency } from './period.ts';

/** A reading of one series for one reference period, as one payload states it. */
export interface ObservationRecord {
  /** The publisher's own series key, e.g. `PAYEMS`; with the source it identifies indicator, entity and unit in data/reference/series.csv. */
  readonly seriesCode: string;
  /** Canonical indicator and entity, for dimensional data sets whose series are not listed one by one. */
  readonly canonicalId?: string;
  readonly entityId?: string;
  readonly frequency?: Frequency;
  readonly unit?: string;
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  /** null: the publisher marks the value as missing. */
  readonly value: number | null;
  /** Knowledge time; see `knownOn` and `knownAt`. */
  readonly observedAt: string;
  /** The publisher's own time of publication, if stated. */
  readonly releasedAt?: string;
  /** The publisher's flag of the value, as a code of SDMX's CL_OBS_STATUS. */
  readonly obsStatus?: string;
  /** Only for a source without any archive: knowledge time is periodEnd + usual lag, labelled `pseudo:`. */
  readonly isPseudo?: boolean;
}

/** One XBRL fact as one filing reported it. */
export interface FactRecord {
  readonly cik: string;
  readonly taxonomy: string;
  readonly concept: string;
  readonly label: string | null;
  readonly unit: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly value: number;
  readonly accessionNumber: string;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly form: string;
  readonly filed: string;
  readonly frame: string | null;
  readonly observedAt: string;
}

/** One filing of a company's submissions history. */
export interface FilingRecord {
  readonly cik: string;
  readonly accessionNumber: string;
  readonly form: string;
  readonly filed: string;
  readonly reportDate: string | null;
  readonly acceptedAt: string | null;
  readonly items: string | null;
  readonly primaryDocument: string | null;
  readonly observedAt: string;
}

/**
 * A number of a financial statement in the Commission's quarterly data sets: for the whole company, under a tag of a standard taxonomy.
 * Its period is rounded, so it can check a fact but not replace one.
 */
export interface StatementNumberRecord {
  readonly cik: string;
  readonly accessionNumber: string;
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  /** The month end nearest to the end of the period. */
  readonly monthEnd: string;
  /** Length of the period in quarters, rounded; 0 for an instant. */
  readonly quarters: number;
  /** To four decimals. */
  readonly value: number;
  readonly filed: string;
  readonly observedAt: string;
}

/** A filer as described by a submissions file or the ticker list at one time. */
export interface CompanyRecord {
  readonly cik: string;
  readonly name: string;
  readonly tickers: readonly string[];
  readonly exchanges: readonly string[];
  readonly sic: string | null;
  readonly sicDescription: string | null;
  readonly lei: string | null;
  readonly fiscalYearEnd: string | null;
  readonly countryCode: string | null;
  readonly formerNames: readonly { readonly name: string; readonly from: string | null; readonly to: string | null }[];
  readonly observedAt: string;
}

/** A publication as text: a statement, minutes, a speech. */
export interface DocumentRecord {
  readonly documentId: string;
  readonly entityId: string;
  readonly documentType: 'policy_decision' | 'policy_statement' | 'minutes' | 'speech' | 'other';
  readonly title: string;
  readonly text: string;
  readonly url: string | null;
  readonly language: string;
  /** The day of its meeting or event. */
  readonly eventDate: string;
  readonly releasedAt: string;
  readonly observedAt: string;
}

/** The time when a publication is due, or was made, as a payload states it. */
export interface ScheduleRecord {
  /** The publisher's own identifier of the entry, which stays the same if its date moves. */
  readonly scheduleId: string;
  /** The publisher's own name or number of the publication; with the source it identifies its line in data/reference/releases.csv. */
  readonly releaseCode: string;
  readonly title: string | null;
  /** 00:00 UTC of the day unless the precision is `exact`. */
  readonly scheduledAt: string;
  /** tentative: not confirmed by the publisher. */
  readonly timePrecision: 'exact' | 'date_only' | 'estimated' | 'tentative';
  /** IANA zone of the publisher's clock. */
  readonly timezone: string;
  readonly status: 'scheduled' | 'released' | 'postponed' | 'cancelled';
  /** Reference period of the figures, if stated. */
  readonly period: string | null;
  readonly url: string | null;
  readonly observedAt: string;
}

/** An entity that a payload introduces: a futures contract, a listed instrument. Countries and currencies are in data/reference. */
export interface EntityRecord {
  readonly entityId: string;
  readonly entityType: 'company' | 'futures_contract' | 'instrument' | 'index' | 'commodity' | 'currency' | 'region';
  readonly name: string;
  readonly country: string | null;
  readonly currency: string | null;
  /** e.g. { cftcContractCode: '001602' } or { ticker: 'AAPL', mic: 'XNAS' } */
  readonly identifiers: Readonly<Record<string, string>>;
  /** The day for which the payload has this name: names change, identifiers do not. */
  readonly seenOn: string;
}

/** A row refused by the source itself; quarantine keeps the row with the reason. */
export interface RefusedRecord {
  readonly rule: QuarantineRule;
  readonly seriesCode: string | null;
  readonly entityId: string | null;
  readonly period: string | null;
  readonly fieldPath: string | null;
  readonly observedValue: string | null;
  readonly reason: string;
}

export type QuarantineRule =
  | 'schema_drift'
  | 'unit_mismatch'
  | 'scale_jump'
  | 'out_of_range'
  | 'sign_flip'
  | 'future_period'
  | 'time_travel'
  | 'duplicate_conflict'
  | 'period_regression'
  | 'identity_unresolved'
  | 'reconciliation_failed';

/** The records of one kind, in chunks of at most a few thousand, so that memory does not grow with the payload. */
export type Batch =
  | { readonly kind: 'observations'; readonly rows: readonly ObservationRecord[] }
  | { readonly kind: 'facts'; readonly rows: readonly FactRecord[] }
  | { readonly kind: 'filings'; readonly rows: readonly FilingRecord[] }
  | { readonly kind: 'statement_numbers'; readonly rows: readonly StatementNumberRecord[] }
  | { readonly kind: 'companies'; readonly rows: readonly CompanyRecord[] }
  | { readonly kind: 'documents'; readonly rows: readonly DocumentRecord[] }
  | { readonly kind: 'schedules'; readonly rows: readonly ScheduleRecord[] }
  | { readonly kind: 'entities'; readonly rows: readonly EntityRecord[] }
  | { readonly kind: 'refused'; readonly rows: readonly RefusedRecord[] };
