import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawMutants, KINDS, mutantsOf, withMutant } from './mutants.ts';

const TYPESCRIPT = `// if (a < 1 && true) in a comment
const text = 'a < 1 && true || 2';
const shown = \`\${count > 3} of a < 1\`;
const pattern = /1 < 2/;
type Size = 1 | 2 | true;
function keep(rows: readonly number[], isOpen = false): number | null {
  if (rows.length === 0 || !isOpen) return null;
  return isOpen ? Math.min(...rows) : rows.find((row) => row /* < 7 */ >= 10) ?? null;
}
`;

const SQL = `-- where a < 1 and true, in a comment
select 'a < 1 and true' as text, "left join" as name, min(value) as least_value, a::decimal(18, 3) as rounded
from read_csv($path, header = true) /* or 2 */
left join other on other.id = one.id and day between first_day and last_day
where value > 0.5 or is_kept = true
order by day desc nulls last
`;

/** The change in the line: kind, characters before and after. */
const changesOf = (file: string, source: string) =>
  mutantsOf(file, source).map(({ line, kind, start, end, text }) => `${line} ${kind}: ${source.slice(start, end)} → ${text}`);

describe('mutants of TypeScript', () => {
  it('are of code, and not of comments, strings, patterns or types', () => {
    expect(changesOf('a.ts', TYPESCRIPT)).toEqual([
      '3 comparison: > → >=',
      '3 number: 3 → 4',
      '6 boolean: false → true',
      '7 condition: rows.length === 0 || !isOpen → false',
      '7 comparison: === → !==',
      '7 number: 0 → 1',
      '7 logic: || → &&',
      '8 condition: isOpen → true',
      '8 order: min → max',
      '8 order: find → findLast',
      '8 comparison: >= → >',
      '8 number: 10 → 11',
    ]);
  });

  it('show their line before and after', () => {
    const [mutant] = mutantsOf('a.ts', 'let a = 1;\n  if (a < 2) a = 3;\n').filter(({ kind }) => kind === 'comparison');
    expect(mutant).toMatchObject({ line: 2, before: 'if (a < 2) a = 3;', after: 'if (a <= 2) a = 3;' });
  });
});

describe('mutants of SQL', () => {
  it('are of code, and not of comments, strings, names in quotes, sizes of types or options of a file', () => {
    expect(changesOf('a.sql', SQL)).toEqual([
      '2 order: min → max',
      '3 boolean: true → false',
      '4 join: left → inner',
      '4 comparison: = → !=',
      '4 logic: and → or',
      '5 condition: where → where true or',
      '5 comparison: > → >=',
      '5 number: 0.5 → 1.5',
      '5 logic: or → and',
      '5 comparison: = → !=',
      '5 boolean: true → false',
      '6 order: desc → asc',
      '6 order: last → first',
    ]);
  });
});

describe('a draw of mutants', () => {
  const all = [...mutantsOf('a.ts', TYPESCRIPT), ...mutantsOf('a.sql', SQL)];
  const ids = (seed: string, mutants = all) => drawMutants(mutants, 10, seed).map(({ id }) => id);

  it('is equal for equal seeds, and differs for others', () => {
    expect(ids('1')).toEqual(ids('1'));
    expect(ids('1')).not.toEqual(ids('2'));
    expect(new Set(ids('1')).size).toBe(10);
  });

  it('stays equal if other lines of a file move', () => {
    const moved = [...mutantsOf('a.ts', `\n\n${TYPESCRIPT}`), ...mutantsOf('a.sql', `\n${SQL}`)];
    expect(ids('1', moved)).toEqual(ids('1'));
  });

  it('takes each kind in turn', () => {
    const kinds = drawMutants(all, KINDS.length, '1').map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([...KINDS].toSorted());
  });
});

describe('a tried mutant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-mutants-'));
  const files: Readonly<Record<string, string>> = { 'src/a.ts': TYPESCRIPT, 'sql/a.sql': SQL };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

  it('changes one line of its file, which is restored, also after a failure', async () => {
    for (const [file, text] of Object.entries(files)) {
      for (const mutant of mutantsOf(file, text)) {
        const [before, after] = [text.split('\n'), (await withMutant(folder, mutant, async () => textOf(file))).split('\n')];
        const changed = after.flatMap((line, at) => (line === before[at] ? [] : [[at + 1, line.trim()]]));
        expect(changed).toEqual([[mutant.line, mutant.after]]);
        const failed = withMutant(folder, mutant, () => Promise.reject(new Error('the tests cannot start')));
        await expect(failed).rejects.toThrow('the tests cannot start');
        expect(textOf(file)).toBe(text);
      }
    }
  });
});
