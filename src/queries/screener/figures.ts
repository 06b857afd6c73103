// Company data of a screen besides observations: figures of statements as known at a cutoff, and scores.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { REPORT_BUDGET_DAYS, SCORED_FOR_DAYS } from '../../model/company.ts';
import { type FreshnessStatus, freshnessOf, NOTHING_LEARNED, SourceTier } from '../../model/trust.ts';
import { openPriceSources } from '../companies.ts';
import { askedOnce } from '../kept.ts';
import type { Snapshot } from '../snapshot.ts';

export const screenerFigureFieldsQuery = defineQuery('screener/figure_fields.sql', {
  params: z.strictObject({}),
  row: z.strictObject({ field: z.string(), label: z.string(), kind: z.string(), unit: z.string(), sourceTier: SourceTier }),
});
export type FigureField = z.infer<typeof screenerFigureFieldsQuery.row>;

export const screenerFiguresQuery = defineQuery('screener/figures.sql', {
  params: z.strictObject({
    fields: z.array(z.string()),
    firstField: z.string(),
    lastField: z.string(),
    asOf: z.string(),
    periodFrom: z.string(),
  }),
  row: z.strictObject({
    field: z.string(),
    entityId: z.string(),
    periodEnd: z.string(),
    value: z.number(),
    observedAt: z.string(),
  }),
  isBulk: true,
});
type FigureRow = z.infer<typeof screenerFiguresQuery.row>;

export const screenerScoresQuery = defineQuery('screener/scores.sql', {
  params: z.strictObject({
    asOf: z.string().nullable(),
    at: z.string(),
    historyFrom: z.string().nullable(),
    priceSources: z.array(z.string()),
    budgetDays: z.int(),
  }),
  row: z.strictObject({
    entityId: z.string(),
    periodEnd: z.string(),
    observedAt: z.string(),
    scores: z.record(z.string(), z.number().nullable()),
    isScored: z.boolean(),
    isShown: z.boolean(),
  }),
});

/** A company's figure with its verdict. */
export interface Figure extends FigureRow {
  readonly unit: string;
  readonly sourceTier: SourceTier;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

export interface Figures {
  readonly figures: readonly Figure[];
  /** Score fields that the caller may not see, because prices are withheld. */
  readonly withheld: readonly string[];
}

/** All figure fields of a snapshot. */
export const figureFields = askedOnce((snapshot) => run(snapshot, screenerFigureFieldsQuery, {}));

/** The bounds of a screen's reads. */
export interface Looked {
  readonly asOf: string | null;
  /** Evaluation time of freshness, eligibility and age, ms. */
  readonly at: number;
  /** First visible periodEnd. */
  readonly historyFrom: string | null;
}

/** @param names fields; names that are no figures are ignored */
export async function readFigures(snapshot: Snapshot, looked: Looked, names: readonly string[]): Promise<Figures> {
  if (names.length === 0) return { figures: [], withheld: [] };
  const fields = (await figureFields(snapshot)).filter(({ field }) => names.includes(field));
  const [stated, scored] = await Promise.all([
    readStated(
      snapshot,
      looked,
      fields.filter(({ kind }) => kind !== 'score'),
    ),
    readScores(
      snapshot,
      looked,
      fields.filter(({ kind }) => kind === 'score'),
    ),
  ]);
  return { figures: [...stated, ...scored.figures], withheld: scored.withheld };
}

const FIRST_DAY = '0001-01-01';

async function readStated(
  snapshot: Snapshot,
  { asOf, at, historyFrom }: Looked,
  fields: readonly FigureField[],
): Promise<readonly Figure[]> {
  const names = fields.map(({ field }) => field).toSorted();
  const [firstField, lastField] = [names[0], names.at(-1)];
  if (firstField === undefined || lastField === undefined) return [];
  const bound = { fields: names, firstField, lastField, asOf: asOf ?? 'infinity', periodFrom: historyFrom ?? FIRST_DAY };
  const rows = await run(snapshot, screenerFiguresQuery, bound);
  const byName = new Map(fields.map((one) => [one.field, one]));
  return rows.flatMap((row) => {
    const field = byName.get(row.field);
    return field === undefined ? [] : [judge(field, row, at, true)];
  });
}

async function readScores(snapshot: Snapshot, { asOf, at, historyFrom }: Looked, fields: readonly FigureField[]): Promise<Figures> {
  if (fields.length === 0) return { figures: [], withheld: [] };
  const rows = await run(snapshot, screenerScoresQuery, {
    asOf,
    at: new Date(at).toISOString(),
    historyFrom,
    priceSources: openPriceSources(snapshot),
    budgetDays: SCORED_FOR_DAYS,
  });
  const shown = rows.filter(({ isShown }) => isShown);
  const figures = shown.flatMap(({ entityId, periodEnd, observedAt, scores, isScored }) =>
    fields.flatMap((field) => {
      const value = scores[field.field] ?? null;
      return value === null ? [] : [judge(field, { field: field.field, entityId, periodEnd, value, observedAt }, at, isScored)];
    }),
  );
  return { figures, withheld: rows.length > 0 && shown.length === 0 ? fields.map(({ field }) => field) : [] };
}

const REPORTS = { defaultBudgetDays: REPORT_BUDGET_DAYS, learnedBudgets: NOTHING_LEARNED, ceasedAt: null };

function judge({ unit, sourceTier }: FigureField, row: FigureRow, at: number, isWhole: boolean): Figure {
  const freshness = freshnessOf(REPORTS, row.periodEnd, at);
  return { unit, sourceTier, freshness, isEligible: isWhole && freshness === 'fresh', ...row };
}
