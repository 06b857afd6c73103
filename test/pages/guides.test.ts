// The documentation as pages: links lead somewhere, the search finds sections, and HTML in Markdown is shown as text.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guideAddress, GUIDES, guidePage, missingPage, referencePage, searchIndex, toHtml } from '../../src/pages/guides.ts';

const rendered = new Map(GUIDES.map((guide) => [guideAddress(guide), guidePage(guide)]));
const anchorsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

describe('the documentation', () => {
  it('has a page for each line of the index, and for each recipe', () => {
    const paths = ['/docs', '/docs/use/guides/time', '/docs/run/configure', '/docs/develop/setup', '/docs/reference/tables'];
    for (const path of [...paths, '/docs/use/recipes', '/docs/use/recipes/as_of.py']) expect(rendered.has(path)).toBe(true);
    for (const [path, html] of rendered) expect([path, /<h1 id=/.test(html)]).toEqual([path, true]);
  });

  it('links to itself: every link leads to a page and to an anchor on it', () => {
    const broken: string[] = [];
    let followed = 0;
    for (const [path, html] of rendered) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [to, anchor] = href.split('#');
        const target = to === '' || to === undefined ? path : to;
        const page = rendered.get(target) ?? (['/', '/explore', '/docs/api'].includes(target) ? '' : null);
        if (page === null || (anchor !== undefined && page !== '' && !anchorsOf(page).has(anchor))) broken.push(`${path} → ${href}`);
        followed += 1;
      }
    }
    expect(broken).toEqual([]);
    expect(followed).toBeGreaterThan(GUIDES.length * 30);
    expect(rendered.get('/docs/use/guides/start')).toContain('href="/docs/use/guides/time"');
    expect(rendered.get('/docs/use/recipes')).toContain('href="/docs/use/recipes/panel.py"');
  });

  it('leads to the views with the menu of the other pages, where it is the marked one', async () => {
    const path = join(import.meta.dirname, '../../src/pages/static/views/index.js');
    const { VIEWS } = (await import(pathToFileURL(path).href)) as { VIEWS: readonly { id: string; label: string; within?: string }[] };
    const views = VIEWS.filter(({ within }) => within === undefined).map(({ id, label }) => `<a href="/explore#/${id}">${label}</a>`);
    for (const html of [...rendered.values(), referencePage()])
      expect(html).toContain(`<nav aria-label="Views">${views.join('')}<a href="/docs" aria-current="true">Docs</a></nav>`);
    // An unknown address is no page of the documentation.
    expect(missingPage()).toContain(`<nav aria-label="Views">${views.join('')}<a href="/docs">Docs</a></nav>`);
  });

  it('has a menu in groups, with the open page marked', () => {
    expect(rendered.get('/docs/use/guides/time')).toContain('<a href="/docs/use/guides/time" aria-current="page">');
    expect(referencePage()).toContain('<a href="/docs/api" aria-current="page">API reference</a>');
    for (const guide of GUIDES.filter(({ group }) => group !== null)) expect(referencePage()).toContain(`href="${guideAddress(guide)}"`);
    expect(referencePage()).toContain('<p>Run it</p>');
  });

  it('can be searched: each section has its own anchor, and a setting is found by its name', () => {
    const sections = searchIndex();
    const lost = sections.filter(({ address }) => {
      const [path = '', anchor = ''] = address.split('#');
      return !anchorsOf(rendered.get(path) ?? '').has(anchor);
    });
    expect(lost).toEqual([]);
    const setting = sections.find(({ title }) => title === 'SNAPSHOTS_KEPT');
    expect([setting?.page, setting?.address]).toEqual(['Configure', '/docs/run/configure#snapshots_kept']);
    expect(setting?.text).toContain('snapshots that stay readable');
  });

  it("gives headings GitHub's anchors, numbers duplicates, and keeps the text of other links", () => {
    const html = toHtml(
      '# The `as_of`, again\n\n## Same\n\n## Same\n\n[code](../src/main.ts) [there](time.md#x)',
      'docs/use/guides/start.md',
    );
    expect([...anchorsOf(html)]).toEqual(['the-as_of-again', 'same', 'same-1']);
    expect(html).toContain('<p>code <a href="/docs/use/guides/time#x">there</a></p>');
  });

  it('show HTML in Markdown as text', () => {
    const html = toHtml(
      'A <script>alert(1)</script> <b onclick="x">b</b>\n\n<div style="x">y</div>\n\n[z](javascript:alert)',
      'docs/use/tour.md',
    );
    expect(html).not.toMatch(/<(?:script|b|div)\b/);
    expect(html).not.toContain('javascript:');
  });
});
