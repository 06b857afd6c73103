/** NFKC, case-folded, blanks collapsed, `. , '` dropped: the form in which aliases are compared when the exact text finds nothing. */
export function normaliseAlias(alias: string): string {
  return alias
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[.,'’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A ticker as EDGAR writes it, with its class after a dash. Others use a dot, slash or blank: BRK-B, BRK.B, BRK/B. */
export function tickerForm(ticker: string): string {
  return ticker.trim().toUpperCase().replaceAll(/[./ ]/g, '-');
}

/** A name in lower case with an underscore between its words: `bureau_of_labor_statistics`. */
export function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
