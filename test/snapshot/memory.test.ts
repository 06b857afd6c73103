// What a build says if the memory of its engine is too small.
import { expect, it } from 'vitest';
import type { Step } from '../../src/snapshot/build/relations.ts';
import { KnownError } from '../../src/known-error.ts';
import { fredMdFile, openPipeline } from '../pipeline.ts';

it('a build that needs more memory names the table and the setting', async () => {
  const large: Step = { path: 'test/large', as: 'table', text: 'select list(range) as numbers from range(20_000_000)' };
  const pipeline = await openPipeline({ engineMemory: '200MB', steps: [large] });
  const failing = pipeline.run(fredMdFile('2020-05', { PAYEMS: { '2020-03': 100 } }), '2021-01-01T00:00:00.000Z');
  await expect(failing).rejects.toThrow(
    'The engine needs more memory than 100MB to build test/large. Set ENGINE_MEMORY to more; a build uses half of it.',
  );
  await expect(failing).rejects.toBeInstanceOf(KnownError);
  await pipeline.remove();
});
