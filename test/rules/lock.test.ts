import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});

it("the lock names each package's parts for all platforms, so it installs from a clean clone", () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages)),
  );
  expect(missing).toEqual([]);
});
