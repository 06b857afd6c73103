// Why some of the countries or entities of a panel have no row, although others have.
import type { Catalogue, Series } from '../../model/catalogue.ts';
import { absentHint, type Hint, type Surface, withheldHint } from '../hints/hints.ts';
import { NO_SERIES_FILTERS } from '../series-asked.ts';
import type { Factor, Slot } from './slots.ts';

/** For factors whose series may not be shown. A panel names them `factor`. */
export function withheldFactors(
  catalogue: Catalogue,
  factors: readonly Factor[],
  surface: Surface,
  at: number,
  isOf: (series: Series) => boolean,
): Hint | null {
  const filters = { ...NO_SERIES_FILTERS, indicatorIds: factors.map(({ canonicalId }) => canonicalId) };
  const hint = withheldHint(catalogue, filters, surface, at, isOf);
  return hint === null ? null : { ...hint, parameter: 'factor' };
}

interface Named {
  /** The parameter that names them. Null if the request names none: then no row is missing. */
  readonly parameter: 'country' | 'entity' | null;
  readonly entityIds: ReadonlySet<string> | null;
  readonly factors: readonly Factor[];
  /** The pairs that have series, and may be shown. */
  readonly slots: readonly Slot[];
  /** True for series of the entities, whatever their rights. */
  readonly isOf: (series: Series) => boolean;
  readonly sourceId: string | undefined;
}

/** @param at evaluation time, ms */
export function absentHints(
  catalogue: Catalogue,
  { parameter, entityIds, factors, slots, isOf, sourceId }: Named,
  surface: Surface,
  at: number,
): readonly (Hint | null)[] {
  if (parameter === null || entityIds === null) return [];
  const shown = new Set(slots.map((slot) => `${slot.factor} ${slot.entityId}`));
  const hiddenNumbers = new Set<number>();
  const without = factors.map(({ asked, canonicalId }) => {
    const absent = new Set([...entityIds].filter((entityId) => !shown.has(`${asked} ${entityId}`)));
    const hidden = (catalogue.byCanonicalId.get(canonicalId) ?? []).filter(
      (one) => isOf(one) && absent.has(one.entityId) && (sourceId === undefined || one.sourceId === sourceId),
    );
    for (const one of hidden) {
      hiddenNumbers.add(one.seriesNo);
      absent.delete(one.entityId);
    }
    return { factor: asked, names: [...absent].map((name) => (parameter === 'country' ? name.toUpperCase() : name)) };
  });
  return [
    absentHint(parameter, without, sourceId),
    withheldFactors(catalogue, factors, surface, at, (one) => hiddenNumbers.has(one.seriesNo)),
  ];
}
