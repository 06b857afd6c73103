// Pages as publishers send them: the text of one part, a line for each piece between tags, and none of what a page is made of besides.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linksOf, readHtmlPage } from '../../src/sources/readers/html.ts';
import { tell } from '../readers/read.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const page = (body: string, head = '<title>A&amp;B  statement</title><meta property="og:url" content="https://example.org/a.htm">') =>
  bytes(`<!DOCTYPE html>\n<html lang="en"><head>${head}</head><body>${body}</body></html>\n`);
const refusal = (body: Uint8Array, container = 'main') => {
  try {
    readHtmlPage('x', body, container);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe.each([
  ['fed_statements', 'statement-with-time', 'central-bank-text/fed/statements', '<div id="content">', '</div>'],
  ['fed_statements', 'release-on-facilities', 'central-bank-text/fed/statements', '<div id="content">', '</div>'],
  ['ecb_documents', 'decision-before-quarter-to-three', 'central-bank-text/ecb/decisions', '<main>', '</main>'],
  ['ecb_documents', 'statement-with-questions', 'central-bank-text/ecb/statements', '<main>', '</main>'],
])('%s', (id, name, folder, open, close) => {
  it(`reads the page of ${name} as the same text in JSON`, async () => {
    const read = (suffix: string): Record<string, string> =>
      JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures', id, `${name}.${suffix}.json`), 'utf8')) as Record<string, string>;
    const { title = '', source_url: url = '', language = '', text = '' } = read('raw');
    const { key = '', retrievedAt = '' } = read('rows');
    const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const lines = text.split('\n').map((line) => `<p>${escaped(line)}</p>`);
    const html = [
      `<!DOCTYPE html><html lang="${language}"><head><title>${escaped(title)}</title><meta property="og:url" content="${url}"></head>`,
      `<body><nav>Menu</nav>${open}${lines.join('')}${close}<footer>Foot</footer></body></html>`,
    ].join('');
    const day = /(\d{8})\.json$/.exec(key)?.[1] ?? '';
    const [ours, twin] = [
      await tell(id, `${folder}/html/${day}.html`, html, retrievedAt),
      await tell(id, key, JSON.stringify(read('raw')), retrievedAt),
    ];
    expect(ours.of('documents')[0]?.text.length).toBeGreaterThan(20);
    expect(ours.batches).toEqual(twin.batches);
  });

  it('reads nothing from the list of pages', async () => {
    const list = id === 'fed_statements' ? 'central-bank-text/fed/fomccalendars.html' : `${folder}/html/index-2026.html`;
    expect((await tell(id, list, '<html></html>')).batches).toEqual([]);
  });
});

describe('a page', () => {
  it('has the text of its container, split at tags and comments, with entities decoded', () => {
    const body =
      '<nav>Menu</nav><main><p>Rates &ndash; <a href="x">3&frac14; to 4</a> per&nbsp;cent.<!-- c -->Next<br>line</p><script>let a = "<p>";</script><p> </p></main><p>Foot</p>';
    expect(readHtmlPage('x', page(body), 'main')).toEqual({
      title: 'A&B statement',
      url: 'https://example.org/a.htm',
      language: 'en',
      text: 'Rates –\n3¼ to 4\nper\u00a0cent.\nNext\nline',
    });
  });

  it('has a container by its id, which ends at its own end tag and not at an inner one', () => {
    const body = '<div>before</div><div id="content"><div>a<div>b</div></div><p>c<p>d</div><div>after</div><div id="content">again</div>';
    expect(readHtmlPage('x', page(body), '#content').text).toBe('a\nb\nc\nd');
  });

  it('is refused if it is truncated, is no page, or lacks the container or its address', () => {
    expect(refusal(bytes('{"a":1}'))).toBe('x: expected a page, found "{\\"a\\":1}"');
    expect(refusal(page('<main>a</main>').subarray(0, 150))).toMatch(/^x: the page is not ended, it is truncated/);
    expect(refusal(page('<div>a</div>'))).toBe('x: expected text in main of the page, found none under "A&B statement"');
    expect(refusal(page('<main> </main>'))).toMatch(/^x: expected text in main/);
    expect(refusal(page('<main>a</main>', '<title>A</title>'))).toBe('x: the page "A" does not say where it stands and in which language');
  });

  it('has each linked address once, in order', () => {
    const links = linksOf(bytes('<a href="/a2.htm"><a href="/a1.htm"><a href="/a2.htm"><a href="/b3.htm">'), /\/a(\d)\.htm/g);
    expect(links.map(([, number]) => number)).toEqual(['2', '1']);
  });
});
