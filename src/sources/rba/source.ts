// Reserve Bank of Australia: the daily cash rate target, from the workbook of its table F1. The target is announced before its day and
// never revised: the target of a day is known from the end of that day.
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { sheetRows } from '../readers/sheet.ts';
import { knownOn, type Source } from '../source.ts';
import { type SheetSeries, sheetRecords } from '../records/series-sheet.ts';

const ID = 'rba';
const FILE = /(?:^|\/)rba\/f01d[^/]*\.xlsx$/;

const SERIES: Readonly<Record<string, SheetSeries>> = {
  FIRMMCRTD: {
    canonicalId: 'central_bank_policy_rate_daily',
    unit: 'percent',
    frequency: 'daily',
    stated: { Title: 'Cash Rate Target', Frequency: 'Daily', Units: 'Per cent' },
  },
};

export const rba: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () => 'https://www.rba.gov.au/statistics/tables/xls/f01d.xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  async *normalise({ body, retrievedAt }) {
    const rows = await sheetRows(ID, body, 'Data');
    yield* observationBatches(
      withoutRepeats(
        ID,
        sheetRecords(ID, rows, SERIES, (day) => knownOn(day, retrievedAt)),
      ),
    );
  },
};
