// The pages of docs/reference that list closed sets: complete, and with nothing that the service does not have.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../src/http/description/openapi-components.ts';
import { REASONS, STATUS } from '../../src/http/errors.ts';

const ROOT = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The cells of each row of the table under a heading, without its head. */
function tableUnder(text: string, heading: string): readonly (readonly string[])[] {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) =>
    row
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll(/^`|`$/g, '')),
  );
}

describe('docs/reference/errors.md', () => {
  const page = textOf('docs/reference/errors.md');

  it('has each code with its status, and a remedy', () => {
    const rows = tableUnder(page, 'Codes');
    expect(rows.map(([code, status]) => [code, Number(status)])).toEqual(Object.entries(STATUS));
    expect(rows.filter(([, , meaning = '', remedy = '']) => meaning === '' || remedy === '')).toEqual([]);
  });

  it('has each reason with its code, and a remedy', () => {
    const rows = tableUnder(page, 'Reasons');
    expect(rows.map(([reason, code]) => [reason, code])).toEqual(Object.entries(REASONS));
    expect(rows.filter(([, , meaning = '', remedy = '']) => meaning === '' || remedy === '')).toEqual([]);
  });

  it('has the reasons that the description lists', () => {
    expect(SCHEMAS['ErrorReason']?.['enum']).toEqual(tableUnder(page, 'Reasons').map(([reason]) => reason));
  });

  it('has no reason that the code never sends', () => {
    const folders = ['src/http', 'src/routes'];
    const code = folders
      .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
      .filter((file) => file.endsWith('.ts') && file !== 'src/http/errors.ts')
      .map(textOf)
      .join('\n');
    expect(Object.keys(REASONS).filter((reason) => !new RegExp(`reason: '${reason}'|cursorFault\\('${reason}'\\)`).test(code))).toEqual([]);
  });
});

describe('comments', () => {
  const files = ['src', 'sql', 'test', 'jobs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql|py)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );

  it('cite only pages and headings that exist', () => {
    const missing = files.flatMap((file) =>
      [...textOf(file).matchAll(/docs\/reference\/[a-z-]+\.md(#[a-z][a-z-]*)?/g)]
        .map(([cited]) => cited)
        .filter((cited) => !isThere(cited))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('cite no specification from outside the repository', () => {
    expect(files.filter((file) => /\((?:contract|methods|interface)\.md/.test(textOf(file)))).toEqual([]);
  });
});

/** `docs/reference/methods.md#freshness`, as GitHub makes anchors of headings. */
function isThere(cited: string): boolean {
  const [file = '', anchor] = cited.split('#');
  if (!existsSync(join(ROOT, file))) return false;
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-'));
  return anchor === undefined || headings.includes(anchor);
}
