// The public row of each vintage: its own fields, combined with the fields that all rows of its series share.
import { LRUCache } from 'lru-cache';
import { mapInTurns } from '../db/turns.ts';
import {
  addressOf,
  type Catalogue,
  consensusOf,
  countryAt,
  countryTurnsAt,
  idOf,
  releaseOf,
  releaseTurnsAt,
  type Series,
  seriesOf,
} from '../model/catalogue.ts';
import { type LatestObservation, type Observation, surpriseOf } from '../model/observation.ts';
import { endOf } from '../model/series.ts';
import {
  type FreshnessStatus,
  freshnessOf,
  isAssumed,
  printDay,
  isCadenceComparable,
  type PreferenceCandidate,
  preferredRows,
  rowReasons,
  verdictTurnsAt,
} from '../model/trust.ts';
import { isKept } from './reads/newest.ts';
import type { LatestVintageRow, VintageRow } from './reads/rows.ts';
import { arrayBytes, ROWS_WRITTEN, type Value, writer } from './row-bytes.ts';

export interface RowContext {
  readonly catalogue: Catalogue;
  /**
   * If the rows are only a part of the answer: the preferred rows of the whole answer, by id_hash as text. Otherwise preference is decided
   * among the rows.
   */
  readonly preferred?: ReadonlySet<string> | null;
  /** Evaluation time of freshness and eligibility: the cutoff of an as-of read, else now. Milliseconds. */
  readonly at: number;
}

/** Facts about a row that do not depend on which rows are preferred. */
interface Judged {
  readonly series: Series;
  readonly id: string;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

/** The public rows of one response. `moreOf` adds further fields to a row. */
export async function toObservations<More extends object = object>(
  rows: readonly VintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): Promise<(Observation & More)[]> {
  const judged = await mapInTurns(rows, (part) => part.map((row) => judge(row, context)));
  const preferred = preferredAmongst(rows, judged, context.preferred ?? null);
  const rowAt = (one: Judged, index: number) => {
    const row = rows[index];
    if (row === undefined) throw new RangeError(`no row ${index}`);
    const observation = observationOf(one.series, ownOf(row, one, preferred(index), context));
    return Object.assign<Observation, More>(observation, moreOf?.(index, one.series, one.id) as More);
  };
  return mapInTurns(judged, (part, from) => part.map((one, index) => rowAt(one, from + index)));
}

function judge(row: VintageRow, { catalogue, at }: RowContext): Judged {
  const series = seriesOf(catalogue, row);
  const freshness = freshnessOf(series, printDay(series.canonicalId, row.periodEnd, row.observedAt), at);
  return { series, id: idOf(series, row), freshness, isEligible: rowReasons(series, row, at, freshness).length === 0 };
}

function preferredAmongst(
  rows: readonly VintageRow[],
  judged: readonly Judged[],
  settled: ReadonlySet<string> | null,
): (index: number) => boolean {
  if (settled !== null) return (index) => settled.has(String(rows[index]?.idHash));
  const preferred = preferredRows(rows.map((row, index) => toCandidate(row, judged[index])).filter((one) => one !== null));
  return (index) => preferred.has(judged[index]?.id ?? '');
}

export function toLatestObservations<More extends object = object>(
  rows: readonly LatestVintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): Promise<(LatestObservation & More)[]> {
  return toObservations(rows, context, (index, series, id) => ({ ...beforeOf(rows[index]), ...(moreOf?.(index, series, id) as More) }));
}

export function beforeOf(row: LatestVintageRow | undefined): Before {
  const { previous = null, revisedPrevious = null } = row ?? {};
  const previousType = previous === null ? null : ('prior_period' as const);
  return { previous, revisedPrevious, previousType };
}

/** The same rows as a JSON array in bytes, written from the JSON template of each series. */
export async function writeRows(
  rows: readonly VintageRow[],
  context: RowContext,
  kind: Kind,
  moreOf: (index: number) => Before | undefined,
): Promise<Buffer> {
  const keptOrJudged = (row: VintageRow) => (isKept(row) ? keptOf(row, context) : { judged: judge(row, context), written: null });
  const looked = await mapInTurns(rows, (part) => part.map(keptOrJudged), ROWS_WRITTEN);
  const judged = looked.map((one) => one.judged);
  const preferred = preferredAmongst(rows, judged, context.preferred ?? null);
  const templateOf = templatesOf(context.catalogue, kind);
  const textOf = writer(ARE_PLAIN);
  const textBetween = ({ texts, names }: Template, own: Written, from: number, to: number) => {
    let text = '';
    for (let place = from; place < to; place += 1) {
      const name = names[place] as OwnName;
      text += `${texts[place]}${textOf(name, own[name] as Value)}`;
    }
    return to === names.length ? text + texts.at(-1) : text;
  };
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
export type Kind = (typeof KINDS)[number];

/** The JSON of a series' rows, cut at the fields that differ: a text before each field, and one after the last. */
interface Template {
  readonly texts: readonly string[];
  readonly names: readonly OwnName[];
  /** From this field on, rows of a series are mostly equal. */
  readonly tailFrom: number;
}

/** A template takes about a kilobyte. */
const MOST_TEMPLATES = 10_000;
const templates = new WeakMap<Catalogue, Readonly<Record<Kind, LRUCache<number, Template>>>>();

function templatesOf(catalogue: Catalogue, kind: Kind): (series: Series) => Template {
  let ofCatalogue = templates.get(catalogue);
  if (ofCatalogue === undefined) {
    const empty = KINDS.map((one) => [one, new LRUCache<number, Template>({ max: MOST_TEMPLATES })]);
    ofCatalogue = Object.fromEntries(empty) as Record<Kind, LRUCache<number, Template>>;
    templates.set(catalogue, ofCatalogue);
  }
  const kept = ofCatalogue[kind];
  return (series) => {
    let template = kept.get(series.seriesNo);
    if (template === undefined) {
      template = toTemplate(series, kind);
      kept.set(series.seriesNo, template);
    }
    return template;
  };
}

function toTemplate(series: Series, kind: Kind): Template {
  const row = {
    ...observationOf(series, MARKS),
    ...(kind.startsWith('latest') ? BEFORE_MARKS : {}),
    ...(kind.endsWith('rights') ? { rights: series.rights } : {}),
  };
  const texts: string[] = [];
  const names: OwnName[] = [];
  let text = '{';
  for (const [name, value] of Object.entries(row)) {
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

/** Fields that differ between rows of a series. */
const OWN_NAMES = [
  'observationId',
  'country',
  'releaseDate',
  'period',
  'periodEnd',
  'actual',
  'consensus',
  'surprise',
  'surprisePercent',
  'observedAt',
  'retrievedAt',
  'revised',
  'vintage',
  'sourceUrl',
  'releaseEventId',
  'scoringEligible',
  'freshnessStatus',
  'collectionStatus',
  'ceasedFinalPeriod',
  'successorIndicatorId',
  'preferredForFactor',
  'derivedFrom',
] as const satisfies readonly (keyof Observation)[];
type Own = Pick<Observation, (typeof OWN_NAMES)[number]>;

/** Further such fields of a newest print. */
const BEFORE_NAMES = ['previous', 'revisedPrevious', 'previousType'] as const satisfies readonly (keyof LatestObservation)[];
type Before = Pick<LatestObservation, (typeof BEFORE_NAMES)[number]>;

type OwnName = (typeof OWN_NAMES)[number] | (typeof BEFORE_NAMES)[number];
type Written = Own & Partial<Before>;

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

function ownOf(row: VintageRow, { series, id, freshness, isEligible }: Judged, isPreferred: boolean, { catalogue, at }: RowContext): Own {
  return {
    observationId: id,
    country: countryAt(catalogue, series, at),
    releaseDate: (row.releasedAt ?? row.observedAt).slice(0, 10),
    period: row.period,
    periodEnd: row.periodEnd,
    actual: row.value,
    ...surpriseOf(row.value, isAssumed(row.vintage) ? null : (consensusOf(catalogue, series.seriesNo, row)?.value ?? null)),
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    revised: row.isRevised,
    vintage: row.vintage,
    sourceUrl: addressOf(catalogue, series, row.sourceRunId),
    releaseEventId: releaseOf(catalogue, id, at)?.eventId ?? null,
    scoringEligible: isEligible,
    freshnessStatus: freshness,
    ...endOf(series, at),
    preferredForFactor: isPreferred,
    derivedFrom: row.derivedFrom,
  };
}

function observationOf(series: Series, own: Own): Observation {
  return {
    observationId: own.observationId,
    indicatorId: series.indicatorId,
    indicatorName: series.indicatorName,
    category: series.category,
    subCategory: series.subCategory,
    factorHint: series.factorHint,
    country: own.country,
    instrumentId: series.isMacro ? null : series.entityId,
    currency: series.currency,
    sourceId: series.sourceId,
    provider: series.provider,
    releaseDate: own.releaseDate,
    period: own.period,
    periodEnd: own.periodEnd,
    actual: own.actual,
    forecast: null,
    consensus: own.consensus,
    surprise: own.surprise,
    surprisePercent: own.surprisePercent,
    unit: series.unit,
    frequency: series.frequency,
    importance: series.importance,
    observedAt: own.observedAt,
    retrievedAt: own.retrievedAt,
    revised: own.revised,
    vintage: own.vintage,
    sourceUrl: own.sourceUrl,
    attribution: series.attribution,
    rawAvailable: true,
    releaseEventId: own.releaseEventId,
    sourceTier: series.sourceTier,
    fallbackOnly: series.reasons.includes('fallback_only'),
    scoringEligible: own.scoringEligible,
    freshnessStatus: own.freshnessStatus,
    collectionStatus: own.collectionStatus,
    ceasedFinalPeriod: own.ceasedFinalPeriod,
    successorIndicatorId: own.successorIndicatorId,
    cadenceComparable: isCadenceComparable(series.frequency),
    preferredForFactor: own.preferredForFactor,
    factorKey: series.factorKey,
    comparisonBasis: series.comparisonBasis,
    derivedFrom: own.derivedFrom,
  };
}

/** Null if the row is not eligible: such a row is never preferred. */
function toCandidate(row: VintageRow, judged: Judged | undefined): PreferenceCandidate | null {
  if (judged?.isEligible !== true) return null;
  const { series, id } = judged;
  return {
    country: series.country,
    factorKey: series.factorKey,
    period: row.period,
    scoringEligible: true,
    sourceId: series.sourceId,
    sourceTier: series.sourceTier,
    sourceRank: series.sourceRank,
    isMonetary: series.isMonetary,
    isSeasonalAdjustmentMatch: series.isSeasonalAdjustmentMatch,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    observationId: id,
  };
}
