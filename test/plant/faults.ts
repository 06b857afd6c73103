// Planted faults as data: each is one small change of the code that a user would be wronged by, and that a test must notice.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Fault = z.strictObject({
  /** Unique; says what is wrong once it is planted. */
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** Relative to the project. */
  file: z.string(),
  /** Occurs exactly once in the file. */
  before: z.string().min(1),
  after: z.string(),
  /** What a user would get. */
  why: z.string().min(1),
  /** The test file that is asked first. */
  test: z.string().regex(/^test\/.*\.test\.ts$/),
});

export interface Fault extends z.infer<typeof Fault> {
  /** The file of test/plant/faults that lists it. */
  readonly area: string;
}

const FOLDER = join(import.meta.dirname, 'faults');

/** All of them, by area, in the order of their files. */
export function readFaults(): readonly Fault[] {
  return readdirSync(FOLDER)
    .toSorted()
    .flatMap((name) => {
      const faults = z.array(Fault).parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
      return faults.map((fault) => ({ ...fault, area: name.replace('.json', '') }));
    });
}

/** The text with the fault in it. Throws a RangeError where the text before is not there, or there twice: the list has grown old. */
export function plant(text: string, fault: Pick<Fault, 'id' | 'file' | 'before' | 'after'>): string {
  const parts = text.split(fault.before);
  if (parts.length !== 2)
    throw new RangeError(`${fault.id}: its text before stands ${parts.length - 1} times in ${fault.file}; it must stand there once`);
  if (fault.before === fault.after) throw new RangeError(`${fault.id} changes nothing`);
  return parts.join(fault.after);
}

/** True if the fault can be planted in the code as it is: its test exists and its text stands once in its file. */
export function fits(root: string, fault: Pick<Fault, 'id' | 'file' | 'before' | 'after' | 'test'>): boolean {
  const file = join(root, fault.file);
  return existsSync(join(root, fault.test)) && existsSync(file) && readFileSync(file, 'utf8').split(fault.before).length === 2;
}

/** As many of them as asked for, the same ones for the same seed. */
export function drawFaults(faults: readonly Fault[], count: number, rank: (id: string) => string): readonly Fault[] {
  return faults
    .map((fault) => ({ fault, rank: rank(fault.id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ fault }) => fault);
}
