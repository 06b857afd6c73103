// CHANGELOG.md: one section per release, newest first, after the unreleased one.

const UNRELEASED = '## Unreleased';
const VERSION = /^\d+\.\d+\.\d+$/;

/** The text with the unreleased changes under `version` and `day` (YYYY-MM-DD), and an empty section before it. Throws if nothing is unreleased. */
export function releasedChangelog(text: string, version: string, day: string): string {
  if (!VERSION.test(version)) throw new RangeError(`${version} is no version: give it as 0.2.0.`);
  const start = text.indexOf(`${UNRELEASED}\n`);
  if (start < 0) throw new RangeError(`CHANGELOG.md has no section "${UNRELEASED}".`);
  const rest = text.slice(start + UNRELEASED.length);
  const next = rest.indexOf('\n## ');
  const notes = next < 0 ? rest : rest.slice(0, next);
  if (!/^- /m.test(notes)) throw new RangeError('CHANGELOG.md lists nothing that is unreleased.');
  return `${text.slice(0, start)}${UNRELEASED}\n\n## ${version} - ${day}${rest}`;
}
