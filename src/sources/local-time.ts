// Publication times stated in a place's own clock → instants.
import { Temporal } from 'temporal-polyfill';

/** @param time `15:30`, on the clocks of that zone on that day */
export function instantAt(day: string, time: string, zone: string): string {
  return Temporal.ZonedDateTime.from(`${day}T${time}[${zone}]`).toInstant().toString({ fractionalSecondDigits: 3 });
}
