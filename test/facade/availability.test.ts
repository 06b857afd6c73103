// SDMX availability of a few series by hand: the example of the standard, and days of periods.
import { describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../src/client/service.ts';
import type { Frequency, SeriesEntry } from '../../src/facade/catalogue.ts';
import { availabilityOf } from '../../src/facade/sdmx/availability.ts';
import { readAsked, SdmxError } from '../../src/facade/sdmx/questions.ts';

const entryOf = (entityId: string, canonicalId: string, sourceId: string, more: Partial<SeriesEntry> = {}): SeriesEntry => ({
  id: `${entityId}_${canonicalId}`,
  indicatorId: `${entityId}_${canonicalId}`,
  canonicalId,
  entityId,
  sourceId,
  title: '',
  frequency: 'monthly',
  unit: '',
  seasonalAdjustment: '',
  category: '',
  subCategory: null,
  notes: '',
  firstPeriodEnd: '2020-01-31',
  latestPeriodEnd: '2020-03-31',
  observationCount: 3,
  vintageCount: 5,
  ...more,
});

/** Without bounds the catalogue answers. */
const NONE: ServiceClient = {
  get: () => Promise.reject(new Error('the service was asked')),
  rows: () => Promise.reject(new Error('the service was asked')),
} as unknown as ServiceClient;

async function available(entries: readonly SeriesEntry[], path: string, query = '') {
  const asked = readAsked('2.1', `/availableconstraint/SERIES/${path}`, new URLSearchParams(query));
  if (asked.kind !== 'availability') throw new Error(asked.kind);
  const { codes, components, ...rest } = await availabilityOf(NONE, entries, asked.asked, undefined);
  return { ...Object.fromEntries([...codes].filter(([id]) => components.includes(id))), ...rest };
}

const refused = (entries: readonly SeriesEntry[], path: string, query = '') =>
  available(entries, path, query).then(
    () => 'answered',
    (error: unknown) => (error instanceof SdmxError ? `${error.status} ${error.message}` : error),
  );

describe('the example of the standard', () => {
  // Reference area, employment status and sex stand in the places of entity, indicator and source.
  const entries = [entryOf('UK', 'EMP', 'M'), entryOf('FR', 'EMP', 'M'), entryOf('FR', 'UEMP', 'F')];
  const common = { FREQ: ['M'], days: ['2020-01-01', '2020-03-31'] };

  it.each([
    ['.FR..F', 'exact', { ENTITY: ['FR'], INDICATOR: ['UEMP'], SOURCE: ['F'] }, 1],
    ['.FR..F', 'available', { ENTITY: ['FR'], INDICATOR: ['UEMP'], SOURCE: ['F', 'M'] }, 1],
    ['.FR..M+F', 'exact', { ENTITY: ['FR'], INDICATOR: ['EMP', 'UEMP'], SOURCE: ['F', 'M'] }, 2],
    ['.FR..M+F', 'available', { ENTITY: ['FR', 'UK'], INDICATOR: ['EMP', 'UEMP'], SOURCE: ['F', 'M'] }, 2],
    ['.UK..', 'available', { ENTITY: ['FR', 'UK'], INDICATOR: ['EMP'], SOURCE: ['M'] }, 1],
  ])('has for %s, %s, the codes of the standard, and the counts of the data', async (key, mode, codes, count) => {
    expect(await available(entries, key, `mode=${mode}`)).toEqual({
      ...common,
      ...codes,
      seriesCount: count,
      observationCount: 3 * count,
    });
  });

  it('has codes that lead from a key without data to one with data, and no count', async () => {
    const two = [entryOf('UK', 'EMP', 'M'), entryOf('FR', 'UEMP', 'M')];
    expect(await available(two, 'M.UK.UEMP.M/all/ENTITY', 'mode=available')).toEqual({
      ENTITY: ['FR'],
      days: null,
      seriesCount: 0,
      observationCount: 0,
    });
    expect(await refused(two, 'M.UK.UEMP.M', 'mode=exact')).toMatch('404 No series has this key');
    // In the place of the frequency nothing remains: a dimension without values would mean any value.
    expect(await refused(two, 'M.UK.UEMP.M', 'mode=available')).toMatch('404 With this key, no code of FREQ has data');
    expect(await refused(two, 'M.UK.UEMP.M/all/TIME_PERIOD', 'mode=available')).toMatch('404');
    expect(await refused([], '...')).toMatch('404 No series has this key');
  });
});

describe('the days', () => {
  it.each([
    ['annual', '2019-12-31', '2019-01-01'],
    ['quarterly', '2020-03-31', '2020-01-01'],
    ['quarterly', '2020-12-31', '2020-10-01'],
    ['monthly', '2020-02-29', '2020-02-01'],
    ['weekly', '2020-03-03', '2020-02-26'],
    ['weekly', '2020-01-02', '2019-12-27'],
    ['daily', '2020-02-29', '2020-02-29'],
  ] as const satisfies readonly (readonly [Frequency, string, string])[])(
    'of a %s period that ends on %s begin on %s',
    async (frequency, end, first) => {
      const entries = [entryOf('us', 'a', 's', { frequency, firstPeriodEnd: end, latestPeriodEnd: '2026-01-31' })];
      expect((await available(entries, 'all')).days).toEqual([first, '2026-01-31']);
    },
  );

  it('reach from the earliest to the latest of several series', async () => {
    const entries = [
      entryOf('us', 'a', 's', { firstPeriodEnd: '2020-01-31', latestPeriodEnd: '2020-05-31' }),
      entryOf('us', 'b', 's', { frequency: 'annual', firstPeriodEnd: '2018-12-31', latestPeriodEnd: '2019-12-31' }),
      entryOf('us', 'c', 's', { firstPeriodEnd: '2020-02-29', latestPeriodEnd: '2021-01-31' }),
    ];
    expect((await available(entries, 'all')).days).toEqual(['2018-01-01', '2021-01-31']);
    expect((await available(entries, '..a+c.')).days).toEqual(['2020-01-01', '2021-01-31']);
    expect((await available(entries, 'all/all/FREQ')).days).toBeNull();
  });
});
