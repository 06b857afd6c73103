// What a command says when a signal ends it.
import { expect, it } from 'vitest';
import { interruptionLine } from '../../jobs/command.ts';

it('names the command that continues, with the options to type', () => {
  const kept = 'All is kept.';
  expect(interruptionLine('npm run nightly --', [], { kept })).toBe('Interrupted. All is kept. To continue: npm run nightly');
  expect(interruptionLine('npm run nightly --', ['--mirror', '../my files', '--source', 'fred,sec'], { kept })).toBe(
    "Interrupted. All is kept. To continue: npm run nightly -- --mirror '../my files' --source fred,sec",
  );
  expect(interruptionLine('npm run rights --', ['--note', "a vendor's"], { kept })).toMatch(/--note 'a vendor'\\''s'$/);
  expect(interruptionLine('npm run keys --', ['revoke'], { kept, goOn: 'npm run keys -- list' })).toMatch(
    /To continue: npm run keys -- list$/,
  );
});
