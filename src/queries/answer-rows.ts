// The rows of an answer: they become objects or JSON when the answer needs them.
import type { HeldRows } from '../db/query.ts';
import type { Series } from '../model/catalogue.ts';
import { type LatestObservation, type Observation, supersededAt } from '../model/observation.ts';
import { beforeOf, type RowContext, toLatestObservations, toObservations } from './observation-rows.ts';
import type { LatestVintageRow, VintageRow } from './reads/rows.ts';
import { type Kind, writeRows } from './written-rows.ts';

/** Chooses a row's further fields. */
export interface RowForm {
  readonly hasRights: boolean;
  /** True in the bulk forms, whose rows have further members. */
  readonly isBulk: boolean;
  readonly asOf: string | null;
}

/** The rows of an answer, which become objects or JSON when the answer needs them. */
export interface AnswerRows<Row> extends HeldRows<Row> {
  /** A JSON array, written from the template of each series: of some columns in their order, or of all (null). */
  readonly json: (columns: readonly string[] | null) => Promise<Buffer>;
}

export function observationRows(found: HeldRows<VintageRow>, context: RowContext, form: RowForm): AnswerRows<Observation> {
  const toObjects = (part: readonly VintageRow[]) => toObservations(part, context, membersOf(form, part));
  return answerRows(found, context, toObjects, (rows, columns) =>
    writeRows(rows, context, form.hasRights ? 'with rights' : 'plain', () => undefined, columns),
  );
}

export function latestRows(found: HeldRows<LatestVintageRow>, context: RowContext, form: RowForm): AnswerRows<LatestObservation> {
  const toObjects = (part: readonly LatestVintageRow[]) => toLatestObservations(part, context, membersOf(form, part));
  const kind: Kind = form.hasRights ? 'latest with rights' : 'latest';
  return answerRows(found, context, toObjects, (rows, columns) =>
    writeRows(rows, context, kind, (index) => beforeOf(rows[index]), columns),
  );
}

function answerRows<In, Out>(
  found: HeldRows<In>,
  { preferred = null }: RowContext,
  toObjects: (part: readonly In[]) => Promise<readonly Out[]>,
  toJson: (rows: readonly In[], columns: readonly string[] | null) => Promise<Buffer>,
): AnswerRows<Out> {
  const all = async () => toObjects(await found.all());
  return {
    length: found.length,
    all,
    async *parts(most) {
      // Preference that is decided among the rows needs all of them together.
      if (preferred === null) yield await all();
      else for await (const part of found.parts(most)) yield await toObjects(part);
    },
    json: async (columns) => toJson(await found.all(), columns),
  };
}

/** Fields of the full surface that a public row lacks, and of a bulk row that a page row lacks. */
function membersOf({ hasRights, isBulk, asOf }: RowForm, rows: readonly VintageRow[]) {
  return (index: number, series: Series) => {
    const members = isBulk ? bulkMembers(rows[index], asOf) : {};
    return hasRights ? { rights: series.rights, ...members } : members;
  };
}

export function bulkMembers(row: VintageRow | undefined, asOf: string | null) {
  return {
    supersededAt: supersededAt(row?.knownTo ?? null, asOf),
    isBackfill: row?.isBackfill ?? false,
    obsStatus: row?.obsStatus ?? null,
  };
}
