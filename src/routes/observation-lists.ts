// What the observation list routes share: one read, with the rows of the full surface (rights added) or of the public one.
import { z } from 'zod';
import type { Context, Page, PageRequest } from '../http/route.ts';
import { LatestObservation, Observation, Rights } from '../model/observation.ts';
import {
  type LatestVintageRow,
  listLatest,
  listVintages,
  observationsList,
  selectSeries,
  seriesOf,
  toLatestObservations,
  toObservations,
  type VintageRow,
} from '../queries/observations.ts';
import { type FoundPage, sortOf } from '../queries/paging.ts';
import { preferredLatest, preferredVintages } from '../queries/preferred.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { type ObservationQuery, readOf } from './observation-parameters.ts';

const rights = { rights: Rights.describe('What the licence allows.') };
export const PublicObservationRow = Observation.meta({ id: 'Observation' });
export const PublicLatestRow = LatestObservation.meta({ id: 'LatestObservation' });
export const FullObservationRow = Observation.extend(rights).meta({ id: 'ObservationWithRights' });
export const FullLatestRow = LatestObservation.extend(rights).meta({ id: 'LatestObservationWithRights' });
export type FullObservation = z.infer<typeof FullObservationRow>;

interface Surface {
  readonly isPublic: boolean;
  /** Entity to which the whole list is restricted, beside the filters. */
  readonly entityId?: string;
}

export async function observationPage(
  query: ObservationQuery,
  page: PageRequest,
  context: Context<Snapshot>,
  surface: Surface,
): Promise<Page<Observation>> {
  const read = readOf(query, context, surface.isPublic);
  const series = seriesFor(read.series, context, surface);
  const sort = sortOf(observationsList, page.sort);
  const found = await listVintages(context.snapshot, series, read.vintages, { ...page, sort });
  const preferred = await preferredOf(context, page, found.nextKey !== null, () =>
    preferredVintages(context.snapshot, series, read.vintages, { ...page, ...page.answer, sort }, read.at),
  );
  const rows = toObservations(found.rows, { catalogue: context.snapshot.catalogue, preferred, at: read.at });
  return answer(found, rows, context, surface, read.asOf);
}

export async function latestPage(
  query: ObservationQuery,
  page: PageRequest,
  context: Context<Snapshot>,
  surface: Surface,
): Promise<Page<LatestObservation>> {
  const read = readOf(query, context, surface.isPublic);
  const series = seriesFor(read.series, context, surface);
  const sort = sortOf(observationsList, page.sort);
  const found = await listLatest(context.snapshot, series, read.vintages, { ...page, sort });
  const preferred = await preferredOf(context, page, found.nextKey !== null, () =>
    preferredLatest(context.snapshot, series, read.vintages, { ...page, ...page.answer, sort }, read.at),
  );
  const rows = toLatestObservations(found.rows, { catalogue: context.snapshot.catalogue, preferred, at: read.at });
  return answer(found, rows, context, surface, read.asOf);
}

/** The preferred rows of the answer that a page is a part of; null when the page is all of it, so that its own rows decide. */
export async function preferredOf(
  { decided }: Pick<Context<Snapshot>, 'decided'>,
  { limit, after, answer: whole }: Pick<PageRequest, 'limit' | 'after' | 'answer'>,
  hasMore: boolean,
  decide: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string> | null> {
  if (after === whole.after && (limit >= whole.limit || !hasMore)) return null;
  decided.preferred ??= decide();
  return decided.preferred;
}

function seriesFor(filters: Parameters<typeof selectSeries>[1], context: Context<Snapshot>, surface: Surface) {
  const series = selectSeries(context.snapshot.catalogue, filters, context.now);
  return surface.entityId === undefined ? series : series.filter((one) => one.entityId === surface.entityId);
}

function answer<Row>(
  found: FoundPage<VintageRow | LatestVintageRow>,
  rows: readonly Row[],
  context: Context<Snapshot>,
  surface: Surface,
  asOf: string | null,
): Page<Row> {
  const { catalogue } = context.snapshot;
  const full = surface.isPublic
    ? rows
    : rows.map((row, index) => ({
        ...row,
        rights: found.rows[index] === undefined ? null : seriesOf(catalogue, found.rows[index]).rights,
      }));
  return { rows: full, nextKey: found.nextKey, meta: { as_of: asOf } };
}
