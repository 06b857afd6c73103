// The real time that a question asks about. FRED's real time is a span of days.
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';

/** First and last day of the requested real time. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

/** A missing bound is today, as at FRED. */
export function spanOf(
  standing: Standing,
  {
    realtime_start: start = standing.today,
    realtime_end: end = standing.today,
  }: { readonly realtime_start?: string | undefined; readonly realtime_end?: string | undefined },
): Span {
  checkCome('realtime_start', start, standing);
  if (start > end) throw new FacadeError(400, `Bad Request. realtime_start ${start} is after realtime_end ${end}.`);
  return { start, end };
}

/** Refuses a day after that of the clock. */
export function checkCome(name: string, day: string, { today }: Standing): void {
  if (day > today) throw new FacadeError(400, `Bad Request. ${name} ${day} is after ${today}, the newest day here.`);
}

/** Facts about series and releases are those known at the end of the requested real time. */
export async function atEndOf({ end }: Span, standing: Standing): Promise<Standing> {
  return end < standing.today ? standing.on(end) : standing;
}
