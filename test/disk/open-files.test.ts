// How many connections leave a server the files that it needs.
import { expect, it } from 'vitest';
import { connectionsWithin, mostConnections } from '../../src/disk/open-files.ts';

it.each([
  [64, 16],
  [256, 96],
  [1024, 768],
  [4096, 3584],
  [1_048_576, 1_048_064],
])('of %i files %i are for connections', (openFiles, connections) => {
  expect(connectionsWithin(openFiles)).toBe(connections);
});

it('open files are limited by the limit of this process', async () => {
  expect(await mostConnections()).toBeGreaterThanOrEqual(16);
});
