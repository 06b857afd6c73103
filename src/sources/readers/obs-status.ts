// What publishers flag their values with, as codes of SDMX's list CL_OBS_STATUS.

/** Codes of the list, of which A is a normal value. */
const CODES = new Set('ABDEFGIJKLMNOPQSUVW');
/** Eurostat's own flags that the list has under another letter, or not at all; the others are its letters in lower case. */
const OF_EUROSTAT: Readonly<Record<string, string>> = { c: 'Q', d: 'D', s: 'E', z: 'M', i: '', r: '' };

/** The code of a status, `E` or `E: Estimated value`; undefined where there is none that the list has. */
export function obsStatusOf(cell: string | undefined): string | undefined {
  const code = cell?.split(': ', 1)[0]?.trim() ?? '';
  return CODES.has(code) ? code : undefined;
}

/** The first flag of those beside a value of Eurostat, `p` or `bep`, that the list has. */
export function eurostatStatusOf(flags: string): string | undefined {
  return Array.from(flags.trim())
    .map((flag) => OF_EUROSTAT[flag] ?? flag.toUpperCase())
    .find((code) => CODES.has(code));
}

/** The field of a record, left out where there is no status. */
export function statusField(obsStatus: string | undefined): { readonly obsStatus?: string } {
  return obsStatus === undefined ? {} : { obsStatus };
}
