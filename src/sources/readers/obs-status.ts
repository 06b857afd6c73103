// Publishers' flags of values, as codes of SDMX's list CL_OBS_STATUS.

/** Codes of the list; A is a normal value. */
const CODES = new Set('ABDEFGIJKLMNOPQSUVW');
/** Eurostat's own flags with another letter in the list, or without one; the others are its letters in lower case. */
const OF_EUROSTAT: Readonly<Record<string, string>> = { c: 'Q', d: 'D', s: 'E', z: 'M', i: '', r: '' };

/** The code of a status, `E` or `E: Estimated value`; undefined if the list has none. */
export function obsStatusOf(cell: string | undefined): string | undefined {
  const code = cell?.split(': ', 1)[0]?.trim() ?? '';
  return CODES.has(code) ? code : undefined;
}

/** The first flag next to a Eurostat value, `p` or `bep`, that is in the list. */
export function eurostatStatusOf(flags: string): string | undefined {
  return Array.from(flags.trim())
    .map((flag) => OF_EUROSTAT[flag] ?? flag.toUpperCase())
    .find((code) => CODES.has(code));
}

/** The field of a record; absent without a status. */
export function statusField(obsStatus: string | undefined): { readonly obsStatus?: string } {
  return obsStatus === undefined ? {} : { obsStatus };
}
