// The guides of docs/ as pages: Markdown to HTML, the links between them kept.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

const ROOT = join(import.meta.dirname, '../..');

export interface Guide {
  /** In its address, /docs/<slug>. */
  readonly slug: string;
  readonly label: string;
  /** Within the project. */
  readonly file: string;
}

export const GUIDES: readonly Guide[] = [
  { slug: 'start', label: 'Start', file: 'docs/use/guides/start.md' },
  { slug: 'tour', label: 'Tour', file: 'docs/use/tour.md' },
  { slug: 'time', label: 'Time and vintages', file: 'docs/use/guides/time.md' },
  { slug: 'trust', label: 'What a row says', file: 'docs/use/guides/trust.md' },
  { slug: 'companies', label: 'Companies', file: 'docs/use/guides/companies.md' },
  { slug: 'screener', label: 'Screener', file: 'docs/use/guides/screener.md' },
  { slug: 'errors', label: 'Errors and limits', file: 'docs/use/guides/errors.md' },
  { slug: 'rights', label: 'Rights', file: 'docs/use/guides/rights.md' },
  { slug: 'clients', label: 'Clients', file: 'docs/use/clients.md' },
  { slug: 'facade', label: 'FRED and SDMX clients', file: 'docs/use/facade.md' },
  { slug: 'mcp', label: 'Language models', file: 'docs/use/mcp.md' },
  { slug: 'recipes', label: 'Recipes', file: 'docs/use/recipes/README.md' },
  { slug: 'lake', label: 'The files', file: 'docs/reference/tables.md' },
  { slug: 'sources', label: 'Sources', file: 'docs/reference/sources.md' },
  { slug: 'forecasts', label: 'Forecasts', file: 'docs/reference/forecasts.md' },
  { slug: 'install', label: 'Install', file: 'docs/run/install.md' },
  { slug: 'configure', label: 'Configure', file: 'docs/run/configure.md' },
  { slug: 'commands', label: 'Commands', file: 'docs/run/commands.md' },
  { slug: 'nightly', label: 'Nightly runs', file: 'docs/run/nightly.md' },
  { slug: 'backup', label: 'Backup', file: 'docs/run/backup.md' },
  { slug: 'damage', label: 'Damage', file: 'docs/run/damage.md' },
  { slug: 'replicas', label: 'More than one server', file: 'docs/run/replicas.md' },
];

const SLUGS = new Map(GUIDES.map(({ file, slug }) => [file, slug]));

/** The whole page of a guide. */
export function guidePage(guide: Guide): string {
  const text = readFileSync(join(ROOT, guide.file), 'utf8');
  return page(guide.label, guide.slug, `<main id="main" class="guide">\n${toHtml(text, guide.file)}</main>`, '');
}

/** The page of the API reference, which fills itself from /openapi.json. */
export function referencePage(): string {
  const more = '<link rel="stylesheet" href="/pages/lib/swagger-ui.css">\n<script src="/pages/lib/swagger-ui.js" defer></script>\n';
  const body = '<main id="main" class="reference"><div id="reference"><p>Reading /openapi.json …</p></div></main>';
  return page('API reference', null, body, `${more}<script type="module" src="/pages/reference.js"></script>\n`);
}

function page(title: string, slug: string | null, main: string, head: string): string {
  const here = (isHere: boolean) => (isHere ? ' aria-current="page"' : '');
  const links = GUIDES.map((guide) => `<a href="/docs/${guide.slug}"${here(guide.slug === slug)}>${escaped(guide.label)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · asof</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/pages/app.css">
${head}</head>
<body class="docs">
<a class="skip" href="#main">Skip to the text</a>
<header class="top"><a class="brand" href="/">asof</a><nav aria-label="Pages"><a href="/explore">Explore</a><a href="/docs" aria-current="true">Docs</a></nav></header>
<div class="beside">
<nav class="guides" aria-label="Guides"><a href="/docs"${here(slug === null)}>API reference</a>
${links.join('\n')}</nav>
${main}
</div>
</body>
</html>
`;
}

/** Headings get the anchors that links name; what leads to a file that is no guide stays as its text alone. */
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
      // Tables scroll by themselves where a screen is narrow.
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      // The texts hold no HTML of their own; a placeholder such as <id> is text.
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
  return slug === undefined ? null : `/docs/${slug}${hash}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
