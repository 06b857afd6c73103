// Latency and memory by size, from the newest measurement of each group at each size. Vega draws it; it is a package of this folder.
import { createRequire } from 'node:module';
import type { Report } from '../figures.ts';

interface Vega {
  readonly parse: (specification: unknown) => unknown;
  readonly View: new (runtime: unknown, options: { readonly renderer: 'none' }) => { readonly toSVG: () => Promise<string> };
}

interface VegaLite {
  readonly compile: (specification: unknown) => { readonly spec: unknown };
}

/** As SVG; null if Vega is not installed, or if nothing with a latency was measured. */
export async function drawn(results: readonly Report[]): Promise<string | null> {
  const [latencies, memories] = [latenciesOf(results), memoriesOf(results)];
  if (latencies.length === 0) return null;
  const packages = await packagesOf();
  if (packages === null) return null;
  const { vega, vegaLite } = packages;
  const { spec } = vegaLite.compile({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    config: { view: { continuousWidth: 170, continuousHeight: 130 } },
    vconcat: [
      panels('Latency, p50 in ms: first peer of each system, at most connections', latencies, 'ms'),
      panels('Memory, highest resident set of the service in MB', memories, 'MB'),
    ],
    resolve: { scale: { color: 'shared' } },
  });
  return new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
}

interface Point {
  readonly group: string;
  readonly system: string;
  readonly vintages: number;
  readonly value: number;
}

function panels(title: string, values: readonly Point[], unit: string) {
  return {
    title,
    data: { values },
    facet: { field: 'group', type: 'nominal', title: null },
    columns: 4,
    spec: {
      mark: { type: 'line', point: true },
      encoding: {
        x: {
          field: 'vintages',
          type: 'quantitative',
          scale: { type: 'log' },
          axis: { format: '~s', values: sizesOf(values) },
          title: 'vintages',
        },
        y: { field: 'value', type: 'quantitative', scale: { type: 'log' }, axis: { tickCount: 3, grid: false }, title: unit },
        color: { field: 'system', type: 'nominal', title: null },
      },
    },
    resolve: { scale: { y: 'independent', x: 'shared' } },
  };
}

const sizesOf = (points: readonly Point[]): readonly number[] => [...new Set(points.map(({ vintages }) => vintages))];

/** For each group the newest at each size; deployments are left out, because they have several questions each. */
function newestOf(results: readonly Report[]) {
  const newest = new Map<string, { readonly vintages: number; readonly group: Report['groups'][number] }>();
  for (const { vintages, groups } of results)
    for (const group of groups) if (group.key !== 'deployments') newest.set(`${group.key}|${vintages}`, { vintages, group });
  return [...newest.values()];
}

function latenciesOf(results: readonly Report[]): Point[] {
  return newestOf(results).flatMap(({ vintages, group }) => {
    const most = Math.max(...group.figures.map(({ connections }) => connections));
    const bySystem = new Map<string, number>();
    for (const { peer, connections, p50Ms } of group.figures) {
      const system = peer.split(',')[0] ?? peer;
      if (connections === most && !bySystem.has(system)) bySystem.set(system, p50Ms);
    }
    return [...bySystem].map(([system, value]) => ({ group: group.key, system, vintages, value }));
  });
}

function memoriesOf(results: readonly Report[]): Point[] {
  return newestOf(results).map(({ vintages, group }) => ({
    group: group.key,
    system: 'asof',
    vintages,
    value: group.serverPeakMemoryMb ?? group.peakMemoryMb,
  }));
}

async function packagesOf(): Promise<{ readonly vega: Vega; readonly vegaLite: VegaLite } | null> {
  const { resolve } = createRequire(import.meta.url);
  try {
    const [vega, vegaLite] = [await import(resolve('vega')), await import(resolve('vega-lite'))] as [Vega, VegaLite];
    return { vega, vegaLite };
  } catch {
    return null;
  }
}
