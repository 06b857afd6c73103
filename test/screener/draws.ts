// Screens and lakes drawn at random, the same for the same seed: rivals, revisions, withdrawals, late periods, gaps, retired collections, budgets that are learned,
// events, pseudo vintages, rights, classes of companies, and thresholds among the values themselves.
import type { Series } from '../../src/model/catalogue.ts';
import { EntityType } from '../../src/model/entity.ts';
import type { Grants } from '../../src/model/grant.ts';
import { type Frequency, periodOf } from '../../src/model/period.ts';
import { type Fields, MODIFIERS, parseColumns, parseFilter, parseRanking } from '../../src/model/screener-dsl.ts';
import { dueAt, type IneligibleReason } from '../../src/model/trust.ts';
import type { Screen, ScreenPage } from '../../src/queries/screener/screener.ts';
import type { Given, Print } from '../boundaries/by-hand/tables.ts';
import { seriesWith } from '../boundaries/by-hand/series.ts';
import type { ScreenedLake } from './screens-by-hand.ts';

export interface Luck {
  readonly below: (bound: number) => number;
  readonly pick: <One>(ones: readonly One[]) => One;
  readonly is: (share: number) => boolean;
}

/** mulberry32. */
export function luckOf(seed: number): Luck {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    pick: (ones) => ones[Math.floor(next() * ones.length)] as (typeof ones)[number],
    is: (share) => next() < share,
  };
}

const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const day = (ms: number) => iso(ms).slice(0, 10);
const CUTOFF = Date.parse('2024-06-15T12:00:00.000Z');
const FIELDS: Fields = new Map([
  ...['alpha', 'beta', 'gamma', 'happening'].map((name) => [name, 'number'] as const),
  ...['name', 'country', 'entity_type', 'sector'].map((name) => [name, 'string'] as const),
]);
const NUMBERS = [...FIELDS].flatMap(([name, type]) => (type === 'number' ? [name] : []));

const ENTITIES: readonly Given[] = [
  ...['us', 'fr', 'jp', 'de', 'br'].map((id) => ({ entityId: id, entityType: 'country', name: `Land ${id}`, country: id.toUpperCase() })),
  { entityId: 'ea', entityType: 'currency_area', name: 'Euro area', country: 'EA' },
  { entityId: 'old', entityType: 'country', name: 'Old land', country: 'OL', validTo: '2022-03-31' },
  { entityId: 'young', entityType: 'country', name: 'Young land', country: 'YL', validFrom: '2021-07-01' },
  { entityId: 'us_south', entityType: 'region', name: 'South', country: 'US' },
  ...[1, 2].map((no) => ({ entityId: `fut_${no}`, entityType: 'futures_contract', name: `Contract ${no}` })),
  ...[1, 2, 3, 4].map((no) => ({ entityId: `company_${no}`, entityType: 'company', name: no === 3 ? 'Company 2' : `Company ${no}` })),
];

function periodsOf(
  luck: Luck,
  frequency: Frequency,
): readonly { readonly period: string; readonly periodEnd: string; readonly end: number }[] {
  const found: { period: string; periodEnd: string; end: number }[] = [];
  const from = Date.parse('2018-01-01T00:00:00Z') + luck.below(600) * DAY;
  const last = luck.is(0.2) ? from + luck.below(900) * DAY : CUTOFF - luck.below(200) * DAY;
  const step = { daily: 9, weekly: 7, monthly: 31, quarterly: 92, annual: 365, event: 170, static: 400 }[frequency];
  for (let at = from; at < last && found.length < 110; at += step * DAY * (luck.is(0.05) ? 14 : 1)) {
    const date = new Date(at);
    const months = { monthly: 1, quarterly: 3, annual: 12 }[frequency as string];
    const end = months === undefined ? at : Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months + months, 0);
    if (found.at(-1)?.end === end) continue;
    found.push({ period: periodOf(frequency, day(end)).period, periodEnd: day(end), end });
  }
  return found;
}

function printsOf(luck: Luck, seriesNo: number, frequency: Frequency): Print[] {
  const periods = periodsOf(luck, frequency);
  const base = luck.below(10);
  // Now and then an archive says all at once.
  const floor = luck.is(0.2) ? Date.parse('2020-05-05T12:00:00Z') + luck.below(300) * DAY : 0;
  const grid = luck.pick([1, 10, 1000]);
  return periods.flatMap(({ period, periodEnd, end }): Print[] => {
    let at = Math.max(end + (5 + luck.below(30)) * DAY + luck.below(86_400) * 1000, floor);
    if (luck.is(0.04)) at += 200 * DAY;
    const own: Print[] = [];
    for (let left = 1 + luck.below(luck.is(0.4) ? 4 : 1); left > 0 && at < CUTOFF; left -= 1) {
      const value = luck.is(0.05) ? null : Math.round((base + luck.below(60) / 10 - (luck.is(0.1) ? 12 : 0)) * grid) / grid;
      own.push({ seriesNo, period, periodEnd, value, observedAt: iso(at), retrievedAt: iso(at + luck.below(3) * 3_600_000) });
      at += (1 + luck.below(60)) * DAY + luck.below(86_400) * 1000;
    }
    return own;
  });
}

function budgetsOf(luck: Luck, prints: readonly Print[]) {
  const instants = [...new Set(prints.map((print) => Date.parse(print.observedAt)))].toSorted((a, b) => a - b);
  const chosen = instants.filter(() => luck.is(0.1)).map((at) => (luck.is(0.2) ? at + 3 * DAY : at));
  return [...new Set(chosen)].toSorted((a, b) => a - b).map((from) => ({ from, days: luck.pick([20.25, 45, 60.5, 86, 120.75]) }));
}

/** At each instant of a print the newest period with a value in force. */
function newestThrough(prints: readonly Print[]): readonly { readonly from: number; readonly end: string | null }[] {
  const held = new Map<string, number | null>();
  const found = new Map<number, string | null>();
  for (const print of prints.toSorted((a, b) => Date.parse(a.observedAt) - Date.parse(b.observedAt))) {
    held.set(print.periodEnd, print.value);
    const ends = [...held].flatMap(([end, value]) => (value === null ? [] : [end]));
    found.set(Date.parse(print.observedAt), ends.toSorted().at(-1) ?? null);
  }
  return [...found].map(([from, end]) => ({ from, end }));
}

export function drawLake(luck: Luck): ScreenedLake {
  const series: Series[] = [];
  const prints: Print[] = [];
  let seriesNo = luck.below(5);
  for (const entity of ENTITIES) {
    const entityId = String(entity['entityId']);
    for (const canonicalId of NUMBERS) {
      for (let rivals = luck.pick([0, 1, 1, 1, 2, 3]); rivals > 0; rivals -= 1) {
        seriesNo += 1 + luck.below(3);
        const drawn = drawSeries(luck, seriesNo, { entityId, entityType: EntityType.parse(entity['entityType']), canonicalId });
        series.push(drawn.series);
        prints.push(...drawn.prints);
      }
    }
  }
  const companies = [1, 2, 3].map((no) => ({
    entityId: `company_${no}`,
    country: no === 1 ? 'US' : 'FR',
    knownFrom: iso(Date.parse('2019-01-01T00:00:00Z') + luck.below(1200) * DAY),
    // Each has moved once.
    descriptions: [no === 1 ? 'FR' : 'US', no === 1 ? 'US' : 'FR'].map((country, index) => ({
      country,
      knownFrom: iso(Date.parse('2020-03-01T00:00:00Z') + (index * 700 + luck.below(300)) * DAY),
    })),
    classes: Array.from({ length: luck.below(3) }, (_, index) => ({
      sector: luck.pick(['Mining', 'Services', null]),
      knownFrom: iso(Date.parse('2020-01-01T00:00:00Z') + index * 500 * DAY),
    })),
  }));
  return { series, prints, entities: ENTITIES, companies, knowledgeCutoff: iso(CUTOFF) };
}

/** By hand what sql/macros/scoring_reasons.sql says. */
function reasonsOf(of: {
  readonly sourceTier: string;
  readonly areInputsEligible: boolean;
  readonly unit: string;
  readonly factorComparisonBasis: string;
}): IneligibleReason[] {
  const reasons: IneligibleReason[] = [];
  if (of.sourceTier === 'service_derived' && !of.areInputsEligible) reasons.push('input_ineligible');
  if (of.sourceTier === 'news') reasons.push('tier');
  if (of.unit !== 'percent') reasons.push('unit');
  if (of.factorComparisonBasis !== 'yoy') reasons.push('comparison_basis');
  return reasons;
}

function drawSeries(luck: Luck, seriesNo: number, of: Pick<Series, 'entityId' | 'entityType' | 'canonicalId'>) {
  const frequency =
    of.canonicalId === 'happening' ? 'event' : luck.pick<Frequency>(['daily', 'weekly', 'monthly', 'monthly', 'quarterly', 'annual']);
  const sourceId = luck.pick(['one', 'two', 'three']);
  const pseudo = luck.is(0.1);
  // A sixth of the series have a vintage label that is assumed from some day on.
  const prints = printsOf(luck, seriesNo, frequency).map((print) =>
    pseudo && luck.is(0.5) ? { ...print, vintage: `pseudo:${print.observedAt.slice(0, 19)}` } : print,
  );
  const learned = budgetsOf(luck, prints);
  const events = newestThrough(frequency === 'event' ? prints : []).map(({ from, end }, index) => ({
    from,
    end,
    days: index < 2 ? null : luck.pick([100, 200.5, 300]),
  }));
  const sourceTier = luck.pick([
    'official_national',
    'official_national',
    'central_bank',
    'market_data',
    'service_derived',
    'news',
  ] as const);
  const unit = luck.is(0.9) ? 'percent' : 'index';
  const factorComparisonBasis = luck.is(0.95) ? 'yoy' : 'mom';
  const areInputsEligible = luck.is(0.8);
  const isRedistributable = luck.is(0.8);
  const series = seriesWith({
    ...of,
    seriesNo,
    indicatorId: `${of.entityId}_${of.canonicalId}`,
    sourceId,
    sourceTier,
    frequency,
    unit,
    isMonetary: of.canonicalId === 'alpha',
    isSeasonalAdjustmentMatch: luck.is(0.7),
    sourceRank: luck.pick([null, null, 1, 2]),
    rights: { redistributable: isRedistributable, license: 'x', note: null },
    licensedSourceIds: isRedistributable ? [] : luck.pick([['one'], ['two'], ['one', 'two']]),
    defaultBudgetDays: { daily: 16, weekly: 27, monthly: 86, quarterly: 199, annual: 666, event: null, static: null }[frequency],
    learnedBudgets:
      frequency === 'event'
        ? { knownFrom: [], days: [] }
        : { knownFrom: learned.map((one) => one.from), days: learned.map((one) => one.days) },
    eventCadence:
      frequency === 'event'
        ? {
            knownFrom: events.map((one) => one.from),
            until: events.map(({ end, days }) => (end === null || days === null ? null : dueAt(end, days))),
          }
        : null,
    ceasedAt: luck.is(0.1) ? CUTOFF - luck.below(1500) * DAY : null,
    inputsCeasedAt: sourceTier === 'service_derived' && luck.is(0.3) ? CUTOFF - luck.below(1500) * DAY : null,
    firstPeriodEnd:
      prints
        .filter((print) => print.value !== null)
        .map((print) => print.periodEnd)
        .toSorted()[0] ?? null,
    reasons: reasonsOf({ sourceTier, areInputsEligible, unit, factorComparisonBasis }),
  });
  return { series, prints };
}

export interface DrawnScreen {
  readonly screen: Screen;
  readonly page: ScreenPage;
  readonly grants: Grants;
  /** What was drawn, to be read. */
  readonly text: string;
}

/** What a screen may be drawn about. */
export interface Screened {
  readonly fields: Fields;
  /** Values that attributes may have. */
  readonly texts: readonly string[];
  /** A threshold of a value as it is, in its own unit. */
  readonly threshold: () => number;
  readonly moment: () => string;
  /** Up to when something is known, ms. */
  readonly cutoff: number;
}

export const screenedOf = (luck: Luck, lake: ScreenedLake): Screened => ({
  fields: FIELDS,
  texts: ['Land fr', 'land US', 'US', 'fr', 'country', 'Mining', 'company', 'Company 2'],
  threshold: () => luck.below(160) / 10 - 2,
  moment: () => drawMoment(luck, lake),
  cutoff: CUTOFF,
});

export function drawScreen(luck: Luck, screened: Screened): DrawnScreen {
  const filter = Array.from({ length: luck.below(4) }, () =>
    Array.from({ length: 1 + luck.below(3) }, () => drawTerm(luck, screened)).join('|'),
  ).join(';');
  const refs = (most: number) => Array.from({ length: luck.below(most + 1) }, () => drawRef(luck, screened));
  const [ranking, columns] = [
    refs(3)
      .map((ref) => `${ref}${luck.pick(['', ':asc', ':desc'])}`)
      .join(','),
    refs(4).join(','),
  ];
  const asOf = luck.is(0.35) ? null : screened.moment();
  const at = asOf === null ? screened.cutoff + luck.below(400) * DAY * luck.below(2) : Date.parse(asOf);
  const historyFrom = luck.is(0.15) ? day(at - 730 * DAY) : null;
  const screen: Screen = {
    universe: luck.pick(['countries', 'companies', 'entities', 'entities']),
    entityType: luck.is(0.1) ? luck.pick(['country', 'company', 'region']) : null,
    country: luck.is(0.1) ? luck.pick(['US', 'FR']) : null,
    sector: luck.is(0.05) ? 'mining' : null,
    filter: filter === '' ? [] : parseFilter(filter, screened.fields),
    ranking: ranking === '' ? [] : parseRanking(ranking, screened.fields),
    columns: columns === '' ? null : parseColumns(columns, screened.fields),
    isFreshOnly: luck.is(0.2),
    isEligibleOnly: luck.is(0.6),
    asOf,
    at,
    historyFrom,
  };
  const page: ScreenPage = {
    sort: luck.pick(['rank', 'rank', 'name']),
    order: luck.pick(['asc', 'asc', 'desc']),
    begin: luck.pick([0, 0, 0, 1, 3, 20]),
    limit: luck.pick([1, 2, 5, 100]),
  };
  const granted = ['one', 'two'].filter(() => luck.is(0.3));
  const grants: Grants = new Map(
    granted.map((sourceId) => [
      sourceId,
      { sourceId, note: 'n', until: null, redistribute: luck.is(0.7), grantedBy: 'x', grantedAt: '2020-01-01T00:00:00.000Z' },
    ]),
  );
  return {
    screen,
    page,
    grants,
    text: JSON.stringify({
      ...screen,
      filter,
      ranking,
      columns,
      page,
      granted: [...grants.values()].map((one) => [one.sourceId, one.redistribute]),
    }),
  };
}

/** Often the very instant of a print, or a millisecond beside it, or the turn of a year. */
function drawMoment(luck: Luck, lake: ScreenedLake): string {
  if (luck.is(0.1)) return luck.pick(['2021-12-31T23:59:59.999Z', '2022-01-01T00:00:00.000Z', iso(CUTOFF)]);
  return iso(Math.min(CUTOFF, Date.parse(luck.pick(lake.prints).observedAt) + luck.pick([-1, 0, 1, luck.below(40) * DAY])));
}

function drawRef(luck: Luck, { fields }: Screened): string {
  if (luck.is(0.2)) return luck.pick(['name', 'country', 'entity_type', 'sector']);
  return (
    luck.pick([...fields].flatMap(([name, type]) => (type === 'number' ? [name] : []))) + (luck.is(0.5) ? '' : `@${luck.pick(MODIFIERS)}`)
  );
}

function drawTerm(luck: Luck, screened: Screened): string {
  const ref = drawRef(luck, screened);
  if (luck.is(0.15)) return `${ref}:is:${luck.pick(['null', 'notnull'])}`;
  if (screened.fields.get(ref) === 'string') return `${ref}:${luck.pick(['eq', 'neq', 'in', 'nin'])}:${luck.pick(screened.texts)}`;
  const number = () =>
    ref.includes('@rank')
      ? 1 + luck.below(8)
      : ref.includes('@pct')
        ? luck.below(100)
        : ref.includes('age')
          ? luck.below(200)
          : screened.threshold();
  const [a, b] = [number(), number()];
  const operator = luck.pick(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin']);
  if (operator === 'between') return `${ref}:between:${Math.min(a, b)}..${Math.max(a, b)}`;
  return `${ref}:${operator}:${operator === 'in' || operator === 'nin' ? `${a},${b}` : a}`;
}
