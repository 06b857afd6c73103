// Series and their vintages: the same rows, one print of each period or all of them.
import { z } from 'zod';
import { LARGEST_BULK_PAGE, type Parameters, type ServiceClient } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import type { Cell, Row } from '../table.ts';
import { asOf, call, cell, collect, day, hintsOf, indicator, say, text, type Tool } from './tool.ts';

const where = {
  indicator_id: indicator,
  entity: text('Only of this entity: id, slug, ticker, ISO code, contract code or name.').optional(),
  source_id: text('Only of this data set, such as fred_md or bls.').optional(),
  start_date: day('Periods ending on or after this day.').optional(),
  end_date: day('Periods ending on or before this day.').optional(),
  as_of: asOf,
} as const;

const seriesInput = z.strictObject({
  ...where,
  vintage: z.enum(['latest', 'first']).default('latest').describe('Newest known print of each period, or the first.'),
  include_backfill: z
    .boolean()
    .default(false)
    .describe('With vintage=first: include periods that have no first print because they were loaded long after they ended.'),
});

export const series: Tool<typeof seriesInput> = {
  name: 'series',
  title: 'A series as it was known',
  description:
    'The value of each period, newest first, with the day from which it was known. as_of leaves out everything learned later: use it for every backtest.',
  input: seriesInput,
  answer: (input, service, keep) =>
    answerOf('series', input, { vintage: input.vintage, ...(input.include_backfill ? { include_backfill: true } : {}) }, service, keep),
};

const vintagesInput = z.strictObject({
  ...where,
  period: z
    .string()
    .regex(/^\d{4}(?:-(?:0[1-9]|1[0-2]|[Qq][1-4]))?$/)
    .describe('One calendar span: YYYY, YYYY-MM or YYYY-Qn.')
    .optional(),
});

export const vintages: Tool<typeof vintagesInput> = {
  name: 'vintages',
  title: 'Every print of a number',
  description: 'All prints of each period, newest period first: the value, and from when to when it was the newest known.',
  input: vintagesInput,
  answer: (input, service, keep) => answerOf('vintages', input, { vintage: 'all', period: input.period }, service, keep),
};

type Where = z.infer<z.ZodObject<typeof where>> & Readonly<Record<string, unknown>>;

async function answerOf(name: string, input: Where, chosen: Parameters, service: ServiceClient, keep: number): Promise<Answer> {
  const filters: Parameters = {
    indicator_id: input.indicator_id,
    entity: input.entity,
    source_id: input.source_id,
    start_date: input.start_date,
    end_date: input.end_date,
    as_of: input.as_of,
    ...chosen,
  };
  const isEach = chosen['vintage'] === 'all';
  const answer = await service.rows('/observations', {
    ...filters,
    sort: 'period_end',
    order: 'desc',
    limit: LARGEST_BULK_PAGE,
    columns: `indicator_id,source_id,period,period_end,actual,observed_at,${isEach ? 'superseded_at,' : ''}rights`,
  });
  const { rows, count } = await collect(answer, keep, (row) => toRow(row, isEach));
  const newest = await service.page('/observations/latest', {
    indicator_id: input.indicator_id,
    entity: input.entity,
    source_id: input.source_id,
    as_of: input.as_of,
    limit: MOST_DESCRIBED + 1,
  });
  // A bulk answer has no hints.
  const told = count === 0 || chosen['vintage'] === 'first' ? await service.page('/observations', { ...filters, limit: 1 }) : null;
  return {
    asOf: answer.asOf,
    facts: [
      ...newest.data.slice(0, MOST_DESCRIBED).map(description),
      ...(newest.data.length > MOST_DESCRIBED ? ['… and more series: name an entity or a source.'] : []),
      ...(answer.hasMore ? [`More than ${LARGEST_BULK_PAGE} rows; counting stopped there.`] : []),
      ...(count === 0 ? ['No rows.'] : []),
      ...(told === null ? [] : hintsOf(told.meta)),
    ],
    rows: rows.map(({ periodEnd: _, ...row }) => row),
    rowCount: count,
    narrower: (held) => call(name, { ...input, ...boundOf(rows.slice(0, held.length)) }),
  };
}

/** The rows after these: older periods, or older prints if all are of one period. The last row is repeated. */
function boundOf(held: readonly Row[]): Readonly<Record<string, Cell>> {
  const last = held.at(-1);
  if (last === undefined) return {};
  const { periodEnd = null, known = null } = last;
  return held[0]?.['periodEnd'] === periodEnd ? { as_of: known } : { end_date: periodEnd };
}

function toRow(row: Readonly<Record<string, unknown>>, isEach: boolean): Row {
  const rights = row['rights'] as { readonly redistributable: boolean; readonly note: string | null } | null;
  return {
    indicator: cell(row['indicatorId']),
    source: cell(row['sourceId']),
    period: cell(row['period']),
    value: cell(row['actual']),
    known: cell(row['observedAt']),
    ...(isEach ? { until: cell(row['supersededAt']) } : {}),
    rights: rights?.redistributable === false ? (rights.note ?? 'not to be redistributed') : null,
    periodEnd: cell(row['periodEnd']),
  };
}

const MOST_DESCRIBED = 8;

/** A series in one line, with the verdicts on its newest row. */
function description(row: Readonly<Record<string, unknown>>): string {
  const of = (name: string) => say(row[name]);
  const verdict =
    row['collectionStatus'] === 'ceased'
      ? `ceased with ${of('ceasedFinalPeriod')}${row['successorIndicatorId'] === null ? '' : `, goes on as ${of('successorIndicatorId')}`}`
      : of('freshnessStatus');
  return `${of('indicatorId')} of ${of('sourceId')}: ${of('indicatorName')}; ${of('unit')}, ${of('frequency')}, ${of('comparisonBasis')}; newest ${of('period')}, ${verdict}, ${row['scoringEligible'] === true ? 'eligible' : 'not eligible'} for scoring; ${of('provider')} (${of('sourceTier')}), ${of('attribution')}`;
}
