// The answer of commands to unknown names, and to a reader that has left.
import { nearestName } from '../../src/model/nearest.ts';

/**
 * The nearest name; if none is near, all of them.
 * @param what in the singular, with a plural in s
 */
export function thereIsNo(what: string, name: string, known: readonly string[]): string {
  return `There is no ${what} ${name}.${meant(name, known) || ` The ${what}s are ${known.join(', ')}.`}`;
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

const REFUSED_CHOICE = /argument '(?<given>[^']*)' is invalid\. Allowed choices are (?<known>[^.]*)\./;

/** The library's error with the choices of an option, plus the nearest of them. */
export function withNearestChoice(refusal: string): string {
  const { given = '', known = '' } = REFUSED_CHOICE.exec(refusal)?.groups ?? {};
  const end = refusal.endsWith('\n') ? '\n' : '';
  return known === '' ? refusal : `${refusal.trimEnd()}${meant(given, known.split(', '))}${end}`;
}

/**
 * A reader of standard output or error may leave early, as `head` does. Later output is dropped, and the command runs
 * to its end. Any other write error ends it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
      process.exit(1);
    });
  }
}
