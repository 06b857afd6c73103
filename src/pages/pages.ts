// Files for the pages by their addresses, read once and cached. They have no data: the pages fetch those from the interface.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MISSING, type PageFile, type PageFiles } from '../http/page-files.ts';
import { guideAddress, GUIDES, guidePage, missingPage, referencePage, searchIndex } from './guides.ts';
import { contractPricesOf, namesOf, recessionsOf } from './names.ts';

/** The parameters of /embed. The series page has the same. */
const EMBED_PARAMETERS = [
  'indicator_id',
  'entity',
  'source_id',
  'frequency',
  'as_of',
  'mode',
  'transform',
  'range',
  'pins',
  'over',
  'a',
  'b',
  'until',
  'period_end',
];

export interface OpenToAll {
  /** True if the pages name the feeds. */
  readonly hasFeeds: boolean;
  /** Origins whose pages may embed a chart; none: there is no page for it. */
  readonly embedOrigins: readonly string[];
}

const NOTHING: OpenToAll = { hasFeeds: false, embedOrigins: [] };

const HERE = join(import.meta.dirname, 'static');
const packaged = createRequire(import.meta.url);

const JS = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const SVG = 'image/svg+xml';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Modules and styles in `static/`. Only the commands that they name may change. */
const OWN: readonly string[] = [
  'app.css',
  'styles/charts.css',
  'styles/docs.css',
  'styles/reference.css',
  'styles/tables.css',
  'styles/views.css',
  'app.js',
  'keys.js',
  'menu.js',
  'address.js',
  'as-of-note.js',
  'tables/bars.js',
  'router.js',
  'sample.js',
  'api.js',
  'session.js',
  'components.js',
  'tables/pages.js',
  'tables/prints.js',
  'tables/table.js',
  'tables/sorting.js',
  'charts/bars.js',
  'charts/chart.js',
  'snippets.js',
  'tables/csv.js',
  'numbers.js',
  'charts/ticks.js',
  'charts/tip.js',
  'charts/touch.js',
  'charts/vintages.js',
  'reference.js',
  'docs/description.js',
  'start.js',
  'embed.js',
  'feeds.js',
  'docs.js',
  'views/index.js',
  'views/search.js',
  'views/indicator.js',
  'indicator/countries.js',
  'indicator/places.js',
  'indicator/strip.js',
  'charts/sparkline.js',
  'charts/spark.js',
  'views/series.js',
  'views/series-charts.js',
  'views/series-compare.js',
  'views/series-overlay.js',
  'views/series-parts.js',
  'views/series-revisions.js',
  'views/series-start.js',
  'series/transforms.js',
  'series/gaps.js',
  'series/known-days.js',
  'series/usual.js',
  'series/history.js',
  'series/often.js',
  'series/pair.js',
  'series/params.js',
  'series/embed.js',
  'series/shown.js',
  'series/range.js',
  'series/picture.js',
  'series/picture-places.js',
  'series/picture-text.js',
  'series/prints-file.js',
  'series/prints-text.js',
  'series/recessions.js',
  'series/revised-text.js',
  'series/shades.js',
  'views/provenance.js',
  'views/screener.js',
  'views/screener-titled.js',
  'views/company.js',
  'company/grid.js',
  'company/head.js',
  'company/not-yet.js',
  'company/scores.js',
  'company/then.js',
  'health/columns.js',
  'health/freshness.js',
  'health/liveness.js',
  'health/quarantine.js',
  'health/reasons.js',
  'home/first.js',
  'home/links.js',
  'home/live.js',
  'home/revised.js',
  'home/then.js',
  'home/watched.js',
  'company/multiples.js',
  'views/cot.js',
  'views/cot-overview.js',
  'views/calendar.js',
  'views/health.js',
  'views/revisions.js',
  'views/today.js',
  'today/area.js',
  'today/newest.js',
  'today/today.js',
  'today/window.js',
  'screener/builder.js',
  'screener/opening.js',
  'screener/since-texts.js',
  'screener/text.js',
  'screener/then.js',
  'company/statements.js',
  'search/companies.js',
  'search/facets.js',
  'search/suggestions.js',
  'cot/contracts.js',
  'cot/list-names.js',
  'cot/price.js',
  'cot/positions.js',
  'calendar/decisions.js',
  'calendar/weeks.js',
  'watched.js',
  'tables/groups.js',
  'names.js',
  'once.js',
  'search/rows.js',
];

/** Address below /pages/ → file of a package. */
const PACKAGED: Readonly<Record<string, () => string>> = {
  // The package's list of exports names this file only for `import`.
  'lib/preact.js': () => join(dirname(packaged.resolve('htm')), '../preact/standalone.module.js'),
  'lib/uplot.js': () => packaged.resolve('uplot/dist/uPlot.esm.js'),
  'lib/uplot.css': () => packaged.resolve('uplot/dist/uPlot.min.css'),
  'lib/swagger-ui.js': () => packaged.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'lib/swagger-ui.css': () => packaged.resolve('swagger-ui-dist/swagger-ui.css'),
};

/** `inOwnWords` names the commands of a text as the reader has them. Reads all files; throws if one is missing, so that a server without its pages does not start. */
export function openPages({ hasFeeds, embedOrigins }: OpenToAll = NOTHING, inOwnWords = (text: string) => text): PageFiles {
  const modules: readonly [string, PageFile][] = [
    ...OWN.map((name): [string, PageFile] => [name, fileOf(typeOf(name), Buffer.from(inOwnWords(readFileSync(join(HERE, name), 'utf8'))))]),
    ...Object.entries(PACKAGED).map(([name, path]): [string, PageFile] => [name, fileOf(typeOf(name), readFileSync(path()))]),
  ];
  const release = releaseOf(modules);
  // Modules import each other by relative addresses, so a page never mixes modules of two releases.
  const html = (text: string) => fileOf(HTML, Buffer.from(text.replaceAll(MODULE_ADDRESS, `$1/pages/${release}/`)));
  const head = `${hasFeeds ? FEED_LINKS : ''}${embedOrigins.length > 0 ? '<meta name="asof-embed" content="on">\n' : ''}`;
  const textOf = (name: string) => readFileSync(join(HERE, name), 'utf8');
  const page = (name: string) => html(textOf(name).replace('</head>', `${head}</head>`));
  const embed: PageFile = { ...html(textOf('embed.html')), parameters: EMBED_PARAMETERS, frameAncestors: embedOrigins };
  return new Map<string, PageFile>([
    ['/', page('start.html')],
    ['/explore', page('explore.html')],
    ...(embedOrigins.length > 0 ? ([['/embed', embed]] as const) : []),
    ['/docs/api', html(referencePage())],
    ...GUIDES.map((guide): [string, PageFile] => [guideAddress(guide), html(guidePage(guide))]),
    ['/pages/docs-index.json', fileOf(JSON_TYPE, Buffer.from(JSON.stringify(searchIndex())))],
    [MISSING, html(missingPage())],
    ['/pages/names.json', fileOf(JSON_TYPE, Buffer.from(JSON.stringify(namesOf())))],
    ['/pages/recessions.json', fileOf(JSON_TYPE, Buffer.from(JSON.stringify(recessionsOf())))],
    ['/pages/contract-prices.json', fileOf(JSON_TYPE, Buffer.from(JSON.stringify(contractPricesOf())))],
    ['/favicon.ico', fileOf(SVG, readFileSync(join(HERE, 'icon.svg')))],
    ...modules.map(([name, file]): [string, PageFile] => [`/pages/${release}/${name}`, { ...file, isOfRelease: true }]),
  ]);
}

/** The address of a module or a style in a page. */
const MODULE_ADDRESS = /((?:href|src)=")\/pages\/(?=[^"]+\.(?:js|css)")/g;

/** A name that changes with any of the files. */
function releaseOf(modules: readonly [string, PageFile][]): string {
  const hash = createHash('sha256');
  for (const [name, { tag }] of modules) hash.update(`${name} ${tag}\n`);
  return hash.digest('hex').slice(0, 12);
}

const FEED_LINKS = [
  ['releases', 'Releases'],
  ['revisions', 'Revisions'],
]
  .map(([name, title]) => `<link rel="alternate" type="application/atom+xml" title="${title}" href="/feeds/${name}.xml">\n`)
  .join('');

function typeOf(name: string): string {
  return name.endsWith('.css') ? CSS : JS;
}

function fileOf(contentType: string, body: Buffer): PageFile {
  return { contentType, body, gzip: gzipSync(body), tag: createHash('sha256').update(body).digest('base64url').slice(0, 27) };
}
