import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CalendarEntry, Event } from '../../src/model/event.ts';
import { routes } from '../../src/routes/index.ts';
import type { ErrorBody } from '../service.ts';
import { fixtureFiles, type FixtureService, startFixtureService } from './fixture-service.ts';

let service: FixtureService;
beforeAll(async () => {
  const sample = Object.entries(fixtureFiles('fed_statements', 'statement-for-immediate-release'));
  const files = {
    ...fixtureFiles('fed_statements', 'text-wrapped', 'statement-with-time', 'minutes', 'release-on-facilities'),
    ...fixtureFiles('sec', 'submissions'),
    ...Object.fromEntries(sample.map(([key, body]) => [`sample/${key}`, body])),
  };
  service = await startFixtureService([{ files, at: '2026-06-02T08:00:00.000Z' }], '2026-06-03T08:00:00.000Z');
});
afterAll(() => service.stop());

const events = async (path: string, key: 'full' | 'free' = 'full') => z.array(Event).parse((await service.list(path, key)).data);
const refusal = async (path: string) => {
  const response = await service.get(path);
  return { status: response.status, error: ((await response.json()) as ErrorBody).error };
};
const typesOf = (found: readonly Event[]) => found.map((event) => event.eventType);

describe('/events', () => {
  it('lists documents of central banks and current reports in the order of their events', async () => {
    const all = await events('/events');
    expect(all.map(({ eventType, occurredAt, timePrecision }) => [eventType, occurredAt, timePrecision])).toEqual([
      ['policy_statement', '1996-01-31T00:00:00.000Z', 'day'],
      ['policy_statement', '2013-03-20T18:00:00.000Z', 'minute'],
      ['other', '2020-03-31T12:30:00.000Z', 'minute'],
      ['filing', '2025-02-10T21:01:00.000Z', 'minute'],
      ['minutes', '2025-02-19T19:00:00.000Z', 'minute'],
      ['policy_statement', '2025-06-18T18:00:00.000Z', 'minute'],
    ]);
    expect(all.map((event) => event.publishedAt === null)).toEqual([true, false, false, false, false, false]);
  });

  it('gives the subject and address of a filing', async () => {
    expect(await events('/events?event_type=filing')).toMatchObject([
      {
        title: 'Form 8-K of EXAMPLE WORKS INC',
        summary: 'Items 2.02, 9.01',
        entityId: 'company_0000099990',
        sourceUrl: 'https://www.sec.gov/Archives/edgar/data/99990/000009999025000002/0000099990-25-000002-index.htm',
        documentHash: null,
        rights: { redistributable: true },
      },
    ]);
  });

  it('marks events of the generated sample, and nothing else', async () => {
    const marked = (await events('/events')).filter((event) => event.attribution.startsWith('SAMPLE DATA, generated, not real: '));
    expect(marked.map((event) => event.occurredAt)).toEqual(['2013-03-20T18:00:00.000Z']);
  });

  it('applies the filters', async () => {
    expect(typesOf(await events('/events?country=usa&entity=cb_fed&importance=high&status=occurred'))).toEqual(
      Array(3).fill('policy_statement'),
    );
    expect(typesOf(await events('/events?q=MINUTES%20of'))).toEqual(['minutes']);
    expect(typesOf(await events('/events?start_date=2020-03-31&end_date=2025-02-10'))).toEqual(['other', 'filing']);
    for (const none of ['entity=nobody', 'country=nowhere', 'entity=cb_fed&event_type=filing', 'q=100%25'])
      expect(await events(`/events?${none}`)).toEqual([]);
  });

  it('shows as of a cutoff the versions known then, that instant included', async () => {
    expect(await events('/events?as_of=1996-01-31T23:59:59.998Z')).toEqual([]);
    expect(await events('/events?as_of=1996-01-31')).toHaveLength(1);
    expect(await events('/events?as_of=2025-02-19T18:59:59.999Z')).toHaveLength(4);
    expect((await service.list('/events?as_of=2025-02-19T19:00:00Z')).meta.as_of).toBe('2025-02-19T19:00:00.000Z');
    expect(await events('/events?as_of=2025-02-19T19:00:00Z')).toHaveLength(5);
  });

  it('shows a free key only the trailing 24 months', async () => {
    expect(typesOf(await events('/events', 'free'))).toEqual(['filing', 'minutes', 'policy_statement']);
    expect((await service.list('/events?start_date=1990-01-01', 'free')).meta.history_limited).toBe(true);
    expect(typesOf(await events('/events?start_date=1990-01-01', 'free'))).toHaveLength(3);
  });

  it('is paged by cursor without a gap, in any order', async () => {
    for (const query of ['sort=title&order=desc', 'sort=observed_at']) {
      const whole = (await service.list(`/events?${query}`)).data;
      const walked = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await service.list(`/events?${query}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        walked.push(...page.data);
        cursor = page.meta.pagination.next_cursor;
      }
      expect(walked).toEqual(whole);
    }
  });

  it('refuses reversed days and unknown kinds', async () => {
    expect((await refusal('/events?start_date=2021-01-02&end_date=2021-01-01')).status).toBe(400);
    expect((await refusal('/events?event_type=party')).error.details?.['parameter']).toBe('event_type');
  });
});

describe('/events/{eventId}', () => {
  it('answers one event, to a free key only within its months', async () => {
    const all = await events('/events');
    for (const event of all) {
      const response = await service.get(`/events/${event.eventId}`);
      expect(((await response.json()) as { data: unknown }).data).toEqual(event);
      expect((await service.get(`/events/${event.eventId}`, { key: 'free' })).status).toBe(event.occurredAt < '2024-06-03' ? 404 : 200);
    }
  });

  it('names an unknown event', async () => {
    const { status, error } = await refusal('/events/evt_none');
    expect(status).toBe(404);
    expect(error.message).toContain('evt_none');
  });
});

describe('/economic-calendar', () => {
  it('is empty until schedules are read, with any filter', async () => {
    const { data, meta } = await service.list(
      '/economic-calendar?country=US&indicator_id=us_cpi&importance=high&status=released&as_of=2026-01-01',
    );
    expect(data).toEqual([]);
    expect(meta.as_of).toBe('2026-01-01T23:59:59.999Z');
    expect((await refusal('/economic-calendar/cal_none')).error.details).toEqual({ eventId: 'cal_none' });
  });

  it('describes the whole entry', () => {
    const route = routes.find((one) => one.path === '/economic-calendar');
    expect(route?.kind === 'list' && route.row).toBe(CalendarEntry);
    expect(Object.keys(CalendarEntry.shape)).toHaveLength(33);
  });
});
