// Prints how often V8 collects a heap while the same work is done before an export, during one and after it.
import { EventEmitter } from 'node:events';
import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Gate } from '../../src/http/admission/gate.ts';
import { collectingDuringExports } from '../../src/http/admission/heap.ts';

let collections = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { detail } = entry as PerformanceEntry & { readonly detail: NodeGCPerformanceDetail };
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }
}).observe({ entryTypes: ['gc'] });

const kept = Array.from({ length: 300_000 }, (_, index) => ({ index, name: `kept ${index}` }));

/** Makes rows. Like those of an export, each lives for a short time. */
async function work(): Promise<number> {
  const before = collections;
  let living: unknown[] = [];
  for (let part = 0; part < 600; part += 1) {
    living.push(Array.from({ length: 5000 }, (_, index) => ({ index, name: `${part} ${index}` })));
    if (living.length > 40) living = living.slice(20);
    if (part % 10 === 0) await turn();
  }
  await pause(50);
  return collections - before;
}

const open: Gate = { admit: () => ({}) as ReturnType<Gate['admit']> };
const gate = collectingDuringExports(open);
const response = new EventEmitter();
const before = await work();
gate.admit('bulk', {} as Parameters<Gate['admit']>[1], 'data:read', response as Parameters<Gate['admit']>[3]);
const during = await work();
response.emit('close');
const after = await work();
process.stdout.write(`${before} ${during} ${after} ${kept.length}\n`);
