// Rules that hold for every file: who may import whom, and where the clock and the environment may be read.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, type Import, importsOf, ROOT } from './imports.ts';

/** Folder or file of src (jobs for the jobs) → what it may import of the others. Its own files, packages and node: are always allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  stats: ['model'],
  disk: [],
  keys: ['model', 'disk'],
  archive: ['model', 'disk'],
  rights: ['model', 'disk'],
  objects: ['disk'],
  sources: ['model'],
  fetch: ['model', 'disk', 'sources'],
  db: [],
  lake: ['model', 'db', 'disk'],
  derived: ['model', 'stats', 'db'],
  // What build, serving and remote share. They do not import each other, but a reader opens what the list of relations names.
  snapshot: ['model', 'disk'],
  'snapshot/build': ['snapshot', 'model', 'db', 'disk', 'lake', 'derived', 'objects', 'threads.ts'],
  'snapshot/serving': ['snapshot', 'snapshot/build/relations.ts', 'model', 'db', 'disk', 'rights', 'threads.ts'],
  'snapshot/remote': ['snapshot', 'model', 'disk', 'objects'],
  engine: ['model', 'db'],
  queries: ['model', 'db'],
  http: ['model', 'db', 'keys'],
  routes: ['model', 'db', 'queries', 'http'],
  metrics: ['model', 'db', 'queries', 'http', 'snapshot'],
  client: [],
  mcp: ['client'],
  facade: ['client'],
  pages: ['http'],
  'called.ts': [],
  'config.ts': [],
  'effects.ts': [],
  'known-error.ts': [],
  'xml.ts': [],
  'port.ts': ['config.ts'],
  'service.ts': [
    'http',
    'routes',
    'pages',
    'metrics',
    'snapshot',
    'db',
    'engine',
    'disk',
    'keys',
    'rights',
    'objects',
    'called.ts',
    'config.ts',
    'effects.ts',
  ],
  'schedule.ts': [],
  'threads.ts': [],
  'greeting.ts': ['disk', 'keys', 'model'],
  'main.ts': [
    'called.ts',
    'greeting.ts',
    'service.ts',
    'disk',
    'http',
    'metrics',
    'snapshot',
    'config.ts',
    'effects.ts',
    'port.ts',
    'schedule.ts',
  ],
  jobs: [
    'model',
    'stats',
    'disk',
    'keys',
    'archive',
    'rights',
    'objects',
    'sources',
    'fetch',
    'db',
    'lake',
    'derived',
    'snapshot',
    'engine',
    'mcp',
    'facade',
    'called.ts',
    'config.ts',
    'effects.ts',
    'port.ts',
    'threads.ts',
  ],
};

/** What every folder and file may import. */
const FOR_ALL = ['known-error.ts', 'xml.ts'];

const UNITS = Object.keys(MAY_IMPORT).toSorted((a, b) => b.length - a.length);

const isWithin = (path: string, unit: string) => path === unit || path.startsWith(`${unit}/`);

/** A path below src, or one of another folder of the project. */
const placeOf = (path: string): string => path.replace(/^src\//, '');

/** The unit of the table to which a path of the project belongs: the longest that holds it. */
function unitOf(path: string): string {
  const place = placeOf(path);
  return UNITS.find((unit) => isWithin(place, unit)) ?? place.split('/')[0] ?? '';
}

/** From outside, the name of a folder means all of its units; from inside, the unit of that name alone. */
function mayImport(file: string, imported: string): boolean {
  const [from, to] = [unitOf(file), unitOf(imported)];
  const isOutside = from.split('/')[0] !== to.split('/')[0];
  return [...FOR_ALL, ...(MAY_IMPORT[from] ?? [])].some(
    (entry) => entry === to || entry === placeOf(imported) || (isOutside && isWithin(to, entry)),
  );
}

export function forbidden(imports: readonly Import[]): string[] {
  return imports
    .filter(({ file, imported }) => unitOf(file) !== unitOf(imported) && !mayImport(file, imported))
    .filter(({ imported, isTypeOnly }) => !(unitOf(imported) === 'effects.ts' && isTypeOnly))
    .map(({ file, imported }) => `${file} imports ${unitOf(imported)}`);
}

const files = [...filesBelow('src'), ...filesBelow('jobs')];
const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('imports', () => {
  it('go only in the direction of the table', () => {
    expect(forbidden(files.flatMap((file) => importsOf(file, sourceOf(file))))).toEqual([]);
  });

  it('are found in every form, and a wrong one is reported', () => {
    const text =
      "import { a } from '../../lake/append.ts';\nimport type { B } from '../../effects.ts';\nexport { c } from '../../routes/index.ts';\nawait import('../../http/app.ts');\nimport '../../jobs/x.ts';\n";
    expect(forbidden(importsOf('src/sources/wrong.ts', text))).toEqual([
      'src/sources/wrong.ts imports lake',
      'src/sources/wrong.ts imports routes',
      'src/sources/wrong.ts imports http',
      'src/sources/wrong.ts imports jobs',
    ]);
  });

  it('of one part of src/snapshot by another are reported, except the list of relations', () => {
    const text =
      "import { a } from '../build/build.ts';\nimport { b } from '../build/relations.ts';\nimport { c } from '../manifest.ts';\n";
    expect(forbidden(importsOf('src/snapshot/serving/wrong.ts', text))).toEqual(['src/snapshot/serving/wrong.ts imports snapshot/build']);
    expect(forbidden(importsOf('src/snapshot/wrong.ts', "import { a } from './build/relations.ts';\n"))).toHaveLength(1);
    expect(forbidden(importsOf('jobs/right.ts', "import { a } from '../src/snapshot/build/build.ts';\n"))).toEqual([]);
  });

  it('never go from one publisher to another: what several need is in feeds, readers or records', () => {
    const SHARED = ['feeds', 'readers', 'records'];
    const publisherOf = (path: string) => /^src\/sources\/([^/]+)\/[^/]+$/.exec(path)?.[1];
    const wrong = files
      .flatMap((file) => importsOf(file, sourceOf(file)))
      .map(({ file, imported }) => ({ file, from: publisherOf(file), to: publisherOf(imported) }))
      .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to && !SHARED.includes(to));
    expect(wrong).toEqual([]);
  });

  it('come only from folders in the table', () => {
    expect([...new Set(files.map(unitOf))].filter((unit) => MAY_IMPORT[unit] === undefined)).toEqual([]);
  });

  it('come from no folder for miscellaneous code', () => {
    expect(files.filter((file) => /(?:^|\/)(?:utils?|common|helpers?|types|misc)(?:\/|\.ts$)/.test(file))).toEqual([]);
  });
});

describe('the outside world', () => {
  it('is read in one place each: the clock in effects.ts, the environment in config.ts', () => {
    const clock = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bTemporal\.Now\b/;
    const offenders = files.filter(
      (file) =>
        (file !== 'src/effects.ts' && clock.test(sourceOf(file))) || (file !== 'src/config.ts' && /\bprocess\.env\b/.test(sourceOf(file))),
    );
    expect(offenders).toEqual([]);
  });

  it('is free of Math.random', () => {
    expect(files.filter((file) => /\bMath\.random\b/.test(sourceOf(file)))).toEqual([]);
  });

  it('is read from files only in durable.ts, so that a failed stream reaches its reader', () => {
    expect(files.filter((file) => file !== 'src/disk/durable.ts' && /(?<!\.)\bcreateReadStream\b/.test(sourceOf(file)))).toEqual([]);
  });

  it('is read by DuckDB file by file, without folders as columns; Parquet is read through src/db/files.ts', () => {
    const sql = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
    const reads = sql.flatMap((name) =>
      [...readFileSync(join(ROOT, 'sql', name), 'utf8').matchAll(/\bread_(?:parquet|csv)\(.*?\n\)|\bread_(?:parquet|csv)\(.*/gs)].map(
        ([read]) => [name, read] as const,
      ),
    );
    expect(reads.length).toBeGreaterThan(20);
    expect(reads.filter(([, read]) => !read.includes('hive_partitioning = false')).map(([name]) => name)).toEqual([]);
    expect(files.filter((file) => file !== 'src/db/files.ts' && /\bread_(?:parquet|csv)\(/.test(sourceOf(file)))).toEqual([]);
    // A path in any other read is a pattern as well.
    const others = /\b(?:read_\w+|parquet_\w+|glob)\(\[?\$\{quote\((?!patternOf|`\$\{patternOf|\w+\.paths\.pattern)/;
    expect(files.filter((file) => others.test(sourceOf(file)))).toEqual([]);
  });

  it('is never read through the clock of SQL', () => {
    const sql = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
    const clock =
      /\b(?:now|current_timestamp|current_date|today|get_current_timestamp|random|uuid|gen_random_uuid)\s*\(|\bcurrent_(?:timestamp|date)\b/i;
    // A reader of the files asks by their own clock; the macro is for them alone.
    const own = ['catalog/moment_of.sql'];
    expect(sql.filter((name) => clock.test(readFileSync(join(ROOT, 'sql', name), 'utf8').replaceAll(/--.*$/gm, '')))).toEqual(own);
  });
});

describe('the style', () => {
  it('allows no default exports, and classes only for errors', () => {
    const offenders = files.filter(
      (file) => /\bexport default\b/.test(sourceOf(file)) || /^\s*(?:export )?(?:abstract )?class (?!\w*Error\b)/m.test(sourceOf(file)),
    );
    expect(offenders).toEqual([]);
  });

  it('limits the files of a folder', () => {
    const counted = ['src', 'jobs', 'sql', 'data/reference', 'test', 'bench'].flatMap((top) =>
      readdirSync(join(ROOT, top), { withFileTypes: true, recursive: true })
        .filter(
          (entry) =>
            entry.isFile() &&
            (top === 'data/reference' || /\.(?:ts|sql|js|html|css)$/.test(entry.name)) &&
            !entry.parentPath.includes('node_modules'),
        )
        .map((entry) => relative(ROOT, entry.parentPath)),
    );
    const sizes = new Map<string, number>();
    for (const folder of counted) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > 25)).toEqual([]);
  });

  it('limits files to 400 lines and SQL files to 180, without comments', () => {
    const sql = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
    const long = [
      ...files.filter((file) => sourceOf(file).split('\n').length > 400),
      ...sql.filter((name) => linesOfCode(readFileSync(join(ROOT, 'sql', name), 'utf8')) > 180),
    ];
    expect(long).toEqual([]);
  });
});

const linesOfCode = (sql: string) => sql.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('--')).length;

describe('package.json', () => {
  const manifest = JSON.parse(sourceOf('package.json')) as Record<string, Record<string, string>>;

  it('pins every dependency exactly', () => {
    const versions = Object.values({ ...manifest['dependencies'], ...manifest['devDependencies'] });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('has a reason for every dependency in docs/develop/dependencies.md', () => {
    const reasons = sourceOf('docs/develop/dependencies.md');
    const names = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] });
    expect(names.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });
});
