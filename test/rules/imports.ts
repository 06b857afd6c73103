// The imports of the project, read from its files.
import { readdirSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Import {
  readonly file: string;
  /** The imported file of the project. */
  readonly imported: string;
  readonly isTypeOnly: boolean;
}

export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

export function importsOf(file: string, text: string): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)]
    .map((match) => ({ isTypeOnly: match[1] !== undefined, specifier: match[2] ?? match[3] ?? match[4] ?? '' }))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ isTypeOnly, specifier }) => ({ file, imported: posix.join(dirname(file), specifier), isTypeOnly }));
}
