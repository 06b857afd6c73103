// The rows of an answer: they become objects or JSON when the answer needs them. JSON is written in bytes, without an object for each row.
import type { HeldRows } from '../db/query.ts';
import { mapInTurns } from '../db/turns.ts';
import { type Catalogue, countryTurnsAt, releaseTurnsAt, type Series, seriesOf } from '../model/catalogue.ts';
import { type LatestObservation, type Observation, supersededAt } from '../model/observation.ts';
import { verdictTurnsAt } from '../model/trust.ts';
import {
  type Before,
  BEFORE_NAMES,
  beforeOf,
  FACTS,
  factsOf,
  judge,
  type Judged,
  observationOf,
  type Own,
  OWN_NAMES,
  type OwnName,
  ownOf,
  preferredAmongst,
  type RowContext,
  toLatestObservations,
  toObservations,
  type Written,
} from './observation-rows.ts';
import { isKept } from './reads/newest.ts';
import type { LatestVintageRow, VintageRow } from './reads/rows.ts';
import { arrayBytes, ROWS_WRITTEN, type Value, writer } from './row-bytes.ts';

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

/**
 * The same rows as a JSON array in bytes, written from the JSON template of each series.
 * @param columns the members to write, in their order; null for all
 */
function writeRows(
  rows: readonly VintageRow[],
  context: RowContext,
  kind: Kind,
  moreOf: (index: number) => Before | undefined,
  columns: readonly string[] | null,
): Promise<Buffer> {
  return columns === null ? writeWhole(rows, context, kind, moreOf) : writeNarrowed(rows, context, kind, moreOf, columns);
}

async function writeWhole(
  rows: readonly VintageRow[],
  context: RowContext,
  kind: Kind,
  moreOf: (index: number) => Before | undefined,
): Promise<Buffer> {
  const mayBeKept = kind.startsWith('latest');
  const keptOrJudged = (row: VintageRow) =>
    mayBeKept && isKept(row) ? keptOf(row, context) : { judged: judge(row, context), written: null };
  const looked = await mapInTurns(rows, (part) => part.map(keptOrJudged), ROWS_WRITTEN);
  const judged = looked.map((one) => one.judged);
  const preferred = preferredAmongst(rows, judged, context.preferred ?? null);
  const templateOf = templatesOf(kind, null);
  const textBetween = textsOf();
  // Neighbouring rows of a series differ only in their first fields. The tail is larger, and is reused.
  const tails = new Map<Template, Tail>();
  const putTail = (template: Template, own: Written, put: (piece: string | Buffer) => void) => {
    const { names, tailFrom } = template;
    const known = tails.get(template);
    if (known !== undefined && isSameBetween(names, tailFrom, known.own, own)) {
      known.bytes ??= Buffer.from(known.text);
      put(known.bytes);
      return;
    }
    const text = textBetween(template, own, tailFrom, names.length);
    tails.set(template, { own, text, bytes: null });
    put(text);
  };
  const ownAt = (index: number): { readonly template: Template; readonly own: Written } => {
    const [row, one] = [rows[index], judged[index]];
    if (row === undefined || one === undefined) throw new RangeError(`no row ${index}`);
    return { template: templateOf(one.series), own: Object.assign(ownOf(row, one, preferred(index), context), moreOf(index)) };
  };
  const keptBytes = (written: Kept['written'], index: number) => {
    const key = preferred(index) ? (`preferred ${kind}` as const) : kind;
    let bytes = written.get(key);
    if (bytes === undefined) {
      const { template, own } = ownAt(index);
      bytes = Buffer.from(textBetween(template, own, 0, template.names.length));
      written.set(key, bytes);
    }
    return bytes;
  };
  return arrayBytes(rows.length, (index, put) => {
    const written = looked[index]?.written ?? null;
    if (written !== null) return put(keptBytes(written, index));
    const { template, own } = ownAt(index);
    put(textBetween(template, own, 0, template.tailFrom));
    putTail(template, own, put);
  });
}

/** Rows with some columns only. What none of them needs is not computed. */
async function writeNarrowed(
  rows: readonly VintageRow[],
  context: RowContext,
  kind: Kind,
  moreOf: (index: number) => Before | undefined,
  columns: readonly string[],
): Promise<Buffer> {
  const areFacts = columns.every((name) => !OWN_NAMES.some((own) => own === name) || FACTS.has(name));
  const judged = areFacts ? null : await mapInTurns(rows, (part) => part.map((row) => judge(row, context)), ROWS_WRITTEN);
  const preferred = judged === null ? () => false : preferredAmongst(rows, judged, context.preferred ?? null);
  const templateOf = templatesOf(kind, columns);
  const textBetween = textsOf();
  return arrayBytes(rows.length, (index, put) => {
    const row = rows[index];
    if (row === undefined) throw new RangeError(`no row ${index}`);
    const series = seriesOf(context.catalogue, row);
    const template = templateOf(series);
    const one = judged?.[index];
    const own = one === undefined ? factsOf(row, series, context) : ownOf(row, one, preferred(index), context);
    put(textBetween(template, Object.assign<Partial<Written>, Before | undefined>(own, moreOf(index)), 0, template.names.length));
  });
}

/** Writes the JSON of a row from one of its fields up to another. */
function textsOf(): (template: Template, own: Partial<Written>, from: number, to: number) => string {
  const textOf = writer(ARE_PLAIN);
  return ({ texts, names }, own, from, to) => {
    let text = '';
    for (let place = from; place < to; place += 1) {
      const name = names[place] as OwnName;
      text += `${texts[place]}${textOf(name, own[name] as Value)}`;
    }
    return to === names.length ? text + texts.at(-1) : text;
  };
}

/** The last fields that neighbouring rows of a series share. */
interface Tail {
  readonly own: Written;
  readonly text: string;
  /** Set when the tail is written a second time. */
  bytes: Buffer | null;
}

function isSameBetween(names: readonly OwnName[], from: number, a: Written, b: Written): boolean {
  for (let place = from; place < names.length; place += 1) {
    const name = names[place] as OwnName;
    if (a[name] !== b[name]) return false;
  }
  return true;
}

/** The cached verdict and JSON of a cached row, for the time in which the verdict holds. */
interface Kept {
  readonly catalogue: Catalogue;
  readonly from: number;
  readonly turnsAt: number;
  readonly judged: Judged;
  readonly written: Map<Kind | `preferred ${Kind}`, Buffer>;
}

const keptBeside = new WeakMap<VintageRow, Kept>();

function keptOf(row: VintageRow, context: RowContext): Kept {
  const { catalogue, at } = context;
  const known = keptBeside.get(row);
  if (known?.catalogue === catalogue && known.from <= at && at < known.turnsAt) return known;
  const judged = judge(row, context);
  const turnsAt = Math.min(
    verdictTurnsAt(judged.series, row.periodEnd, at),
    releaseTurnsAt(catalogue, judged.id, at),
    countryTurnsAt(catalogue, judged.series, at),
  );
  const kept: Kept = { catalogue, from: at, turnsAt, judged, written: new Map() };
  keptBeside.set(row, kept);
  return kept;
}

const KINDS = ['plain', 'with rights', 'latest', 'latest with rights'] as const;
type Kind = (typeof KINDS)[number];

/** The JSON of a series' rows, cut at the fields that differ: a text before each field, and one after the last. */
interface Template {
  readonly texts: readonly string[];
  readonly names: readonly OwnName[];
  /** From this field on, rows of a series are mostly equal. */
  readonly tailFrom: number;
}

/** The templates of one answer. */
function templatesOf(kind: Kind, columns: readonly string[] | null): (series: Series) => Template {
  const made = new Map<Series, Template>();
  return (series) => {
    const known = made.get(series) ?? toTemplate(series, kind, columns);
    made.set(series, known);
    return known;
  };
}

/** @param columns the members to write, in their order; null for all */
function toTemplate(series: Series, kind: Kind, columns: readonly string[] | null): Template {
  const row: Readonly<Record<string, unknown>> = {
    ...observationOf(series, MARKS),
    ...(kind.startsWith('latest') ? BEFORE_MARKS : {}),
    ...(kind.endsWith('rights') ? { rights: series.rights } : {}),
  };
  const texts: string[] = [];
  const names: OwnName[] = [];
  let text = '{';
  for (const name of columns ?? Object.keys(row)) {
    const value = row[name] ?? null;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    const own = NAME_OF.get(value);
    if (own === undefined) text += JSON.stringify(value);
    else {
      texts.push(text);
      names.push(own);
      text = '';
    }
  }
  return { texts: [...texts, `${text}}`], names, tailFrom: names.indexOf('sourceUrl') };
}

/** Our own texts of digits, hexadecimal or fixed words. They need no JSON escapes. */
const ARE_PLAIN: Readonly<Partial<Record<OwnName, boolean>>> = {
  observationId: true,
  releaseDate: true,
  periodEnd: true,
  observedAt: true,
  retrievedAt: true,
  freshnessStatus: true,
};

/** Placeholders for the values, to find the fields again in a sample row. */
const MARKS = Object.fromEntries([...OWN_NAMES, ...BEFORE_NAMES].map((name) => [name, { name }])) as unknown as Own & Before;
const BEFORE_MARKS = Object.fromEntries(BEFORE_NAMES.map((name) => [name, MARKS[name]]));
const NAME_OF: ReadonlyMap<unknown, OwnName> = new Map([...OWN_NAMES, ...BEFORE_NAMES].map((name) => [MARKS[name], name]));
