// The pages of docs/reference that list routes and closed sets: complete, and with nothing that the service does not have.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openapiDocument } from '../../src/http/description/openapi.ts';
import { SCHEMAS } from '../../src/http/description/openapi-components.ts';
import { REASONS, STATUS } from '../../src/http/errors.ts';
import { openRoutes } from '../../src/http/open-routes.ts';
import { about } from '../../src/routes/about.ts';
import { routes } from '../../src/routes/index.ts';
import { interfaceDocument } from '../../tools/interface-document.ts';

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

describe('docs/reference/interface.md', () => {
  const page = textOf('docs/reference/interface.md');
  const { paths, components } = openapiDocument([...openRoutes, ...routes], about) as unknown as Described;

  it('is current (npx vitest run test/rules/reference.test.ts -u rewrites it)', async () => {
    await expect(interfaceDocument()).toMatchFileSnapshot('../../docs/reference/interface.md');
  });

  it('has each route of the OpenAPI document with its scope, its example and its parameters', () => {
    expect(page.match(/^### `GET .*`$/gm)).toHaveLength(Object.keys(paths).length);
    for (const [path, { get }] of Object.entries(paths)) {
      const [section = ''] = (page.split(`\n### \`GET ${path}\`\n`)[1] ?? '').split(/\n##/);
      expect(section).toContain(`8080${get['x-example']}'`);
      expect(section).toContain(`- Scope: ${get['x-required-scope'] === undefined ? 'none' : `\`${get['x-required-scope']}\``}`);
      const names = get.parameters.map((one) => one.name ?? components.parameters[one.$ref?.split('/').at(-1) ?? '']?.name ?? '?');
      expect([path, names.filter((name) => !section.includes(`\`${name}\``))]).toEqual([path, []]);
    }
  });

  it('has each record with all its fields, once', () => {
    const records = page.split('\n#### Fields of ').slice(1);
    const names = records.map((record) => record.split('\n')[0] ?? '');
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['Entity', 'ObservationWithRights', 'Rights', 'CalendarEntry', 'Snapshot']));
    for (const record of records) {
      const [name = ''] = record.split('\n');
      const fields = [...(record.split('\n#')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field);
      expect([name, fields]).toEqual([name, Object.keys(components.schemas[name]?.properties ?? {})]);
    }
  });
});

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly 'x-example': string;
          readonly 'x-required-scope'?: string;
          readonly parameters: readonly { readonly name?: string; readonly $ref?: string }[];
        };
      }
    >
  >;
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

describe('comments', () => {
  const files = ['src', 'sql', 'test', 'jobs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql|py)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );

  it('cite only existing pages and headings', () => {
    const missing = files.flatMap((file) =>
      [...textOf(file).matchAll(/docs\/reference\/[a-z-]+\.md(#[a-z][a-z-]*)?/g)]
        .map(([cited]) => cited)
        .filter((cited) => !isThere(cited))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('cite no specification outside the repository', () => {
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
