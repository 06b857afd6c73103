import { describe, expect, it } from 'vitest';
import { describeParameters } from '../../src/http/description/described-parameters.ts';
import { llmsFullText, llmsText } from '../../src/http/description/llms.ts';
import { openapiPath } from '../../src/http/description/openapi.ts';
import { toyRoutes } from './toy-routes.ts';

const options = { title: 'Toys', description: 'A toy shop.', tags: { toys: 'What is sold.' } };
const index = llmsText(toyRoutes, options);
const full = llmsFullText(toyRoutes, options);

/** The part of the reference about one route. */
function about(path: string): string {
  const [, after = ''] = full.split(`### GET ${path}\n`);
  return after.split('\n##')[0] ?? '';
}

describe('the index', () => {
  it('begins with the title and a summary, as llms.txt does', () => {
    expect(index.split('\n').slice(0, 3)).toEqual(['# Toys', '', '> A toy shop.']);
  });

  it('has a linked line for each route, under its section', () => {
    expect(index.match(/^## .*$/gm)).toEqual(['## discovery', '## toys', '## makers']);
    expect(index).toContain('## toys\n\nWhat is sold.\n\n- [GET /toys](/toys?kind=doll&made_on=2020-02-29): All toys.\n');
    expect(index).toContain('- [GET /health](/health): Whether the service runs. (open)');
    expect(index.match(/^- \[GET /gm)).toHaveLength(toyRoutes.length);
  });
});

describe('the reference', () => {
  it.each(toyRoutes)('names every parameter, alias and example of $path', (route) => {
    const text = about(openapiPath(route));
    expect(text).toContain(route.summary);
    expect(text).toContain(`Example: GET ${route.example}`);
    expect(describeParameters(route).filter((parameter) => !new RegExp(`\\b${parameter.name}\\b`).test(text))).toEqual([]);
  });

  it('gives type, default, bounds, aliases and an example', () => {
    const text = about('/toys');
    expect(text).toContain('  - year (integer; at least 1900; at most 2100; e.g. 2020): Year it was made.');
    expect(text).toContain('  - kind (one of car, doll; e.g. car): Kind of toy.');
    expect(text).toContain('  - is_sold (boolean; default false; e.g. true): Only sold ones.');
    expect(text).toContain('  - maker_id (string; also makerId, maker; e.g. m1): Makers, up to 50 separated by commas.');
    expect(about('/makers/{makerId}/parts')).toContain('  - name (string; required; e.g. Ann): Name to look for.');
    expect(about('/makers/{makerId}/parts')).toContain(
      '  - makerId (string; in the path; at most this many characters: 10; e.g. m9): A maker.',
    );
  });

  it('describes the answer of a route and lists its fields', () => {
    expect(about('/toys')).toContain('- Returns: a list of Toy; meta adds as_of\n- Formats: json, csv, ndjson, arrow, parquet\n');
    expect(about('/llms.txt')).toContain('- Returns: text/plain\n');
    const [, toy = ''] = full.split('### Toy\n');
    expect(toy).toContain('- kind (one of car, doll): Kind of toy.\n');
    expect(toy).toContain('- price (number | null): Price.\n');
    expect(toy).toContain('- madeAt (string, date-time | null): When it was made.\n');
    expect(toy).toContain('- colours (array of string): Its colours.\n');
    expect(toy).toContain('- maker (Maker | null): Who made it.\n');
  });
});
