// Australian Bureau of Statistics: consumer prices, unemployment and gross domestic product, from its time series workbooks. They state no release day: a value
// is known from the end of the month that the folder names, or from an earlier retrieval.
import { lastDayOfMonth } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { sheetRows } from '../readers/sheet.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { type SheetSeries, sheetRecords } from '../records/series-sheet.ts';

const ID = 'abs';
const FILE = /(?:^|\/)abs\/(\d{4}-\d{2})\/(640101|6202001|5206001)[^/]*\.xlsx$/;

const SERIES: Readonly<Record<string, SheetSeries>> = {
  A2325846C: {
    canonicalId: 'cpi_nsa',
    unit: 'index',
    frequency: 'quarterly',
    stated: { 'Series Type': 'Original', Unit: 'Index Numbers' },
  },
  A2325847F: {
    canonicalId: 'cpi_inflation_yoy_published',
    unit: 'percent',
    frequency: 'quarterly',
    stated: { 'Series Type': 'Original', Unit: 'Percent' },
  },
  A84423050A: {
    canonicalId: 'unemployment_rate',
    unit: 'percent',
    frequency: 'monthly',
    stated: { 'Series Type': 'Seasonally Adjusted', Unit: 'Percent' },
  },
  A2304402X: {
    canonicalId: 'gdp_real_national_currency',
    unit: 'national_currency_billions_chained',
    frequency: 'quarterly',
    stated: { 'Series Type': 'Seasonally Adjusted', Unit: '$ Millions' },
    scale: 1000,
  },
  A2304370T: {
    canonicalId: 'gdp_growth_qoq_published',
    unit: 'percent',
    frequency: 'quarterly',
    stated: { 'Series Type': 'Seasonally Adjusted', Unit: 'Percent' },
  },
};

const ADDRESSES: Readonly<Record<string, string>> = {
  '640101': 'https://www.abs.gov.au/statistics/economy/price-indexes-and-inflation/consumer-price-index-australia',
  '6202001': 'https://www.abs.gov.au/statistics/labour/employment-and-unemployment/labour-force-australia',
  '5206001':
    'https://www.abs.gov.au/statistics/economy/national-accounts/australian-national-accounts-national-income-expenditure-and-product',
};

export const abs: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: (path) => ADDRESSES[FILE.exec(path)?.[2] ?? ''] ?? null,
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  knownAt,
  async *normalise(payload) {
    const known = knownAt(payload);
    const rows = await sheetRows(ID, payload.body, 'Data1');
    yield* observationBatches(
      withoutRepeats(
        ID,
        sheetRecords(ID, rows, SERIES, () => known),
      ),
    );
  },
};

function knownAt({ key, retrievedAt }: Pick<Payload, 'key' | 'retrievedAt'>): string {
  const end = knownOn(lastDayOfMonth(FILE.exec(key)?.[1] ?? ''), retrievedAt);
  return end < retrievedAt ? end : retrievedAt;
}
