// What a command is called by whoever runs it: `npm run keys --` in a clone, `asof keys` where the package is installed.
import { basename } from 'node:path';

const isInstalled = basename(process.argv[1] ?? '') === 'asof.ts';

/** Before its options. */
export function called(name: string): string {
  if (!isInstalled) return name === 'start' ? 'npm start' : `npm run ${name} --`;
  return name === 'start' ? 'asof serve' : `asof ${name}`;
}

const OWN = 'nightly|probe|keys|mcp|facade|rights|files|quarantine|verify|backup|restore|doctor|collect|normalise|derive|publish';
const FOUND = new RegExp(`npm (?:start\\b|run (?:--silent )?(?<name>${OWN})\\b(?: --(?= ))?)`, 'g');

/** A text that names commands, as its reader can call them. */
export function inOwnWords(text: string): string {
  return isInstalled ? text.replaceAll(FOUND, (_found, name?: string) => called(name ?? 'start')) : text;
}
