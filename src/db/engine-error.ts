/** What answers heavy questions cannot be reached, or answers what is none. The message is for everybody: it names neither machine nor user. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}
