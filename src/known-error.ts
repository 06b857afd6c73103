/**
 * An error whose message says enough: what happened, and what to do. A command or a server prints it as one line, without a stack. Derive a
 * class from it only if code catches that class.
 */
export class KnownError extends Error {
  override readonly name: string = this.constructor.name;
}
