// FRED API, Federal Reserve Bank of St. Louis: the past and planned days of releases. FRED has New York days without an hour.
import { z } from 'zod';
import { apiAddress, apiFile, checkLength, Day, Page, readAnswer } from './fred-api.ts';
import { checkJson } from '../readers/json.ts';
import type { Batch, ScheduleRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'fred_releases';
const FILE = /(?:^|\/)fred-api\/(?:releases?_dates|release_series|series_release|series_vintagedates)\.[^/]+$/;
const CHUNK = 2000;

export const fredReleases: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path) && path.endsWith('.json'),
  address: (path) => apiAddress(path),
  mediaType: 'application/json',
  normalise: function* (payload): Generator<Batch> {
    const rows = schedulesOf(payload);
    for (let from = 0; from < rows.length; from += CHUNK) yield { kind: 'schedules', rows: rows.slice(from, from + CHUNK) };
  },
};

const ReleaseDates = Page.extend({
  release_dates: z.array(z.looseObject({ release_id: z.int(), release_name: z.string().optional(), date: Day })),
});
const VintageDates = Page.extend({ vintage_dates: z.array(Day) });
const ReleaseSeries = Page.extend({ seriess: z.array(z.looseObject({ id: z.string(), title: z.string() })) });
const SeriesRelease = z.looseObject({ releases: z.array(z.looseObject({ id: z.int(), name: z.string() })).length(1) });

function schedulesOf(payload: Payload): ScheduleRecord[] {
  const answer = readAnswer(ID, payload.body);
  const { endpoint, subject } = apiFile(payload.key);
  switch (endpoint) {
    case 'release_dates':
    case 'releases_dates': {
      const page = checkJson(ID, answer, ReleaseDates);
      checkLength(ID, page, page.release_dates.length, 'release dates');
      return page.release_dates.map((row) => toSchedule(payload, String(row.release_id), row.release_name ?? null, row.date));
    }
    case 'series_vintagedates': {
      const page = checkJson(ID, answer, VintageDates);
      checkLength(ID, page, page.vintage_dates.length, 'vintage dates');
      if (subject === null) throw new UpstreamError(ID, `the file name ${payload.key} does not name the series`);
      return page.vintage_dates.map((day) => toSchedule(payload, `series/${subject}`, null, day));
    }
    case 'release_series': {
      const page = checkJson(ID, answer, ReleaseSeries);
      checkLength(ID, page, page.seriess.length, 'series');
      return []; // The series of a release: data/reference/releases.csv lists the important ones.
    }
    default:
      checkJson(ID, answer, SeriesRelease);
      return [];
  }
}

/** Days up to that of the recording are past; later ones were planned then. */
function toSchedule({ key, retrievedAt }: Payload, releaseCode: string, title: string | null, day: string): ScheduleRecord {
  const { recordedOn } = apiFile(key);
  const isPast = day <= (recordedOn ?? retrievedAt.slice(0, 10));
  return {
    scheduleId: `${releaseCode}|${day}`,
    releaseCode,
    title,
    scheduledAt: `${day}T00:00:00.000Z`,
    timePrecision: 'date_only',
    timezone: 'America/New_York',
    status: isPast ? 'released' : 'scheduled',
    period: null,
    url: releaseCode.startsWith('series/') ? null : `https://fred.stlouisfed.org/release?rid=${releaseCode}`,
    observedAt: isPast ? knownOn(day, retrievedAt) : recordedOn === null ? retrievedAt : knownOn(recordedOn, retrievedAt),
  };
}
