// The whole history once, and again after a long silence; else the last 90 days, on working days after 16:00 in Frankfurt.
import { isDueAfter, WORKING_DAYS } from './due.ts';
import type { Feed, Request } from './feed.ts';

const ADDRESS = 'https://www.ecb.europa.eu/stats/eurofxref/';
const HISTORY: Request = { key: 'ecb-eurofxref/eurofxref-hist.zip', url: `${ADDRESS}eurofxref-hist.zip` };
const QUARTER: Request = { key: 'ecb-eurofxref/eurofxref-hist-90d.zip', url: `${ADDRESS}eurofxref-hist-90d.zip` };
const DAYS_COVERED = 60;

export const ecbFxFeed: Feed = {
  publisher: 'ecb',
  isDue: (now, held) =>
    isDueAfter(now, held.newest(QUARTER.key), 24, { time: '16:00', zone: 'Europe/Berlin', weekdays: WORKING_DAYS }) ||
    held.newest(HISTORY.key) === null,
  *plan(now, held) {
    const last = held.newest(QUARTER.key) ?? held.newest(HISTORY.key);
    const isCovered = last !== null && Date.parse(now) - Date.parse(last.checkedAt) < DAYS_COVERED * 86_400_000;
    if (held.newest(HISTORY.key) === null || !isCovered) yield HISTORY;
    yield QUARTER;
  },
};
