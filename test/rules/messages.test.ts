// Rules for the texts in the code: they name no source file, and only commands that exist.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/called.ts';
import { environmentOfBuilds } from '../../src/config.ts';
import { codeFiles, literalsOf, messagesOf } from '../../tools/messages.ts';

const ROOT = join(import.meta.dirname, '../..');
const sources = codeFiles().map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }));

describe('the literals of a source file', () => {
  const texts = (source: string) => literalsOf(source).map(({ text }) => text);

  it('are its strings and templates, with concatenated ones as one', () => {
    expect(texts(`throw new Error('It is ' + \`gone: \${one('a b')}.\`); // 'not this'\n/* "nor this" */ x = "It's";`)).toEqual([
      'It is gone: ….',
      'a b',
      "It's",
    ]);
  });

  it('have their lines, and exclude regular expressions', () => {
    expect(literalsOf(`const a = /['"\`/]/.test(b) ? 1 / 2 : 'one';\n\nf('two');`)).toEqual([
      { text: 'one', line: 1 },
      { text: 'two', line: 3 },
    ]);
  });

  it('are messages if they have words and are not queries, without tags', () => {
    const messages = (source: string) => messagesOf(source).map(({ text }) => text);
    expect(messages("html`<p class=${'a'}>No rows. <b>Try again</b></p>`; sql('select a from b'); x = 'key_of'")).toEqual([
      'No rows.',
      'Try again',
    ]);
  });
});

describe('messages', () => {
  it('name no source file', () => {
    // The catalogue of tables lies in DATA_DIR, for whoever reads the files.
    const isOfSource = (text: string) => /\b(?!catalog\.sql\b)[\w-]+\.(?:ts|sql)\b|\b(?:src|jobs|sql)\/|\bdata\/reference\b/.test(text);
    const found = sources.flatMap(({ file, source }) =>
      messagesOf(source).flatMap(({ text, line }) => (isOfSource(text) ? [`${file}:${line}: ${text}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it('name only commands that exist', () => {
    const known = new Set<string>(COMMANDS);
    const named = sources.flatMap(({ file, source }) =>
      literalsOf(source).flatMap(({ text, line }) =>
        [...text.matchAll(/\bnpm (?:run (?:--silent )?([a-z][\w:-]*)|(start)\b)/g)].map(([, name, start]) => ({
          name: name ?? start ?? '',
          place: `${file}:${line}`,
        })),
      ),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });
});

/** Long runs of the engine, which take 100 MB less with fewer arenas of the C library. */
const BUILDS = ['nightly', 'normalise', 'derive'];
const environmentOf = (name: string) => (BUILDS.includes(name) ? 'MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2} ' : '');

describe('the list of commands', () => {
  it('has each command of package.json and of its folder', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
    for (const name of COMMANDS)
      expect([name, scripts[name]]).toEqual([
        name,
        name === 'start' ? 'exec tools/start' : `${environmentOf(name)}exec node --import tsx jobs/commands/${name}.ts`,
      ]);
    const files = readdirSync(join(ROOT, 'jobs/commands')).map((file) => file.replace('.ts', ''));
    expect(files.toSorted()).toEqual([...COMMANDS.filter((name) => name !== 'start'), 'asof', 'prepare'].toSorted());
  });

  it('gives builds few arenas also if a server or an installed asof starts them, unless you set the number', () => {
    expect(environmentOfBuilds({ TZ: 'UTC' })).toEqual({ TZ: 'UTC', MALLOC_ARENA_MAX: '2' });
    expect(environmentOfBuilds({ MALLOC_ARENA_MAX: '8' })).toEqual({ MALLOC_ARENA_MAX: '8' });
    expect(readFileSync(join(ROOT, 'tools/asof'), 'utf8')).toContain('export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"');
  });

  it('names each command in a text as an installed asof has it', () => {
    const text = COMMANDS.map((name) => (name === 'start' ? 'npm start' : `npm run ${name}; npm run ${name} -- --json`)).join('; ');
    const program = `import('./src/called.ts').then(({ inOwnWords }) => console.log(inOwnWords(${JSON.stringify(text)})))`;
    const said = spawnSync(process.execPath, ['--import', 'tsx', '-e', program, 'main.ts', 'serve'], { cwd: ROOT, encoding: 'utf8' });
    expect(said.stdout.trim()).toBe(
      COMMANDS.map((name) => (name === 'start' ? 'asof serve' : `asof ${name}; asof ${name} --json`)).join('; '),
    );
  });

  it('names commands in the pages as an installed asof has them', () => {
    const program = `Promise.all([import('./src/pages/pages.ts'), import('./src/called.ts')]).then(([{ openPages }, { inOwnWords }]) => console.log([...openPages(undefined, inOwnWords).values()].map(({ contentType, body }) => contentType.startsWith('text/javascript') ? body.toString() : '').join(' ')))`;
    const said = spawnSync(process.execPath, ['--import', 'tsx', '-e', program, 'main.ts', 'serve'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(said.stdout).toContain('asof keys create --scopes');
    expect(said.stdout).toContain('asof serve');
    expect(said.stdout).not.toMatch(/npm (?:run|start)/);
  });
});
