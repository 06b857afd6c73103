// Formats instants and days as Date does, but several times as fast: a page of rows needs hundreds of them, and few days differ.

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The days of years 0000 to 9999, which have four digits. */
const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;

const two = (number: number) => String(number).padStart(2, '0');
const MINUTES = Array.from({ length: 1440 }, (_, minute) => `T${two(Math.floor(minute / 60))}:${two(minute % 60)}:`);
const SECONDS = Array.from({ length: 60 }, (_, second) => `${two(second)}.000Z`);
const days = new Map<number, string>();

/** `YYYY-MM-DD` from whole days since 1970. */
export function dayText(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    days.set(day, text);
  }
  return text;
}

/** ISO 8601 in UTC with milliseconds, from whole milliseconds since 1970. */
export function instantText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) return new Date(ms).toISOString();
  const left = ms - day * DAY_MS;
  const minute = MINUTES[Math.floor(left / MINUTE_MS)] ?? '';
  const rest = left % MINUTE_MS;
  const second = SECONDS[rest / 1000] ?? `${two(Math.floor(rest / 1000))}.${String(rest % 1000).padStart(3, '0')}Z`;
  return dayText(day) + minute + second;
}

/** Days since 1970, from `YYYY-MM-DD`. */
export function dayOf(text: string): number {
  return Math.round(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

/** ISO 8601 in UTC with milliseconds, from microseconds since 1970. */
export function instantOf(micros: number): string {
  return instantText(Math.trunc(micros / 1000));
}

/** Microseconds since 1970, from ISO 8601 in UTC, from the engine's own format (up to six decimals), or from a day (its start). */
export function microsOf(text: string): number {
  if (text.length === 10) return dayOf(text) * DAY_MS * 1000;
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d{1,6}))?(?:Z|\+00)$/.exec(text.replace(' ', 'T')) ?? [];
  const micros = Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
  if (Number.isNaN(micros)) throw new RangeError(`${text} is no instant in UTC`);
  return micros;
}
