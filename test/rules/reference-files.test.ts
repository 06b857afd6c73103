// docs/develop/reference-files.md against the files that it describes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/develop/reference-files.md'), 'utf8');
const sections = page.split(/^## /mu).slice(1);

it.each(sections.map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]))(
  'the page lists the columns of %s in their order',
  (name, section) => {
    const header = readFileSync(join(root, 'data/reference', name), 'utf8')
      .split('\n')[0]
      ?.split(',');
    const cells = section.split('\n').filter((line) => line.startsWith('| `'));
    const listed = cells.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/gu)].map(([, column]) => column));
    expect(listed).toEqual(header);
  },
);

it('the page has the files that a new source touches', () => {
  const touched = ['sources.csv', 'files/source_evidence.csv', 'series.csv', 'canonical_indicators.csv', 'publication_rules.csv'];
  expect(touched.filter((name) => !sections.some((section) => section.startsWith(name)))).toEqual([]);
});
