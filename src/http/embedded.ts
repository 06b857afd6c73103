// The data of embedded charts: routes of /public for one series, without a key. A chart gets the rows that a key of the free tier gets.
import { ApiError } from './errors.ts';
import type { Pair } from './admission/address.ts';
import type { KeyedRoute } from './answer/asked.ts';
import type { Client, PinnedSnapshot } from './route.ts';

/** Address → route of /public. */
export type EmbeddedRoutes<R extends PinnedSnapshot> = ReadonlyMap<string, KeyedRoute<R>>;

/** The most prints of one chart. */
export const MOST_EMBEDDED_ROWS = 20_000;

const PARAMETERS: ReadonlySet<string> = new Set([
  'indicator_id',
  'entity',
  'source_id',
  'frequency',
  'as_of',
  'vintage',
  'columns',
  'format',
  'limit',
]);
const FORMATS: ReadonlySet<string> = new Set(['json', 'csv']);

/** The reader of a chart: of the free tier, and one per address for the limits of requests at once. */
export const embeddedClient = (caller: string): Client => ({ keyId: `embed ${caller}`, tier: 'free', scopes: ['data:read'] });

/** Throws a bad_request for a question that no chart has, such as all series or a file. */
export function checkEmbedded(pairs: readonly Pair[]): void {
  const valueOf = (name: string) => pairs.find((pair) => pair.name === name)?.value ?? '';
  const refuse = (parameter: string, message: string) => {
    throw new ApiError('bad_request', message, { parameter });
  };
  const unknown = pairs.find(({ name }) => !PARAMETERS.has(name));
  if (unknown !== undefined)
    refuse(unknown.name.slice(0, 64), `Unknown parameter \`${unknown.name.slice(0, 64)}\`. /public/observations has more, with a key.`);
  const id = valueOf('indicator_id');
  if (id === '' || id.includes(',')) refuse('indicator_id', 'A chart has one series. Name one indicator_id.');
  const format = valueOf('format');
  if (format !== '' && !FORMATS.has(format))
    refuse('format', 'A chart reads json or csv. /public/observations has more formats, with a key.');
  if (Number(valueOf('limit')) > MOST_EMBEDDED_ROWS) refuse('limit', `\`limit\` must be at most ${MOST_EMBEDDED_ROWS} here.`);
}
