// The file name of a saved bulk answer: the question and its cutoff.
import type { BulkFormat } from './formats.ts';

const EXTENSIONS: Readonly<Record<BulkFormat, string>> = { csv: 'csv', ndjson: 'ndjson', arrow: 'arrows', parquet: 'parquet' };

/** Several file systems allow 255 bytes, and a browser may append a number. */
const MOST_CHARACTERS = 180;
/** Parameters that change only the form of an answer, or the position in it. */
const NOT_NAMED: ReadonlySet<string> = new Set(['as_of', 'cursor', 'limit', 'sort', 'order', 'format', 'columns']);

/**
 * `observations.indicator_id=us_nonfarm_payrolls.as_of=2020-06-30.csv`
 * @param path of the request, without prefix
 * @param asOf an instant: the knowledge cutoff of the rows
 */
export function fileNameOf(path: string, texts: ReadonlyMap<string, string>, asOf: string, format: BulkFormat): string {
  const filters = [...texts].filter(([name]) => !NOT_NAMED.has(name)).map(([name, value]) => `${name}=${value}`);
  const asked = [path.replace(/^\//, '').replaceAll('/', '-'), ...filters].map(plain).join('.');
  return `${asked.slice(0, MOST_CHARACTERS)}.as_of=${asOf.slice(0, 10)}.${EXTENSIONS[format]}`;
}

/** Replaces characters that a file system or a header does not allow. */
function plain(text: string): string {
  return text.replaceAll(/[^\w.,=-]+/g, '-');
}
