// What `npm start` prints when the server listens: the address, and last of all a new key with a link to a chart.
import { readFileSync, rmSync } from 'node:fs';
import { newKeyFile } from './keys/key-store.ts';
import { codeOf } from './disk/own-file.ts';
import type { Series as AnySeries } from './model/catalogue.ts';

type Series = Pick<AnySeries, 'indicatorId' | 'sourceId' | 'isWithheld' | 'isDerived' | 'vintageCount' | 'observationCount'>;

/** The series that the tour begins with, and its source: a file of each month, so the newest years have their vintages too. */
const FIRST = 'us_nonfarm_payrolls';
const FIRST_SOURCE = 'fred_md';

/** A series to begin with: US payrolls of FRED-MD, else of another source, otherwise the most revised series of the data; null without data. */
export function firstSeries(series: readonly Series[]): Series | null {
  const shown = series.filter(({ isWithheld, isDerived, vintageCount }) => !isWithheld && !isDerived && vintageCount > 0);
  const revisions = ({ vintageCount, observationCount }: Series) => vintageCount - observationCount;
  const mostRevised = (found: readonly Series[]) =>
    found.reduce<Series | null>((most, one) => (most === null || revisions(one) > revisions(most) ? one : most), null);
  const payrolls = shown.filter(({ indicatorId }) => indicatorId === FIRST);
  return payrolls.find(({ sourceId }) => sourceId === FIRST_SOURCE) ?? mostRevised(payrolls) ?? mostRevised(shown);
}

export interface Greeted {
  readonly address: string;
  readonly serves: 'real' | 'sample' | null;
  /** Why it is not ready. */
  readonly reason: string | null;
  readonly hasPages: boolean;
  readonly series: Series | null;
  /** A key that was just created; null if there was one already. */
  readonly key: string | null;
}

/** For a user who started it by hand. */
export function greeting({ address, serves, reason, hasPages, series, key }: Greeted): string {
  const state =
    serves === 'sample'
      ? 'It serves a generated sample with invented numbers.'
      : serves === 'real'
        ? 'It serves your data.'
        : (reason ?? 'It has no data yet.');
  const pages = hasPages ? `\nPages: ${address}/explore. Documentation: ${address}/docs` : '';
  return `
asof listens at ${address}. ${state}
API description: ${address}/openapi.json, or for language models: ${address}/llms.txt${pages}
Press Ctrl-C to stop.

${key === null ? keyHelp(address, series) : newKey({ address, hasPages, series, key })}`;
}

const questionOf = (series: Series | null) =>
  series === null
    ? 'indicators?limit=5'
    : series.indicatorId === FIRST && series.sourceId === FIRST_SOURCE
      ? 'observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04&as_of=2020-06-30'
      : `observations?indicator_id=${series.indicatorId}&source_id=${series.sourceId}&limit=5`;

function keyHelp(address: string, series: Series | null): string {
  return `Send a key in the header x-api-key. To create one: npm run keys -- create --label me --scopes data:read

  curl -H "x-api-key: $KEY" '${address}/${questionOf(series)}'

`;
}

/** A new key is shown once. The link keeps it in the part of the address that no browser sends. */
export function newKey({
  address,
  hasPages,
  series,
  key,
}: Pick<Greeted, 'address' | 'hasPages' | 'series'> & { readonly key: string }): string {
  const view = series === null ? '/search' : viewOf(series);
  const page = hasPages ? `Or open every vintage of one series in a browser:\n\n  ${address}/explore#key=${key}&to=${view}\n\n` : '';
  return `A developer key was created. It is shown only once; only its hash is stored.

  ${key}

Try it:

  curl -H 'x-api-key: ${key}' '${address}/${questionOf(series)}'

${page}`;
}

const viewOf = ({ indicatorId, sourceId }: Series) =>
  `/series?indicator_id=${indicatorId}&source_id=${sourceId}${indicatorId === FIRST ? '&transform=change' : ''}&range=3`;

/** The key that the preparation left to be shown, which is forgotten with this; null without one. */
export function takeNewKey(dataDir: string): string | null {
  try {
    const key = readFileSync(newKeyFile(dataDir), 'utf8').trim();
    rmSync(newKeyFile(dataDir));
    return key === '' ? null : key;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
