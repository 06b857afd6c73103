// Why a source has its status, in words, from the same facts as the status.

import { counted, numberText } from '../numbers.js';

/** Worst first. */
export const ORDER = ['failing', 'degraded', 'paused', 'healthy', 'unknown'];

/** True for a source that fails or is late. */
export const isInTrouble = ({ status }) => status === 'failing' || status === 'degraded';

/** By status, then by how many of their series are stale. */
export function worstFirst(sources) {
  return sources.toSorted(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || b.seriesStale - a.seriesStale || (a.sourceId < b.sourceId ? -1 : 1),
  );
}

const WAY_BEHIND = 'way_behind';

/** One sentence for a source of /source-health. */
export function reasonOf(source) {
  const { status, lastSuccessAt, lastErrorMessage, consecutiveFailures, seriesTotal, seriesFresh } = source;
  if (status === 'unknown') return 'No run has asked for it yet.';
  if (status === 'paused') return seriesTotal > 0 ? 'All its series have ceased.' : 'It is read only if you give its file.';
  if (status === 'failing') {
    const what = lastSuccessAt === null ? 'It has never succeeded' : `It failed ${counted(consecutiveFailures, 'time')} in a row`;
    return lastErrorMessage === null ? `${what}.` : `${what}: ${lastErrorMessage}`;
  }
  if (status === 'degraded') return degraded(source);
  if (seriesTotal === 0) return 'Its newest files are in time.';
  return seriesFresh === 0 ? 'None of its series is late.' : `${counted(seriesFresh, 'series is', 'series are')} fresh.`;
}

function degraded({
  lastErrorMessage,
  lastErrorCode,
  consecutiveFailures,
  freshnessStatus,
  seriesTotal,
  seriesStale,
  seriesFresh,
  nextRunAt,
}) {
  const failed = lastErrorMessage === null ? '.' : `: ${lastErrorMessage}`;
  if (consecutiveFailures > 0) return `The last run failed${failed}`;
  if (lastErrorCode === WAY_BEHIND) return `One way to its data is behind another${failed}`;
  if (freshnessStatus !== 'stale') return `A run was due on ${nextRunAt.slice(0, 10)}, and none came.`;
  if (seriesTotal === 0) return 'Its newest file is older than usual.';
  return `${counted(seriesStale, 'series is', 'series are')} stale, ${numberText(seriesFresh)} fresh.`;
}

const [DAYS_A_YEAR, LEAST_YEARS] = [365.25, 2];

/** Days in whole ones, from two years on in years: 933.58 → 2.6 years. */
export function durationText(days) {
  const years = days / DAYS_A_YEAR;
  return years < LEAST_YEARS ? counted(Math.round(days), 'day') : `${years.toFixed(1)} years`;
}

/** A sentence of the interface with its numbers of days as `durationText`. */
export const inShort = (text) => text.replaceAll(/(\d+(?:\.\d+)?) days?\b/g, (_, days) => durationText(Number(days)));
