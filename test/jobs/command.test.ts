// What a command says when a signal ends it.
import { expect, it } from 'vitest';
import { resolve } from 'node:path';
import { inFolder, interruptionLine } from '../../jobs/command.ts';

it('names the command that continues, with the options to type', () => {
  const kept = 'All is kept.';
  expect(interruptionLine('npm run nightly --', [], { kept }, resolve('data'))).toBe(
    'Interrupted. All is kept. To continue: npm run nightly',
  );
  expect(interruptionLine('npm run nightly --', ['--mirror', '../my files', '--source', 'fred,sec'], { kept }, resolve('data'))).toBe(
    "Interrupted. All is kept. To continue: npm run nightly -- --mirror '../my files' --source fred,sec",
  );
  expect(interruptionLine('npm run rights --', ['--note', "a vendor's"], { kept }, resolve('data'))).toMatch(/--note 'a vendor'\\''s'$/);
  expect(interruptionLine('npm run keys --', ['revoke'], { kept, goOn: 'npm run keys -- list' }, resolve('data'))).toMatch(
    /To continue: npm run keys -- list$/,
  );
});

it('names DATA_DIR in the command that continues, unless it is the default', () => {
  expect(interruptionLine('npm run derive --', [], { kept: 'All is kept.' }, '/srv/asof')).toBe(
    'Interrupted. All is kept. To continue: DATA_DIR=/srv/asof npm run derive',
  );
  expect(inFolder("/srv/jane's data", 'npm start')).toBe("DATA_DIR='/srv/jane'\\''s data' npm start");
  expect(inFolder(resolve('data'), 'npm start')).toBe('npm start');
});
