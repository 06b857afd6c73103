// The commands as the reader would type them: `npm run keys --` in a clone, `asof keys` if the package is installed.
import { basename } from 'node:path';

/** Every command that a message, a help text or a page may name. */
export const COMMANDS = [
  'start',
  'nightly',
  'probe',
  'keys',
  'rights',
  'mcp',
  'facade',
  'files',
  'export',
  'quarantine',
  'verify',
  'backup',
  'restore',
  'doctor',
  'collect',
  'normalise',
  'derive',
  'publish',
  'load',
  'push',
] as const;

export type CommandName = (typeof COMMANDS)[number];

// tools/asof runs each command through asof.ts, and starts the server with the word `serve`.
const isInstalled = basename(process.argv[1] ?? '') === 'asof.ts' || process.argv[2] === 'serve';

/** For a command with options after it. */
export function called(name: CommandName): string {
  if (!isInstalled) return name === 'start' ? 'npm start' : `npm run ${name} --`;
  return name === 'start' ? 'asof serve' : `asof ${name}`;
}

const FOUND = new RegExp(
  `npm (?:start\\b|run (?:--silent )?(?<name>${COMMANDS.filter((name) => name !== 'start').join('|')})\\b(?: --(?= ))?)`,
  'g',
);

/** A text with its commands in the form that the reader can type. */
export function inOwnWords(text: string): string {
  return isInstalled ? text.replaceAll(FOUND, (_found, name?: CommandName) => called(name ?? 'start')) : text;
}
