/**
 * The engine for heavy questions cannot be reached, or its answer is unusable. The message is public: it names neither machine nor user.
 */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}
