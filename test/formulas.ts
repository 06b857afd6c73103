// Texts that spreadsheets run as formulas when they begin a cell of CSV.
export const FORMULAS: readonly string[] = [
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\tx',
  '\rx',
  '\n=1+1',
  '\n',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '=HYPERLINK("http://x","y")',
];
