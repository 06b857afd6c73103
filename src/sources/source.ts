// What a source is: it says which files are its own, where they come from, and turns one payload into records. It is pure:
// no network, no disk, no clock. Collecting, archiving and appending are done once for all sources.
import type { Frequency } from '../model/period.ts';

/** One publisher's file, exactly as received. */
export interface Payload {
  /** Path of the file below the mirror folder, with `/`; says which dataset, series or vintage it is. */
  readonly key: string;
  readonly body: Uint8Array;
  /** When the bytes came in: RFC 3339 UTC with milliseconds. */
  readonly retrievedAt: string;
}

/** A reading of one series for one reference period, as one payload states it. */
export interface ObservationRecord {
  /** The publisher's own series key, e.g. `PAYEMS`; with the source it finds indicator, entity and unit in data/reference/series.csv. */
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
  /** When the publisher says it published, where it does. */
  readonly releasedAt?: string;
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

/** A publication in words: a statement, minutes, a speech. */
export interface DocumentRecord {
  readonly documentId: string;
  readonly entityId: string;
  readonly documentType: 'policy_decision' | 'policy_statement' | 'minutes' | 'speech' | 'other';
  readonly title: string;
  readonly text: string;
  readonly url: string | null;
  readonly language: string;
  /** The day of the meeting or event it speaks of. */
  readonly eventDate: string;
  readonly releasedAt: string;
  readonly observedAt: string;
}

/** When a publication is due, or was made, as a payload states it. */
export interface ScheduleRecord {
  /** The publisher's own identifier of the entry, which stays when its date is moved. */
  readonly scheduleId: string;
  /** What is published, under the publisher's own name or number; with the source it finds its line in data/reference/releases.csv. */
  readonly releaseCode: string;
  readonly title: string | null;
  /** 00:00 UTC of the day where the precision is not `exact`. */
  readonly scheduledAt: string;
  /** tentative: not confirmed by whoever publishes. */
  readonly timePrecision: 'exact' | 'date_only' | 'estimated' | 'tentative';
  /** IANA zone of the publisher's clock. */
  readonly timezone: string;
  readonly status: 'scheduled' | 'released' | 'postponed' | 'cancelled';
  /** Reference period of the figures, where it is stated. */
  readonly period: string | null;
  readonly url: string | null;
  readonly observedAt: string;
}

/** An entity that a payload introduces: a futures contract, a listed instrument. Countries and currencies stand in data/reference. */
export interface EntityRecord {
  readonly entityId: string;
  readonly entityType: 'company' | 'futures_contract' | 'instrument' | 'index' | 'commodity' | 'currency' | 'region';
  readonly name: string;
  readonly country: string | null;
  readonly currency: string | null;
  /** e.g. { cftcContractCode: '001602' } or { ticker: 'AAPL', mic: 'XNAS' } */
  readonly identifiers: Readonly<Record<string, string>>;
  /** The day for which the payload gives this name: names change, identifiers do not. */
  readonly seenOn: string;
}

/** A row refused by the source itself; the row is kept, with the reason, in quarantine. */
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
  | { readonly kind: 'companies'; readonly rows: readonly CompanyRecord[] }
  | { readonly kind: 'documents'; readonly rows: readonly DocumentRecord[] }
  | { readonly kind: 'schedules'; readonly rows: readonly ScheduleRecord[] }
  | { readonly kind: 'entities'; readonly rows: readonly EntityRecord[] }
  | { readonly kind: 'refused'; readonly rows: readonly RefusedRecord[] };

export interface Source {
  readonly id: string;
  /** Version of this reader; a payload is normalised again when it grows. */
  readonly version: number;
  /** Whether a file of a mirror folder is this source's, by its path (`fred-md/2020-05.csv`). */
  readonly owns: (path: string) => boolean;
  /** The publisher's public address of that file, without keys; null where there is none. */
  readonly address: (path: string) => string | null;
  readonly mediaType: string;
  /**
   * Where the whole payload was known at one time (a monthly vintage file, a file with a last-updated date): that time. Payloads
   * are applied in this order. Rows that carry their own knowledge time (real-time periods, report dates): null.
   */
  readonly knownAt?: (payload: Payload) => string | null;
  /**
   * Records of one payload, in one or many batches. Throws an UpstreamError that says what is wrong with a truncated,
   * garbled or re-laid-out payload, before or after some batches: nothing of a failed payload is kept.
   */
  readonly normalise: (payload: Payload) => Iterable<Batch> | AsyncIterable<Batch>;
  /**
   * In place of `normalise`, for bulk CSV: a statement of sql/sources/ that reads `$file` and yields the columns of an observation
   * record. `check` refuses a payload whose layout is not the known one.
   */
  readonly bulk?: {
    readonly sql: string;
    readonly check: (payload: Payload) => void;
    readonly parameters: (payload: Payload) => Readonly<Record<string, string>>;
  };
}

/** A payload or an upstream that cannot be used; `retriable` says whether trying again can help. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly sourceId: string;
  readonly retriable: boolean;

  constructor(sourceId: string, problem: string, options: { readonly retriable?: boolean; readonly cause?: unknown } = {}) {
    super(`${sourceId}: ${problem}`, options.cause === undefined ? {} : { cause: options.cause });
    this.sourceId = sourceId;
    this.retriable = options.retriable ?? false;
  }
}

/**
 * Knowledge time of something dated by day alone: held back to the end of that UTC day, but not past the retrieval, at which it
 * was certainly known. A day after the retrieval stays as it is, for quarantine to refuse.
 */
export function knownOn(day: string, retrievedAt: string): string {
  const end = `${day}T23:59:59.999Z`;
  return day <= retrievedAt.slice(0, 10) && end > retrievedAt ? retrievedAt : end;
}
