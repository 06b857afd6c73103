// What commands say of a name that they do not know, and to a reader that has left.
import { nearestName } from '../src/model/nearest.ts';

/** @param what in the singular, of which the plural ends in s */
export function thereIsNo(what: string, name: string, known: readonly string[]): string {
  return `There is no ${what} ${name}.${meant(name, known)} The ${what}s are ${known.join(', ')}.`;
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

const REFUSED_CHOICE = /argument '(?<given>[^']*)' is invalid\. Allowed choices are (?<known>[^.]*)\./;

/** A refusal of the library that lists the choices of an option, with the nearest of them. */
export function withNearestChoice(refusal: string): string {
  const { given = '', known = '' } = REFUSED_CHOICE.exec(refusal)?.groups ?? {};
  const end = refusal.endsWith('\n') ? '\n' : '';
  return known === '' ? refusal : `${refusal.trimEnd()}${meant(given, known.split(', '))}${end}`;
}

/**
 * A reader of standard output or error may leave before all is written, as `head` does. What is written after that is dropped, and the command goes on
 * to its end. Any other failure to write ends it.
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
