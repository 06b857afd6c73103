// A third party's list of the decision days of eight central banks. The banks' own calendars take precedence: all entries are tentative.
import { z } from 'zod';
import { isDay } from '../../model/period.ts';
import { readJson } from '../readers/json.ts';
import type { Batch, ScheduleRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'cb_meetings';

const TIMEZONES = {
  fed: 'America/New_York',
  ecb: 'Europe/Berlin',
  boe: 'Europe/London',
  boj: 'Asia/Tokyo',
  rba: 'Australia/Sydney',
  boc: 'America/Toronto',
  snb: 'Europe/Zurich',
  riksbank: 'Europe/Stockholm',
} as const;

const Days = z.array(z.string().refine(isDay, 'not a calendar day'));
const Years = z.object({ meetings_per_year: z.int() }).catchall(Days);
const List = z.looseObject({
  _note: z.string().includes('announcement day', { error: 'the days are not said to be those of announcement' }),
});

export const cbMeetings: Source = {
  id: ID,
  version: 1,
  owns: (path) => /(?:^|\/)central-bank-text\/meeting_calendar[^/]*\.json$/.test(path),
  address: () => null,
  mediaType: 'application/json',
  normalise: function* (payload): Generator<Batch> {
    const { _note: _, ...banks } = readJson(ID, payload.body, List);
    yield { kind: 'schedules', rows: Object.entries(banks).flatMap(([bank, years]) => meetingsOf(payload, bank, years)) };
  },
};

function meetingsOf({ retrievedAt }: Payload, bank: string, listed: unknown): ScheduleRecord[] {
  const timezone = bank in TIMEZONES ? TIMEZONES[bank as keyof typeof TIMEZONES] : undefined;
  if (timezone === undefined) throw new UpstreamError(ID, `${bank} is not a known bank`);
  const years = Years.safeParse(listed);
  if (!years.success) throw new UpstreamError(ID, `the meetings of ${bank} have another layout than expected`, { cause: years.error });
  const { meetings_per_year: _, ...byYear } = years.data;
  return Object.entries(byYear).flatMap(([year, days]) =>
    days.map((day): ScheduleRecord => {
      if (!day.startsWith(`${year}-`)) throw new UpstreamError(ID, `${day} stands among the meetings of ${year}`);
      return {
        // The list has no identifiers: a meeting is identified by its day.
        scheduleId: `${bank}|${day}`,
        releaseCode: bank,
        title: null,
        scheduledAt: `${day}T00:00:00.000Z`,
        timePrecision: 'tentative',
        timezone,
        status: 'scheduled',
        period: null,
        url: null,
        observedAt: retrievedAt,
      };
    }),
  );
}
