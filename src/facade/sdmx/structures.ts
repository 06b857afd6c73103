// The data in SDMX terms: one dataflow of all observation series, by frequency, entity, indicator and source.
import type { SeriesEntry } from '../catalogue.ts';

export const AGENCY = 'ASOF';
export const FLOW = 'SERIES';
export const DIMENSIONS = ['FREQ', 'ENTITY', 'INDICATOR', 'SOURCE'] as const;
export type DimensionId = (typeof DIMENSIONS)[number];

/** Attributes of a series. */
export const SERIES_ATTRIBUTES = ['TITLE', 'UNIT'] as const;
/** Attributes of an observation. KNOWN_SINCE is the time at which this value became known, VINTAGE its label. */
export const OBSERVATION_ATTRIBUTES = ['OBS_STATUS', 'KNOWN_SINCE', 'VINTAGE'] as const;

export const NAMES = {
  FREQ: 'Frequency',
  ENTITY: 'Entity: country, currency area, contract, company',
  INDICATOR: 'Indicator, the same across entities',
  SOURCE: 'Data set that the numbers came through',
  TIME_PERIOD: 'Period',
  OBS_VALUE: 'Value',
  TITLE: 'Name of the series',
  UNIT: 'Unit',
  OBS_STATUS: 'Status',
  KNOWN_SINCE: 'When this value became known',
  VINTAGE: 'Vintage',
} as const;

const FREQ_CODES = { daily: 'D', weekly: 'W', monthly: 'M', quarterly: 'Q', annual: 'A' } as const;

/** SDMX's CL_OBS_STATUS. */
export const STATUS_CODES = [
  { id: 'A', name: 'Normal value' },
  { id: 'B', name: 'Time series break' },
  { id: 'D', name: 'Definition differs' },
  { id: 'E', name: 'Estimated value' },
  { id: 'F', name: 'Forecast value' },
  { id: 'G', name: 'Experimental value' },
  { id: 'H', name: 'Missing value; holiday or weekend' },
  { id: 'I', name: 'Imputed value' },
  { id: 'J', name: 'Derogation' },
  { id: 'K', name: 'Data included in another category' },
  { id: 'L', name: 'Missing value; data exist but were not collected' },
  { id: 'M', name: 'Missing value; data cannot exist' },
  { id: 'N', name: 'Not significant' },
  { id: 'O', name: 'Missing value' },
  { id: 'P', name: 'Provisional value' },
  { id: 'Q', name: 'Missing value; suppressed' },
  { id: 'S', name: 'Strike and other special events' },
  { id: 'U', name: 'Low reliability' },
  { id: 'V', name: 'Unvalidated value' },
  { id: 'W', name: 'Includes data from another category' },
] as const;
const MISSING = new Set(['H', 'L', 'M', 'O', 'Q']);

/** The publisher's flag, or A. A missing value has a code for missing values. */
export function statusOf(value: number | null, flag: string | null): string {
  if (value !== null) return flag ?? 'A';
  return flag !== null && MISSING.has(flag) ? flag : 'O';
}

/** The key of a series, in the order of the dimensions. */
export function keyOf(entry: SeriesEntry): readonly [freq: string, entity: string, indicator: string, source: string] {
  return [FREQ_CODES[entry.frequency], entry.entityId, entry.canonicalId, entry.sourceId];
}

export interface Codelist {
  readonly id: string;
  readonly name: string;
  readonly codes: readonly { readonly id: string; readonly name: string }[];
}

const FREQ_NAMES = { D: 'Daily', W: 'Weekly', M: 'Monthly', Q: 'Quarterly', A: 'Annual' } as const;

/** The codes in use of each dimension, and the status codes. */
export function codelistsOf(entries: readonly SeriesEntry[]): readonly Codelist[] {
  const codesAt = (place: number, nameOf: (id: string) => string) =>
    [...new Set(entries.map((entry) => keyOf(entry)[place] ?? ''))].toSorted().map((id) => ({ id, name: nameOf(id) }));
  const dimensions = DIMENSIONS.map(
    (dimension, place): Codelist => ({
      id: `CL_${dimension}`,
      name: NAMES[dimension],
      codes: codesAt(place, (id) => (dimension === 'FREQ' ? (FREQ_NAMES[id as keyof typeof FREQ_NAMES] ?? id) : id)),
    }),
  );
  return [...dimensions, { id: 'CL_OBS_STATUS', name: NAMES.OBS_STATUS, codes: STATUS_CODES }];
}
