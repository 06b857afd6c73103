// The changes of some days for Today and Most revised: however many there are, the newest are among them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Asked {
  readonly observed_from: string;
  readonly observed_to: string;
  readonly as_of?: string;
  readonly limit: number;
}
type Ask = (path: string, params: Asked, options: object) => Promise<{ readonly text: string; readonly isCut: boolean }>;
interface Module {
  readonly newestChanges: (
    path: string,
    params: Asked,
    options: object,
    ask: Ask,
  ) => Promise<{ readonly texts: readonly string[]; readonly since: string | null }>;
}
const address = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/today/newest.js')).href;
const { newestChanges } = (await import(address)) as Module;

const DAYS = { observed_from: '2026-11-23', observed_to: '2026-11-29', limit: 100 };
const instants = (from: string, count: number, apart: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * apart).toISOString());

/** An interface with changes that became known at these instants, in the order in which they entered. */
function interfaceOf(changes: readonly string[]) {
  const asked: Asked[] = [];
  const bound = (text: string, end: string) => (text.length === 10 ? `${text}${end}` : text);
  const ask: Ask = (_path, params) => {
    asked.push(params);
    if (params.as_of !== undefined && params.observed_from > params.as_of) throw new Error('observed_from is after as_of');
    const found = changes.filter(
      (at) => at >= bound(params.observed_from, 'T00:00:00.000Z') && at <= bound(params.observed_to, 'T23:59:59.999Z'),
    );
    return Promise.resolve({
      text: ['observed_at', ...found.slice(0, params.limit), ''].join('\n'),
      isCut: found.length > params.limit,
    });
  };
  return { asked, ask };
}
const rowsOf = (texts: readonly string[]) => texts.flatMap((text) => text.trimEnd().split('\n').slice(1));

describe('the changes of some days', () => {
  it('are one answer if they fit into it', async () => {
    const changes = instants('2026-11-24T12:00:00Z', 100, 60_000);
    const { ask, asked } = interfaceOf(changes);
    const { texts, since } = await newestChanges('/observations/changes', DAYS, {}, ask);
    expect([rowsOf(texts), since, asked.length]).toEqual([changes, null, 1]);
  });

  it('have the newest after a first load of more than one answer has, and say from when on they are whole', async () => {
    const load = instants('2026-11-27T09:00:00Z', 5000, 100);
    const newest = instants('2026-11-28T08:00:00Z', 30, 3_600_000);
    const { ask, asked } = interfaceOf([...instants('2026-11-23T08:00:00Z', 10, 1000), ...load, ...newest]);
    const { texts, since } = await newestChanges('/observations/changes', DAYS, {}, ask);
    const rows = rowsOf(texts);
    expect(rows.slice(-newest.length)).toEqual(newest);
    expect(since !== null && since > '2026-11-27T09:08:20.000Z' && since < '2026-11-27T11:00:00.000Z').toBe(true);
    expect(rows.length).toBeLessThanOrEqual(150);
    expect(asked.length).toBeLessThan(20);
  });

  it('are never asked for after the as-of', async () => {
    const { ask, asked } = interfaceOf(instants('2026-11-29T01:00:00Z', 500, 1000));
    const as_of = '2026-11-29T02:00:00.000Z';
    await newestChanges('/observations/changes', { ...DAYS, as_of }, {}, ask);
    expect(asked.slice(1).every(({ observed_to }) => observed_to <= as_of)).toBe(true);
  });

  it('are every change from the told moment on, in order and once, whenever they became known', async () => {
    const minute = fc.nat(7 * 1440 - 1).map((at) => new Date(Date.parse('2026-11-23T00:00:00Z') + at * 60_000).toISOString());
    await fc.assert(
      fc.asyncProperty(fc.array(minute, { maxLength: 60 }), async (all) => {
        const changes = all.toSorted();
        const { ask } = interfaceOf(changes);
        const { texts, since } = await newestChanges('/observations/changes', { ...DAYS, limit: 10 }, {}, ask);
        const rows = rowsOf(texts);
        expect(rows).toEqual(rows.toSorted());
        expect(rows.filter((at) => since === null || at >= since)).toEqual(changes.filter((at) => since === null || at >= since));
      }),
    );
  });
});
