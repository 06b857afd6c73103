// One series per request, by the API without a key: its last three years. On the day of a release its first series is requested in every run, the
// others once that one is new: the limit is 25 requests a day.
import { z } from 'zod';
import { isKeyDue } from '../feeds/due.ts';
import type { Answer, Feed, GiveUp, Held, Request } from '../feeds/feed.ts';

const API = 'https://api.bls.gov/publicAPI/v1/timeseries/data/';

/** By the name of their release in the calendar. */
export const BLS_RELEASES: Readonly<Record<string, readonly string[]>> = {
  'Consumer Price Index': ['CUSR0000SA0', 'CUUR0000SA0', 'CUSR0000SA0L1E', 'CUUR0000SA0L1E'],
  'Employment Situation': ['CES0000000001', 'LNS14000000'],
  'Producer Price Index': ['WPSFD4'],
  'Job Openings and Labor Turnover Survey': ['JTS000000000000000JOL'],
};

const keyOf = (series: string): string => `bls/timeseries.${series}.json`;

const isDue = (now: string, held: Held, release: string, series: string): boolean =>
  isKeyDue(now, held, keyOf(series), { everyHours: 24, publication: held.lastRelease('bls_calendar', release) });

export const blsFeed: Feed = {
  publisher: 'bls_api',
  isDue: (now, held) => Object.entries(BLS_RELEASES).some(([release, series]) => series.some((one) => isDue(now, held, release, one))),
  *plan(now, held) {
    for (const [release, series] of Object.entries(BLS_RELEASES)) {
      for (const [index, one] of series.entries()) {
        if (!isDue(now, held, release, one)) continue;
        const isNews = yield* answerOf(one);
        if (index === 0 && !isNews && series.every((other) => held.newest(keyOf(other)) !== null)) break;
      }
    }
  },
  essence: (body) => new TextDecoder().decode(body).replace(/"responseTime":\s*\d+/, ''),
};

const Told = z.looseObject({
  status: z.literal('REQUEST_SUCCEEDED'),
  Results: z.looseObject({ series: z.array(z.looseObject({ data: z.array(z.unknown()).min(1) })).min(1) }),
});

/** True if there is news. Refusals also have status 200. */
function* answerOf(series: string): Generator<Request | GiveUp, boolean, Answer> {
  const answer = yield { key: keyOf(series), url: `${API}${series}`, group: series, mayShrink: true };
  if (answer.kind === 'absent' || answer.kind === 'failed') return false;
  const text = new TextDecoder().decode(answer.body);
  if (isTold(text)) return answer.kind === 'new';
  const said = /"message":\s*\[\s*"([^"]{1,200})/.exec(text)?.[1];
  const isEmpty = /"status":\s*"REQUEST_SUCCEEDED"/.test(text) && /"data":\s*\[\s*\]/.test(text);
  yield { giveUp: `${series}: the answer has no rows${said === undefined ? '' : `: ${said}`}`, isEmpty };
  return false;
}

function isTold(text: string): boolean {
  try {
    return Told.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
