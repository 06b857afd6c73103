// Panels: the values of factors, for each entity, as known on each date.
import { z } from 'zod';
import { mapInTurns } from '../db/turns.ts';
import { ApiError } from '../http/errors.ts';
import { badParameter } from '../http/params.ts';
import {
  type Context,
  type CursorKey,
  listRoute,
  type Page,
  type PageRequest,
  parameter,
  ROWS_IN_COLUMNS,
  type ValuesOf,
  type WriteRows,
} from '../http/route.ts';
import { countryNamed, type Series } from '../model/catalogue.ts';
import { PanelBulkMembers, panelDates, PanelEvery, PanelGroup, PanelRow, PublicPanelRow } from '../model/panel.ts';
import { dayOf, endOfDay, isDay } from '../model/period.ts';
import { isCadenceComparable } from '../model/trust.ts';
import { derivedNames } from '../queries/derived.ts';
import { entityIdsOf } from '../queries/entities.ts';
import { ANNUAL_BY_ENTITY, type Hint, hintsOf, windowHint } from '../queries/hints/hints.ts';
import { nearestIndicator } from '../queries/hints/names.ts';
import { absentHints, withheldFactors } from '../queries/panels/absent.ts';
import { type Cell, type CellKey, cellsAt, changesBetween, type Dates, type FoundCells } from '../queries/panels/cells.ts';
import { knownUntil, rowWriter } from '../queries/panels/rows.ts';
import { type Factor, membersOf, type PanelAsked, type Slot, slotsOf, type Stay } from '../queries/panels/slots.ts';
import { canBeTable, writeChanges, writeDated } from '../queries/panels/table.ts';
import { firstKnownAt } from '../queries/reach.ts';
import { arrayBytes } from '../queries/row-bytes.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { seriesAsFactor, unknown, unknownNames } from './hints.ts';
import { isZone, momentOf, ZONED_TIME } from './panel-dates.ts';
import { flag, list, observationMeta, text } from './parameters.ts';

const MOST_FACTORS = 20;
const MOST_ENTITIES = 250;
/** Cells of a panel: dates × factors × entities that have the factor. Also the most rows of a bulk answer. */
const MOST_CELLS = 5_000_000;

const requiredDay = (description: string, example: string) =>
  z
    .string()
    .refine(isDay, 'must be a day YYYY-MM-DD')
    .meta({ description, format: 'date', examples: [example] });

/** A parameter of panels that other routes have with another meaning. */
const ownParameter = <Schema extends z.ZodType>(name: string, schema: Schema) =>
  parameter(schema.meta({ ...schema.meta(), parameter: `panel${name}` }));

const panelParameters = {
  factor: parameter(
    list('', '', MOST_FACTORS)
      .unwrap()
      .meta({
        description: `Canonical or derived indicators, up to ${MOST_FACTORS} separated by commas.`,
        examples: ['cpi_inflation_yoy'],
      }),
  ),
  country: ownParameter(
    'Country',
    list(
      `Countries by code, slug or name, up to ${MOST_ENTITIES} separated by commas; EA is the euro area. Default: all. Annual series take no part in comparisons between countries, so annual series have rows only if you use entity.`,
      'US',
      MOST_ENTITIES,
    ),
  ),
  entity: ownParameter(
    'Entity',
    list(`Entities of any kind, up to ${MOST_ENTITIES} separated by commas, instead of countries.`, 'us', MOST_ENTITIES),
  ),
  group: parameter(
    PanelGroup.optional().meta({
      description: 'The countries that belonged to a group on each date, instead of countries.',
      examples: ['g7'],
    }),
  ),
  from: parameter(requiredDay('First date.', '2020-01-01')),
  to: parameter(requiredDay('Last date. Dates after today are left out.', '2020-12-31')),
  every: parameter(
    PanelEvery.default('month_end').meta({
      description:
        'Dates of the panel: each day, Monday to Friday, each Friday, the last day of each month or quarter, or each change of a row.',
      examples: ['quarter_end'],
    }),
  ),
  at: parameter(
    z
      .string()
      .regex(ZONED_TIME, 'must be an hour and a time zone, for example 16:00 America/New_York')
      .refine((value) => isZone(value.slice(6)), 'names an unknown time zone')
      .optional()
      .meta({
        description: 'Hour of knowledge on each date, inclusive, with its time zone. Default: the end of the UTC day.',
        examples: ['16:00 America/New_York'],
      }),
  ),
  eligible_only: ownParameter('EligibleOnly', flag('Leave out rows that are not scoringEligible. Default: false.')),
  source_id: parameter(text('Data set of the numbers.', 'fred_md'), 'sourceId'),
  vintage: ownParameter(
    'Vintage',
    z
      .enum(['known', 'first'])
      .meta({ id: 'PanelVintage' })
      .default('known')
      .meta({ description: 'known: the newest vintage. first: the first print of the newest period.', examples: ['first'] }),
  ),
  grade: parameter(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(3)
      .default(2)
      .meta({
        description:
          'The worst grade of the rows to include, 1 to 3, as in the field grade. 3 adds assumed vintages (values dated before the first download, for a series whose publisher keeps no archive) and pseudo vintages (such as futures prices).',
        examples: ['3'],
      }),
  ),
};
type Surface = 'full' | 'public';
type PanelQuery = ValuesOf<typeof panelParameters>;

async function factorsOf({ factor: names }: PanelQuery, snapshot: Snapshot): Promise<readonly Factor[]> {
  const { catalogue } = snapshot;
  const factors = new Map<string, Factor>();
  for (const asked of names) {
    const canonicalId = [asked, ...derivedNames(asked)]
      .map((name) => catalogue.canonicalIds.get(name.toLowerCase()))
      .find((id) => id !== undefined);
    if (canonicalId === undefined)
      throw refused(seriesAsFactor(catalogue, asked) ?? unknown('factor', 'factor', asked, await nearestIndicator(snapshot, asked)));
    if (!factors.has(canonicalId)) factors.set(canonicalId, { asked, canonicalId });
  }
  return [...factors.values()];
}

function refused({ parameter: name, message, nearest }: Hint): ApiError {
  return badParameter(name, message, nearest === undefined ? {} : { nearest });
}

interface Meant {
  readonly asked: PanelAsked;
  readonly factors: readonly Factor[];
  /** Of the countries or entities, or of the members of the group. Null: all countries. */
  readonly entityIds: ReadonlySet<string> | null;
  /** True for series of the entities, whatever their rights. */
  readonly isOf: (series: Series) => boolean;
}

/** What the names of a request mean, with the series that it may see. */
async function meant(query: PanelQuery, { snapshot, now, historyFrom }: Context<Snapshot>, surface: Surface): Promise<Meant> {
  const axes = (['country', 'entity', 'group'] as const).filter((name) => query[name] !== undefined);
  if (axes.length > 1)
    throw new ApiError('bad_request', `Send only one of country, entity and group. This request has ${axes.join(' and ')}.`, {
      parameters: axes,
    });
  const { catalogue } = snapshot;
  const { country, entity, source_id } = query;
  // A row that is missing because of a misspelt name would look like a row that nothing was known of.
  const [unknownName] = await unknownNames({ snapshot, named: { country, entity, source_id }, at: now });
  if (unknownName !== undefined) throw refused(unknownName);
  const factors = await factorsOf(query, snapshot);
  const stays = query.group === undefined ? null : await membersOf(snapshot, query.group);
  const entityIds = await entitiesOf(query, snapshot, now, stays);
  const isOf = (series: Series) =>
    (entityIds === null ? series.isNational : entityIds.has(series.entityId)) &&
    // Only entities asked for by name have series of another cadence.
    (entity !== undefined || isCadenceComparable(series.frequency));
  const isShown = (series: Series) =>
    !series.isWithheld &&
    (surface === 'full' || series.rights.redistributable) &&
    (source_id === undefined || series.sourceId === source_id);
  const asked: PanelAsked = {
    slots: slotsOf(factors, ({ canonicalId }) =>
      (catalogue.byCanonicalId.get(canonicalId) ?? []).filter((one) => isOf(one) && isShown(one)),
    ),
    stays,
    vintage: query.vintage,
    grade: query.grade,
    isEligibleOnly: query.eligible_only ?? false,
    periodFrom: historyFrom,
  };
  return { asked, factors, entityIds, isOf };
}

/** The entities of known names. Null: all countries and currency areas. */
async function entitiesOf(
  { country, entity }: PanelQuery,
  snapshot: Snapshot,
  now: number,
  stays: readonly Stay[] | null,
): Promise<ReadonlySet<string> | null> {
  if (stays !== null) return new Set(stays.map((one) => one.entityId));
  if (country !== undefined) return new Set(country.map((sent) => countryNamed(snapshot.catalogue, sent)?.toLowerCase() ?? ''));
  return entity === undefined ? null : new Set(await entityIdsOf(snapshot, entity, new Date(now).toISOString()));
}

function refuseContradictions(query: PanelQuery): void {
  if (query.from > query.to) throw new ApiError('bad_request', 'from is after to. Swap them.', { parameters: ['from', 'to'] });
  if (query.every === 'change' && query.at !== undefined)
    throw new ApiError('bad_request', 'A change comes at its own moment, so `at` has no effect on every=change. Remove one of them.', {
      parameters: ['every', 'at'],
    });
}

async function panelPage(query: PanelQuery, page: PageRequest, context: Context<Snapshot>, surface: Surface): Promise<Page<unknown>> {
  refuseContradictions(query);
  const { snapshot } = context;
  const named = await meant(query, context, surface);
  const { asked } = named;
  const find = finderOf(query, asked, context);
  const found = await find(asked, toCellKey(page.after), page.limit);
  const ofBulk = query.every === 'change' ? knownUntil(spanOf(query, context)[1]) : () => null;
  const toRow = rowWriter(snapshot.catalogue, asked, { hasRights: surface === 'full', knownTo: page.isBulk ? ofBulk : null });
  const { cells, nextKey } = found;
  const rows = {
    length: cells.length,
    async *parts(most: number) {
      for (let from = 0; from < cells.length; from += most)
        yield await mapInTurns(cells.slice(from, from + most), (part) => part.map(toRow));
    },
    json: () => arrayBytes(cells.length, (index, put) => put(JSON.stringify(toRow(cellAt(cells, index))))),
  };
  const hints =
    page.after !== null
      ? []
      : cells.length > 0
        ? absentHints(
            snapshot.catalogue,
            { ...named, slots: asked.slots, parameter: axisOf(query), sourceId: query.source_id },
            surface,
            context.now,
          )
        : await hintsWithout(query, named, context, surface, find);
  const cut = windowHint({ start_date: query.from }, context.historyFrom, cells);
  return { rows, nextKey, meta: { as_of: null, ...hintsOf(...hints, cut === null ? null : { ...cut, parameter: 'from' }) } };
}

const axisOf = ({ country, entity }: PanelQuery) => (country !== undefined ? 'country' : entity !== undefined ? 'entity' : null);

function cellAt(cells: readonly Cell[], index: number): Cell {
  const cell = cells[index];
  if (cell === undefined) throw new RangeError(`no cell ${index}`);
  return cell;
}

function toCellKey(key: CursorKey | null): CellKey | null {
  const [day = null, slot, moment] = key ?? [];
  return day === null ? null : [String(day), Number(slot), Number(moment)];
}

type Find = (asked: PanelAsked, after: CellKey | null, limit: number) => Promise<FoundCells>;

function finderOf(query: PanelQuery, { slots }: PanelAsked, context: Context<Snapshot>): Find {
  const { snapshot, now } = context;
  if (query.from > dayOf(now)) return async () => ({ cells: [], nextKey: null });
  if (query.every === 'change') {
    const span = spanOf(query, context);
    return (asked, after, limit) => changesBetween(snapshot, asked, span, after, limit);
  }
  const dates = datesOf({ ...query, every: query.every }, slots, now);
  return (asked, after, limit) => cellsAt(snapshot, asked, dates, after, limit);
}

/** Throws an ApiError if there are too many cells. */
function datesOf(
  { from, to, every, at }: PanelQuery & { readonly every: Exclude<PanelEvery, 'change'> },
  slots: readonly Slot[],
  now: number,
): Dates {
  const today = dayOf(now);
  const numbers = panelDates(every, from, to > today ? today : to);
  refuseTooMany(numbers.length, slots);
  return { numbers, momentOf: (date: string) => momentOf(date, at, now) };
}

async function panelWriter(query: PanelQuery, context: Context<Snapshot>, surface: Surface): Promise<WriteRows | null> {
  refuseContradictions(query);
  const { snapshot, now } = context;
  const { asked } = await meant(query, context, surface);
  if (query.from > dayOf(now) || !canBeTable(snapshot, asked)) return null;
  if (query.every !== 'change') {
    const dates = datesOf({ ...query, every: query.every }, asked.slots, now);
    // Without dates, the statement would give the changes.
    return dates.numbers.length === 0 ? null : (columns, file) => writeDated(snapshot, asked, dates, columns, file);
  }
  const span = spanOf(query, context);
  return async (columns, file) => {
    const rows = await writeChanges(snapshot, asked, span, MOST_CELLS + 1, columns, file);
    return rows > MOST_CELLS ? null : rows;
  };
}

/** The moments between which changes are asked for, ms. */
const spanOf = ({ from, to }: PanelQuery, { now }: Context<Snapshot>): readonly [number, number] => [
  Date.parse(`${from}T00:00:00Z`),
  Math.min(Date.parse(endOfDay(to)), now),
];

function refuseTooMany(dates: number, slots: readonly Slot[]): void {
  const count = dates * slots.length;
  if (count <= MOST_CELLS) return;
  const pairs = `${slots.length} pairs of an entity and a factor`;
  throw new ApiError(
    'bad_request',
    `This panel has ${count.toLocaleString('en')} cells (${dates} dates × ${pairs}). The most is ${MOST_CELLS.toLocaleString('en')}. Ask for fewer dates (from, to, every), factors or entities.`,
    { parameters: ['from', 'to', 'every', 'factor', 'country', 'entity', 'group'], found: count },
  );
}

/** Why a panel has no row. */
async function hintsWithout(
  query: PanelQuery,
  { asked, factors, isOf }: Meant,
  context: Context<Snapshot>,
  surface: Surface,
  find: Find,
): Promise<readonly (Hint | null)[]> {
  const { snapshot, now } = context;
  if (query.from > dayOf(now)) return [{ parameter: 'from', message: 'All dates are after today. Ask for earlier dates.' }];
  if (asked.slots.length === 0) {
    const isAsked = (one: Series) => isOf(one) && (query.source_id === undefined || one.sourceId === query.source_id);
    const withheld = withheldFactors(snapshot.catalogue, factors, surface, now, isAsked);
    return [withheld ?? { parameter: 'factor', message: noSeriesMessage(query) }];
  }
  const series = asked.slots.flatMap((slot) => slot.series).toSorted((a, b) => a.seriesNo - b.seriesNo);
  const first = await firstKnownAt(snapshot, series, { periodFrom: context.historyFrom, periodTo: null });
  const until = new Date(Math.min(Date.parse(endOfDay(query.to)), now)).toISOString();
  if (first !== null && first > until)
    return [
      {
        parameter: 'to',
        message: `Nothing was known by ${until}: the first vintage became known at ${first}. Ask for later dates.`,
        nearest: first,
      },
    ];
  const widened: readonly (readonly [string, Partial<PanelAsked>, string])[] = [
    ['eligible_only', { isEligibleOnly: false }, 'No row passes the scoring gate. To see the rows, leave out eligible_only.'],
    ['grade', { grade: 3 }, 'All rows have a worse grade. Send a higher grade to see them.'],
    ['vintage', { vintage: 'known' }, 'No period has a first print, because all were loaded late. Send vintage=known to see them.'],
  ];
  for (const [name, change, message] of widened) {
    const isSame = Object.entries(change).every(([member, value]) => asked[member as keyof PanelAsked] === value);
    if (!isSame && (await find({ ...asked, ...change }, null, 1)).cells.length > 0) return [{ parameter: name, message }];
  }
  return [];
}

function noSeriesMessage({ factor, source_id, entity }: PanelQuery): string {
  const of = source_id === undefined ? '' : ` from ${source_id}`;
  const annual = entity === undefined ? ` ${ANNUAL_BY_ENTITY}` : '';
  return `None of these entities has a series of ${factor.join(', ')}${of}.${annual}`;
}

const panelRoute = {
  scope: 'data:read',
  tag: 'observations',
  queryClass: 'screen',
  query: panelParameters,
  meta: observationMeta,
  sortable: ['date'],
  sortedAs: 'Panel',
  orders: ['asc'],
  isBulk: true,
  wholeBulk: MOST_CELLS,
  ownTexts: [],
  rowsAQuery: ROWS_IN_COLUMNS,
  isHistory: true,
  description:
    'Each row has the value of one factor for one entity, as it was known on one date. If no value was known, there is no row. Rows are sorted by date, factor and entity. An unknown name is refused with the nearest known one.',
} as const;

export const panels = listRoute<Snapshot, typeof panelParameters, unknown>({
  ...panelRoute,
  path: '/panels',
  operation: 'listPanel',
  summary: 'The values of factors, for countries or entities, as known on each date.',
  example: '/panels?factor=nonfarm_payrolls&country=US&from=2020-01-01&to=2020-06-30',
  row: PanelRow,
  bulkRow: PanelRow.extend(PanelBulkMembers),
  list: (query, page, context) => panelPage(query, page, context, 'full'),
  writer: (query, context) => panelWriter(query, context, 'full'),
});

export const publicPanels = listRoute<Snapshot, typeof panelParameters, unknown>({
  ...panelRoute,
  path: '/public/panels',
  operation: 'listPublicPanel',
  summary: 'The same as /panels, for the series whose rights allow redistribution.',
  example: '/public/panels?factor=cpi_inflation_yoy&country=US&from=2020-01-01&to=2020-06-30',
  row: PublicPanelRow,
  bulkRow: PublicPanelRow.extend(PanelBulkMembers),
  list: (query, page, context) => panelPage(query, page, context, 'public'),
  writer: (query, context) => panelWriter(query, context, 'public'),
});
