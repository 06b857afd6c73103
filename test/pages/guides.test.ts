// The guides as pages: their links lead somewhere, and what Markdown cannot say safely is text.
import { describe, expect, it } from 'vitest';
import { GUIDES, guidePage, referencePage, toHtml } from '../../src/pages/guides.ts';

const rendered = new Map(GUIDES.map((guide) => [`/docs/${guide.slug}`, guidePage(guide)]));
const anchorsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

describe('guides', () => {
  it('are there: start, time, screener, clients, files, recipes, errors, operating, rights', () => {
    const slugs = GUIDES.map(({ slug }) => slug);
    expect(slugs).toEqual(
      expect.arrayContaining(['start', 'time', 'screener', 'clients', 'lake', 'recipes', 'errors', 'nightly', 'rights']),
    );
    for (const [path, html] of rendered) expect([path, /<h1 id=/.test(html)]).toEqual([path, true]);
  });

  it('link to each other, and every link within leads to a page and to an anchor of it', () => {
    const broken: string[] = [];
    let followed = 0;
    for (const [path, html] of rendered) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [to, anchor] = href.split('#');
        const target = to === '' || to === undefined ? path : to;
        const page = rendered.get(target) ?? (['/', '/explore', '/docs'].includes(target) ? '' : null);
        if (page === null || (anchor !== undefined && page !== '' && !anchorsOf(page).has(anchor))) broken.push(`${path} → ${href}`);
        followed += 1;
      }
    }
    expect(broken).toEqual([]);
    expect(followed).toBeGreaterThan(GUIDES.length ** 2);
    expect(rendered.get('/docs/start')).toContain('href="/docs/time"');
    expect(rendered.get('/docs/recipes')).toContain('href="/docs/lake"');
  });

  it('stand beside the reference, the one that is read marked', () => {
    expect(rendered.get('/docs/time')).toContain('<a href="/docs/time" aria-current="page">');
    expect(referencePage()).toContain('<a href="/docs" aria-current="page">API reference</a>');
    for (const { slug } of GUIDES) expect(referencePage()).toContain(`href="/docs/${slug}"`);
  });

  it('name headings as GitHub does, twice the same apart, and keep the text of links to what is no page', () => {
    const html = toHtml(
      '# The `as_of`, again\n\n## Same\n\n## Same\n\n[code](../src/main.ts) [there](time.md#x)',
      'docs/use/guides/start.md',
    );
    expect([...anchorsOf(html)]).toEqual(['the-as_of-again', 'same', 'same-1']);
    expect(html).toContain('<p>code <a href="/docs/time#x">there</a></p>');
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
