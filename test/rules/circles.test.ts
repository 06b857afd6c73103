// No file imports itself, over however many others. Imports of types count as well.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, type Import, importsOf, ROOT } from './imports.ts';

/** For each file that imports itself its shortest circle, from the first of the circle's files in their order. */
function circlesOf(imports: readonly Import[]): string[] {
  const importedBy = new Map<string, string[]>();
  for (const { file, imported } of imports) importedBy.set(file, [...(importedBy.get(file) ?? []), imported]);
  const circles = new Set<string>();
  for (const file of importedBy.keys()) {
    const circle = wayBack(file, importedBy);
    if (circle.length === 0) continue;
    const first = circle.indexOf(circle.toSorted()[0] ?? '');
    const inOrder = [...circle.slice(first), ...circle.slice(0, first)];
    circles.add([...inOrder, inOrder[0]].join(' → '));
  }
  return [...circles].toSorted();
}

/** The files of the shortest way from a file back to itself, without its end; empty if there is none. */
function wayBack(start: string, importedBy: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const imported of importedBy.get(file) ?? []) {
      if (imported === start) return wayTo(file, start, cameFrom);
      if (cameFrom.has(imported)) continue;
      cameFrom.set(imported, file);
      queue.push(imported);
    }
  }
  return [];
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let file = end; file !== start; ) {
    file = cameFrom.get(file) ?? start;
    way.unshift(file);
  }
  return way;
}

describe('circles of imports', () => {
  const between = (text: string): Import[] =>
    text.split(', ').map((arrow) => {
      const [file = '', imported = ''] = arrow.split('>');
      return { file, imported, isTypeOnly: false };
    });

  it('are found with their files, each once', () => {
    expect(circlesOf(between('a>b, b>c, c>d'))).toEqual([]);
    expect(circlesOf(between('x>c, c>b, b>a, a>c, a>y'))).toEqual(['a → c → b → a']);
    expect(circlesOf(between('a>b, b>a, c>d, d>e, e>c, b>c, f>f'))).toEqual(['a → b → a', 'c → d → e → c', 'f → f']);
  });

  it('do not exist', () => {
    const files = ['src', 'jobs', 'bench', 'tools', 'test'].flatMap(filesBelow);
    const imports = files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));
    expect(imports.length).toBeGreaterThan(3000);
    expect(circlesOf(imports)).toEqual([]);
  });
});
