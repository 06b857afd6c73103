// The fields of the screener: screenable indicators with values, company figures, and attributes of entities.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { inTurns, mapInTurns } from '../../db/turns.ts';
import { type Series, seriesOf } from '../../model/catalogue.ts';
import { dayOf } from '../../model/period.ts';
import { type Fields, type FieldType, MODIFIERS_OF, OPERATORS, TEXT_OPERATORS } from '../../model/screener-dsl.ts';
import { ENTITY_TYPES_OF, quantile, type ScreenField, UNIVERSES, type Universe } from '../../model/screener.ts';
import { askedOnce } from '../kept.ts';
import { ATTRIBUTES, type Attribute } from './screener.ts';
import { type FigureField, figureFields, type Looked, readFigures } from './figures.ts';
import { isOfFactorUnit, isScreened, preferredValue } from './readings.ts';
import type { NewestRow } from '../reads/states.ts';
import { readStates } from '../reads/read.ts';
import { findMembers } from './universe.ts';
import type { Snapshot } from '../snapshot.ts';

export const screenerFieldsQuery = defineQuery('screener/fields.sql', {
  params: z.strictObject({}),
  row: z.strictObject({ canonicalId: z.string(), name: z.string(), unit: z.string(), entityTypes: z.array(z.string()) }),
});
type FieldRow = z.infer<typeof screenerFieldsQuery.row>;

const indicatorFields = askedOnce((snapshot) => run(snapshot, screenerFieldsQuery, {}));

/** All names that a filter may use. */
export const screenerFields = askedOnce(async (snapshot): Promise<Fields> => {
  const [rows, figures] = await Promise.all([indicatorFields(snapshot), figureFields(snapshot)]);
  return new Map<string, FieldType>([
    ...rows.map((row): [string, FieldType] => [row.canonicalId, 'number']),
    ...figures.map((figure): [string, FieldType] => [figure.field, 'figure']),
    ...ATTRIBUTES.map((name): [string, FieldType] => [name, 'string']),
  ]);
});

/**
 * The fields with values in the unit of their factor, and the distribution of these values: between countries or companies if the field is
 * theirs, else between all.
 */
export async function describeFields(snapshot: Snapshot, asked: Looked): Promise<readonly ScreenField[]> {
  const [rows, figures] = await Promise.all([indicatorFields(snapshot), figureFields(snapshot)]);
  const values = new Map([...(await newestValues(snapshot, rows, asked)), ...(await newestFigures(snapshot, figures, asked))]);
  const named = [
    ...rows.map(({ canonicalId, name, unit }) => ({ field: canonicalId, label: name, unit, type: 'number' as const })),
    ...figures.map(({ field, label, unit }) => ({ field, label, unit, type: 'figure' as const })),
  ];
  const describe = (one: NumberField) => {
    const found = values.get(one.field);
    return found === undefined ? [] : [describeNumber(one, found)];
  };
  const numbers = await mapInTurns(named, (part) => part.flatMap(describe), FIELDS_A_TURN);
  return [...(await describeAttributes(snapshot, asked)), ...numbers].sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** A few milliseconds of work, before other requests have their turn. */
const ROWS_A_TURN = 500;
const FIELDS_A_TURN = 30;

interface Valued {
  readonly entityType: string;
  readonly value: number;
}

interface Rival {
  readonly series: Series;
  readonly row: NewestRow;
}

async function newestValues(snapshot: Snapshot, fields: readonly FieldRow[], asked: Looked) {
  const { catalogue } = snapshot;
  const indicators = fields.map((row) => row.canonicalId);
  const rows = await readStates({ snapshot, indicators, asOf: asked.asOf, periodFrom: asked.historyFrom });
  const slots = new Map<string, Rival[]>();
  for await (const part of inTurns(rows, ROWS_A_TURN)) {
    for (const row of part) {
      const one = seriesOf(catalogue, row);
      if (isScreened(one) && isOfFactorUnit(one)) push(slots, `${one.canonicalId} ${one.entityId}`, { series: one, row });
    }
  }
  const found = new Map<string, Valued[]>();
  for await (const part of inTurns([...slots.values()], ROWS_A_TURN)) {
    for (const rivals of part) {
      const [value, one] = [preferredValue(rivals, asked.at), rivals[0]?.series];
      if (value !== null && one !== undefined) push(found, one.canonicalId, { entityType: one.entityType, value });
    }
  }
  return found;
}

async function newestFigures(snapshot: Snapshot, fields: readonly FigureField[], asked: Looked) {
  const names = fields.map((one) => one.field);
  const { figures } = await readFigures(snapshot, asked, names);
  const found = new Map<string, Valued[]>();
  for (const { field, value } of figures) push(found, field, { entityType: 'company', value });
  return found;
}

function push<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

function universesOf(entityTypes: ReadonlySet<string>): Universe[] {
  return UNIVERSES.filter((universe) => {
    const members: readonly string[] | null = ENTITY_TYPES_OF[universe];
    return members === null || members.some((type) => entityTypes.has(type));
  });
}

interface NumberField {
  readonly field: string;
  readonly label: string;
  readonly unit: string;
  readonly type: 'number' | 'figure';
}

function describeNumber({ field, label, unit, type }: NumberField, valued: readonly Valued[]): ScreenField {
  const universes = universesOf(new Set(valued.map((one) => one.entityType)));
  const members: readonly string[] | null = ENTITY_TYPES_OF[universes[0] ?? 'entities'];
  const sorted = valued
    .filter((one) => members === null || members.includes(one.entityType))
    .map((one) => one.value)
    .sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  return {
    field,
    label,
    type: 'number',
    unit,
    operators: [...OPERATORS],
    modifiers: [...MODIFIERS_OF[type]],
    universes,
    min: sorted[0] ?? null,
    p05: quantile(sorted, 0.05),
    median,
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? null,
    coverageCount: sorted.length,
    enumValues: null,
    example: `${field}:gte:${Number((median ?? 0).toPrecision(3))}`,
  };
}

const LABELS = { name: 'Name', country: 'Country, ISO 3166-1 alpha-2', entity_type: 'Kind of entity', sector: 'Sector' } as const;
const MOST_VALUES = 300;

async function describeAttributes(snapshot: Snapshot, { asOf, at }: Looked): Promise<readonly ScreenField[]> {
  const onDate = dayOf(at);
  const members = await findMembers(snapshot, { entityTypes: null, country: null, sector: null, onDate, asOf });
  return ATTRIBUTES.map((field: Attribute) => {
    const having = members.flatMap((member) => {
      const value = field === 'entity_type' ? member.entityType : member[field];
      return value === null ? [] : [{ value, entityType: member.entityType }];
    });
    const distinct = [...new Set(having.map((one) => one.value))].sort();
    return {
      field,
      label: LABELS[field],
      type: 'string',
      unit: null,
      operators: [...TEXT_OPERATORS],
      modifiers: [],
      universes: having.length === 0 ? [] : universesOf(new Set(having.map((one) => one.entityType))),
      min: null,
      p05: null,
      median: null,
      p95: null,
      max: null,
      coverageCount: having.length,
      enumValues: field === 'name' || distinct.length === 0 || distinct.length > MOST_VALUES ? null : distinct,
      example: distinct[0] === undefined ? `${field}:is:notnull` : `${field}:eq:${distinct[0].replaceAll(/[;|,:\\]/g, '\\$&')}`,
    };
  });
}
