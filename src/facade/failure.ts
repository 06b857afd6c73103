// What went wrong, with the status of the answer.
import { ServiceError } from '../client/service.ts';

/** An error for the client, with its status. */
export class FacadeError extends Error {
  override readonly name = 'FacadeError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** As FRED answers: 400 with a message for a wrong question or key, 429 for too many requests, 500 for the rest. */
export function failureOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof FacadeError) return error;
  if (error instanceof RangeError) return { status: 400, message: `Bad Request. ${error.message}` };
  if (error instanceof ServiceError) {
    if (error.status === 401 || error.status === 403)
      return { status: 400, message: `Bad Request. The value for variable api_key is not registered: ${error.message}` };
    if (error.status === 429) return { status: 429, message: `Too Many Requests. ${error.message}` };
    if (error.status === 404) return { status: 404, message: `Not Found. ${error.message}` };
    if (error.status === 400) return { status: 400, message: `Bad Request. ${error.message}` };
    return { status: 502, message: `Bad Gateway. ${error.message}` };
  }
  return { status: 500, message: 'Internal Server Error.' };
}
