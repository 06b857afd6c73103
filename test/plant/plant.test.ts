import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawFaults, fits, plant, readFaults } from './faults.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const faults = readFaults();

describe('the list of planted faults', () => {
  it('names each fault once', () => {
    const ids = faults.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('has more than 150 faults, a quarter of them in SQL, and none twice', () => {
    expect(faults.length).toBeGreaterThan(150);
    expect(faults.filter(({ file }) => file.endsWith('.sql')).length * 4).toBeGreaterThan(faults.length);
    const changes = faults.map(({ file, before, after }) => JSON.stringify([file, before, after]));
    expect(new Set(changes).size).toBe(changes.length);
  });
});

describe('a fault whose code has changed', () => {
  const fault = {
    id: 'a-fault',
    file: 'package.json',
    before: '"name": "asof"',
    after: '"name": "other"',
    test: 'test/plant/plant.test.ts',
  };

  it('is left out if its text is missing or not unique, or its test does not exist', () => {
    expect(fits(ROOT, fault)).toBe(true);
    expect(fits(ROOT, { ...fault, before: 'no such text' })).toBe(false);
    expect(fits(ROOT, { ...fault, before: '"' })).toBe(false);
    expect(fits(ROOT, { ...fault, file: 'no-such-file.json' })).toBe(false);
    expect(fits(ROOT, { ...fault, test: 'test/plant/none.test.ts' })).toBe(false);
  });
});

describe('planting', () => {
  const fault = { id: 'a-fault', file: 'src/a.ts', before: 'x < 1', after: 'x <= 1' };

  it('changes one place and nothing else', () => {
    expect(plant('if (x < 1) y; // x > 1', fault)).toBe('if (x <= 1) y; // x > 1');
  });

  it('inserts the text literally, even with patterns of a replacement', () => {
    expect(plant('a x < 1 b', { ...fault, after: "$& $' $1" })).toBe("a $& $' $1 b");
  });

  it('refuses a text that is missing, not unique, or unchanged', () => {
    expect(() => plant('x > 1', fault)).toThrow('a-fault: its text before stands 0 times in src/a.ts');
    expect(() => plant('x < 1 || x < 1', fault)).toThrow('stands 2 times');
    expect(() => plant('x < 1', { ...fault, after: 'x < 1' })).toThrow('changes nothing');
  });

  it('draws the same faults for the same seed, and others for another', () => {
    const ranked = (seed: string) =>
      drawFaults(faults, 20, (id) => createHash('sha256').update(`${seed} ${id}`).digest('hex')).map(({ id }) => id);
    expect(ranked('a')).toEqual(ranked('a'));
    expect(ranked('a')).not.toEqual(ranked('another'));
    expect(new Set(ranked('a')).size).toBe(20);
  });
});
