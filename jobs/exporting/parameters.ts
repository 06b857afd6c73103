// Parameters of a route, as words of a command.
import { KnownError } from '../../src/known-error.ts';

/** The command sets these itself. */
const OWN: Readonly<Record<string, string>> = {
  format: 'The command asks for the format that it reads.',
  limit: 'The command reads the whole answer.',
  cursor: 'The command reads the whole answer.',
};

/** `name=value` words as parameters. Throws a KnownError for any other word. */
export function parametersOf(words: readonly string[]): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  for (const word of words) {
    const end = word.indexOf('=');
    const [name, value] = [word.slice(0, end), word.slice(end + 1)];
    if (end <= 0 || value === '')
      throw new KnownError(`${JSON.stringify(word)} is not a parameter. Write name=value, such as as_of=2020-06-30.`);
    if (parameters.has(name)) throw new KnownError(`${name} is given twice. Separate its values by commas.`);
    if (OWN[name] !== undefined) throw new KnownError(`${name} cannot be set. ${OWN[name]}`);
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}
