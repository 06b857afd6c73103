// Publication times in local time → instants.
import { Temporal } from 'temporal-polyfill';

/** @param time `15:30`, in that zone's local time on that day */
export function instantAt(day: string, time: string, zone: string): string {
  return Temporal.ZonedDateTime.from(`${day}T${time}[${zone}]`).toInstant().toString({ fractionalSecondDigits: 3 });
}
