// Selects the form of an answer: the parameter `format` first, then the header Accept, then JSON.
import Negotiator from 'negotiator';
import { ApiError } from '../errors.ts';
import { BULK_TYPES } from './formats.ts';
import { type Format, LARGEST_PAGE } from '../route.ts';

/** With the media type parameters that a client may name. The order decides if a client gives equal weights. */
const OFFERED: readonly (readonly [Format, string])[] = [
  ['json', 'application/json;charset=utf-8'],
  ['csv', `${BULK_TYPES.csv};charset=utf-8;header=present`],
  ['ndjson', `${BULK_TYPES.ndjson};charset=utf-8`],
  ['arrow', BULK_TYPES.arrow],
  ['parquet', BULK_TYPES.parquet],
];
const TYPES = OFFERED.map(([, type]) => type);

export function formatOf(parameter: unknown, accept: string | undefined): Format {
  const named = OFFERED.find(([format]) => format === parameter);
  return named === undefined ? acceptedFormat(accept) : named[0];
}

/** JSON also if the client accepts no offered form, because there is no error code for 406. */
function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined) return 'json';
  const type = new Negotiator({ headers: { accept } }).mediaType(TYPES);
  return OFFERED.find(([, offered]) => offered === type)?.[0] ?? 'json';
}

/** The parameter's own bounds are those of the bulk forms. A JSON page allows fewer rows. */
export function checkLimit(limit: number, format: Format): void {
  if (format !== 'json' || limit <= LARGEST_PAGE) return;
  throw new ApiError(
    'bad_request',
    `The parameter \`limit\` must be at most ${LARGEST_PAGE} for json. csv, ndjson, arrow and parquet take more.`,
    {
      parameter: 'limit',
      parameters: ['limit', 'format'],
    },
  );
}
