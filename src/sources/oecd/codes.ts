// Codes of the OECD's data flows: areas and periods.
import { type Frequency, isDay, type Period, periodOf } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';
import { excerpt } from '../readers/text.ts';

/** Groups with stable membership; the members of others change under the same code, or are not stated. */
const GROUPS: Readonly<Record<string, string>> = { EA20: 'ea', EU27_2020: 'eu', G20: 'g20', G7: 'g7', OECD: 'oecd', OECDE: 'oecd_europe' };

/** Countries by ISO 3166 alpha-3, which reference data resolve; null for an unknown group. */
export function oecdEntity(area: string): string | null {
  return GROUPS[area] ?? (/^[A-Z]{3}$/.test(area) ? `iso3:${area.toLowerCase()}` : null);
}

/** Measures without months, or with few; for others a quarter is the mean of its months. */
export const isQuarterlyOnly = (area: string): boolean => area === 'AUS' || area === 'NZL';

const FREQUENCIES: Readonly<Record<string, Frequency>> = { M: 'monthly', Q: 'quarterly' };

/** `2026-08` for months, `2026-Q2` for quarters. Throws an UpstreamError for any other. */
export function oecdPeriod(sourceId: string, frequency: string, period: string): Period & { readonly frequency: Frequency } {
  const often = FREQUENCIES[frequency];
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period);
  const month = often === 'quarterly' ? quarter && `${quarter[1]}-${String(Number(quarter[2]) * 3).padStart(2, '0')}` : period;
  if (often === undefined || month === null || !/^\d{4}-\d{2}$/.test(month) || !isDay(`${month}-01`))
    throw new UpstreamError(sourceId, `expected a month or a quarter by its frequency, found ${excerpt(period)} at ${excerpt(frequency)}`);
  return { frequency: often, ...periodOf(often, `${month}-01`) };
}
