// The published recessions of a country.
import { useOnce } from '../once.js';

/** [{ peak, trough, peakAnnounced, troughAnnounced }], months and days; [] without a list, or until it is there. */
export function useRecessions(country) {
  return useOnce(country === null ? null : '/pages/recessions.json')?.[country] ?? NONE;
}

const NONE = [];
