// The calendar of the publishers' own payloads: what their documents announced ahead is known from those documents; a schedule that says nothing of when it
// was published, from its retrieval. Days compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CalendarEntry } from '../../src/model/event.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

const RETRIEVED = '2026-11-20T10:00:00.000Z';
const READ =
  /^(?:central-bank-text\/(?:fed\/(?:minutes|statements)\/\d+\.json|communications_boc\.csv|meeting_calendar.*)|calendars\/.*|fred-api\/releases?_dates\..*)$/;

describe.skipIf(!existsSync(REAL_DATA))('the calendar of the real payloads', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = readdirSync(REAL_DATA, { recursive: true, encoding: 'utf8' }).filter((path) => READ.test(path));
    await pipeline.run(Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(join(REAL_DATA, path)))])), RETRIEVED);
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
  });
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  async function answerOf(query: string) {
    const body = (await (await service.get(`/economic-calendar?limit=500&${query}`)).json()) as ListBody;
    return { entries: z.array(CalendarEntry).parse(body.data), hints: body.meta.hints };
  }
  const entriesOf = async (query: string) => (await answerOf(query)).entries;

  it('has the next meeting of the Federal Reserve from the minutes of the one before on', async () => {
    const ahead = 'start_date=2024-12-05&country=US&indicator_id=policy_rate';
    // The minutes of November 7 appeared on November 28 at 14:00 in New York.
    const [announced] = await entriesOf(`${ahead}&as_of=2024-12-05`);
    expect(announced).toMatchObject({
      title: 'Federal Open Market Committee Decision',
      scheduledAt: '2024-12-18T00:00:00.000Z',
      timePrecision: 'date_only',
      status: 'scheduled',
      observedAt: '2024-11-28T19:00:00.000Z',
      sourceId: 'fed_statements',
    });
    expect(await entriesOf(`${ahead}&as_of=2024-11-28T18:59:59.999Z`)).toEqual([]);
    const [out] = await entriesOf(`${ahead}&end_date=2024-12-31&as_of=2024-12-18`);
    expect(out).toMatchObject({
      eventId: announced?.eventId,
      status: 'released',
      scheduledAt: '2024-12-18T19:00:00.000Z',
      scheduleVersion: 2,
    });
  });

  it('knew each announced meeting a week before its day, as one entry with its results', async () => {
    const rows = await pipeline.lake(
      "select distinct source_id, scheduled_at from schedules where release_code = 'next_meeting' order by all",
    );
    const announced = rows.map(
      (row) => [row['source_id'] === 'fed_statements' ? 'us' : 'ca', String(row['scheduled_at']).slice(0, 10)] as const,
    );
    // 23 minutes of the Federal Reserve and four releases of the Bank of Canada name one each.
    expect(announced.length).toBe(27);
    const outcomes: Record<string, number> = {};
    for (const [country, day] of announced) {
      const before = new Date(Date.parse(day) - 7 * 86_400_000).toISOString().slice(0, 10);
      const ofDay = `start_date=${day}&end_date=${day}&indicator_id=policy_rate&country=${country}`;
      const known = (await entriesOf(`${ofDay}&as_of=${before}`)).map(({ status, timePrecision }) => [status, timePrecision]);
      expect.soft([day, known]).toEqual([day, [['scheduled', 'date_only']]]);
      const now = await entriesOf(ofDay);
      expect.soft([day, now.length]).toEqual([day, 1]);
      const outcome = now[0]?.status === 'released' ? `${country} released` : `${country} ${day} ${now[0]?.status}`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    // Of January 29, 2025 the minutes are here, not the statement; of December 10, 2025 neither; the last of the Bank of Canada's releases here is of April 29, 2026.
    expect(outcomes).toEqual({ 'us released': 22, 'us 2025-12-10 scheduled': 1, 'ca released': 3, 'ca 2026-06-10 scheduled': 1 });
  });

  it('gives the time from which it is known if no document announced it', async () => {
    const { entries, hints } = await answerOf('start_date=2024-12-06&end_date=2024-12-06&as_of=2024-12-05');
    expect(entries).toEqual([]);
    expect(hints).toEqual([
      {
        parameter: 'as_of',
        message: `Nothing was known at 2024-12-05T23:59:59.999Z: the first entry became known at ${RETRIEVED}. Ask for a later as_of.`,
        nearest: RETRIEVED,
      },
    ]);
  });
});
