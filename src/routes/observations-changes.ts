import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { type CursorKey, listRoute, parameter } from '../http/route.ts';
import { Observation } from '../model/observation.ts';
import { idOf, listChanges, selectSeries, seriesOf, toObservations } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { FullObservationRow, preferredOf } from './observation-lists.ts';
import { preferredChanges } from '../queries/preferred.ts';
import { observationMeta, observationParameters, readOf } from './observation-parameters.ts';

const ChangeRow = FullObservationRow.extend({
  changeSequence: z.int().describe('Position in the feed; never reused.'),
  changeType: z.enum(['insert', 'revise', 'retract']).describe('First print, later print, or withdrawal.'),
  changedAt: z.string().describe('When it entered the lake.'),
  priorObservationId: z.string().nullable().describe('The vintage that it follows.'),
  priorActual: z.number().nullable().describe('Value of that vintage.'),
}).meta({ id: 'ObservationChange' });

const query = {
  ...observationParameters,
  vintage: parameter(
    observationParameters.vintage.schema.meta({
      description: 'Only the vintage in force of each period, or only its first; all unless given.',
      default: 'all',
      examples: ['first'],
    }),
  ),
  since: parameter(
    observationParameters.observed_from.schema.meta({
      description: 'Changes that entered at or after this moment.',
      examples: ['2020-01-01'],
    }),
  ),
};

function toPlace(key: CursorKey | null) {
  const [sequence = null, idHash] = key ?? [];
  return sequence === null ? null : { sequence: Number(sequence), idHash: String(idHash) };
}

export const observationsChanges = listRoute<Snapshot, typeof query, unknown>({
  path: '/observations/changes',
  scope: 'data:read',
  tag: 'observations',
  summary: 'Every insert, revision and withdrawal, strictly in the order in which they entered.',
  description: 'The cursor never expires: keep the last one and come back with it for what is new.',
  example: '/observations/changes?indicator_id=us_nonfarm_payrolls&limit=5',
  query,
  row: ChangeRow,
  meta: observationMeta,
  sortable: ['change_sequence'],
  isBulk: true,
  isHistory: true,
  isResumable: true,
  list: async (values, page, context) => {
    if (page.order === 'desc')
      throw new ApiError('bad_request', 'order: changes come in the order in which they entered; only asc is possible.', {
        parameter: 'order',
      });
    const { catalogue } = context.snapshot;
    const read = readOf(values, context, false);
    const series = selectSeries(catalogue, read.series, context.now);
    const filters = { ...read.vintages, vintage: values.vintage ?? 'all', since: values.since ?? null };
    const { rows, hasMore } = await listChanges(context.snapshot, series, filters, toPlace(page.after), page.limit);
    const preferred = await preferredOf(context, page, hasMore, () =>
      preferredChanges(context.snapshot, series, filters, { after: toPlace(page.answer.after), limit: page.answer.limit }, read.at),
    );
    const observations: Observation[] = toObservations(rows, { catalogue, preferred, at: read.at });
    const last = rows.at(-1);
    return {
      rows: rows.map((row, index) => ({
        ...observations[index],
        rights: seriesOf(catalogue, row).rights,
        changeSequence: row.changeSequence,
        changeType: !row.hasPrior ? 'insert' : row.value === null ? 'retract' : 'revise',
        changedAt: row.changedAt,
        priorObservationId:
          row.priorVintage === null ? null : idOf(seriesOf(catalogue, row), { period: row.period, vintage: row.priorVintage }),
        priorActual: row.priorValue,
      })),
      nextKey: hasMore && last !== undefined ? [last.changeSequence, String(last.idHash)] : null,
      lastKey: last === undefined ? null : [last.changeSequence, String(last.idHash)],
      meta: { as_of: read.asOf },
    };
  },
});
