import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releasedChangelog } from '../../tools/changelog.ts';

const BEFORE = '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A number.\n\n## 0.1.0 - 2026-11-20\n\n- All.\n';

describe('a release', () => {
  it('dates the unreleased changes and starts a new section', () => {
    expect(releasedChangelog(BEFORE, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Fixed\n\n- A number.\n\n## 0.1.0 - 2026-11-20\n\n- All.\n',
    );
  });

  it.each([
    ['of no version', BEFORE, '0.2', 'is no version'],
    ['of nothing', BEFORE.replace('- A number.\n', ''), '0.2.0', 'nothing that is unreleased'],
    ['without a section for it', BEFORE.replace('## Unreleased\n', ''), '0.2.0', 'has no section'],
  ])('%s is refused', (_, text, version, message) => {
    expect(() => releasedChangelog(text, version, '2026-12-01')).toThrow(message);
  });

  it('is possible with the present changelog', () => {
    const text = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    expect(text).toMatch(/^## Unreleased$/m);
    expect(text.match(/^## \d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/gm)?.length).toBeGreaterThan(0);
  });
});
