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
