// The form of an answer: the parameter `format` first, then the header Accept, then JSON.
import { ApiError } from '../errors.ts';
import { BULK_TYPES } from './formats.ts';
import type { Format } from '../route.ts';

const TYPES: readonly (readonly [Format, string])[] = [
  ['json', 'application/json'],
  ...Object.entries(BULK_TYPES).map(([format, type]) => [format as Format, type] as const),
];

export function formatOf(parameter: unknown, accept: string | undefined): Format {
  const named = TYPES.find(([format]) => format === parameter);
  return named === undefined ? acceptedFormat(accept) : named[0];
}

/** The offered type of the greatest weight; JSON when none is named, for the error table knows no 406. */
function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*') return 'json';
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='));
    return { type, weight: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  let best: { format: Format; weight: number } = { format: 'json', weight: 0 };
  for (const [format, type] of TYPES) {
    const range =
      ranges.find((one) => one.type === type) ??
      (format === 'json' ? ranges.find((one) => one.type === '*/*' || one.type === 'application/*') : undefined);
    if (range !== undefined && range.weight > best.weight) best = { format, weight: range.weight };
  }
  return best.format;
}

const MOST_JSON_ROWS = 500;

/** The limit's own bounds are those of the bulk forms; a JSON page has fewer rows. */
export function checkLimit(limit: number, format: Format): void {
  if (format !== 'json' || limit <= MOST_JSON_ROWS) return;
  throw new ApiError(
    'bad_request',
    `The parameter \`limit\` must be at most ${MOST_JSON_ROWS} for json; csv, ndjson, arrow and parquet take more.`,
    {
      parameter: 'limit',
      parameters: ['limit', 'format'],
    },
  );
}
