// Releases by FRED's numbers, their dates and series, and the latest updates.
import { z } from 'zod';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import type { Body } from './forms.ts';
import { type Entry, knownReleases, releaseOf } from './known-releases.ts';
import { compare, everySeries, inOrder, pageOf, SERIES } from './lists.ts';
import type { ReleaseDatesQuestion, ReleaseSeriesQuestion, ReleasesQuestion, UpdatesQuestion } from './questions.ts';
import { FIRST_DAY, LAST_DAY } from './real-time.ts';
import { record, seriesPage } from './series.ts';
import { atEndOf, spanOf } from './span.ts';
import { taggedSeries } from './tags.ts';

/** FRED's record of a release, without its link and press release flag, because the service has no such data. */
export async function releases(standing: Standing, question: z.infer<typeof ReleasesQuestion>): Promise<Body> {
  const span = spanOf(standing, question);
  const found = await knownReleases(await atEndOf(span, standing));
  const key = question.order_by === 'name' ? 'name' : 'id';
  const sorted = key === 'id' ? found : found.toSorted((a, b) => compare(a.name, b.name));
  const items = sorted.map(({ id, name }) => ({ id, realtime_start: span.start, realtime_end: span.end, name }));
  return pageOf({ list: { json: 'releases', xml: 'releases' }, item: 'release' }, span, question, inOrder(items, question.sort_order));
}

/** The series whose prints the calendar expects from that release. */
export async function releaseSeries(now: Standing, question: z.infer<typeof ReleaseSeriesQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const { carried } = await releaseOf(standing, question.release_id);
  const found = (await taggedSeries(standing, question)).filter(({ indicatorId }) => carried.has(indicatorId));
  return seriesPage(found, span, question);
}

/** The days on which it came out. With `include_release_dates_with_no_data`, also the days on which it is due. */
export async function releaseDates(standing: Standing, question: z.infer<typeof ReleaseDatesQuestion>): Promise<Body> {
  const [start, end] = [question.realtime_start ?? FIRST_DAY, question.realtime_end ?? LAST_DAY];
  const { id: release_id, entries } = await releaseOf(standing, question.release_id);
  const isWanted = ({ status }: Entry) =>
    status === 'released' || (question.include_release_dates_with_no_data === 'true' && status !== 'cancelled' && status !== 'unconfirmed');
  const days = [...new Set(entries.filter(isWanted).map(({ scheduledAt }) => newYorkDay(scheduledAt)))]
    .filter((day) => day >= start && day <= end)
    .toSorted(compare);
  const names = { list: { json: 'release_dates', xml: 'release_dates' }, item: 'release_date', textOf: 'date' };
  const items = days.map((date) => ({ release_id, date }));
  return pageOf(names, { start, end }, { ...question, order_by: 'release_date' }, inOrder(items, question.sort_order));
}

/** Series by their last print, newest first, within two weeks as at FRED, or between two times. */
export async function updates(now: Standing, question: z.infer<typeof UpdatesQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const { service, asOf, today } = standing;
  if ((question.start_time === undefined) !== (question.end_time === undefined))
    throw new FacadeError(400, 'Bad Request. Set start_time and end_time together.');
  const from = question.start_time === undefined ? `${daysBefore(today, DAYS_OF_UPDATES)}T00:00:00.000Z` : instantOf(question.start_time);
  const to = question.end_time === undefined ? `${today}T23:59:59.999Z` : instantOf(question.end_time).replace('00.000Z', '59.999Z');
  const { rows, hasMore } = await service.rows('/observations', {
    vintage: 'all',
    as_of: asOf,
    observed_from: from,
    observed_to: to,
    columns: 'indicator_id,source_id,observed_at',
    limit: MOST_PRINTS,
  });
  if (hasMore)
    throw new FacadeError(
      400,
      `Bad Request. More than ${MOST_PRINTS} values changed in this time. Set start_time and end_time closer together.`,
    );
  const printed = new Map<string, string>();
  for await (const row of rows) {
    const { indicatorId, sourceId, observedAt } = Printed.parse(row);
    const key = `${indicatorId} ${sourceId}`;
    if ((printed.get(key) ?? '') < observedAt) printed.set(key, observedAt);
  }
  const found = everySeries(standing.catalogue).flatMap((entry) => {
    const at = printed.get(`${entry.indicatorId} ${entry.sourceId}`);
    return at === undefined ? [] : [{ ...record(entry, span), id: entry.id, last_updated: `${at.slice(0, 10)} ${at.slice(11, 19)}+00` }];
  });
  const sorted = found.toSorted((a, b) => compare(b.last_updated, a.last_updated) || compare(a.id, b.id));
  const more = { filter_variable: 'geography', filter_value: question.filter_value };
  return pageOf(SERIES, span, { ...question, order_by: 'last_updated', sort_order: 'desc' }, sorted, more);
}

const Printed = z.object({ indicatorId: z.string(), sourceId: z.string(), observedAt: z.string() });
const DAYS_OF_UPDATES = 14;
const MOST_PRINTS = 200_000;

const NEW_YORK_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short' });

/** The day of a release in its publisher's time zone. An entry with only a day has the start of that UTC day. */
function newYorkDay(instant: string): string {
  return instant.endsWith('T00:00:00.000Z') ? instant.slice(0, 10) : NEW_YORK_DAY.format(new Date(instant));
}

const daysBefore = (day: string, days: number): string => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

/** `202605311430`. FRED uses the time of St. Louis; here it is UTC. */
function instantOf(time: string): string {
  return time.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:00.000Z');
}
