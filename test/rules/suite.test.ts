import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { otherParts } from '../suite.ts';

describe('the parts of the suite', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const partOf = (asked: string) => {
    const others = new Set(otherParts(asked));
    return files.map((file) => `test/${file}`).filter((file) => !others.has(file));
  };

  it('have each file once, and are about equally large', () => {
    for (const parts of [1, 2, 3]) {
      const held = Array.from({ length: parts }, (_, part) => partOf(`${part}/${parts}`));
      expect(held.flat().toSorted()).toEqual(files.map((file) => `test/${file}`).toSorted());
      for (const part of held) expect(part.length).toBeGreaterThan((files.length / parts) * 0.7);
    }
  });

  it('are the whole suite by default, and an unknown part is refused', () => {
    expect(otherParts(undefined)).toEqual([]);
    for (const wrong of ['2/2', '-1/2', 'half', '1']) expect(() => otherParts(wrong)).toThrow('SUITE_PART is k/n');
  });
});
