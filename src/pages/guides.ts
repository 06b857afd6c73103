// The documentation in docs/ as pages: Markdown to HTML, with a menu, links between the pages and the text of the search.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Lexer, Marked, type Tokens } from 'marked';

const ROOT = join(import.meta.dirname, '../..');

export interface Guide {
  /** The part of its address after /docs/; empty for the index. */
  readonly slug: string;
  readonly label: string;
  /** Within the project. */
  readonly file: string;
  /** The heading of its menu group; null for the index, and for pages without a menu entry. */
  readonly group: string | null;
}

const INDEX: Guide = { slug: '', label: 'Documentation', file: 'docs/index.md', group: null };
const RECIPES = 'docs/use/recipes';

/** The pages of the documentation: docs/index.md has their order, labels and groups. */
export const GUIDES: readonly Guide[] = [INDEX, ...pagesOf(textOf(INDEX.file)), ...recipesOf(textOf(`${RECIPES}/README.md`))];

const SLUGS = new Map(GUIDES.map(({ file, slug }) => [file, slug]));

function pagesOf(index: string): readonly Guide[] {
  let group: string | null = null;
  const pages: Guide[] = [];
  for (const line of index.split('\n')) {
    group = /^## (.+)$/.exec(line)?.[1] ?? group;
    const [, label, path] = /^- \[([^\]]+)\]\(([^)]+\.md)\)/.exec(line) ?? [];
    if (label !== undefined && path !== undefined)
      pages.push({ slug: path.replace(/(?:\/README)?\.md$/, ''), label, file: `docs/${path}`, group });
  }
  return pages;
}

/** The programs that the page of recipes links to. */
function recipesOf(text: string): readonly Guide[] {
  return [...text.matchAll(/\[([\w]+\.py)\]\(\1\)/g)].map(([, name = '']) => ({
    slug: `use/recipes/${name}`,
    label: name,
    file: `${RECIPES}/${name}`,
    group: null,
  }));
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

const addressOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`);

export const guideAddress = ({ slug }: Guide): string => addressOf(slug);

/** The whole page of a guide; a program is shown unchanged. */
export function guidePage(guide: Guide): string {
  const text = textOf(guide.file);
  const body = guide.file.endsWith('.py')
    ? `<h1 id="${guide.label}">${escaped(guide.label)}</h1>\n<pre><code>${escaped(text)}</code></pre>\n`
    : toHtml(text, guide.file);
  return page(guide.label, guide.slug, `<main id="main" class="guide">\n${body}</main>`, '');
}

/** The page of the API reference, which fills itself from /openapi.json. */
export function referencePage(): string {
  const more =
    '<link rel="stylesheet" href="/pages/lib/swagger-ui.css">\n<link rel="stylesheet" href="/pages/styles/reference.css">\n<script src="/pages/lib/swagger-ui.js" defer></script>\n';
  const body = '<main id="main" class="reference"><div id="reference"><p>Loading the routes …</p></div></main>';
  return page('API reference', 'api', body, `${more}<script type="module" src="/pages/reference.js"></script>\n`);
}

/** In place of the slug of a page of the documentation. */
const NO_PAGE = 'not-found';

/** What a browser shows at an unknown address: the menu and the search of the documentation lead on. */
export function missingPage(): string {
  const text =
    'Nothing has this address. Start at <a href="/">the first page</a>, <a href="/explore">explore the data</a>, or search the documentation.';
  return page('Not found', NO_PAGE, `<main id="main" class="guide"><h1>Not found</h1>\n<p>${text}</p></main>`, '');
}

export interface Section {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

/** The search finds these pages by their headings only, because they have too many columns, parameters and fields. */
const LONG_PAGES: ReadonlySet<string> = new Set(['reference/interface', 'reference/tables']);

/** All sections of all pages, for the search. */
export function searchIndex(): readonly Section[] {
  return GUIDES.filter(({ file }) => file.endsWith('.md')).flatMap((guide) => {
    const seen = new Map<string, number>();
    const sections: { page: string; title: string; address: string; text: string }[] = [];
    // The search needs no links or emphasis, so the text within a block is not parsed.
    for (const token of new Lexer().blockTokens(textOf(guide.file))) {
      if (token.type === 'heading') {
        const { text } = token as Tokens.Heading;
        const address = `${addressOf(guide.slug)}#${anchorOf(text, seen)}`;
        sections.push({ page: guide.label, title: text.replaceAll('`', ''), address, text: '' });
      } else {
        const last = sections.at(-1);
        if (last !== undefined && !LONG_PAGES.has(guide.slug)) last.text += ` ${token.raw.replaceAll(/\s+/g, ' ').trim()}`;
      }
    }
    return sections;
  });
}

function menu(slug: string): string {
  const link = (to: string, label: string) =>
    `<a href="${addressOf(to)}"${to === slug ? ' aria-current="page"' : ''}>${escaped(label)}</a>`;
  const groups = [...new Set(GUIDES.flatMap(({ group }) => (group === null ? [] : [group])))];
  const parts = groups.map((group) => {
    const links = GUIDES.filter((guide) => guide.group === group).map((guide) => link(guide.slug, guide.label));
    return `<p>${escaped(group)}</p>\n${links.join('\n')}`;
  });
  return [link('', 'Overview'), link('api', 'API reference'), ...parts].join('\n');
}

/** As in views/index.js, whose modules only a browser can load. */
const VIEWS = [
  ['search', 'Search'],
  ['today', 'Today'],
  ['series', 'Series'],
  ['provenance', 'Provenance'],
  ['screener', 'Screener'],
  ['company', 'Company'],
  ['cot', 'COT'],
  ['calendar', 'Calendar'],
  ['health', 'Data health'],
].map(([id, label]) => `<a href="/explore#/${id}">${label}</a>`);

function page(title: string, slug: string, main: string, head: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · asof</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/pages/app.css">
<link rel="stylesheet" href="/pages/styles/tables.css">
<link rel="stylesheet" href="/pages/styles/docs.css">
<script type="module" src="/pages/docs.js"></script>
${head}</head>
<body class="docs">
<a class="skip" href="#main">Skip to the text</a>
<header class="top"><a class="brand" href="/">asof</a><nav aria-label="Views">${VIEWS.join('')}<a href="/docs"${slug === NO_PAGE ? '' : ' aria-current="true"'}>Docs</a></nav></header>
<div class="beside">
<nav class="guides" aria-label="Documentation">
<form role="search" id="docs-search" hidden><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off"><ol aria-label="Results" hidden></ol></form>
${menu(slug)}</nav>
${main}
</div>
</body>
</html>
`;
}

/** Headings get GitHub's anchors; a link to a file that is not a guide becomes plain text. */
export function toHtml(markdown: string, file: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(text, seen);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, file);
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      // Tables scroll by themselves on a narrow screen.
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      // A long line scrolls by itself, and the keyboard must reach it.
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`,
      // The texts contain no HTML; a placeholder such as <id> is text.
      html: ({ text }) => escaped(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

/** As GitHub makes them, so that links in the files work there and here. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const times = seen.get(plain) ?? 0;
  seen.set(plain, times + 1);
  return times === 0 ? plain : `${plain}-${times}`;
}

function targetOf(href: string, file: string): string | null {
  if (/^https?:/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return hash;
  const slug = SLUGS.get(posix.join(posix.dirname(file), path));
  return slug === undefined ? null : `${addressOf(slug)}${hash}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
