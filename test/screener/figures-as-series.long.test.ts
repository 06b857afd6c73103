// Screens drawn at random over lakes in which the same numbers stand once as series and once as figures: but for the observation they answer alike.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EntityType } from '../../src/model/entity.ts';
import { screen, type Screened } from '../../src/queries/screener/screener.ts';
import { seriesWith } from '../boundaries/by-hand/series.ts';
import { openRelations, type Print, type Relations } from '../boundaries/by-hand/tables.ts';
import { drawLake, drawScreen, type Luck, luckOf, screenedOf } from './draws.ts';
import { createScreened, type ScreenedLake, snapshotOf } from './screens-by-hand.ts';

const SCREENS = 150;
const FIELD = 'gamma';
const DAY = 86_400_000;

/** Reports on one quarter after another, some of which are revised before the next one is known; each at least a day after the one before. */
function reportsOf(luck: Luck, seriesNo: number): Print[] {
  const found: Print[] = [];
  let at = Date.parse('2019-06-01T00:00:00Z');
  for (let quarter = luck.below(6); quarter < 20 && at < Date.parse('2024-04-01'); quarter += 1 + luck.below(2)) {
    const end = Date.UTC(2019, 3 * quarter + 3, 0);
    const periodEnd = new Date(end).toISOString().slice(0, 10);
    at = Math.max(at + DAY, end + (10 + luck.below(80)) * DAY + luck.below(86_400) * 1000);
    const value = luck.below(12);
    for (let no = 0; no <= luck.below(3); no += 1) {
      found.push({ seriesNo, period: periodEnd, periodEnd, value: value + no, observedAt: new Date(at).toISOString() });
      at += (1 + luck.below(9)) * DAY;
    }
  }
  return found;
}

function drawn(luck: Luck): { readonly asSeries: ScreenedLake; readonly asFigures: ScreenedLake } {
  const lake = drawLake(luck);
  const others = lake.series.filter((one) => one.canonicalId !== FIELD);
  const kept = new Set(others.map((one) => one.seriesNo));
  const last = Math.max(...lake.series.map((one) => one.seriesNo));
  // A company of which nothing else is known would be known by its series.
  const entities = lake.entities.filter(
    ({ entityType, entityId }) => entityType === 'country' || lake.companies.some((one) => one['entityId'] === entityId),
  );
  const told = entities.map(({ entityId, entityType }, index) => {
    const seriesNo = last + 1 + index;
    const series = seriesWith({
      seriesNo,
      entityId: String(entityId),
      entityType: EntityType.parse(entityType),
      indicatorId: `${String(entityId)}_${FIELD}`,
      canonicalId: FIELD,
      frequency: 'quarterly',
      unit: 'usd',
      sourceTier: 'service_derived',
      defaultBudgetDays: 185,
    });
    return { series, reports: reportsOf(luck, seriesNo) };
  });
  const prints = lake.prints.filter((print) => kept.has(print.seriesNo));
  return {
    asSeries: {
      ...lake,
      series: [...others, ...told.map(({ series }) => series)],
      prints: [...prints, ...told.flatMap(({ reports }) => reports)],
    },
    asFigures: {
      ...lake,
      series: others,
      prints,
      figureFields: [{ field: FIELD, label: 'Gamma', kind: 'balance', unit: 'usd', sourceTier: 'service_derived' }],
      figures: told.flatMap(({ series: { entityId }, reports }) =>
        reports.map(({ periodEnd, value, observedAt }, index) => ({
          field: FIELD,
          entityId,
          periodEnd,
          value,
          knownFrom: observedAt,
          knownTo: reports[index + 1]?.observedAt ?? null,
        })),
      ),
    },
  };
}

let [series, figures]: (Relations | null)[] = [null, null];
const opened = (relations: Relations | null | undefined) => {
  if (relations == null) throw new Error('nothing is open');
  return relations;
};
beforeAll(async () => {
  [series, figures] = [await openRelations(), await openRelations()];
});
afterAll(() => {
  for (const one of [series, figures]) one?.close();
});

/** A figure has no observation; the value of another series keeps its own. */
const unobserved = ({ rows, counts }: Screened) => ({
  counts,
  rows: rows.map((row) => ({
    ...row,
    values: Object.fromEntries(
      Object.entries(row.values).map(([key, value]) => [key, key.startsWith(FIELD) ? { ...value, observationId: null } : value]),
    ),
  })),
});

it.each([1, 2])('a screen by a figure equals a screen by a series of the same numbers: lake %i', async (seed) => {
  const luck = luckOf(1000 + seed);
  const { asSeries, asFigures } = drawn(luck);
  await createScreened(opened(series), asSeries);
  await createScreened(opened(figures), asFigures);
  let shown = 0;
  for (let number = 0; number < SCREENS; number += 1) {
    const { screen: plain, page: part, grants, text } = drawScreen(luck, screenedOf(luck, asSeries));
    const page = { ...part, begin: 0, limit: 100 };
    const columns = ([null, 'rank'] as const).map((modifier) => ({ field: FIELD, modifier }));
    const asked = { ...plain, columns: [...(plain.columns ?? []), ...columns] };
    // Figures have no history.
    if (/gamma@(?:prev|chg1|chg12|yoy|z3y)/.test(text)) continue;
    const expected = await screen(snapshotOf(opened(series), asSeries, grants), asked, page);
    const found = await screen(snapshotOf(opened(figures), asFigures, grants), asked, page);
    expect(unobserved(found), `screen ${number}: ${text}`).toEqual(unobserved(expected));
    const cells = found.rows.flatMap((row) => Object.entries(row.values).filter(([key]) => key.startsWith(FIELD)));
    expect(cells.filter(([, value]) => value.observationId !== null)).toEqual([]);
    shown += cells.filter(([, value]) => value.value !== null).length;
  }
  expect(shown).toBeGreaterThan(SCREENS);
});
