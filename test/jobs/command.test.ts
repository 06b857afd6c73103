// What a command says when a signal or an error ends it.
import { expect, it } from 'vitest';
import { resolve } from 'node:path';
import { inFolder, interruptionLine } from '../../jobs/command.ts';
import { reportOf } from '../../src/disk/disk-error.ts';
import { LakeLockedError } from '../../src/lake/lake.ts';
import { KnownError } from '../../src/known-error.ts';

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

it('reports a known error, of any class, by its message alone', () => {
  expect(reportOf(new KnownError('The file is damaged. Restore it.'))).toBe('The file is damaged. Restore it.');
  expect(reportOf(new LakeLockedError('Another process writes the lake.'))).toBe('Another process writes the lake.');
  expect(new LakeLockedError('').name).toBe('LakeLockedError');
});

it('reports a disk error by file and remedy, and any other error with its stack', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', path: '/srv/asof/lake' });
  expect(reportOf(new Error('The step failed', { cause: full }))).toBe(
    '/srv/asof/lake cannot be written (ENOSPC). The disk is full: free some space and run the command again.',
  );
  expect(reportOf(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n {4}at /);
  expect(reportOf('a text')).toBe('a text');
});
