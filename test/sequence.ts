// The order of the test files. One file builds the sample, and others that need it would wait for it: they come after those that do not.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SAMPLE = /\b(sampleLake|sampleDataDir|startSampleService)\(/;
const OWN_IMPORTS = /from '(\.{1,2}\/[^']*\.ts)'/g;
const SERVICE = resolve(import.meta.dirname, 'service.ts');

export class SampleOnceSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const known = new Map<string, boolean>();
    const [builder, ...waiting] = sorted.filter(({ moduleId }) => needsSample(moduleId, known));
    if (builder === undefined) return sorted;
    return [builder, ...sorted.filter((file) => file !== builder && !waiting.includes(file)), ...waiting];
  }
}

/** Whether a file of this folder, or one that it imports, opens the sample. */
function needsSample(path: string, known: Map<string, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  known.set(path, false);
  // A text within a test may name files that are not there.
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(OWN_IMPORTS)].map(([, name = '']) => resolve(dirname(path), name));
  const isNeeded =
    (path !== SERVICE && SAMPLE.test(text)) ||
    imported.some((one) => one.startsWith(import.meta.dirname) && one !== SERVICE && needsSample(one, known));
  known.set(path, isNeeded);
  return isNeeded;
}
