// Rules of what is served to browsers: nothing inline, nothing from elsewhere, small, and each file in the list.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPages } from '../../src/pages/pages.ts';

const FOLDER = join(import.meta.dirname, '../../src/pages/static');
const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
// The page of embedded charts is there only if the operator allows them.
const pages = new Map([...openPages({ hasFeeds: true, embedOrigins: ['https://blog.example.org'] }), ...openPages()]);

/** Addresses that a module or a style imports, as the browser makes them. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/\bfrom\s+'([^']+)'|\bimport\s+'([^']+)'/g)].map(
    ([, one, other]) => new URL(one ?? other ?? '', `http://x${path}`).pathname,
  );
}

/** All that a page loads: what its HTML names, and what that imports. */
function loadedBy(page: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const text = pages.get(path)?.body.toString() ?? '';
    const named = path.endsWith('.js')
      ? importsOf(path, text)
      : [...text.matchAll(/(?:src|href)="(\/(?:pages|favicon)[^"]*)"/g)].map(([, to = '']) => to);
    if (!path.startsWith('/pages/lib/')) named.forEach(visit);
  };
  visit(page);
  return loaded;
}

/** Of two colours, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const light = (colour: string) => {
    const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = NaN, high = NaN] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe('static files', () => {
  it('are all in the list, and import only files of the list', () => {
    const served = new Set([...pages.values()].map(({ body }) => body.toString().replaceAll(/\/pages\/[0-9a-f]{12}\//g, '/pages/')));
    expect(names.filter((name) => !served.has(textOf(name)))).toEqual([]);
    const missing = [...pages]
      .filter(([path]) => path.startsWith('/pages/') && !/^\/pages\/(?:[0-9a-f]{12}\/)?lib\//.test(path) && path.endsWith('.js'))
      .flatMap(([path, { body }]) => importsOf(path, body.toString()))
      .filter((path) => !pages.has(path));
    expect(missing).toEqual([]);
  });

  it('have no inline script, handler or style, in generated HTML too', () => {
    const html = [...pages].filter(([, { contentType }]) => contentType.startsWith('text/html'));
    expect(html.length).toBeGreaterThan(10);
    for (const [path, { body }] of html) {
      const text = body.toString();
      expect([path, /<style|\sstyle=|\son[a-z]+\s*=\s*["']|["'=]\s*javascript:/i.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, [...text.matchAll(/<script\b[^>]*>/g)].filter(([tag]) => !/\ssrc="\/pages\//.test(tag))]).toEqual([path, []]);
    }
    const inModules = names.filter(
      (name) => name.endsWith('.js') && /\bstyle=["'$]|dangerouslySetInnerHTML|innerHTML|\beval\(|new Function/.test(textOf(name)),
    );
    expect(inModules).toEqual([]);
  });

  it('name no address of another host', () => {
    const elsewhere = names.flatMap((name) =>
      [...textOf(name).matchAll(/(?:https?:)?\/\/[a-z0-9][\w.-]*\.[a-z]{2,}/gi)].map(([address]) => `${name}: ${address}`),
    );
    // The name of the SVG format, which nothing asks.
    expect(elsewhere.toSorted()).toEqual(['icon.svg: http://www.w3.org', 'series/picture.js: http://www.w3.org']);
  });

  it('send the key only in a header: one module reads it, one sends it', () => {
    const reads = names.filter((name) => /\bkeyNow\b/.test(textOf(name))).toSorted();
    expect(reads).toEqual(['api.js', 'components.js', 'reference.js', 'session.js']);
    expect(names.filter((name) => /document\.cookie|indexedDB/.test(textOf(name)))).toEqual([]);
    expect(names.filter((name) => /localStorage/.test(textOf(name))).toSorted()).toEqual(['session.js', 'watched.js']);
    expect(names.filter((name) => /\bfetch\(/.test(textOf(name))).toSorted()).toEqual([
      'api.js',
      'docs.js',
      'once.js',
      'reference.js',
      'snippets.js',
      'start.js',
    ]);
  });

  it('are at most 150 kB, gzipped, at the first view', () => {
    const sizes = ['/', '/explore', '/docs/use/guides/start'].map((page) =>
      [...loadedBy(page)].reduce((sum, path) => sum + (pages.get(path)?.gzip.length ?? NaN), 0),
    );
    expect(loadedBy('/explore').size).toBeGreaterThan(12);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(150_000);
  });

  it('have text with a contrast of 4.5 or more, and lines of 3, in light and dark', () => {
    const [light = '', dark = ''] = textOf('app.css').split('@media (prefers-color-scheme: dark)');
    const colours = (text: string) =>
      [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value] as const);
    const low: string[] = [];
    for (const of of [new Map(colours(light)), new Map([...colours(light), ...colours(dark)])]) {
      const ratio = (one: string, other: string) => contrast(of.get(one) ?? '', of.get(other) ?? '');
      for (const text of ['text', 'muted', 'link', 'good', 'bad'])
        for (const ground of ['ground', 'raised', 'hint']) if (!(ratio(text, ground) >= 4.5)) low.push(`${text} on ${ground}`);
      if (!(ratio('on-accent', 'accent') >= 4.5)) low.push('on-accent');
      for (const line of ['line-strong', 'line-known', 'line-pin']) if (!(ratio(line, 'ground') >= 3)) low.push(line);
    }
    expect(low).toEqual([]);
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10);
  });

  it('have a style only for classes that a page has, and at most 300 lines of it in a file', () => {
    const styles = names.filter((name) => name.endsWith('.css'));
    const guides = readFileSync(join(FOLDER, '../guides.ts'), 'utf8');
    const words = new Set([...names.filter((name) => !styles.includes(name)).map(textOf), guides].join(' ').match(/[a-z][\w-]*/gi));
    // Swagger UI sets this one, and draws the classes of the reference.
    words.add('dark-mode');
    // uPlot sets these.
    const ofPlot = readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8');
    for (const [, one = ''] of ofPlot.matchAll(/\.(u-[a-z-]+)/g)) words.add(one);
    const drawn = new Set(
      readFileSync(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8').match(/[a-z][\w-]*/gi),
    );
    const isKnown = (name: string, one: string) => words.has(one) || (name === 'styles/reference.css' && drawn.has(one));
    const classesOf = (name: string) =>
      [
        ...textOf(name)
          .replaceAll(/\/\*.*?\*\/|\{[^{}]*\}/gs, ' ')
          .matchAll(/\.([a-z][\w-]*)/gi),
      ].map(([, one = '']) => one);
    expect(styles.flatMap((name) => classesOf(name).flatMap((one) => (isKnown(name, one) ? [] : [`${name}: ${one}`])))).toEqual([]);
    expect(classesOf('styles/tables.css')).toContain('with-cards');
    expect(styles.filter((name) => textOf(name).split('\n').length > 300)).toEqual([]);
  });

  it('have at most 400 lines', () => {
    expect(names.filter((name) => name.endsWith('.js') && textOf(name).split('\n').length > 400)).toEqual([]);
  });
});
