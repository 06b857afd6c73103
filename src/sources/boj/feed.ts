// Bank of Japan: an answer of several positions, in groups.
import { z } from 'zod';
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import type { Answer, Feed, GiveUp, Request } from '../feeds/feed.ts';
import { isFileDue } from '../feeds/whole-files.ts';

/** Database → its codes, all of one frequency. */
export const BOJ_DATABASES: Readonly<Record<string, readonly string[]>> = { FM01: ['STRDCLUCON'], FM08: ['FXERD01'] };
const BOJ_MORNING: Publication = { time: '08:50', zone: 'Asia/Tokyo', weekdays: WORKING_DAYS };

export function bojAddress(database: string, position: string | null): string {
  const codes = (BOJ_DATABASES[database] ?? []).join(',');
  const from = position === null ? '' : `&startPosition=${position}`;
  return `https://www.stat-search.boj.or.jp/api/v1/getDataCode?db=${database}&code=${codes}&format=json&lang=en${from}`;
}

const BojAnswer = z.looseObject({ STATUS: z.int(), MESSAGE: z.string(), NEXTPOSITION: z.int().positive().nullish() });

export const bojFeed: Feed = {
  publisher: 'boj',
  isDue: (now, held) =>
    Object.keys(BOJ_DATABASES).some((database) => isFileDue(now, held, `boj/${database}.json`, { publication: BOJ_MORNING })),
  *plan(now, held) {
    for (const database of Object.keys(BOJ_DATABASES))
      if (isFileDue(now, held, `boj/${database}.json`, { publication: BOJ_MORNING })) yield* bojPages(database);
  },
  // Each answer contains its own time.
  essence: (body) => new TextDecoder().decode(body).replace(/"DATE":\s*"[^"]*"/, ''),
};

/** All positions of a database as one group, because refusals also have status 200. */
function* bojPages(database: string): Generator<Request | GiveUp, void, Answer> {
  for (let position: number | null = null; ; ) {
    const page: string = position === null ? '' : `.${position}`;
    const url = bojAddress(database, position === null ? null : String(position));
    const answer = yield { key: `boj/${database}${page}.json`, url, group: `boj/${database}` };
    if (!('body' in answer)) return;
    const told = saidBy(answer.body);
    if (told?.STATUS !== 200) {
      yield {
        giveUp: `${database}: the answer is ${told === null ? 'of another layout' : `${told.STATUS}: ${told.MESSAGE.slice(0, 200)}`}`,
      };
      return;
    }
    const next: number | null = told.NEXTPOSITION ?? null;
    if (next === null) return;
    if (position !== null && next <= position) {
      yield { giveUp: `${database}: the answer goes on at ${next} after ${position}` };
      return;
    }
    position = next;
  }
}

function saidBy(body: Uint8Array): z.infer<typeof BojAnswer> | null {
  try {
    return BojAnswer.safeParse(JSON.parse(new TextDecoder().decode(body))).data ?? null;
  } catch {
    return null;
  }
}
