// The simulations of docs/develop/scale.md, run again.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCosts } from '../../bench/scale/costs.ts';
import { DOCUMENT, documentWith, simulationsOf } from '../../bench/scale/document.ts';

it('docs/develop/scale.md has the output of its commands (npm run scale -- document rewrites it)', async () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  expect(text).toContain('npm run scale -- simulate --vintages 10000000000 --seed 17');
  expect(documentWith(text, simulationsOf(await readCosts()))).toBe(text);
});
